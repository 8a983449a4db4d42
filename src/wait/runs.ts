import {
  type Answer,
  type FreshBy,
  type Report,
  type Since,
  defineCheck,
  type Check,
  type RunRequest,
  type CheckResult,
  type Role,
} from '../check.ts';
import type { CheckSiteOptions } from '../check-site.ts';
import { ServerFeedback } from './server-feedback.ts';
import { completed, isGreen } from './reports.ts';
import type { Surroundings } from './wait.ts';
import { REPLY_RULES, usable, type ReplyRule } from '../expect/reply.ts';
import { CRAWL_SHARE, DEFAULT_LIMITS } from '../limits.ts';

/* What the report of one run says of what is waited for. Pure. */

/** What freshness is known by, and the check that knows it. */
interface Criterion {
  readonly by: FreshBy;
  readonly role: Role;
  /** The check's codes for what is not the version that was expected. */
  readonly freshness: readonly string[];
}

/** What of the given wants is waited for, in the order in which it counts. */
function criteriaOf(
  checks: readonly Check[],
  { source = null, expected = null }: Partial<RunRequest>,
  sinceNow: boolean,
): readonly Criterion[] {
  const given: readonly { readonly by: FreshBy; readonly role: Role; readonly is: boolean }[] = [
    { by: 'source', role: 'source', is: source !== null },
    { by: 'version', role: 'version', is: expected !== null && expected.version !== null },
    { by: 'since', role: 'version', is: sinceNow || (expected !== null && expected.since !== null) },
  ];
  return given.flatMap(({ by, role, is }) => {
    const check = checks.find((one) => one.role === role);
    return is && check !== undefined ? [{ by, role, freshness: check.freshness ?? [] }] : [];
  });
}

/** Whether any of what is waited for is new; without anything to wait for, whether the site serves anything well. */
function isNew({ checks, fresh }: Report, criteria: readonly Criterion[]): boolean {
  if (criteria.length === 0) return checks.some(isHealthy);
  return withCriteria(checks, criteria).some(([result, criterion]) => {
    if (isPartlyNew(result)) return true;
    // Files that are the same in both versions are as the source has them, too.
    return isHealthy(result) && !isStale(result, criterion) && (result.role !== 'source' || fresh !== false);
  });
}

/** Whether the version that was named, or another bundle, is live; the source is left out. */
function isVersionNew({ checks }: Report, criteria: readonly Criterion[]): boolean {
  return withCriteria(checks, criteria).some(
    ([result, criterion]) => result.role !== 'source' && isHealthy(result) && !isStale(result, criterion),
  );
}

/** Whether it is known that another version is live, by its name or its bundle. */
function isVersionStale({ checks }: Report, criteria: readonly Criterion[]): boolean {
  return withCriteria(checks, criteria).some(
    ([result, criterion]) => result.role !== 'source' && isStale(result, criterion),
  );
}

/**
 * How many files of the source were compared and found new, where none of them need have changed with the new version,
 * and nothing else tells of it; 0: it is known that the new version is live, or that it is not.
 */
function doubtfulFiles(report: Report, criteria: readonly Criterion[]): number {
  if (report.fresh !== true || isVersionNew(report, criteria)) return 0;
  const facts = withCriteria(report.checks, criteria).find(([{ role }]) => role === 'source')?.[0].facts ?? {};
  return facts['sampled'] === true && facts['telling'] !== true ? Number(facts['files']) : 0;
}

/** A file of the source that is live in another version, or not at all. */
interface StaleFile {
  readonly path: string;
  readonly isMissing: boolean;
  readonly isLarge: boolean;
}

/** Larger files are requested after others: nobody wants to load them every few seconds. In bytes. */
const LARGE = 256 * 1024;

