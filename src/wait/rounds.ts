import type { Answer, Check, FreshBy, Report, Since, Wants } from '../check.ts';
import type { CheckSiteOptions } from '../check-site.ts';
import { DEFAULT_LIMITS } from '../limits.ts';
import { baselineOf, bundleProbe } from './baseline.ts';
import { Heard } from './heard.ts';
import type { Surroundings } from './wait.ts';

/**
 * What a round looks at. `before`: what the bundle has now. `sample`: whether one file is new, so that caches are not
 * filled with old ones. `quick`: a few files and all checks of single files. `whole`: everything that was asked for.
 */
export type RoundKind = 'before' | 'sample' | 'quick' | 'whole';

/** What one round came to. */
export interface Round {
  readonly report: Report;
  /** Some of what is waited for is new. */
  readonly isNew: boolean;
  /** The host says that it is asked too much, or lets nobody in. */
  readonly refused: boolean;
  /** How long the host still wants to be left alone, in milliseconds; 0: it does not say. */
  readonly retryAfterMs: number;
  /** Round `before`: what the bundle has is known. */
  readonly taken: boolean;
}

/** The rounds of one waiting. */
export interface Rounds {
  readonly by: FreshBy;
  readonly first: RoundKind;
  /** A quick round looks at everything that was asked for already. */
  readonly quickIsWhole: boolean;
  /** `leftMs`: what is left of the waiting; only a whole round may go on after it. */
  ask(kind: RoundKind, leftMs: number): Promise<Round>;
}

/** A round that is not whole gets so much time, even where less is left of the waiting. */
const SHORTEST_ROUND_MS = 1_000;
/** Files of the source that are compared: one tells of an old version, several of edges and caches that lag behind. */
const SAMPLES = { sample: 1, quick: 10 } as const;
/** Files that a round over everything found old, which the next ones look at before others. */
const MOST_SUSPECTS = 5;

interface Making {
  readonly sinceNow: boolean;
  readonly around: Pick<Surroundings, 'now'>;
  /** Runs checks: `checkSite`. */
  readonly check: (options: CheckSiteOptions) => Promise<Report>;
}

/** Plans the rounds of a waiting for what `options` wants. */
export function roundsOf(options: CheckSiteOptions, { sinceNow, around, check }: Making): Rounds {
  const { checks, wants = {} } = options;
  const criteria = criteriaOf(checks, wants, sinceNow);
  const awaited = checks.filter(({ id }) => criteria.some((criterion) => criterion.id === id));
  const single = checks.filter((one) => one.full !== true || awaited.includes(one));
  const quick = single.length === 0 ? checks : single;
  const needsBaseline = criteria.some(({ by }) => by === 'since') && (wants.expected?.since ?? null) === null;
  // Should the bundle never be had before the time is up: what was modified since is new.
  let since: Since | null = needsBaseline ? { modifiedMs: around.now() } : null;

  let suspects: readonly string[] = [];
  const wanted = (): Partial<Wants> => (needsBaseline ? { ...wants, ...expectedSince(wants, since) } : wants);
  const optionsFor = (kind: Exclude<RoundKind, 'before'>, leftMs: number): CheckSiteOptions => {
    if (kind === 'whole') return { ...options, wants: wanted() };
    const narrow = { ...wanted(), full: false, external: false, samples: SAMPLES[kind], suspects };
    const few = { ...silent(options), ...hurried(options, leftMs), wants: narrow };
    return kind === 'sample' ? { ...few, checks: awaited } : { ...few, checks: quick };
  };
  const run = async (chosen: CheckSiteOptions): Promise<Omit<Round, 'taken'>> => {
    const heard = new Heard(options.site.base.origin, () => around.now());
    const report = await check({ ...chosen, onAnswer: (answer) => heard.add(answer) });
    const { refused, retryAfterMs } = heard;
    if (chosen.wants?.samples === undefined) suspects = oldFiles(report).slice(0, MOST_SUSPECTS);
    return { report, isNew: isNew(report, criteria), refused, retryAfterMs };
  };
  const quickIsWhole = quick.length === checks.length && !criteria.some(({ by }) => by === 'source') && !wants.full;
  return {
    by: criteria[0]?.by ?? 'health',
    first: firstOf(needsBaseline, criteria.length > 0),
    quickIsWhole,
    ask: async (kind, leftMs) => {
      if (kind !== 'before') {
        const chosen = optionsFor(kind, leftMs);
        // What hears of single results hears of every round that looks at everything.
        const told = kind === 'quick' && quickIsWhole ? { ...chosen, ...heardBy(options) } : chosen;
        return { ...(await run(told)), taken: false };
      }
      const came: Answer[] = [];
      const probe = bundleProbe((answer) => void came.push(answer));
      const round = await run({ ...silent(options), ...hurried(options, leftMs), checks: [probe] });
      const [answer] = came;
      const baseline = answer === undefined ? null : baselineOf(answer, around.now());
      if (baseline !== null) since = baseline.since;
      return { ...round, isNew: false, taken: baseline !== null };
    },
  };
}

