import type { Definition, Heading, Nodes, Root, Table } from 'mdast';
import { bareUrlReader } from './markdown-bare-urls.ts';
import type { Place, TreeFacts, TreeHeading, TreeLink } from './markdown-types.ts';

const LONGEST_HEADING = 1000;

type Mutable<T> = { -readonly [K in keyof T]: T[K] extends readonly (infer E)[] ? E[] : T[K] };
type Found = Mutable<Omit<TreeFacts, 'definitions'>> & { definitions: Map<string, Place & { url: string }> };

/** Walks the tree of a piece of text once. Pure and synchronous. */
export function readTree(root: Root, text: string): TreeFacts {
  const found: Found = {
    hasContent: false,
    links: [],
    definitions: new Map(),
    headings: [],
    html: [],
    code: [],
    tables: [],
  };
  const urls = bareUrlReader(text);
  // Iterative: trees nest as deep as the text does.
  const pending: Nodes[] = [root];
  // What comes before this offset is in a link, whose text makes no links.
  let inLinkUntil = 0;
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    found.hasContent ||= isContent(node);
    read(node, found, text);
    if (node.type === 'link' || node.type === 'linkReference') inLinkUntil = endOf(node);
    if (node.type === 'text' && placeOf(node).offset >= inLinkUntil) {
      found.links.push(...urls(node.value, placeOf(node).offset, endOf(node)));
    }
    if (!('children' in node)) continue;
    for (let at = node.children.length - 1; at >= 0; at--) {
      const child = node.children[at];
      if (child !== undefined) pending.push(child);
    }
  }
  return found;
}

function read(node: Nodes, found: Found, text: string): void {
  if (node.type === 'heading') found.headings.push(headingOf(node, text));
  else if (node.type === 'html') found.html.push({ value: node.value, ...placeOf(node) });
  else if (node.type === 'code') found.code.push({ language: node.lang ?? null, ...placeOf(node) });
  else if (node.type === 'table') found.tables.push(tableOf(node));
  else if (node.type === 'definition') define(node, found);
  else found.links.push(...linksOf(node));
}

/** Of several definitions of one label the first counts (CommonMark, section 4.7). */
function define(node: Definition, { definitions }: Found): void {
  if (definitions.has(node.identifier)) return;
  definitions.set(node.identifier, { url: node.url, ...placeOf(node) });
}

function linksOf(node: Nodes): TreeLink[] {
  if (node.type === 'link') return [{ url: node.url, kind: 'link', ...placeOf(node) }];
  if (node.type === 'image') return [{ url: node.url, kind: 'image', ...placeOf(node) }];
  if (node.type === 'imageReference') return [{ label: node.identifier, kind: 'image', ...placeOf(node) }];
  if (node.type !== 'linkReference' || isFootnote(node.identifier)) return [];
  return [{ label: node.identifier, kind: 'link', ...placeOf(node) }];
}

function isContent(node: Nodes): boolean {
  if (node.type === 'text') return node.value.trim() !== '';
  if (node.type === 'html') return hasHtmlContent(node.value);
  return node.type === 'code' || node.type === 'inlineCode' || node.type === 'image' || node.type === 'imageReference';
}

/** Whether raw HTML is more than comments. */
export function hasHtmlContent(value: string): boolean {
  return value.replace(/<!--[^]*?(?:-->|$)/g, '').trim() !== '';
}

/** `[^1]` and its definition are a footnote to engines, and never lead to a file. */
function isFootnote(label: string): boolean {
  return label.startsWith('^');
}

function placeOf(node: Nodes): Place {
  const { offset = 0, line, column } = node.position?.start ?? { line: 1, column: 1 };
  return { offset, line, column };
}

function endOf(node: Nodes): number {
  return node.position?.end.offset ?? 0;
}

function headingOf(node: Heading, text: string): TreeHeading {
  const start = node.children[0]?.position?.start.offset ?? 0;
  const end = node.children.at(-1)?.position?.end.offset ?? start;
  const source = text.slice(start, Math.min(end, start + LONGEST_HEADING));
  return { depth: node.depth, text: textOf(node), source, ...placeOf(node) };
}

function textOf(heading: Heading): string {
  let text = '';
  const pending: Nodes[] = [heading];
  for (let node = pending.pop(); node !== undefined && text.length < LONGEST_HEADING; node = pending.pop()) {
    if (node.type === 'text' || node.type === 'inlineCode') text += node.value;
    else if (node.type === 'break') text += ' ';
    else if (node.type === 'image' || node.type === 'imageReference') text += node.alt ?? '';
    if ('children' in node) pending.push(...node.children.toReversed());
  }
  return text.trim().slice(0, LONGEST_HEADING);
}

function tableOf(node: Table): TreeFacts['tables'][number] {
  const [header, ...rows] = node.children;
  return { columns: header?.children.length ?? 0, rows: rows.map((row) => placeOf(row).offset), ...placeOf(node) };
}
