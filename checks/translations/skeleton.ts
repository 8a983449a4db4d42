/** Compares what two language versions of a page are made of, whatever their words. Pure. */
import type { Evidence } from '../../src/check.ts';
import type { MarkdownFacts } from '../../src/parse/markdown.ts';

/** What of a page is the same in every language. */
export type Skeleton = Pick<MarkdownFacts, 'headings' | 'code' | 'tables'>;

export type DriftRule = 'headings-drifted' | 'code-drifted' | 'tables-drifted';

/** Where two versions first part. Lines count from 1. */
export interface Drift {
  readonly rule: DriftRule;
  /** In the translation; where it has less, what stands before the gap. */
  readonly line: number;
  readonly originalLine: number;
  readonly evidence: Evidence;
}

interface Part {
  readonly line: number;
  /** What has to be the same. */
  readonly key: string;
}

/**
 * How a translation's skeleton first differs from the original's, `null` where it does not. Headings come first: a
 * section that is missing takes its code and tables with it.
 */
export function driftOf(original: Skeleton, translation: Skeleton): Drift | null {
  const counts: Evidence = {
    headings: [original.headings.length, translation.headings.length],
    code: [original.code.length, translation.code.length],
    tables: [original.tables.length, translation.tables.length],
  };
  for (const rule of ['headings-drifted', 'code-drifted', 'tables-drifted'] as const) {
    const [here, there] = [PARTS[rule](original), PARTS[rule](translation)];
    const at = firstDifference(here, there);
    if (at === null) continue;
    const [expected = null, found = null] = [here[at], there[at]].map((part) => part?.key);
    const evidence = { expected, found, ...counts };
    return { rule, line: lineAt(there, at), originalLine: lineAt(here, at), evidence };
  }
  return null;
}

const PARTS: Readonly<Record<DriftRule, (skeleton: Skeleton) => readonly Part[]>> = {
  'headings-drifted': ({ headings }) => headings.map(({ depth, line }) => ({ line, key: '#'.repeat(depth) })),
  'code-drifted': ({ code }) =>
    code.map(({ language, line }) => ({ line, key: language === null ? 'code' : language.toLowerCase() })),
  'tables-drifted': ({ tables }) => tables.map(({ columns, rows, line }) => ({ line, key: `${columns}×${rows}` })),
};

/** The whole skeleton as one word: the same for pages that have not drifted. */
export function skeletonKey(skeleton: Skeleton): string {
  return Object.values(PARTS)
    .map((parts) =>
      parts(skeleton)
        .map(({ key }) => key)
        .join(' '),
    )
    .join('|');
}

/** Whether two pages may be versions of one: neither has more than twice as many headings as the other. */
export function isSimilar(one: Skeleton | null, other: Skeleton | null): boolean {
  if (one === null || other === null) return true;
  const [fewer = 0, more = 0] = [one.headings.length, other.headings.length].toSorted((a, b) => a - b);
  return more <= 2 * fewer + 1;
}

function firstDifference(one: readonly Part[], other: readonly Part[]): number | null {
  const length = Math.max(one.length, other.length);
  for (let at = 0; at < length; at++) if (one[at]?.key !== other[at]?.key) return at;
  return null;
}

const lineAt = (parts: readonly Part[], at: number): number => (parts[at] ?? parts.at(-1))?.line ?? 1;
