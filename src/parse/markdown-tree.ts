import type { Definition, Heading, Nodes, Root } from 'mdast';
import remarkParse from 'remark-parse';
import { unified } from 'unified';
import type { HtmlFragment, MarkdownHeading, MarkdownLink, TreeFacts } from './markdown-types.ts';

const LONGEST_HEADING = 200;

/** Parses CommonMark and walks the tree once. Pure, synchronous; hostile texts take quadratic time and much memory. */
export function readTree(text: string): TreeFacts {
  const root: Root = unified().use(remarkParse).parse(text);
  const definitions = new Map<string, string>();
  const references: Nodes[] = [];
  const headings: MarkdownHeading[] = [];
  const html: HtmlFragment[] = [];
  let hasContent = false;
  for (const node of walk(root)) {
    hasContent ||= isContent(node);
    if (node.type === 'definition') define(definitions, node);
    else if (node.type === 'heading') headings.push(headingOf(node));
    else if (node.type === 'html') html.push({ value: node.value, ...startOf(node) });
    else if (isReference(node)) references.push(node);
  }
  const links = references.flatMap((node) => linkOf(node, definitions) ?? []);
  return { hasContent, links, headings, html };
}

/** Every node in the order of the text. Iterative: trees nest as deep as the text does. */
function* walk(root: Nodes): Generator<Nodes> {
  const pending: Nodes[] = [root];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    yield node;
    if (!('children' in node)) continue;
    for (let at = node.children.length - 1; at >= 0; at--) {
      const child = node.children[at];
      if (child !== undefined) pending.push(child);
    }
  }
}

function isContent(node: Nodes): boolean {
  if (node.type === 'text') return node.value.trim() !== '';
  if (node.type === 'html') return node.value.replace(/<!--[^]*?(?:-->|$)/g, '').trim() !== '';
  return node.type === 'code' || node.type === 'inlineCode' || node.type === 'image' || node.type === 'imageReference';
}

/** Of several definitions of one label the first counts (CommonMark, section 4.7). */
function define(definitions: Map<string, string>, { identifier, url }: Definition): void {
  if (!definitions.has(identifier)) definitions.set(identifier, url);
}

function isReference({ type }: Nodes): boolean {
  return type === 'link' || type === 'image' || type === 'linkReference' || type === 'imageReference';
}

function linkOf(node: Nodes, definitions: ReadonlyMap<string, string>): MarkdownLink | undefined {
  const kind = node.type === 'image' || node.type === 'imageReference' ? 'image' : 'link';
  const url = 'identifier' in node ? definitions.get(node.identifier) : 'url' in node && node.url;
  return typeof url === 'string' ? { url, kind, ...startOf(node) } : undefined;
}

function startOf(node: Nodes): { line: number; column: number } {
  return { line: node.position?.start.line ?? 1, column: node.position?.start.column ?? 1 };
}

function headingOf(node: Heading): MarkdownHeading {
  let text = '';
  for (const part of walk(node)) {
    if (part.type === 'text' || part.type === 'inlineCode') text += part.value;
    else if (part.type === 'break') text += ' ';
    else if (part.type === 'image' || part.type === 'imageReference') text += part.alt ?? '';
    if (text.length >= LONGEST_HEADING) break;
  }
  return { depth: node.depth, text: text.trim().slice(0, LONGEST_HEADING), line: startOf(node).line };
}
