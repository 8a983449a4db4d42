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
  let linked = '';
  let end = 0;
  const walk = (node: Nodes): void => {
    if (node.type === 'image' || node.type === 'definition') replace(node.url, node.position?.start.offset ?? 0);
    if (!('children' in node)) return;
    for (const child of node.children) walk(child);
    // Its target is behind its text.
    if (node.type !== 'link') return;
    replace(node.url, node.children.at(-1)?.position?.end.offset ?? node.position?.start.offset ?? 0);
  };
  const replace = (url: string, start: number): void => {
    const at = text.indexOf(url, start);
    if (at < end || /^(?:[a-z][a-z\d+.-]*:|#|\/)/i.test(url)) return;
    linked += text.slice(end, at) + new URL(url, address).href;
    end = at + url.length;
  };
  walk(unified().use(remarkParse).parse(text));
  return linked + text.slice(end);
}
