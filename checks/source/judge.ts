/** Judges what was compared. Pure. */
import type { Draft } from '../../src/check.ts';
import type { Compared, GatheredSource, SourceCode } from './check.ts';
import type { Comparison } from './compare.ts';

/** What was compared, or why nothing could be. */
export function judge(gathered: GatheredSource): readonly Draft<SourceCode>[] {
  return 'draft' in gathered ? [gathered.draft] : judgeCompared(gathered);
}

function judgeCompared({ comparisons, gone, mixed, isShallow }: Compared): readonly Draft<SourceCode>[] {
  return [
    ...(mixed === null ? [] : [{ code: 'mixed' as const, evidence: { old: mixed.old, new: mixed.new } }]),
    // What is mixed is told once, with its files.
    ...comparisons
      .filter(({ difference }) => mixed === null || difference !== 'stale')
      .flatMap((one) => draftOf(one, isShallow)),
    ...gone.map(({ path, places, count }) => ({
      code: 'gone' as const,
      evidence: { path, count },
      ...(places[0] === undefined ? {} : { location: places[0], places }),
    })),
  ];
}

function draftOf(
  { path, difference, evidence, location, version }: Comparison,
  isShallow: boolean,
): Draft<SourceCode>[] {
  if (difference === 'same') return [];
  const facts = {
    path,
    ...evidence,
    ...(version === undefined ? {} : { commit: version.commit, newerVersions: version.newerVersions }),
    ...(difference === 'differs' && isShallow ? { shallow: true } : {}),
  };
  return [{ code: difference, evidence: facts, ...(location === undefined ? {} : { location }) }];
}
