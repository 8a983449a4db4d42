import type { MarkdownFacts } from './markdown.ts';

/** Most texts contain early what a check searches for (UTF-16 code units). */
export const BEGINNING = 8 * 1024;

/** `moreContent`: what was cut off holds more than white space. */
export type Prepared = ReturnType<typeof prepare>;

/**
 * Blanks front matter (lines keep their numbers) and cuts the text at a line's end to the first `longest` UTF-16 code
 * units or less.
 */
export function prepare(text: string, longest: number) {
  const start = frontMatterLength(text);
  const body = start === 0 ? text : text.slice(0, start).replace(/[^\r\n]+/g, '') + text.slice(start);
  if (body.length <= longest) return { text: body, whole: true, moreContent: false };
  const head = body.slice(0, longest);
  const end = Math.max(head.lastIndexOf('\n'), head.lastIndexOf('\r')) + 1;
  // Without a line end it is one endless line. A half surrogate pair at the cut does no harm.
  const cut = end === 0 || head.slice(0, end).trim() === '' ? longest : end;
  return { text: body.slice(0, cut), whole: false, moreContent: /\S/.test(body.slice(cut)) };
}

/** YAML or TOML. What is longer than 256 KiB (UTF-16 code units) is read as Markdown. */
const FRONT_MATTER = /(---|\+\+\+)[ \t]*(?:\r\n|\n|\r)([^]{0,262144}?)^\1[ \t]*$/my;

/** 0: none. A block that begins with an empty line or holds no `key: value` is Markdown between two thematic breaks. */
export function frontMatterLength(text: string): number {
  FRONT_MATTER.lastIndex = 0;
  const [whole = '', fence, inside = ''] = FRONT_MATTER.exec(text) ?? [];
  return isData(inside, fence === '---') ? whole.length : 0;
}

function isData(inside: string, yaml: boolean): boolean {
  if (inside === '') return true;
  if (/^[ \t]*[\r\n]/.test(inside)) return false;
  const entry = yaml ? /^[^\s#][^\r\n:]*:(?:[ \t\r\n]|$)/m : /^[^\s#][^\r\n=]*=|^\[/m;
  // Or nothing but comments.
  return entry.test(inside) || !/^[ \t]*[^\s#]/m.test(inside);
}

/** A line that reads the same to every parser: nothing in it could hide what follows, and its links are simple. */
const PLAIN_LINE =
  /^(?:> | {1,3})?(?:#{1,6} +|[-*+] {1,3}|\d{1,9}[.)] {1,3})?(?=[\p{L}[("'`]|\*\*\p{L})(?:[^`<[\]\\!]|!(?!\[)|`[^`]+`(?!`)|\[[^`<[\]\\]+\]\([\w./#?=%~:@+-]+\))+$/u;
const MOST_LINES = 100;

/** What it does not find may be further down. Loading and warming up a parser takes longer than the rest of a check. */
export function plainOutline(text: string): { hasContent: boolean; hasLink: boolean; hasTitle: boolean } {
  const found = { hasContent: false, hasLink: false, hasTitle: false };
  const lines = text.slice(0, BEGINNING).split(/\r\n|\n|\r/, MOST_LINES + 1);
  // The last one may be cut.
  for (const line of lines.slice(0, -1)) {
    if (line.trim() === '') continue;
    if (!PLAIN_LINE.test(line)) break;
    found.hasContent = true;
    found.hasLink ||= line.replaceAll(/`[^`]+`/g, '').includes('](');
    found.hasTitle ||= /^(?:> | *)# /.test(line);
  }
  return found;
}

/** Whether raw HTML is more than comments. */
export function hasHtmlContent(html: string): boolean {
  return html.replace(/<!--[^]*?(?:-->|$)/g, '').trim() !== '';
}

/** With the first entries of each list. */
export function boundedFacts(facts: MarkdownFacts, most: number): MarkdownFacts {
  const lists = Object.entries(facts).filter((entry): entry is [string, readonly unknown[]] => Array.isArray(entry[1]));
  if (lists.every(([, { length }]) => length <= most)) return facts;
  return { ...facts, whole: false, ...Object.fromEntries(lists.map(([name, list]) => [name, list.slice(0, most)])) };
}
