import type { RawFinding } from '../check.ts';

export function firstOfEach<T>(items: readonly T[], codeOf: (item: T) => string, most: number) {
  const counts = new Map<string, number>();
  const numbered = items.map((item) => {
    const rule = codeOf(item);
    const number = (counts.get(rule) ?? 0) + 1;
    counts.set(rule, number);
    return { item, code: rule, number };
  });
  return numbered
    .filter(({ number }) => number <= most)
    .map(({ item, code, number }) => {
      const omitted = (counts.get(code) ?? 0) - most;
      return number === most && omitted > 0 ? { item, omitted } : { item };
    });
}

/** The last of a rule has the number of those that were left out. */
export function firstFindings<D extends RawFinding>(findings: readonly D[], most: number): readonly D[] {
  return firstOfEach(findings, ({ rule }) => rule, most).map(({ item, omitted }) =>
    omitted === undefined ? item : { ...item, omitted },
  );
}
