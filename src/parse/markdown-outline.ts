/** CommonMark as remark-parse reads it. Pure and synchronous; hostile texts take quadratic time. */
import type { Nodes } from 'mdast';
import remarkParse from 'remark-parse';
import { unified } from 'unified';
import { BEGINNING, hasHtmlContent, type Prepared } from './markdown-text.ts';
import type { MarkdownOutline, Wanted } from './markdown.ts';

const parser = unified().use(remarkParse).freeze();

/** Reads all of a text only where its beginning lacks something that is wanted. */
export function readOutline({ text, whole, moreContent }: Prepared, wanted: readonly Wanted[]): MarkdownOutline {
  const end = text.length > BEGINNING ? lastEmptyLine(text.slice(0, BEGINNING)) : 0;
  if (end > 0) {
    const beginning = { ...outlineOf(text.slice(0, end)), ok: true, whole: false } as const;
    if (wanted.every((what) => beginning[what])) return beginning;
  }
  const outline = outlineOf(text);
  return { ...outline, ok: true, whole, hasContent: outline.hasContent || moreContent };
}

/** The text before an empty line reads the same whatever follows it, except for references to later definitions. */
const lastEmptyLine = (text: string): number =>
  [...text.matchAll(/(?:\r\n|\n|\r)[ \t]*(?=\r\n|\n|\r)/g)].at(-1)?.index ?? 0;

const NOT_SHOWN = /<!--[^]*?(?:-->|$)|<(script|style)\b[^]*?(?:<\/\1\s*>|$)/gi;

type Found = Record<Wanted, boolean>;

function outlineOf(text: string): Found {
  const found: Found = { hasContent: false, hasLink: false, hasTitle: false };
  // Iterative: trees nest as deep as the text does.
  const pending: Nodes[] = [parser.parse(text)];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    read(node, found);
    if ('children' in node) for (const child of node.children) pending.push(child);
  }
  return found;
}

const CONTENT: ReadonlySet<Nodes['type']> = new Set(['code', 'inlineCode', 'image', 'imageReference']);

function read(node: Nodes, found: Found): void {
  if (node.type === 'html') {
    found.hasContent ||= hasHtmlContent(node.value);
    found.hasLink ||= /<a\s[^<]*?\bhref\s*=/i.test(node.value.replace(NOT_SHOWN, ''));
  }
  found.hasContent ||= CONTENT.has(node.type) || (node.type === 'text' && node.value.trim() !== '');
  // `[^1]` is a footnote to engines.
  found.hasLink ||= node.type === 'link' || (node.type === 'linkReference' && !node.identifier.startsWith('^'));
  found.hasTitle ||= node.type === 'heading' && node.depth === 1;
}