/** The files of the source that are live in another version: those that are there first, small ones before large ones. */
function staleFiles({ checks }: Report): readonly StaleFile[] {
  const files = checks
    .filter(({ role }) => role === 'source')
    .flatMap(({ findings }) => findings)
    .filter(({ severity }) => severity === 'error')
    .flatMap(({ rule, evidence }) => {
      const isLarge = Number(evidence['sourceBytes'] ?? 0) > LARGE;
      const paths = [evidence['path'], evidence['old']].flat().filter((path) => typeof path === 'string');
      return paths.map((path) => ({ path, isMissing: rule === 'not-live', isLarge }));
    });
  const unique = new Map(files.map((file) => [file.path, file]));
  return [...unique.values()].toSorted((a, b) => weight(a) - weight(b));
}

function weight({ isMissing, isLarge }: StaleFile): number {
  return (isMissing ? 2 : 0) + (isLarge ? 1 : 0);
}

function withCriteria(
  checks: readonly CheckResult[],
  criteria: readonly Criterion[],
): readonly (readonly [CheckResult, Criterion])[] {
  return checks.flatMap((result) => {
    const criterion = criteria.find(({ role }) => role === result.role);
    return criterion === undefined ? [] : [[result, criterion] as const];
  });
}

const isHealthy = ({ status }: CheckResult): boolean => status === 'pass' || status === 'warn';

/** Whatever the user's rules made of it. */
const isStale = ({ findings }: CheckResult, { freshness }: Criterion): boolean =>
  findings.some(({ rule }) => freshness.includes(rule));

/** Two versions at once: files of both, or places that do not tell the same one. */
const isPartlyNew = ({ facts, findings }: CheckResult): boolean =>
  facts?.['source'] === 'mixed' || findings.some(({ evidence }) => typeof evidence['expectedAt'] === 'string');

/**
 * What a run looks at. `before`: what the bundle has now. `sample`: whether one file is new, so that caches are not
 * filled with old ones. `quick`: a few files and all checks of single files. `whole`: everything that was requested.
 */
export type WaitRunKind = 'before' | 'sample' | 'quick' | 'whole';

/** What one run came to. */
export interface WaitRun {
  readonly report: Report;
  /** Some of what is waited for is new. */
  readonly isNew: boolean;
  /** Something that was new in an earlier run is old again. */
  readonly isBack: boolean;
  /** It compared more files than the quick run before it. */
  readonly isWider: boolean;
  /** All that is old is files that are not there at all. */
  readonly missing: boolean;
  /** Set where all that was compared is new, but may be the same in the old version; `null`: it is known. */
  readonly doubt: Doubt | null;
  /** Our own end cut it short: it says nothing of the site. */
  readonly cut: boolean;
  /** The host says that it is asked too much. */
  readonly throttled: boolean;
  /** Nothing came but errors of servers. */
  readonly silent: boolean;
  /** The host says that it is asked too much, or lets nobody in. */
  readonly refused: boolean;
  /** How long the host still wants to be left alone, in milliseconds; 0: it does not say. */
  readonly retryAfterMs: number;
  /** Run `before`: what the bundle has is known. */
  readonly taken: boolean;
}

/** Files were compared, none of which names the versions apart. */
export interface Doubt {
  /** How many. */
  readonly files: number;
  /** Quick runs do not compare more than that. */
  readonly isLast: boolean;
}

/** The runs of one waiting. */
export interface WaitRuns {
  readonly by: FreshBy;
  readonly first: WaitRunKind;
  /** A quick run looks at everything that was requested already. */
  readonly quickIsWhole: boolean;
  /**
   * `leftMs`: what is left of the waiting; only a whole run may go on after it. `once`: nothing is tried again, since
   * it has just failed.
   */
  ask(kind: WaitRunKind, leftMs: number, once?: boolean): Promise<WaitRun>;
  /** The report of a run with all checks that are wanted: those that it left out are reported as not known. */
  completed(report: Report): Report;
}

/** A whole run waits so long for a host that wants to be left alone, even where less is left of the waiting. */
const LEAST_PATIENCE_MS = 3_000;
/**
 * Files of the source that quick runs compare, for edges and caches that lag behind: from run to run more of them
 * as long as none of them shows whether the version is new, since a run over everything is dear.
 */
