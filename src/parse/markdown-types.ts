/** A link that a reader could follow, or an image. `line` and `column` count from 1, columns in UTF-16 code units. */
export interface MarkdownLink {
  /** The target as written, entities and escapes decoded, percent-encoding kept. */
  readonly url: string;
  /**
   * `html`: an `<a href>` in raw HTML; what raw HTML shows or plays (`<img>`, `<source>`, `<video>`, `<audio>`) is an
   * `image`. `bare`: a URL in the text that is no link but that GFM makes one of.
   */
  readonly kind: 'link' | 'image' | 'html' | 'bare';
  readonly line: number;
  readonly column: number;
}

export interface MarkdownHeading {
  /** 1 to 6. */
  readonly depth: number;
  /** The text without markup and without an id at its end (`{#id}`), at most 200 UTF-16 code units. */
  readonly text: string;
  readonly line: number;
  /** The id that GitHub gives it, those of equal headings before it counted (`setup`, `setup-1`). */
  readonly slug: string;
  /** As it is written, where that is not its text; some engines make their ids from it. At most 200 code units. */
  readonly source?: string;
}

/** A block of code. */
export interface MarkdownCode {
  /** The first word after an opening fence; `null` for an indented block or a fence without one. */
  readonly language: string | null;
  readonly line: number;
}

/** A GFM table. */
export interface MarkdownTable {
  /** Cells of the header row. */
  readonly columns: number;
  /** Rows below the delimiter row. */
  readonly rows: number;
  readonly line: number;
}

/** What a Markdown text holds. All lists are in the order of the text. */
export interface MarkdownFacts {
  readonly ok: true;
  /** Any text, code, image, or HTML that is not only comments. Definitions, thematic breaks and front matter are none. */
  readonly hasContent: boolean;
  /**
   * False when not all of the text was read, or when a block so large that it had to be cut in the middle was: what
   * the lists hold is there, but something may be missing.
   */
  readonly whole: boolean;
  /** Links, resolved reference links, images, and those of raw HTML; not those in code or comments. */
  readonly links: readonly MarkdownLink[];
  readonly headings: readonly MarkdownHeading[];
  /** `id` and `name` attributes and the headings' texts of raw HTML, ids after headings (`{#id}`, `:id=id`). */
  readonly ids: readonly string[];
  readonly code: readonly MarkdownCode[];
  readonly tables: readonly MarkdownTable[];
}

/** Parsing took more time or memory than allowed; `ended`: who asked for it no longer waits, and nothing is known. */
export interface MarkdownLimit {
  readonly ok: false;
  readonly limit: 'time' | 'memory' | 'ended';
}

/**
 * What a caller may want to know, and no more: any content, a link (no image, no bare URL, none in raw HTML), a
 * first-level heading.
 */
export type Wanted = 'content' | 'link' | 'title';

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

/** A place in a piece of text: `offset` from 0, the others from 1. */
export interface Place {
  readonly offset: number;
  readonly line: number;
  readonly column: number;
}

/** A link as the tree has it: of a reference only the label is known, in the normal form of `definitions`. */
export interface TreeLink extends Place {
  readonly url?: string;
  readonly label?: string;
  readonly kind: MarkdownLink['kind'];
}

/** A heading as the tree has it; texts are cut at a thousand code units. */
export interface TreeHeading extends Place {
  readonly depth: number;
  readonly text: string;
  readonly source: string;
}

/** What the Markdown tree of one piece tells, raw HTML not yet looked into. In the order of the text. */
export interface TreeFacts {
  readonly hasContent: boolean;
  readonly links: readonly TreeLink[];
  /** By label; of several definitions of one label the first. */
  readonly definitions: ReadonlyMap<string, Place & { readonly url: string }>;
  readonly headings: readonly TreeHeading[];
  readonly html: readonly (HtmlFragment & Place)[];
  readonly code: readonly (MarkdownCode & Place)[];
  /** With the place of each row below the delimiter row. */
  readonly tables: readonly (Place & { readonly columns: number; readonly rows: readonly number[] })[];
}
