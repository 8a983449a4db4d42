/** Reads GitHub-flavoured Markdown as far as reports use it, and shows what of it is no plain text. */
import type { Nodes, Root } from 'mdast';
import { gfmTableFromMarkdown } from 'mdast-util-gfm-table';
import { gfmTable } from 'micromark-extension-gfm-table';
import remarkParse from 'remark-parse';
import { unified, type Processor } from 'unified';

/** Tables as GitHub knows them; GitHub's own links of addresses, mentions and references are looked for in texts. */
function tables(this: Processor): void {
  const data = this.data() as { micromarkExtensions?: unknown[]; fromMarkdownExtensions?: unknown[] };
  (data.micromarkExtensions ??= []).push(gfmTable());
  (data.fromMarkdownExtensions ??= []).push(gfmTableFromMarkdown());
}

export function readGfm(text: string): Root {
  return unified().use(remarkParse).use(tables).parse(text);
}

export function nodesOf(node: Nodes): readonly Nodes[] {
  return [node, ...('children' in node ? node.children.flatMap((child) => nodesOf(child)) : [])];
}

/** The tree as text, an element a line, with the texts that are no code. What code says is left out. */
export function shapeOf(node: Nodes, depth = 0): string {
  const own = node.type === 'text' ? JSON.stringify(node.value) : node.type;
  const children = 'children' in node ? node.children.map((child) => shapeOf(child, depth + 1)) : [];
  return [`${' '.repeat(depth)}${own}`, ...children].join('\n');
}

/** The texts of code, in order. */
export function codesOf(node: Nodes): readonly string[] {
  return nodesOf(node).flatMap((each) => (each.type === 'inlineCode' || each.type === 'code' ? [each.value] : []));
}

/** What GitHub makes links, pictures or notices of in texts that are no code. */
export const GITHUB_MARKS =
  /https?:|www\.|@[\w-]|#\d|\bGH-\d|\b[0-9a-f]{7,40}\b(?=.*[a-f])|:[\w+-]+:|\$[^\s$][^$]*\$|\[!|<\/?[a-z!]/i;
