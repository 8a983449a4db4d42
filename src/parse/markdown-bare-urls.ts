import { bareUrlsIn, isLeftOpen } from './bare-urls.ts';
import type { TreeLink } from './markdown-types.ts';
import { positionsIn } from './position.ts';

/**
 * Finds the bare URLs of plain parts of a text, which have to come in order: `value` is what a reader sees of the part
 * that is written from `start` to `end`.
 */
export function bareUrlReader(text: string): (value: string, start: number, end: number) => TreeLink[] {
  const positionAt = positionsIn(text);
  return (value, start, end) => {
    if (!value.includes('://')) return [];
    const found = [...bareUrlsIn(value)];
    // Entities and escapes make the source longer than the value, but leave the number of URLs as it is.
    const written = [...bareUrlsIn(text.slice(start, end))];
    return found.flatMap(({ url, offset }, index): TreeLink[] => {
      if (/[\da-z]/i.test(value.charAt(offset - 1))) return [];
      const source = written.length === found.length ? written[index] : undefined;
      const at = source?.offset ?? 0;
      if (source !== undefined && isLeftOpen(text, start + at, start + at + source.url.length)) return [];
      return [{ url, kind: 'bare', offset: start + at, ...positionAt(start + at) }];
    });
  };
}
