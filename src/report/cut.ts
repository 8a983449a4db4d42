import type { Json } from '../answer.ts';

/** Makes long texts short on purpose. Pure. */

/** The beginning of a text, and how many UTF-16 units of it are left out. */
export interface Beginning {
  readonly text: string;
  readonly more: number;
}

/** At most so many UTF-16 units of a text. Does not take a surrogate pair apart. */
export function beginningOf(text: string, most: number): Beginning {
  if (text.length <= most) return { text, more: 0 };
  const end = (text.codePointAt(most - 1) ?? 0) > 0xffff ? most - 1 : most;
  return { text: text.slice(0, end), more: text.length - end };
}

/** The same as one text: where something is left out, `… +` and the amount at the end. */
export function cutText(text: string, most: number): string {
  const { text: kept, more } = beginningOf(text, most);
  return more === 0 ? kept : `${kept}… +${more}`;
}

/** The same with a bare `…` at the end. */
export function withEllipsis(text: string, most: number): string {
  const { text: kept, more } = beginningOf(text, most);
  return more === 0 ? kept : `${kept}…`;
}

/** The first lines, as many as have room for so many UTF-16 units together, and how many lines are left out. */
export function linesWithin(lines: readonly string[], most: number): { kept: readonly string[]; left: number } {
  let length = 0;
  const end = lines.findIndex((line) => {
    length += line.length + 1;
    return length > most;
  });
  return end === -1 ? { kept: lines, left: 0 } : { kept: lines.slice(0, end), left: lines.length - end };
}

/**
 * A value as JSON, of which at most about so many UTF-16 units are written: `…` marks what is omitted, and that is
 * not checked. However deep a value is, however much it has, and even where a part of it is within itself, it costs
 * no more than what is written.
 */
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

/** Items one behind the other, each written in the room that is left for it and for the brackets around it. */
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
