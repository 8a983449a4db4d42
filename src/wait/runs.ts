import {
  type Answer,
  type FreshBy,
  type Report,
  type Since,
  defineCheck,
  type Check,
  type CheckResult,
  type Role,
} from '../check.ts';
import { checkSite, type CheckSiteOptions } from '../check-site.ts';
import { retryAfterMs } from '../http/retry.ts';
import { completed, isGreen } from './reports.ts';
import { REPLY_RULES, usable, type ReplyRule } from '../expect/reply.ts';
import { CRAWL_SHARE, DEFAULT_LIMITS } from '../limits.ts';

/** What freshness is known by, and the role of the check that knows it, in the order in which it counts. */
function criteriaOf({ checks, requested = {} }: CheckSiteOptions, sinceNow: boolean) {
  const { source = null, expected = null } = requested;
  const given: readonly (readonly [by: FreshBy, role: Role, isGiven: boolean])[] = [
    ['source', 'source', source !== null],
    ['version', 'version', expected !== null && expected.version !== null],
    ['since', 'version', sinceNow || (expected !== null && expected.since !== null)],
  ];
  return given.flatMap(([by, role, isGiven]) => {
    const check = checks.find((one) => one.role === role);
    // `freshness`: the check's rules for what is not the expected version.
    return isGiven && check !== undefined ? [{ by, role, freshness: check.freshness ?? [] }] : [];
  });
}

type Criteria = ReturnType<typeof criteriaOf>;

/** The results of the checks that know of freshness, whatever the user's rules made of them. */
function awaitedIn({ checks }: Report, criteria: Criteria) {
  return checks.flatMap((result) => {
    const criterion = criteria.find(({ role }) => role === result.role);
    if (criterion === undefined) return [];
    const isStale = result.findings.some(({ rule }) => criterion.freshness.includes(rule));
    return [{ result, isSource: result.role === 'source', isStale, isFresh: isHealthy(result) && !isStale }];
  });
}

type Awaited = ReturnType<typeof awaitedIn>;

const isHealthy = ({ status }: CheckResult): boolean => status === 'pass' || status === 'warn';

