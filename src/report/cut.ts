/** Makes long texts short on purpose. Pure. */

/** A text of at most so many UTF-16 units, then `… +` and how many were cut off. Never ends in half a surrogate pair. */
export function cutText(text: string, most: number): string {
  if (text.length <= most) return text;
  const kept = text.slice(0, most).replace(/[\ud800-\udbff]$/, '');
  return `${kept}… +${text.length - kept.length}`;
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
