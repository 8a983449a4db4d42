import type { RawFinding } from '../check.ts';

export function firstOfEach<T>(items: readonly T[], codeOf: (item: T) => string, most: number) {
  const all = Map.groupBy(items, codeOf);
  const counts = new Map<string, number>();
  return items.flatMap((item): readonly { readonly item: T; readonly omitted?: number }[] => {
    const code = codeOf(item);
    const number = (counts.get(code) ?? 0) + 1;
    counts.set(code, number);
    if (number > most) return [];
    const omitted = (all.get(code)?.length ?? 0) - most;
    return number === most && omitted > 0 ? [{ item, omitted }] : [{ item }];
  });
}

/** The last of a rule has the number of those that were left out. */
export function firstFindings<D extends RawFinding>(findings: readonly D[], most: number): readonly D[] {
  return firstOfEach(findings, ({ rule }) => rule, most).map(({ item, omitted }) =>
    omitted === undefined ? item : { ...item, omitted },
  );
}
