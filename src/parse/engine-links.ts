/** Finds links that engines make and CommonMark does not. Pure and linear. */
import type { EngineLink } from './markdown.ts';

const MOST = 5_000;

/** Fenced code and code spans, where VertiWiki reads no wikilinks. */
const CODE = /```[^]*?```|~~~[^]*?~~~|(?<!`)(`+)(?!`)[^`]+(?<!`)\1(?!`)/g;
const WIKILINK = /\[\[([^\]\n|#]{1,500})(?:#([^\]\n|]{1,500}))?(?:\|[^\]\n]{1,500})?\]\]/g;

/** `[[page#section|label]]`. `.md` is appended as VertiWiki does (`src/plugins/wikilinks.ts`). */
export function wikilinks(text: string): readonly EngineLink[] {
  if (!text.includes('[[')) return [];
  const plain = text.replace(CODE, (code) => code.replaceAll(/[^\r\n]/g, ' '));
  const found: EngineLink[] = [];
  let [line, lineStart, at] = [1, 0, 0];
  for (const { 0: whole, 1: target = '', 2: section = '', index } of plain.matchAll(WIKILINK)) {
    for (let end = plain.indexOf('\n', at); end !== -1 && end < index; end = plain.indexOf('\n', at)) {
      line++;
      lineStart = at = end + 1;
    }
    const page = target.trim();
    if (page === '' || found.length === MOST) continue;
    const isWhole = /\.(?:md|markdown|mdown)$|\?|^https?:\/\//i.test(page);
    const url = `${isWhole ? page : `${page}.md`}${section.trim() === '' ? '' : `#${section.trim()}`}`;
    found.push({ url, kind: 'link', dialect: 'wikilinks', line, column: index - lineStart + 1 });
    at = Math.max(at, index + whole.length);
  }
  return found;
}

const ITEM = /^[^\S\n]*[-*][^\S\n]+\[[^\]\n]{1,500}\]\(([^)\n]{1,1000})\)/gm;

/** Entries that VertiWiki's `parseNavigationMarkdown` reads otherwise than Markdown: the path ends at the first `)`. */
export function oddItems(text: string): readonly EngineLink[] {
  if (!text.includes('](')) return [];
  const found: EngineLink[] = [];
  let [line, at] = [1, 0];
  for (const { 0: whole, 1: inside = '', index } of text.matchAll(ITEM)) {
    const url = inside.trim();
    if (!/[\s<("']/.test(url) || found.length === MOST) continue;
    for (let end = text.indexOf('\n', at); end !== -1 && end < index; end = text.indexOf('\n', at)) {
      line++;
      at = end + 1;
    }
    found.push({ url, kind: 'link', dialect: 'items', line, column: whole.indexOf('[') + 1 });
  }
  return found;
}

/** Marked before 2.0, which docsify 4 has, ends a target with an open parenthesis at the first `)`. */
const UNBALANCED = /(!?)\[([^[\]]{0,500})\]\(([^\s()<>]{0,500}\([^\s()<>]{0,500})\)(?!\S{0,500}\)|\s*[)"'(])/g;

/** `[label](target)` whose target has a space in it. */
const LOOSE = /(!?)\[([^[\]]{0,500})\]\(([^()<>\n]{1,500})\)/g;

/** Links that `marked` reads and CommonMark does not: `[a](my page.md)`, `[a](b.md "title" "title")`, `[a](b(c) d)`. */
export function looseLinks(
  block: string,
): readonly (Omit<EngineLink, 'line' | 'column'> & { readonly offset: number })[] {
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
