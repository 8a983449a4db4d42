/** What agents need in pages that they read one at a time: where the index is, and links that lead somewhere from anywhere. */
import type { Nodes } from 'mdast';
import remarkParse from 'remark-parse';
import { unified } from 'unified';

/** Names the index of all pages below the heading of a page, for readers of its source only. `page`: below the site. */
export function withIndex(page: string, text: string): string {
  const up = '../'.repeat(page.split('/').length - 1) || './';
  return text.replace(/^# .*\n/, (heading) => `${heading}\n<!-- Index of all pages: ${up}llms.txt -->\n`);
}

/** Makes the relative links of a Markdown text absolute. `address`: of the text. */
export function withAbsoluteLinks(text: string, address: URL): string {
  const parts: string[] = [];
  let end = 0;
  for (const { url, start } of relativeLinks(text)) {
    const at = text.indexOf(url, start);
    if (at < end) continue;
    parts.push(text.slice(end, at), new URL(url, address).href);
    end = at + url.length;
  }
  return [...parts, text.slice(end)].join('');
}

/** Relative links of a text, and where their targets are to be looked for. */
function relativeLinks(text: string): readonly { readonly url: string; readonly start: number }[] {
  const found: { url: string; start: number }[] = [];
  const walk = (node: Nodes): void => {
    if ('children' in node) for (const child of node.children) walk(child);
    if (node.type !== 'link' && node.type !== 'image' && node.type !== 'definition') return;
    const inside = node.type === 'link' ? node.children.at(-1)?.position?.end.offset : undefined;
    const start = inside ?? node.position?.start.offset ?? 0;
    if (!/^(?:[a-z][a-z\d+.-]*:|#|\/)/i.test(node.url)) found.push({ url: node.url, start });
  };
  walk(unified().use(remarkParse).parse(text));
  return found.toSorted((a, b) => a.start - b.start);
}