function firstOf(needsBaseline: boolean, hasCriteria: boolean): RoundKind {
  if (needsBaseline) return 'before';
  return hasCriteria ? 'sample' : 'quick';
}

/** What freshness is known by, and the check that knows it. */
interface Criterion {
  readonly by: FreshBy;
  readonly id: string;
}

function criteriaOf(checks: readonly Check[], wants: Partial<Wants>, sinceNow: boolean): readonly Criterion[] {
  const { source = null, expected = null } = wants;
  const given: readonly (Criterion & { readonly is: boolean })[] = [
    { by: 'source', id: 'source', is: source !== null },
    { by: 'version', id: 'deployed-version', is: expected !== null && expected.version !== null },
    { by: 'since', id: 'deployed-version', is: sinceNow || (expected !== null && expected.since !== null) },
  ];
  return given.filter(({ is, id }) => is && checks.some((check) => check.id === id));
}

function expectedSince({ expected = null }: Partial<Wants>, since: Since | null): Pick<Wants, 'expected'> {
  if (since === null) return { expected };
  return { expected: { version: null, from: null, optional: false, ...expected, since } };
}

/** Whether any of what is waited for is new; without anything to wait for, whether the site serves anything well. */
function isNew({ checks }: Report, criteria: readonly Criterion[]): boolean {
  const told =
    criteria.length === 0 ? checks : checks.filter(({ id }) => criteria.some((criterion) => criterion.id === id));
  return told.some(({ status, facts }) => status === 'pass' || status === 'warn' || facts?.['source'] === 'mixed');
}

/** The files of the source that are live in another version. */
function oldFiles({ checks }: Report): readonly string[] {
  const findings = checks.filter(({ id }) => id === 'source').flatMap((result) => result.findings);
  const told = findings
    .filter(({ grade }) => grade === 'error')
    .map(({ evidence }) => [evidence['path'], evidence['old']]);
  return [...new Set(told.flat(2).filter((path) => typeof path === 'string'))];
}

function silent(options: CheckSiteOptions): Omit<CheckSiteOptions, 'onResult' | 'onProgress'> {
  const { onResult: _, onProgress: __, ...others } = options;
  return others;
}

function heardBy({ onResult, onProgress }: CheckSiteOptions): Pick<CheckSiteOptions, 'onResult' | 'onProgress'> {
  return { ...(onResult === undefined ? {} : { onResult }), ...(onProgress === undefined ? {} : { onProgress }) };
}

/** The next round is the next try. */
function hurried({ limits = {} }: CheckSiteOptions, leftMs: number): Pick<CheckSiteOptions, 'limits'> {
  const deadlineMs = limits.deadlineMs ?? DEFAULT_LIMITS.deadlineMs;
  return { limits: { ...limits, retries: 0, deadlineMs: Math.min(deadlineMs, Math.max(leftMs, SHORTEST_ROUND_MS)) } };
}