const QUICK_SAMPLES = [10, 20, 40] as const;
const WIDEST = QUICK_SAMPLES.length - 1;
/** Files that a run found old, which the next ones look at before others. */
const MOST_SUSPECTS = 5;

interface Making {
  readonly sinceNow: boolean;
  readonly timers: Pick<Surroundings, 'now'>;
  /** Runs checks: `checkSite`. */
  readonly check: (options: CheckSiteOptions) => Promise<Report>;
}

/** What a run learns that looks at nothing of what is waited for. */
const NOTHING = { isNew: false, isBack: false, isWider: false, missing: false, doubt: null } as const;

/** Plans the runs of a waiting for what `options` wants. */
export function runsOf(options: CheckSiteOptions, making: Making): WaitRuns {
  return new Planned(options, making);
}

class Planned implements WaitRuns {
  readonly by: FreshBy;
  readonly first: WaitRunKind;
  readonly quickIsWhole: boolean;
  readonly #options: CheckSiteOptions;
  readonly #making: Making;
  readonly #criteria: readonly Criterion[];
  readonly #awaited: CheckSiteOptions['checks'];
  readonly #quick: CheckSiteOptions['checks'];
  readonly #needsBaseline: boolean;
  #since: Since | null;
  #suspects: readonly string[] = [];
  /** Files that were old, and new after that. */
  readonly #turned = new Set<string>();
  #versionWasNew = false;
  /** What names the versions apart was seen to be new. */
  #isKnown = false;
  #width = 0;

