/** Block quotes and list items (CommonMark, sections 5.1 and 5.2): which go on in a line, and which begin in it. */
import { isThematicBreak } from './block-starts.ts';
import {
  ASTERISK,
  blankEnd,
  CLOSING_PARENTHESIS,
  DASH,
  DOT,
  GREATER_THAN,
  isBlank,
  isDigit,
  PLUS,
} from './characters.ts';
import type { Cursor } from './cursor.ts';

/** A block quote, or a list item whose content begins at a column. Lists as such make no difference to what is read. */
export type Container = { readonly type: 'quote' } | Item;

interface Item {
  readonly type: 'item';
  readonly width: number;
  /** It began with an empty line, and what follows may be its content. */
  beginsBlank: boolean;
  /** One more empty line came: nothing more is its content. */
  isOver: boolean;
}

/** Takes from the line what keeps open containers open, from the outermost on; gives how many of them go on. */
export function matchContainers(containers: readonly Container[], cursor: Cursor): number {
  let matched = 0;
  for (const container of containers) {
    if (!(container.type === 'quote' ? takeQuoteMark(cursor) : goesOn(container, cursor))) break;
    matched++;
  }
  return matched;
}

function takeQuoteMark(cursor: Cursor): boolean {
  if (cursor.indent > 3 || cursor.code !== GREATER_THAN) return false;
  cursor.take(1);
  cursor.takeColumns(1);
  return true;
}

function goesOn(item: Item, cursor: Cursor): boolean {
  if (cursor.isBlank) {
    item.isOver ||= item.beginsBlank;
    cursor.takeColumns(item.width);
    return true;
  }
  const { isOver } = item;
  item.isOver = false;
  item.beginsBlank = false;
  if (isOver || cursor.indent < item.width) return false;
  cursor.takeColumns(item.width);
  return true;
}

/**
 * Takes the mark of a container that begins here. `interrupts`: a paragraph would go on otherwise, so that an empty item
 * and a number other than 1 are no beginning.
 */
export function openContainer(cursor: Cursor, interrupts: boolean): Container | null {
  if (cursor.indent > 3) return null;
  if (takeQuoteMark(cursor)) return { type: 'quote' };
  const marker = markerLength(cursor, interrupts);
  return marker === 0 ? null : openItem(cursor, marker, interrupts);
}

function markerLength(cursor: Cursor, interrupts: boolean): number {
  const { code } = cursor;
  if (code === PLUS) return 1;
  if (code === DASH || code === ASTERISK) return isThematicBreak(cursor.rest) ? 0 : 1;
  return isDigit(code) ? numberLength(cursor, interrupts) : 0;
}

function numberLength({ text, first, lineEnd }: Cursor, interrupts: boolean): number {
  let at = first;
  while (at < lineEnd && isDigit(text.charCodeAt(at))) at++;
  const digits = at - first;
  const delimiter = at < lineEnd ? text.charCodeAt(at) : 0;
  if (digits > 9 || (delimiter !== DOT && delimiter !== CLOSING_PARENTHESIS)) return 0;
  return interrupts && text.slice(first, at) !== '1' ? 0 : digits + 1;
}

function openItem(cursor: Cursor, marker: number, interrupts: boolean): Item | null {
  const before = cursor.indent;
  const after = cursor.first + marker;
  const isEmpty = blankEnd(cursor.text, after, cursor.lineEnd) === cursor.lineEnd;
  if (isEmpty && interrupts) return null;
  if (!isEmpty && !isBlank(cursor.text.charCodeAt(after))) return null;
  cursor.take(marker);
  if (isEmpty) return { type: 'item', width: before + marker + 1, beginsBlank: true, isOver: false };
  // More than four columns: an indented block of code, behind one.
  const gap = cursor.indent > 4 ? 1 : cursor.indent;
  cursor.takeColumns(gap);
  return { type: 'item', width: before + marker + gap, beginsBlank: false, isOver: false };
}
