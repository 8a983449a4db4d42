/** Finds where a text too long for one parse can be cut, so that both parts read as the whole would. Pure. */
import type { Blockquote, Code, Html, List, ListItem, Nodes, Paragraph, Root, Table } from 'mdast';

/** Where the next piece begins. */
export interface Cut {
  /** Offset in the piece. */
  readonly offset: number;
  /** Lines to put before the next piece, each with its line end: they open again what the cut is in. */
  readonly carry: string;
  /** What the cut divides; its second part is not one more of it. */
  readonly inside: 'code' | 'paragraph' | 'table' | null;
}

/** Longest `carry`: in a text that nests deeper, the cut is a rough one. */
const LONGEST_CARRY = 2000;

/**
 * The cut in a piece whose first `carried` code units are its own carry; `null` when there is none that is sure to
 * change nothing. What comes before it was settled by what follows it there: a block ends where the next one begins,
 * whatever comes later.
 */
export function findCut(root: Root, text: string, carried: number): Cut | null {
  if (endsBlank(root, text)) return { offset: text.length, carry: '', inside: null };
  const markers = new Map<number, string>();
  let node: Root | Container = root;
  for (;;) {
    const last: Nodes | undefined = lastApart(node.children);
    if (last === undefined) return null;
    const start = lineStart(text, offsetOf(last));
    // What begins on the line of its item's marker begins with that.
    const opened = [...markers].filter(([line]) => line < start).map(([, marker]) => marker);
    const carry = opened.join('');
    if (carry.length > LONGEST_CARRY) return null;
    if (markers.size === 0 && isOutdented(text, start, last)) return null;
    // Late enough that parsing the rest again costs little; and only lists and quotes are better cut than left whole.
    const enough: boolean = start > carried && (start * 2 > text.length || !isContainer(last));
    const inner: Cut | Container | null = enough ? null : cutInside(last, { text, carried, markers });
    if (inner === null) return start > carried ? { offset: start, carry, inside: null } : null;
    if ('offset' in inner) return inner;
    node = inner;
  }
}

/** What is cut: a piece, and the lines that open again the list items that the cut is in, by their offset. */
interface Whole {
  readonly text: string;
  readonly carried: number;
  readonly markers: Map<number, string>;
}

type Container = Blockquote | List | ListItem;

/** The last block; or the list or quote right before it, without an empty line: how it reads depends on that one. */
function lastApart(blocks: readonly Nodes[]): Nodes | undefined {
  let at = blocks.length - 1;
  for (; at > 0; at--) {
    const [before, block] = [blocks[at - 1], blocks[at]];
    const end = before?.position?.end.line ?? 0;
    if (before === undefined || !isContainer(before) || before.type === 'listItem') break;
    if ((block?.position?.start.line ?? 0) > end + 1) break;
  }
  return blocks[at];
}

/** A paragraph right after a definition may be indented as code is, because it was the definition's paragraph. */
function isOutdented(text: string, start: number, node: Nodes): boolean {
  return node.type !== 'code' && /(?:^|>) {4,}$/.test(text.slice(start, offsetOf(node)));
}

/** Blocks that an empty line ends, whatever comes after it. */
const ENDED: ReadonlySet<Nodes['type']> = new Set(['definition', 'heading', 'paragraph', 'table', 'thematicBreak']);

/** Whether a text ends with an empty line, and no block goes on after it. */
function endsBlank({ children }: Root, text: string): boolean {
  const last = children.at(-1);
  if (last === undefined) return /[\r\n]$/.test(text);
  const rest = text.slice(last.position?.end.offset).slice(-200);
  return ENDED.has(last.type) && /(?:\r\n|\n|\r(?!\n))[ \t]*(?:\r\n|\n|\r)$/.test(rest);
}

function isContainer({ type }: Nodes): boolean {
  return type === 'list' || type === 'listItem' || type === 'blockquote';
}

/** A cut in a block, or the container to look into; `null`: neither. */
function cutInside(node: Nodes, whole: Whole): Cut | Container | null {
  if (node.type === 'list' || node.type === 'blockquote') return node;
  if (node.type === 'listItem') return openAgain(node, whole) ? node : null;
  if (node.type === 'paragraph') return cutParagraph(node, whole);
  // What follows begins again with lines of its own, which would have to stand in the item.
  if (whole.markers.size > 0) return null;
  if (node.type === 'code') return cutCode(node, whole);
  if (node.type === 'table') return cutTable(node, whole);
  return node.type === 'html' ? cutHtml(node, whole) : null;
}

function offsetOf(node: Nodes): number {
  return node.position?.start.offset ?? 0;
}

