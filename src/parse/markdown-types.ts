/** A link that a reader could follow, or an image. `line` and `column` count from 1, columns in UTF-16 code units. */
export interface MarkdownLink {
  /** The target as written, entities and escapes decoded, percent-encoding kept. */
  readonly url: string;
  /** `html`: an `<a href>` in raw HTML; an `<img src>` there is an `image`. */
  readonly kind: 'link' | 'image' | 'html';
  readonly line: number;
  readonly column: number;
}

export interface MarkdownHeading {
  /** 1 to 6. */
  readonly depth: number;
  /** The text without markup, at most 200 UTF-16 code units. */
  readonly text: string;
  readonly line: number;
}

/** What a Markdown text holds. All lists are in the order of the text. */
export interface MarkdownFacts {
  readonly ok: true;
  /** Any text, code, image, or HTML that is not only comments. Definitions, thematic breaks and front matter are none. */
  readonly hasContent: boolean;
  /** False when only the first 64 KiB were read: the lists tell of these. */
  readonly whole: boolean;
  /** Links, resolved reference links, images, and those of raw HTML; not those in code or comments. */
  readonly links: readonly MarkdownLink[];
  readonly headings: readonly MarkdownHeading[];
}

/** Parsing took more time or memory than allowed. */
export interface MarkdownLimit {
  readonly ok: false;
  readonly limit: 'time' | 'memory';
}

/** What the Markdown tree tells, raw HTML not yet looked into. */
export interface TreeFacts {
  readonly hasContent: boolean;
  readonly links: readonly MarkdownLink[];
  readonly headings: readonly MarkdownHeading[];
  readonly html: readonly HtmlFragment[];
}

/** A text that is ready for the parser. */
export interface Prepared {
  /** Front matter blanked, cut at a line's end. */
  readonly text: string;
  readonly whole: boolean;
  /** True when what was cut off holds anything but white space. */
  readonly moreContent: boolean;
}

/** A raw HTML node of a Markdown tree and where it starts. */
export interface HtmlFragment {
  readonly value: string;
  readonly line: number;
  readonly column: number;
}
