/** Finds links that engines make and CommonMark does not. Pure and linear. */
import type { EngineLink } from './markdown.ts';
import { positionsOf } from './position.ts';

const MOST = 5_000;

/** Fenced code and code spans, where VertiWiki reads no wikilinks. */
const CODE = /```[^]*?```|~~~[^]*?~~~|(?<!`)(`+)(?!`)[^`]+(?<!`)\1(?!`)/g;
const WIKILINK = /\[\[([^\]\n|#]{1,500})(?:#([^\]\n|]{1,500}))?(?:\|[^\]\n]{1,500})?\]\]/g;

/** `[[page#section|label]]`. `.md` is appended as VertiWiki does (`src/plugins/wikilinks.ts`). */
export function wikilinks(text: string): readonly EngineLink[] {
  if (!text.includes('[[')) return [];
  const plain = text.replace(CODE, (code) => code.replaceAll(/[^\r\n]/g, ' '));
  const found = [...plain.matchAll(WIKILINK)].flatMap(({ 1: target = '', 2: section = '', index: offset }) => {
    const page = target.trim();
    const isWhole = /\.(?:md|markdown|mdown)$|\?|^https?:\/\//i.test(page);
    const url = `${isWhole ? page : `${page}.md`}${section.trim() === '' ? '' : `#${section.trim()}`}`;
    return page === '' ? [] : [{ url, dialect: 'wikilinks', offset } as const];
  });
  return located(plain, found);
}

const ITEM = /^[^\S\n]*[-*][^\S\n]+\[[^\]\n]{1,500}\]\(([^)\n]{1,1000})\)/gm;

/** Entries that VertiWiki's `parseNavigationMarkdown` reads otherwise than Markdown: the path ends at the first `)`. */
export function oddItems(text: string): readonly EngineLink[] {
  if (!text.includes('](')) return [];
  const found = [...text.matchAll(ITEM)].flatMap(({ 0: whole, 1: inside = '', index }) => {
    const url = inside.trim();
    return /[\s<("']/.test(url) ? [{ url, dialect: 'items', offset: index + whole.indexOf('[') } as const] : [];
  });
  return located(text, found);
}

type Found = Pick<EngineLink, 'url' | 'dialect'> & { readonly offset: number };

function located(text: string, found: readonly Found[]): readonly EngineLink[] {
  const first = found.slice(0, MOST);
  const positions = positionsOf(
    text,
    first.map(({ offset }) => offset),
  );
  return first.map(({ url, dialect, offset }) => {
    return { url, kind: 'link', dialect, ...(positions.get(offset) ?? { line: 1, column: 1 }) };
  });
}

/** Marked before 2.0, which docsify 4 has, ends a target with an open parenthesis at the first `)`. */
const UNBALANCED = /(!?)\[([^[\]]{0,500})\]\(([^\s()<>]{0,500}\([^\s()<>]{0,500})\)(?!\S{0,500}\)|\s*[)"'(])/g;

/** `[label](target)` whose target has a space in it. */
const LOOSE = /(!?)\[([^[\]]{0,500})\]\(([^()<>\n]{1,500})\)/g;

/** Links that `marked` reads and CommonMark does not: `[a](my page.md)`, `[a](b.md "title" "title")`, `[a](b(c) d)`. */
export function looseLinks(block: string) {
  if (!block.includes('](')) return [];
  const plain = block.replace(CODE, (code) => ' '.repeat(code.length));
  const isEscaped = (index: number): boolean => block[index - 1] === '\\';
  const unbalanced = [...plain.matchAll(UNBALANCED)].slice(0, MOST).flatMap(({ 1: mark, 3: url = '', index }) => {
    if (isEscaped(index)) return [];
    return [{ url, kind: mark === '!' ? 'image' : 'link', dialect: 'unbalanced', offset: index } as const];
  });
  const loose = [...plain.matchAll(LOOSE)].slice(0, MOST).flatMap(({ 1: mark, 3: inside = '', index }) => {
    const [, target = '', titles = ''] = /^\s*([^"']*?)\s*((?:["'].*)?)$/s.exec(inside) ?? [];
    const isOdd = /\s/.test(target) || /^(["']).*\1\s*["'].*["']\s*$/s.test(titles);
    if (!isOdd || target === '' || isEscaped(index)) return [];
    return [{ url: target, kind: mark === '!' ? 'image' : 'link', dialect: 'loose', offset: index } as const];
  });
  return [...unbalanced, ...loose];
}
