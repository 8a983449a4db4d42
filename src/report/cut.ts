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

/** The same as one text: where something is left out, `… +` and how much stand at the end. */
export function cutText(text: string, most: number): string {
  const { text: kept, more } = beginningOf(text, most);
  return more === 0 ? kept : `${kept}… +${more}`;
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
