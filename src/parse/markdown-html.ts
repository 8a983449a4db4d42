import { Parser } from 'htmlparser2';
import type { HtmlFragment, MarkdownLink } from './markdown-types.ts';
import { srcsetUrls } from './srcset.ts';

/** The attributes that hold a target, by element. */
const TARGETS: Readonly<Record<string, readonly string[]>> = {
  a: ['href'],
  img: ['src', 'srcset'],
  source: ['src', 'srcset'],
  video: ['src', 'poster'],
  audio: ['src'],
};

/** Longest title of a heading that is kept. */
const LONGEST_TITLE = 200;

/** What raw HTML holds: targets, `id` and `name` attributes, texts of headings. */
export interface RawHtml {
  readonly links: readonly MarkdownLink[];
  readonly ids: readonly string[];
}

/**
 * What raw HTML nodes hold, entities decoded; nothing from comments, scripts and styles. `text` is the Markdown text that
 * the nodes come from. Pure and synchronous.
 */
export function readHtml(fragments: readonly HtmlFragment[], text: string): RawHtml {
  const found = { links: [] as MarkdownLink[], ids: [] as string[] };
  let lines: readonly string[] | undefined;
  for (const fragment of fragments) {
    if (isBare(fragment.value)) continue;
    lines ??= text.split(/\r\n|\n|\r/);
    readFragment(fragment, lines, found);
  }
  return found;
}

/** A tag without attributes, as most of those within a line are. */
function isBare(value: string): boolean {
  return /^<\/?[a-z][\da-z-]*\s*\/?>$/i.test(value);
}

function readFragment(
  fragment: HtmlFragment,
  lines: readonly string[],
  found: { links: MarkdownLink[]; ids: string[] },
): void {
  const place = places(fragment, lines);
  let title: string | null = null;
  const parser = new Parser({
    onopentag(name, attributes) {
      if (/^h[1-6]$/.test(name)) title = '';
      for (const id of [attributes['id'], attributes['name']]) if (id !== undefined && id !== '') found.ids.push(id);
      const urls = targets(name, attributes);
      if (urls.length === 0) return;
      const at = place(parser.startIndex);
      for (const url of urls) found.links.push({ url, kind: name === 'a' ? 'html' : 'image', ...at });
    },
    ontext(data) {
      if (title !== null && title.length < LONGEST_TITLE) title += data;
    },
    onclosetag(name) {
      if (title === null || !/^h[1-6]$/.test(name)) return;
      const text = title.trim().slice(0, LONGEST_TITLE);
      if (text !== '') found.ids.push(text);
      title = null;
    },
  });
  parser.end(fragment.value);
}

function targets(name: string, attributes: Readonly<Record<string, string>>): string[] {
  const names = Object.hasOwn(TARGETS, name) ? (TARGETS[name] ?? []) : [];
  return names.flatMap((attribute) => {
    const value = attributes[attribute];
    if (value === undefined) return [];
    return attribute === 'srcset' ? srcsetUrls(value) : [value.trim()];
  });
}

/** Turns offsets in the fragment, which have to come in order, into places in the text. */
function places({ value, line, column }: HtmlFragment, lines: readonly string[]) {
  const ends = /\r\n|\n|\r/g;
  const rows = value.split(ends);
  let row = 0;
  let start = 0;
  let end = ends.exec(value);
  return (offset: number): { line: number; column: number } => {
    while (end !== null && ends.lastIndex <= offset) {
      row++;
      start = ends.lastIndex;
      end = ends.exec(value);
    }
    // Later lines have lost what their containers put before them (`> `, indentation): they end as in the text.
    const lost = (lines[line - 1 + row]?.length ?? 0) - (rows[row]?.length ?? 0);
    const before = row === 0 ? column - 1 : Math.max(0, lost);
    return { line: line + row, column: before + offset - start + 1 };
  };
}
