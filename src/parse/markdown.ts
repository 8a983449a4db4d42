/** Reads Markdown, untrusted. */
import { plainOutline, prepare } from './markdown-text.ts';
import { readUntrusted, type ReadLimit, type ReadLimits } from './untrusted.ts';

/** `line` and `column` count from 1, columns in UTF-16 code units. */
export interface MarkdownLink {
  /** The target as written, entities and escapes decoded, percent-encoding kept. */
  readonly url: string;
  /** `html`: an `<a href>` in raw HTML. `bare`: a URL in the text. What raw HTML shows or plays is an `image`. */
  readonly kind: 'link' | 'image' | 'html' | 'bare';
  readonly title?: string;
  readonly raw?: true;
  readonly line: number;
  readonly column: number;
}

/**
 * `loose`: spaces, two titles or a title alone; `unbalanced`: an open parenthesis; `items`: in VertiWiki's navigation;
 * `footnotes`: a footnote of one word, which is a link to that word without an extension for footnotes.
 */
export interface EngineLink extends MarkdownLink {
  readonly dialect: 'wikilinks' | 'loose' | 'unbalanced' | 'items' | 'footnotes';
}

export interface MarkdownHeading {
  readonly depth: number;
  /** The text without markup and without an id at its end (`{#id}`), at most 200 UTF-16 code units. */
  readonly text: string;
  readonly line: number;
  /** The id that GitHub gives it, equal headings before it counted (`setup`, `setup-1`). */
  readonly slug: string;
  /** As written, where that differs from its text; some engines make their ids from it. At most 200 code units. */
  readonly source?: string;
}

/** What a Markdown text holds. All lists are in the order of the text. */
export interface MarkdownFacts {
  readonly ok: true;
  /** Any text, code, image, or HTML that is not only comments. Definitions, thematic breaks and front matter do not count. */
  readonly hasContent: boolean;
  /** False when not all of the text was read or kept: the lists may lack something. */
  readonly whole: boolean;
  /** Links, resolved reference links, images, and those of raw HTML; not those in code or comments. */
  readonly links: readonly MarkdownLink[];
  readonly engineLinks?: readonly EngineLink[];
  readonly headings: readonly MarkdownHeading[];
  /** `id` and `name` attributes and the headings' texts of raw HTML, ids after headings (`{#id}`, `:id=id`). */
  readonly ids: readonly string[];
  /** `language`: the first word after an opening fence; `null` for an indented block or a fence without one. */
  readonly code: readonly { readonly language: string | null; readonly line: number }[];
  /** `columns`: cells of the header row; `rows`: those below the delimiter row. */
  readonly tables: readonly { readonly columns: number; readonly rows: number; readonly line: number }[];
}

export interface MarkdownOutline extends Readonly<Record<Wanted, boolean>> {
  readonly ok: true;
  /** False when only the beginning was read. */
  readonly whole: boolean;
}

/**
 * What of an outline a caller wants: once all of it is found, the rest of the text need not be read. `hasLink`: any link,
 * raw HTML included; images and bare URLs do not count. `hasTitle`: any first-level heading.
 */
export type Wanted = 'hasContent' | 'hasLink' | 'hasTitle';

/** What is read of a text, in UTF-16 code units: enough to evaluate a page. */
const LONGEST = 64 * 1024;

/** Of the first 64 KiB. Never rejects on what a text holds. */
export function parseMarkdown(text: string, limits: ReadLimits): Promise<MarkdownFacts | ReadLimit> {
  const { text: beginning, ...cut } = prepare(text, LONGEST);
  return readUntrusted('markdown-facts', beginning, { ...cut, most: Infinity }, limits);
}

/** With remark-parse, unless all that is wanted is found without a parser. */
export async function outlineMarkdown(
  text: string,
  limits: ReadLimits,
  wanted: readonly Wanted[],
): Promise<MarkdownOutline | ReadLimit> {
  const { text: beginning, ...cut } = prepare(text, LONGEST);
  const plain = plainOutline(beginning);
  if (wanted.every((what) => plain[what])) return { ...plain, ok: true, whole: false };
  return readUntrusted('markdown-outline', beginning, { ...cut, wanted }, limits);
}
