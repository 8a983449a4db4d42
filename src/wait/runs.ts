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
import { retryAfterMs } from '../http/retry.ts';
import { completed, isGreen } from './reports.ts';
import type { Surroundings } from './wait.ts';
import { REPLY_RULES, usable, type ReplyRule } from '../expect/reply.ts';
import { CRAWL_SHARE, DEFAULT_LIMITS } from '../limits.ts';

/** What freshness is known by, and the check that knows it. */
interface Criterion {
  readonly by: FreshBy;
  readonly role: Role;
  /** The check's rules for what is not the expected version. */
  readonly freshness: readonly string[];
}

/** What is waited for, in the order in which it counts. */
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

/** The result of a check that knows of freshness, whatever the user's rules made of it. */
interface Awaited {
  readonly result: CheckResult;
  readonly isSource: boolean;
  readonly isStale: boolean;
  readonly isFresh: boolean;
}

function awaitedIn({ checks }: Report, criteria: readonly Criterion[]): readonly Awaited[] {
  return checks.flatMap((result) => {
    const criterion = criteria.find(({ role }) => role === result.role);
    if (criterion === undefined) return [];
    const isStale = result.findings.some(({ rule }) => criterion.freshness.includes(rule));
    return [{ result, isSource: result.role === 'source', isStale, isFresh: isHealthy(result) && !isStale }];
  });
}

const isHealthy = ({ status }: CheckResult): boolean => status === 'pass' || status === 'warn';

/** Whether any of what is waited for is new; without anything to wait for, whether any check is healthy. */
function isNew(report: Report, awaited: readonly Awaited[], hasCriteria: boolean): boolean {
  if (!hasCriteria) return report.checks.some(isHealthy);
  // Files that are the same in both versions are as the source has them, too.
  return awaited.some(
    ({ result, isSource, isFresh }) => isPartlyNew(result) || (isFresh && (!isSource || report.fresh !== false)),
  );
}

/** Two versions at once: files of both, or locations that do not report the same one. */
function isPartlyNew({ facts, findings }: CheckResult): boolean {
  return facts?.['source'] === 'mixed' || findings.some(({ evidence }) => typeof evidence['expectedAt'] === 'string');
}

/** Whether the version that was named, or another bundle, is live; the source is left out. */
function isVersionNew(awaited: readonly Awaited[]): boolean {
  return awaited.some(({ isSource, isFresh }) => !isSource && isFresh);
}

/**
 * How many files of the source were compared and found new, if none of them need have changed with the new version and
 * nothing else shows it; 0: it is known that the new version is live, or that it is not.
 */
function doubtfulFiles(report: Report, awaited: readonly Awaited[]): number {
  if (report.fresh !== true || isVersionNew(awaited)) return 0;
  const facts = awaited.find(({ isSource }) => isSource)?.result.facts ?? {};
  return facts['sampled'] === true && facts['telling'] !== true ? Number(facts['files']) : 0;
}

/** A file of the source that is live in another version, or not at all. */
interface StaleFile {
  readonly path: string;
  readonly isMissing: boolean;
  readonly isLarge: boolean;
}

/** Larger files are requested after others: they should not be loaded every few seconds. In bytes. */
const LARGE = 256 * 1024;

/** The files of the source that are live in another version: existing ones first, small ones before large ones. */
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
  const weight = ({ isMissing, isLarge }: StaleFile): number => (isMissing ? 2 : 0) + (isLarge ? 1 : 0);
  const unique = new Map(files.map((file) => [file.path, file]));
  return [...unique.values()].toSorted((a, b) => weight(a) - weight(b));
}

/**
 * What a run checks. `before`: the bundle as it is now. `sample`: whether one file is new, so that caches are not filled
 * with old ones. `quick`: a few files and all checks of single files. `whole`: everything that was requested.
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
  /** The host refuses because of too many requests, or refuses everyone. */
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
  /** A quick run checks everything that was requested already. */
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
/** Files that a run found old, which the next ones check first. */
const MOST_SUSPECTS = 5;

/** A run that is not whole gets so much time, even if less is left of the waiting. */
const SHORTEST_RUN_MS = 1_000;

interface Making {
  readonly sinceNow: boolean;
  readonly timers: Pick<Surroundings, 'now'>;
  /** Runs checks: `checkSite`. */
  readonly check: (options: CheckSiteOptions) => Promise<Report>;
}