  constructor(options: CheckSiteOptions, making: Making) {
    const { checks, requested = {} } = options;
    const criteria = criteriaOf(checks, requested, making.sinceNow);
    this.#options = options;
    this.#making = making;
    this.#criteria = criteria;
    this.#awaited = checks.filter(({ role }) => criteria.some((criterion) => criterion.role === role));
    const single = checks.filter((one) => one.full !== true || this.#awaited.includes(one));
    this.#quick = single.length === 0 ? checks : single;
    this.#needsBaseline = criteria.some(({ by }) => by === 'since') && (requested.expected?.since ?? null) === null;
    // Should the bundle never be had before the time is up: what was modified since is new.
    this.#since = this.#needsBaseline ? { modifiedMs: making.timers.now() } : null;
    this.by = criteria[0]?.by ?? 'health';
    this.first = firstOf(this.#needsBaseline, criteria.length > 0);
    this.quickIsWhole =
      this.#quick.length === checks.length && !criteria.some(({ by }) => by === 'source') && !requested.full;
  }

  async ask(kind: WaitRunKind, leftMs: number, once = false): Promise<WaitRun> {
    if (kind === 'before') return this.#before(leftMs);
    const chosen = kind === 'whole' ? this.#whole(leftMs, once) : this.#few(kind, leftMs);
    // What hears of single results hears of every run that looks at everything.
    const reported = kind === 'quick' && this.quickIsWhole ? { ...chosen, ...listeningRun(this.#options) } : chosen;
    const asked = this.#suspects;
    const width = this.#width;
    const run = await this.#run(reported, kind === 'whole' ? null : leftMs);
    if (run.cut) return { ...run, ...NOTHING, taken: false };
    return { ...run, ...this.#learn(kind, run.report, asked), isWider: kind === 'quick' && width > 0, taken: false };
  }

  completed(report: Report): Report {
    return completed(report, this.#options.checks, this.#options.site.base);
  }

  async #before(leftMs: number): Promise<WaitRun> {
    const came: Answer[] = [];
    const probe = bundleProbe((answer) => void came.push(answer));
    const chosen = { ...silent(this.#options), ...hurried(this.#options, leftMs), checks: [probe] };
    const run = await this.#run(chosen, leftMs);
    const [answer] = came;
    const baseline = answer === undefined ? null : baselineOf(answer, this.#making.timers.now());
    if (baseline !== null) this.#since = baseline.since;
    // That something came is all that the probe looks at: it does not say that the bundle is well.
    const report = { ...run.report, checks: run.report.checks.filter(({ status }) => status !== 'pass') };
    return { ...run, report, ...NOTHING, taken: baseline !== null };
  }

  /** `leftMs`: what is left for it; `null`: it has its own time. */
  async #run(chosen: CheckSiteOptions, leftMs: number | null): Promise<Omit<WaitRun, 'taken' | keyof typeof NOTHING>> {
    const feedback = new ServerFeedback(this.#options.site.base.origin, () => this.#making.timers.now());
    const onAnswer = (answer: Answer): void => {
      feedback.add(answer);
      this.#options.onAnswer?.(answer);
    };
    const report = await this.#making.check({ ...chosen, onAnswer });
    const { refused, throttled, silent: isSilent, retryAfterMs } = feedback;
    const cut = leftMs !== null && isShortened(this.#options, leftMs) && wasCut(report, feedback, chosen);
    return { report, cut, refused, throttled, silent: isSilent, retryAfterMs };
  }

  #wanted(): NonNullable<CheckSiteOptions['requested']> {
    const { requested = {} } = this.#options;
    return this.#needsBaseline ? { ...requested, ...expectedSince(requested, this.#since) } : requested;
  }

  #whole(leftMs: number, once: boolean): CheckSiteOptions {
    const options = { ...this.#options, requested: this.#wanted() };
    if (once) return { ...options, patienceMs: 0, limits: { ...options.limits, retries: 0 } };
    return { ...options, patienceMs: Math.max(leftMs, LEAST_PATIENCE_MS) };
  }

  #few(kind: 'sample' | 'quick', leftMs: number): CheckSiteOptions {
    const samples = kind === 'sample' ? 1 : (QUICK_SAMPLES[this.#width] ?? QUICK_SAMPLES[0]);
    const narrow = { ...this.#wanted(), full: false, external: false, samples, suspects: this.#suspects };
    const few = { ...silent(this.#options), ...hurried(this.#options, leftMs), requested: narrow };
    return { ...few, checks: kind === 'sample' ? this.#awaited : this.#quick };
  }

  /** What a run says, together with those before it. `asked`: the suspects that it checked first. */
  #learn(
    kind: Exclude<WaitRunKind, 'before'>,
    report: Report,
    asked: readonly string[],
  ): Pick<WaitRun, 'isNew' | 'isBack' | 'missing' | 'doubt'> {
    const criteria = this.#criteria;
    const old = staleFiles(report);
    const isBack =
      old.some(({ path }) => this.#turned.has(path)) || (this.#versionWasNew && isVersionStale(report, criteria));
    if (isVersionNew(report, criteria)) this.#versionWasNew = true;
    if (report.fresh === true && asked[0] !== undefined) {
      this.#turned.add(asked[0]);
      this.#isKnown = true;
    }
    // One file says nothing of the others.
    if (kind !== 'sample' && report.fresh !== null)
      this.#suspects = old.slice(0, MOST_SUSPECTS).map(({ path }) => path);
    return {
      isNew: isNew(report, criteria),
      isBack,
      missing: old.length > 0 && old.every(({ isMissing }) => isMissing),
      doubt: this.#doubt(kind, report),
    };
  }

  #doubt(kind: WaitRunKind, report: Report): Doubt | null {
    if (kind === 'whole' && report.fresh === true) this.#isKnown = true;
    const files = this.#isKnown ? 0 : doubtfulFiles(report, this.#criteria);
    const isLast = this.#width === WIDEST;
    if (kind === 'quick') this.#width = files === 0 ? 0 : Math.min(this.#width + 1, WIDEST);
    return files === 0 ? null : { files, isLast };
  }
}

function firstOf(needsBaseline: boolean, hasCriteria: boolean): WaitRunKind {
  if (needsBaseline) return 'before';
  return hasCriteria ? 'sample' : 'quick';
}

/** What the bundle has before the deploy: to be waited for to change. */
export interface Baseline {
  /** `null`: there is no bundle yet, so that whatever comes is new. */
  readonly since: Since | null;
}

/** Asks for the bundle only, and hands the answer over. It judges no more than whether something came. */
function bundleProbe(onAnswer: (answer: Answer) => void): Check {
  return defineCheck<{ answer: Answer }, ReplyRule>({
    id: 'baseline',
    role: 'bundle',
    target: 'index.html',
    rules: REPLY_RULES,
    gather: async (site) => {
      const answer = await site.bundle();
      onAnswer(answer);
      return { answer };
    },
    evaluate: ({ answer }) => {
      const used = usable(answer);
      return Promise.resolve('finding' in used ? [used.finding] : []);
    },
  });
}

/** Nobody is there, as before a first deploy or while a server starts again; other failures say nothing of what is deployed. */
const NOBODY: ReadonlySet<string> = new Set(['refused', 'dns-not-found']);

/**
 * What an answer says of the bundle before the deploy; `null`: nothing, it has to be requested again. A bundle without
 * validators is compared with the time: what was modified later is new. `now`: milliseconds since 1970.
 */
export function baselineOf(answer: Answer, now: number): Baseline | null {
  if (answer.kind === 'no-reply') return NOBODY.has(answer.reason) ? { since: null } : null;
  if (answer.status === 404 || answer.status === 410) return { since: null };
  if (answer.status !== 200) return null;
  const etag = answer.headers.get('etag')?.trim() ?? '';
  if (etag !== '') return { since: { etag } };
  // The host's own clock, where it tells it: Last-Modified goes by it.
  const times = ['last-modified', 'date'].map((name) => Date.parse(answer.headers.get(name) ?? ''));
  return { since: { modifiedMs: times.find((time) => !Number.isNaN(time)) ?? now } };
}

/* What the checks of one run are run with. Pure. */

/** A run that is not whole gets so much time, even where less is left of the waiting. */
const SHORTEST_RUN_MS = 1_000;

/** What is expected of a run that waits for another bundle than the one that was taken. */
function expectedSince({ expected = null }: Partial<RunRequest>, since: Since | null): Pick<RunRequest, 'expected'> {
  if (since === null) return { expected };
  return { expected: { version: null, from: null, optional: false, ...expected, since } };
}

/** The options of a run of whose results nobody hears. */
function silent(options: CheckSiteOptions): Omit<CheckSiteOptions, 'onResult' | 'onProgress'> {
  const { onResult: _, onProgress: __, ...others } = options;
  return others;
}

/** Who hears of results. */
function listeningRun({ onResult, onProgress }: CheckSiteOptions): Pick<CheckSiteOptions, 'onResult' | 'onProgress'> {
  return { ...(onResult === undefined ? {} : { onResult }), ...(onProgress === undefined ? {} : { onProgress }) };
}

const ownDeadlineMs = ({ limits = {} }: CheckSiteOptions): number => limits.deadlineMs ?? DEFAULT_LIMITS.deadlineMs;

/** The next run is the next try. */
function hurried(options: CheckSiteOptions, leftMs: number): Pick<CheckSiteOptions, 'limits'> {
  const deadlineMs = Math.min(ownDeadlineMs(options), Math.max(leftMs, SHORTEST_RUN_MS));
  return { limits: { ...options.limits, retries: 0, deadlineMs } };
}

/** Whether a run has less time than a run without waiting. */
function isShortened(options: CheckSiteOptions, leftMs: number): boolean {
  return Math.max(leftMs, SHORTEST_RUN_MS) < ownDeadlineMs(options);
}

/** Whether the deadline ended a request of a run, or perhaps its crawl. */
function wasCut(report: Report, { ended }: Pick<ServerFeedback, 'ended'>, { limits = {} }: CheckSiteOptions): boolean {
  return ended || (!isGreen(report) && report.durationMs >= CRAWL_SHARE * (limits.deadlineMs ?? Infinity));
}
