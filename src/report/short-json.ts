import type { Json } from '../answer.ts';
import { beginningOf } from './cut.ts';

/**
 * A value as JSON, of which at most about so many UTF-16 units are written: `…` stands for what is left out, and that is
 * not looked at. However deep a value lies, however much it has, and even where a part of it is within itself, it costs
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