/** Whether any of what is waited for is new; without anything to wait for, whether any check is healthy. */
function isNew(report: Report, awaited: Awaited, hasCriteria: boolean): boolean {
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
function isVersionNew(awaited: Awaited): boolean {
  return awaited.some(({ isSource, isFresh }) => !isSource && isFresh);
}

/**
 * How many files of the source were compared and found new, if none of them need have changed with the new version and
 * nothing else shows it; 0: it is known that the new version is live, or that it is not.
 */
function doubtfulFiles(report: Report, awaited: Awaited): number {
  if (report.fresh !== true || isVersionNew(awaited)) return 0;
  const facts = awaited.find(({ isSource }) => isSource)?.result.facts ?? {};
  return facts['sampled'] === true && facts['telling'] !== true ? Number(facts['files']) : 0;
}

/** Larger files are requested after others: they should not be loaded every few seconds. In bytes. */
const LARGE = 256 * 1024;

/**
 * The files of the source that are live in another version, or missing: existing ones first, small ones before large ones.
 */
function staleFiles({ checks }: Report) {
  const files = checks
    .filter(({ role }) => role === 'source')
    .flatMap(({ findings }) => findings)
    .filter(({ severity }) => severity === 'error')
    .flatMap(({ rule, evidence }) => {
      const isMissing = rule === 'not-live';
      const weight = (isMissing ? 2 : 0) + (Number(evidence['sourceBytes'] ?? 0) > LARGE ? 1 : 0);
      const paths = [evidence['path'], evidence['old']].flat().filter((path) => typeof path === 'string');
      return paths.map((path) => ({ path, isMissing, weight }));
    });
  return [...new Map(files.map((file) => [file.path, file])).values()].toSorted((a, b) => a.weight - b.weight);
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
  /** All that is old is files that do not exist. */
  readonly missing: boolean;
  /**
   * Set where all `files` that were compared are new, but may be the same in the old version; `null`: it is known.
   * `isLast`: quick runs do not compare more files than that.
   */
  readonly doubt: { readonly files: number; readonly isLast: boolean } | null;
  /** Our own end cut it short: it says nothing of the site. */
  readonly cut: boolean;
  /** The host wants fewer requests. */
  readonly throttled: boolean;
  /** Only errors of servers were received. */
  readonly silent: boolean;
  /** The host refuses because of too many requests, or refuses everyone. */
  readonly refused: boolean;
  /** How long the host still wants no requests, in milliseconds; 0: it does not say. */
  readonly retryAfterMs: number;
  /** Run `before`: the version of the bundle is known. */
  readonly taken: boolean;
}

/** The result of a run without any of the awaited files. */
const NOTHING = { isNew: false, isBack: false, isWider: false, missing: false, doubt: null, taken: false } as const;

/** A whole run waits so long for a host that wants no requests, even where less is left of the waiting. */
const LEAST_PATIENCE_MS = 3_000;
/**
 * Files of the source that quick runs compare, for edges and caches that lag behind: from run to run more of them
 * as long as none of them shows whether the version is new, since a run over everything is costly.
 */
const QUICK_SAMPLES = [10, 20, 40] as const;
const WIDEST = QUICK_SAMPLES.length - 1;
/** Files that a run found old, which the next ones check first. */
const MOST_SUSPECTS = 5;

/** A run that is not whole gets so much time, even if less is left of the waiting. */
const SHORTEST_RUN_MS = 1_000;

/** The runs of one waiting, as the loop uses them. */
export type WaitRuns = Pick<PlannedRuns, 'by' | 'first' | 'quickIsWhole' | 'ask' | 'completed'>;

/** Plans the runs of a waiting for what `options` wants. */
export class PlannedRuns {
  readonly by: FreshBy;
  readonly first: WaitRunKind;
  /** A quick run checks everything that was requested already. */
  readonly quickIsWhole: boolean;
  readonly #options: CheckSiteOptions;
  readonly #now: () => number;
  readonly #check: typeof checkSite;
  readonly #criteria: Criteria;
  readonly #awaited: readonly Check[];
  readonly #quick: readonly Check[];
  readonly #needsBaseline: boolean;
  #since: Since | null;
  #suspects: readonly string[] = [];
  /** Files that were old, and new after that. */
  readonly #turned = new Set<string>();
  #versionWasNew = false;
  /** What distinguishes the versions was seen to be new. */
  #isKnown = false;
  #width = 0;

  /** `sinceNow`: the bundle as it is now is old. `now`: milliseconds since 1970. */
  constructor(options: CheckSiteOptions, sinceNow: boolean, now: () => number, check = checkSite) {
    const { checks, requested = {} } = options;
    const criteria = criteriaOf(options, sinceNow);
    this.#options = options;
    this.#now = now;
    this.#check = check;
    this.#criteria = criteria;
    this.#awaited = checks.filter(({ role }) => criteria.some((criterion) => criterion.role === role));
    const single = checks.filter((one) => one.full !== true || this.#awaited.includes(one));
    this.#quick = single.length === 0 ? checks : single;
    this.#needsBaseline = criteria.some(({ by }) => by === 'since') && (requested.expected?.since ?? null) === null;
    // Should the bundle never be received before the time is up: what was modified since is new.
    this.#since = this.#needsBaseline ? { modifiedMs: now() } : null;
    this.by = criteria[0]?.by ?? 'health';
    const firstWithout = criteria.length > 0 ? 'sample' : 'quick';
    this.first = this.#needsBaseline ? 'before' : firstWithout;
    this.quickIsWhole =
      this.#quick.length === checks.length && !criteria.some(({ by }) => by === 'source') && !requested.full;
  }

  /**
   * `leftMs`: what is left of the waiting; only a whole run may go on after it. `once`: nothing is tried again, since
   * it has just failed.
   */
  async ask(kind: WaitRunKind, leftMs: number, once = false): Promise<WaitRun> {
    if (kind === 'before') return this.#before(leftMs);
    const [suspects, width] = [this.#suspects, this.#width];
    const run = await (kind === 'whole' ? this.#run(this.#whole(leftMs, once), null) : this.#few(kind, leftMs));
    if (run.cut) return run;
    return { ...run, ...this.#learn(kind, run.report, suspects), isWider: kind === 'quick' && width > 0 };
  }

  /** The report of a run with all checks that are wanted: those that it left out are reported as unknown. */
  completed(report: Report): Report {
    return completed(report, this.#options.checks, this.#options.site.base);
  }

  async #before(leftMs: number): Promise<WaitRun> {
    const received: Answer[] = [];
    const probe = bundleProbe((answer) => void received.push(answer));
    const run = await this.#run({ ...this.#hurried(leftMs), checks: [probe] }, leftMs);
    const [answer] = received;
    const baseline = answer === undefined ? null : baselineOf(answer, this.#now());
    if (baseline !== null) this.#since = baseline.since;
    // The probe checks only that there is a response: it does not say that the bundle is healthy.
    const report = { ...run.report, checks: run.report.checks.filter(({ status }) => status !== 'pass') };
    return { ...run, report, taken: baseline !== null };
  }

  /** `leftMs`: what is left for it; `null`: it has its own time. */
  async #run(chosen: CheckSiteOptions, leftMs: number | null): Promise<WaitRun> {
    const feedback = serverFeedback(this.#options.site.base.origin, this.#now);
    const onAnswer = (answer: Answer): void => {
      feedback.add(answer);
      this.#options.onAnswer?.(answer);
    };
    const report = await this.#check({ ...chosen, onAnswer });
    const { isEnded, ...received } = feedback.summary();
    // A run that has less time than one without waiting says nothing if the deadline ended a request, or perhaps its crawl.
    const isShortened = leftMs !== null && Math.max(leftMs, SHORTEST_RUN_MS) < this.#deadlineMs;
    const crawlMs = CRAWL_SHARE * (chosen.limits?.deadlineMs ?? Infinity);
    const cut = isShortened && (isEnded || (!isGreen(report) && report.durationMs >= crawlMs));
    return { ...NOTHING, ...received, report, cut };
  }

  get #wanted(): NonNullable<CheckSiteOptions['requested']> {
    const { requested = {} } = this.#options;
    if (!this.#needsBaseline || this.#since === null) return requested;
    const expected = { version: null, from: null, optional: false, ...requested.expected, since: this.#since };
    return { ...requested, expected };
  }

  #whole(leftMs: number, once: boolean): CheckSiteOptions {
    const options = { ...this.#options, requested: this.#wanted };
    if (once) return { ...options, patienceMs: 0, limits: { ...options.limits, retries: 0 } };
    return { ...options, patienceMs: Math.max(leftMs, LEAST_PATIENCE_MS) };
  }

  #few(kind: 'sample' | 'quick', leftMs: number): Promise<WaitRun> {
    const samples = kind === 'sample' ? 1 : (QUICK_SAMPLES[this.#width] ?? QUICK_SAMPLES[0]);
    const requested = { ...this.#wanted, full: false, external: false, samples, suspects: this.#suspects };
    // Results are passed on of every run that checks everything.
    const options = kind === 'quick' && this.quickIsWhole ? this.#options : {};
    const checks = kind === 'sample' ? this.#awaited : this.#quick;
    return this.#run({ ...options, ...this.#hurried(leftMs), requested, checks }, leftMs);
  }

  /** Options of a run whose results are not passed on, with no retries: the next run is the next attempt. */
  #hurried(leftMs: number): CheckSiteOptions {
    const { onResult: _, onProgress: __, ...options } = this.#options;
    const deadlineMs = Math.min(this.#deadlineMs, Math.max(leftMs, SHORTEST_RUN_MS));
    return { ...options, limits: { ...options.limits, retries: 0, deadlineMs } };
  }

  get #deadlineMs(): number {
    return this.#options.limits?.deadlineMs ?? DEFAULT_LIMITS.deadlineMs;
  }

  /** What a run says, together with those before it. `asked`: the suspects that it checked first. */
  #learn(kind: WaitRunKind, report: Report, asked: readonly string[]): Partial<WaitRun> {
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
    if (kind !== 'sample' && report.fresh !== null) {
      this.#suspects = old.slice(0, MOST_SUSPECTS).map(({ path }) => path);
    }
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
 * What an answer says of the bundle before the deploy, which is waited for to change; `null`: nothing, it has to be
 * requested again. `since` is `null` where there is no bundle yet, so that any is new. A bundle without validators is
 * compared with the time: what was modified later is new. `now`: milliseconds since 1970.
 */
export function baselineOf(answer: Answer, now: number): { readonly since: Since | null } | null {
  if (answer.kind === 'no-reply') return NOBODY.has(answer.reason) ? { since: null } : null;
  if (answer.status === 404 || answer.status === 410) return { since: null };
  if (answer.status !== 200) return null;
  const etag = answer.headers.get('etag')?.trim() ?? '';
  if (etag !== '') return { since: { etag } };
  // The host's own clock, where it sends it: Last-Modified goes by it.
  const times = ['last-modified', 'date'].map((name) => Date.parse(answer.headers.get(name) ?? ''));
  return { since: { modifiedMs: times.find((time) => !Number.isNaN(time)) ?? now } };
}

/** Collects what the answers of one run say of how often a site wants to be requested. `now`: milliseconds since 1970. */
export function serverFeedback(origin: string, now: () => number) {
  let [isForbidden, hasServed, wasTried, hasReplied] = [false, false, false, false];
  let [isThrottled, isEnded] = [false, false];
  let until = 0;
  const add = (answer: Answer): void => {
    if (answer.kind === 'no-reply') {
      wasTried = true;
      isEnded ||= Object.hasOwn(answer.evidence, 'deadlineMs');
      return;
    }
    if (new URL(answer.url).origin !== origin) return;
    wasTried = true;
    const { status, headers } = answer;
    hasReplied ||= status < 500 && status !== 429;
    hasServed ||= status < 400;
    isForbidden ||= status === 401 || status === 403;
    if (status !== 429 && status !== 503) return;
    const askedMs = retryAfterMs(headers, now()) ?? 0;
    if (askedMs > 0) until = Math.max(until, now() + askedMs);
    isThrottled ||= status === 429 || askedMs > 0;
  };
  const summary = () => ({
    /** The run's own deadline ended a request. */
    isEnded,
    throttled: isThrottled,
    silent: wasTried && !hasReplied,
    /** A host that takes us for a robot refuses all requests. */
    refused: isThrottled || (isForbidden && !hasServed),
    retryAfterMs: Math.max(0, until - now()),
  });
  return { add, summary };
}
