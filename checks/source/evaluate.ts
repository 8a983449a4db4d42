/** Judges what was compared. Pure. */
import type { RawFinding } from '../../src/check.ts';
import type { Compared, GatheredSource, SourceRule } from './check.ts';
import type { Comparison } from './compare.ts';

/** What was compared, or why nothing could be. */
export function evaluate(gathered: GatheredSource): readonly RawFinding<SourceRule>[] {
  return 'finding' in gathered ? [gathered.finding] : evaluateCompared(gathered);
}

function evaluateCompared({ comparisons, gone, mixed, isShallow }: Compared): readonly RawFinding<SourceRule>[] {
  return [
    ...(mixed === null ? [] : [{ rule: 'mixed' as const, evidence: { old: mixed.old, new: mixed.new } }]),
    // What is mixed is reported once, with its files.
    ...comparisons
      .filter(({ difference }) => mixed === null || difference !== 'stale')
      .flatMap((one) => findingOf(one, isShallow)),
    ...gone.map(({ path, locations, count }) => ({
      rule: 'gone' as const,
      evidence: { path, count },
      ...(locations[0] === undefined ? {} : { location: locations[0], locations }),
    })),
  ];
}

function findingOf(
  { path, difference, evidence, location, version }: Comparison,
  isShallow: boolean,
): RawFinding<SourceRule>[] {
  if (difference === 'same') return [];
  const facts = {
    path,
    ...evidence,
    ...(version === undefined ? {} : { commit: version.commit, newerVersions: version.newerVersions }),
    ...(difference === 'differs' && isShallow ? { shallow: true } : {}),
  };
  return [{ rule: difference, evidence: facts, ...(location === undefined ? {} : { location }) }];
}