function lineStart(text: string, offset: number): number {
  const before = text.slice(0, offset);
  return Math.max(before.lastIndexOf('\n'), before.lastIndexOf('\r')) + 1;
}

function lineAt(text: string, offset: number): string {
  return /[^\r\n]*/y.exec(text.slice(offset))?.[0] ?? '';
}

/** Notes the line that opens a list item: its markers, and a heading, which no line after it can continue. */
function openAgain(item: ListItem, { text, markers }: Whole): boolean {
  const [first] = item.children;
  if (first === undefined) return false;
  const start = lineStart(text, offsetOf(item));
  const content = offsetOf(first);
  const sameLine = lineStart(text, content) === start;
  const marker = sameLine ? text.slice(start, content) : `${lineAt(text, start).trimEnd()} `;
  markers.set(start, `${marker}# x\n`);
  return true;
}

/** Between the rows of a table, which begins again with its header. */
function cutTable(node: Table, { text, carried }: Whole): Cut | null {
  const last = node.children.at(-1);
  if (last === undefined || node.children.length < 3) return null;
  const offset = lineStart(text, offsetOf(last));
  if (offset <= carried) return null;
  const start = lineStart(text, offsetOf(node));
  const header = lineAt(text, start);
  const delimiters = lineAt(text, afterLineEnd(text, start + header.length));
  return { offset, carry: `${header}\n${delimiters}\n`, inside: 'table' };
}

function afterLineEnd(text: string, at: number): number {
  return at + (text.startsWith('\r\n', at) ? 2 : 1);
}

/** Between the lines of a block of code, which begins again with its fence. */
function cutCode(node: Code, { text, carried }: Whole): Cut | null {
  const start = lineStart(text, offsetOf(node));
  const fence = lineAt(text, start);
  const fenced = /^[ \t>]*(?:`{3}|~{3})/.test(fence);
  const offset = lineStart(text, node.position?.end.offset ?? 0);
  // The opening line may be its last.
  if (!fenced || offset <= carried || offset <= start) return null;
  return { offset, carry: `${fence}\n`, inside: 'code' };
}

/** What an HTML block begins with that does not end at the next empty line (CommonMark, section 4.6, kinds 1 to 5). */
const ENDS_OTHERWISE = /<(?:script|pre|style|textarea)[\s>]|<[!?]/i;

/** Between the lines of a block of HTML that ends at the next empty line, where no tag is open. */
function cutHtml(node: Html, { text, carried }: Whole): Cut | null {
  const offset = lineStart(text, node.position?.end.offset ?? 0);
  if (offset <= carried || ENDS_OTHERWISE.test(node.value)) return null;
  const before = text.slice(0, offset);
  return before.lastIndexOf('<') < before.lastIndexOf('>') ? { offset, carry: '<div>\n', inside: null } : null;
}

/** How a line may begin that would begin another block, were it the first of a piece; `[` begins a definition, too. */
const BLOCK_START = /^(?:[#>*+=_`~<|:-]|\d|\[[^\]]*\]:|\t)/;

/** Between the words of a paragraph, where no bracket, code or tag is open; `null`: not to be told. */
function cutParagraph(node: Paragraph, { text, carried, markers }: Whole): Cut | null {
  const carry = [...markers.values()].join('');
  const clean = cleanUntil(node);
  for (let at = node.children.length - 1; at >= 0; at--) {
    const child = node.children[at];
    const end = child?.position?.end.offset ?? 0;
    if (child?.type !== 'text' || end > clean) continue;
    const offset = lastBreak(text, Math.max(offsetOf(child), carried + 1), end, carry);
    if (offset !== null) return { offset, carry, inside: 'paragraph' };
  }
  return null;
}

/** Where the first text of a paragraph ends that may open something that what comes later closes. */
function cleanUntil(node: Paragraph): number {
  for (const child of node.children) {
    if (child.type === 'text' && /[`[<]/.test(child.value)) return offsetOf(child);
  }
  return node.position?.end.offset ?? 0;
}

/** The last offset between `from` and `to` where a line or a word begins that may begin a piece. */
function lastBreak(text: string, from: number, to: number, carry: string): number | null {
  for (let at = to; at > from; at--) {
    const before = text.charAt(at - 1);
    if (before !== '\n' && before !== '\r' && (before !== ' ' || carry !== '')) continue;
    if (before === '\r' && text.charAt(at) === '\n') continue;
    const next = text.slice(at, at + 1000);
    const indent = /^ */.exec(next)?.[0].length ?? 0;
    if (indent > 3 || next.length === indent || /[\r\n]/.test(next.charAt(indent))) continue;
    if (!BLOCK_START.test(next.slice(indent))) return at;
  }
  return null;
}
