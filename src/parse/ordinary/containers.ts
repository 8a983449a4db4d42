/** Block quotes and list items (CommonMark, sections 5.1 and 5.2): which go on in a line, and which begin in it. */
import { isThematicBreak } from './block-starts.ts';
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
  if (cursor.indent > 3 || cursor.character !== '>') return false;
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
  const { character } = cursor;
  if (character === '+') return 1;
  if (character === '-' || character === '*') return isThematicBreak(cursor.rest) ? 0 : 1;
  if (character < '0' || character > '9') return 0;
  const [marker, digits] = /^(\d{1,9})[.)]/.exec(cursor.text.slice(cursor.first, cursor.first + 10)) ?? [];
  if (marker === undefined || (interrupts && digits !== '1')) return 0;
  return marker.length;
}

function openItem(cursor: Cursor, marker: number, interrupts: boolean): Item | null {
  const before = cursor.indent;
  const after = cursor.first + marker;
  const isEmpty = after >= cursor.lineEnd || /^[ \t]*$/.test(cursor.text.slice(after, cursor.lineEnd));
  if (isEmpty && interrupts) return null;
  if (!isEmpty && !/[ \t]/.test(cursor.text.charAt(after))) return null;
  cursor.take(marker);
  if (isEmpty) return { type: 'item', width: before + marker + 1, beginsBlank: true, isOver: false };
  // More than four columns: an indented block of code, behind one.
  const gap = cursor.indent > 4 ? 1 : cursor.indent;
  cursor.takeColumns(gap);
  return { type: 'item', width: before + marker + gap, beginsBlank: false, isOver: false };
}
