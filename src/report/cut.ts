import type { Json } from '../core/answer.ts';

/** Shortens long texts. Lengths are in UTF-16 units. */

/** `more`: the length of what is left out. Does not take a surrogate pair apart. */
export function beginningOf(text: string, most: number) {
  if (text.length <= most) return { text, more: 0 };
  const end = (text.codePointAt(most - 1) ?? 0) > 0xffff ? most - 1 : most;
  return { text: text.slice(0, end), more: text.length - end };
}

/** With `… +` and the omitted length at its end. */
export function cutText(text: string, most: number): string {
  const { text: kept, more } = beginningOf(text, most);
  return more === 0 ? kept : `${kept}… +${more}`;
}

export function withEllipsis(text: string, most: number): string {
  const { text: kept, more } = beginningOf(text, most);
  return more === 0 ? kept : `${kept}…`;
}

/** Without consecutive blank lines. */
export function singleSpaced(lines: readonly string[]): readonly string[] {
  return lines.filter((line, index) => line !== '' || lines[index - 1] !== '');
}

/** The first items that there is room for; by default texts, with one character between them. */
export function fitting<Item>(
  items: readonly Item[],
  most: number,
  sizeOf: (item: Item) => number = (item) => String(item).length + 1,
): readonly Item[] {
  let left = most;
  return items.filter((item) => (left -= sizeOf(item)) >= 0);
}

/** A value as JSON of at most about so many units; `…` marks what is omitted. Costs no more than what is written, whatever the value is. */
export function shortJson(value: Json, most: number): string {
  if (typeof value === 'string') {
    const { text, more } = beginningOf(value, Math.max(0, most));
    return JSON.stringify(more === 0 ? text : `${text}…`);
  }
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${joined(value, (item: Json, room) => shortJson(item, room), most)}]`;
  const object = value as { readonly [name: string]: Json };
  const member = (name: string, room: number): string => {
    const key = shortJson(name, room);
    return `${key}:${shortJson(object[name] ?? null, room - key.length)}`;
  };
  return `{${joined(Object.keys(object), member, most)}}`;
}

/** Items, each written in the room that is left for it. */
function joined<T>(items: readonly T[], write: (item: T, room: number) => string, most: number): string {
  const written: string[] = [];
  let room = most - 2;
  for (const item of items) {
    if (room <= 0) return [...written, '…'].join(',');
    const text = write(item, room);
    written.push(text);
    room -= text.length + 1;
  }
  return written.join(',');
}
