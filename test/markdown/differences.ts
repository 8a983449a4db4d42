/** Compares how our reader and others read Markdown texts. */
import { byMarked, byRemark, ours, oursRendered, PARTS, textOf, type Found } from './readers.ts';

/** A text that two readers read differently. */
export interface Difference {
  readonly file: string;
  readonly reader: 'remark-parse' | 'marked';
  readonly part: (typeof PARTS)[number];
  /** What only we find, and what only the other finds. */
  readonly ours: readonly string[];
  readonly theirs: readonly string[];
}

/** All differences of a file. */
export function differencesOf(file: string, content: string): readonly Difference[] {
  const text = textOf(content);
  return [
    ...between(ours(text), byRemark(text)).map((found) => ({ file, reader: 'remark-parse' as const, ...found })),
    ...between(oursRendered(text), byMarked(text)).map((found) => ({ file, reader: 'marked' as const, ...found })),
  ];
}

function between(one: Found, other: Found): readonly Omit<Difference, 'file' | 'reader'>[] {
  return PARTS.flatMap((part) => {
    const [left, right] = [without(one[part], other[part]), without(other[part], one[part])];
    return left.length + right.length === 0 ? [] : [{ part, ours: left, theirs: right }];
  });
}

/** The members of a list that another lacks, as often as it lacks them. */
function without(list: readonly string[], other: readonly string[]): readonly string[] {
  const left = new Map<string, number>();
  for (const one of other) left.set(one, (left.get(one) ?? 0) + 1);
  return list.filter((one) => {
    const count = left.get(one) ?? 0;
    left.set(one, count - 1);
    return count <= 0;
  });
}