/** The result of a run without any of the awaited files. */
const NOTHING = { isNew: false, isBack: false, isWider: false, missing: false, doubt: null } as const;

type RawRun = Omit<WaitRun, 'taken' | keyof typeof NOTHING>;

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
    const [suspects, width] = [this.#suspects, this.#width];
    const run = await (kind === 'whole' ? this.#run(this.#whole(leftMs, once), null) : this.#few(kind, leftMs));
    if (run.cut) return { ...run, ...NOTHING, taken: false };
    return { ...run, ...this.#learn(kind, run.report, suspects), isWider: kind === 'quick' && width > 0, taken: false };
  }

  completed(report: Report): Report {
    return completed(report, this.#options.checks, this.#options.site.base);
  }

  async #before(leftMs: number): Promise<WaitRun> {
    const received: Answer[] = [];
    const probe = bundleProbe((answer) => void received.push(answer));
    const run = await this.#run({ ...this.#hurried(leftMs), checks: [probe] }, leftMs);
    const [answer] = received;
    const baseline = answer === undefined ? null : baselineOf(answer, this.#making.timers.now());
    if (baseline !== null) this.#since = baseline.since;
    // The probe checks only that there is a response: it does not say that the bundle is healthy.
    const report = { ...run.report, checks: run.report.checks.filter(({ status }) => status !== 'pass') };
    return { ...run, report, ...NOTHING, taken: baseline !== null };
  }

  /** `leftMs`: what is left for it; `null`: it has its own time. */
  async #run(chosen: CheckSiteOptions, leftMs: number | null): Promise<RawRun> {
    const feedback = new ServerFeedback(this.#options.site.base.origin, () => this.#making.timers.now());
    const onAnswer = (answer: Answer): void => {
      feedback.add(answer);
      this.#options.onAnswer?.(answer);
    };
    const report = await this.#making.check({ ...chosen, onAnswer });
    const { refused, throttled, silent } = feedback;
    // A run that has less time than one without waiting says nothing if the deadline ended a request, or perhaps its crawl.
    const isShortened = leftMs !== null && Math.max(leftMs, SHORTEST_RUN_MS) < this.#deadlineMs;
    const crawlMs = CRAWL_SHARE * (chosen.limits?.deadlineMs ?? Infinity);
    const cut = isShortened && (feedback.ended || (!isGreen(report) && report.durationMs >= crawlMs));
    return { report, cut, refused, throttled, silent, retryAfterMs: feedback.retryAfterMs };
  }

  #wanted(): NonNullable<CheckSiteOptions['requested']> {
    const { requested = {} } = this.#options;
    if (!this.#needsBaseline || this.#since === null) return requested;
    const expected = { version: null, from: null, optional: false, ...requested.expected, since: this.#since };
    return { ...requested, expected };
  }

  #whole(leftMs: number, once: boolean): CheckSiteOptions {
    const options = { ...this.#options, requested: this.#wanted() };
    if (once) return { ...options, patienceMs: 0, limits: { ...options.limits, retries: 0 } };
    return { ...options, patienceMs: Math.max(leftMs, LEAST_PATIENCE_MS) };
  }

  #few(kind: 'sample' | 'quick', leftMs: number): Promise<RawRun> {
    const samples = kind === 'sample' ? 1 : (QUICK_SAMPLES[this.#width] ?? QUICK_SAMPLES[0]);
    const requested = { ...this.#wanted(), full: false, external: false, samples, suspects: this.#suspects };
    const few = { ...this.#hurried(leftMs), requested, checks: kind === 'sample' ? this.#awaited : this.#quick };
    const { onResult, onProgress } = this.#options;
    // Results are passed on of every run that checks everything.
    if (kind === 'quick' && this.quickIsWhole) {
      if (onResult !== undefined) few.onResult = onResult;
      if (onProgress !== undefined) few.onProgress = onProgress;
    }
    return this.#run(few, leftMs);
  }

  /** Options of a run whose results are not passed on, with no retries: the next run is the next attempt. */
  #hurried(leftMs: number): { -readonly [K in keyof CheckSiteOptions]: CheckSiteOptions[K] } {
    const { onResult: _, onProgress: __, ...options } = this.#options;
    const deadlineMs = Math.min(this.#deadlineMs, Math.max(leftMs, SHORTEST_RUN_MS));
    return { ...options, limits: { ...options.limits, retries: 0, deadlineMs } };
  }

  get #deadlineMs(): number {
    return this.#options.limits?.deadlineMs ?? DEFAULT_LIMITS.deadlineMs;
  }

  /** What a run says, together with those before it. `asked`: the suspects that it checked first. */
  #learn(
    kind: Exclude<WaitRunKind, 'before'>,
    report: Report,
    asked: readonly string[],
  ): Pick<WaitRun, 'isNew' | 'isBack' | 'missing' | 'doubt'> {
    const awaited = awaitedIn(report, this.#criteria);
    const old = staleFiles(report);
    const isVersionStale = awaited.some(({ isSource, isStale }) => !isSource && isStale);
    const isBack = old.some(({ path }) => this.#turned.has(path)) || (this.#versionWasNew && isVersionStale);
    if (isVersionNew(awaited)) this.#versionWasNew = true;
    if (report.fresh === true && asked[0] !== undefined) {
      this.#turned.add(asked[0]);
      this.#isKnown = true;
    }
    if (kind === 'whole' && report.fresh === true) this.#isKnown = true;
    // One file says nothing of the others.
    if (kind !== 'sample' && report.fresh !== null)
      this.#suspects = old.slice(0, MOST_SUSPECTS).map(({ path }) => path);
    const files = this.#isKnown ? 0 : doubtfulFiles(report, awaited);
    const doubt = files === 0 ? null : { files, isLast: this.#width === WIDEST };
    if (kind === 'quick') this.#width = files === 0 ? 0 : Math.min(this.#width + 1, WIDEST);
    return {
      isNew: isNew(report, awaited, this.#criteria.length > 0),
      isBack,
      missing: old.length > 0 && old.every(({ isMissing }) => isMissing),
      doubt,
    };
  }
}

function firstOf(needsBaseline: boolean, hasCriteria: boolean): WaitRunKind {
  if (needsBaseline) return 'before';
  return hasCriteria ? 'sample' : 'quick';
}

/** What the bundle has before the deploy: to be waited for to change. */
export interface Baseline {
  /** `null`: no bundle yet, so that any is new. */
  readonly since: Since | null;
}

/** Requests the bundle only and returns the answer. It only evaluates whether there was a response. */
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

/** No response, as before a first deploy or while a server starts again; other failures say nothing of what is deployed. */
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
  // The host's own clock, where it sends it: Last-Modified goes by it.
  const times = ['last-modified', 'date'].map((name) => Date.parse(answer.headers.get(name) ?? ''));
  return { since: { modifiedMs: times.find((time) => !Number.isNaN(time)) ?? now } };
}

/** What a site's answers in one run say of how often it wants to be requested. */
export class ServerFeedback {
  readonly #origin: string;
  readonly #now: () => number;
  #isForbidden = false;
  #hasServed = false;
  #wasTried = false;
  #hasReplied = false;
  #until = 0;
  /** It wants fewer requests. */
  throttled = false;
  /** The run's own deadline ended a request. */
  ended = false;

  /** `now`: milliseconds since 1970. */
  constructor(origin: string, now: () => number) {
    this.#origin = origin;
    this.#now = now;
  }

  /** Adds an answer; other hosts' do not count. */
  add(answer: Answer): void {
    if (answer.kind === 'no-reply') {
      this.#wasTried = true;
      if (Object.hasOwn(answer.evidence, 'deadlineMs')) this.ended = true;
      return;
    }
    if (new URL(answer.url).origin !== this.#origin) return;
    this.#wasTried = true;
    const { status, headers } = answer;
    if (status < 500 && status !== 429) this.#hasReplied = true;
    if (status === 429 || status === 503) {
      const askedMs = retryAfterMs(headers, this.#now()) ?? 0;
      if (askedMs > 0) this.#until = Math.max(this.#until, this.#now() + askedMs);
      if (status === 429 || askedMs > 0) this.throttled = true;
    }
    if (status === 401 || status === 403) this.#isForbidden = true;
    else if (status < 400) this.#hasServed = true;
  }

  /** It responded with nothing but errors of servers and wishes for fewer requests. */
  get silent(): boolean {
    return this.#wasTried && !this.#hasReplied;
  }

  /** It wants fewer requests; or it refuses all, as hosts do that take us for a robot. */
  get refused(): boolean {
    return this.throttled || (this.#isForbidden && !this.#hasServed);
  }

  /** The rest of its `Retry-After`. */
  get retryAfterMs(): number {
    return Math.max(0, this.#until - this.#now());
  }
}
