/** The runs of one waiting: what each requests, and what it says of the new version and of the host. */
import { defineCheck } from '../core/define-check.ts';
import type { Answer } from '../core/answer.ts';
import type { Check, CheckResult, FreshBy, Report, Role } from '../core/check.ts';
import type { Since } from '../site/types.ts';
import { checkSite, type CheckSiteOptions } from '../core/check-site.ts';
import { REPLY_RULES, usable, type ReplyRule } from '../expect/reply.ts';
import { retryAfterMs } from '../http/retry.ts';
import { DEFAULT_LIMITS } from '../core/limits.ts';
import { resultOf } from '../core/run.ts';
import { exitStatus, verdictOf } from '../core/verdict.ts';

export function isGreen(report: Report): boolean {
  return exitStatus(report) === 0 && report.fresh !== false;
}

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

export type WaitRun = Awaited<ReturnType<PlannedRuns['ask']>>;

/** A whole run waits so long for a host that wants no requests, even where less is left of the waiting. */
const LEAST_PATIENCE_MS = 3_000;
/** How far a run that is not whole may take after the end: longer than one request may take, so that it is reported. */
const OVERTIME_MS = 12_000;
/** Files of the source that quick runs compare, for edges and caches that lag behind. */
const QUICK_SAMPLES = 20;
/** Files that a run found old, which the next ones check first. */
const MOST_SUSPECTS = 5;

export type WaitRuns = Pick<PlannedRuns, 'by' | 'first' | 'quickIsWhole' | 'ask' | 'completed'>;

export class PlannedRuns {
  readonly by: FreshBy;
  readonly first: WaitRunKind;
  /** A quick run checks everything that was requested already. */
  readonly quickIsWhole: boolean;
  readonly #options: CheckSiteOptions;
  readonly #now: () => number;
  readonly #check: typeof checkSite;
  readonly #criteria: ReturnType<typeof criteriaOf>;
  readonly #awaited: readonly Check[];
  readonly #quick: readonly Check[];
  readonly #needsBaseline: boolean;
  #since: Since | null;
  #suspects: readonly string[] = [];
  /** Files that were old, and new after that. */
  readonly #turned = new Set<string>();
  #versionWasNew = false;

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

  /** `leftMs`: what is left of the waiting. `once`: nothing is tried again in a whole run, since it has just failed. */
  async ask(kind: WaitRunKind, leftMs: number, once = false) {
    const { site, limits } = this.#options;
    const feedback = serverFeedback(site.base.origin, this.#now);
    const run = async (options: CheckSiteOptions): Promise<Report> =>
      this.#check({
        ...options,
        onAnswer: (answer) => {
          feedback.add(answer);
          this.#options.onAnswer?.(answer);
        },
      });
    if (kind === 'before') {
      const { report, taken } = await this.#before((probe) => run({ ...this.#hurried(leftMs), checks: [probe] }));
      return { ...feedback.summary(), report, taken, isNew: false, isBack: false, missing: false };
    }
    const requested = this.#wanted;
    const [suspect] = this.#suspects;
    let report: Report;
    if (kind === 'whole') {
      const patience = once
        ? { patienceMs: 0, limits: { ...limits, retries: 0 } }
        : { patienceMs: Math.max(leftMs, LEAST_PATIENCE_MS) };
      report = await run({ ...this.#options, requested, ...patience });
    } else {
      const isSample = kind === 'sample';
      // Results are passed on of every run that checks everything.
      const options = !isSample && this.quickIsWhole ? this.#options : {};
      const samples = isSample ? 1 : QUICK_SAMPLES;
      report = await run({
        ...options,
        ...this.#hurried(leftMs),
        requested: { ...requested, full: false, external: false, samples, suspects: this.#suspects },
        checks: isSample ? this.#awaited : this.#quick,
      });
    }
    return { ...feedback.summary(), ...this.#learn(kind, report, suspect), report, taken: false };
  }

  /**
   * A report about all the checks that are wanted: those that its run left out are reported as in a run that was stopped.
   * What was not checked does not count as healthy, so that such a report says neither healthy nor old.
   */
  completed(report: Report): Report {
    const { checks, site } = this.#options;
    const had = new Map(report.checks.map((result) => [result.id, result]));
    if (checks.every(({ id }) => had.has(id))) return report;
    const nothing = { gathered: { answer: null }, findings: [{ rule: 'interrupted' }], base: site.base, durationMs: 0 };
    const results = checks.map((check) => had.get(check.id) ?? resultOf(check, nothing, { rules: new Map() }));
    return { ...report, verdict: verdictOf(results, checks, report.strict), checks: results };
  }

  async #before(run: (probe: Check) => Promise<Report>) {
    const received: Answer[] = [];
    const report = await run(bundleProbe((answer) => void received.push(answer)));
    const [answer] = received;
    const baseline = answer === undefined ? null : baselineOf(answer, this.#now());
    if (baseline !== null) this.#since = baseline.since;
    // The probe checks only that there is a response: it does not say that the bundle is healthy.
    const checks = report.checks.filter(({ status }) => status !== 'pass');
    // `taken`: the version of the bundle is known.
    return { report: { ...report, checks }, taken: baseline !== null };
  }

  get #wanted(): NonNullable<CheckSiteOptions['requested']> {
    const { requested = {} } = this.#options;
    if (!this.#needsBaseline || this.#since === null) return requested;
    const expected = { version: null, from: null, optional: false, ...requested.expected, since: this.#since };
    return { ...requested, expected };
  }

  /** Options of a run whose results are not passed on, with no retries: the next run is the next attempt. */
  #hurried(leftMs: number): CheckSiteOptions {
    const { onResult: _, onProgress: __, ...options } = this.#options;
    const ownMs = options.limits?.deadlineMs ?? DEFAULT_LIMITS.deadlineMs;
    // What follows after the end has all its time.
    const deadlineMs = leftMs > 0 ? Math.min(ownMs, leftMs + OVERTIME_MS) : ownMs;
    return { ...options, limits: { ...options.limits, retries: 0, deadlineMs } };
  }

  /** What a run says, together with those before it. `suspect`: the file that it checked first because it was old. */
  #learn(kind: WaitRunKind, report: Report, suspect: string | undefined) {
    const old = staleFiles(report);
    // One file says nothing of the others.
    if (kind !== 'sample' && report.fresh !== null) {
      this.#suspects = old.slice(0, MOST_SUSPECTS).map(({ path }) => path);
    }
    const isTurned = report.fresh === true && suspect !== undefined;
    const version = this.#freshnessBy('version', report);
    const isBack = old.some(({ path }) => this.#turned.has(path)) || (this.#versionWasNew && version === 'old');
    if (isTurned) this.#turned.add(suspect);
    if (version === 'new') this.#versionWasNew = true;
    const isNew = this.#isNew(report, kind === 'whole' || isTurned);
    return {
      /** Some of what is waited for is certainly new. */
      isNew,
      /** Something that was new in an earlier run is old again. */
      isBack,
      /** All that is old is files that do not exist. */
      missing: old.length > 0 && old.every(({ isMissing }) => isMissing),
    };
  }

  /** Whether any of what is waited for is new. `isConclusive`: what was compared differs between the versions. */
  #isNew(report: Report, isConclusive: boolean): boolean {
    if (this.#criteria.length === 0) return report.checks.some(isHealthy);
    if (this.#freshnessBy('version', report) === 'new' || report.checks.some(isPartlyNew)) return true;
    // Files that are the same in both versions are as the source has them, too.
    if (this.#freshnessBy('source', report) !== 'new' || report.fresh === false) return false;
    const { facts = {} } = report.checks.find(({ role }) => role === 'source') ?? {};
    return isConclusive || facts['sampled'] !== true || facts['telling'] === true;
  }

  /** What the check of a role found, whatever the user's rules made of it; `null`: it does not know. */
  #freshnessBy(role: Role, { checks }: Report): 'new' | 'old' | null {
    const criterion = this.#criteria.find((one) => one.role === role);
    const result = checks.find((one) => one.role === role);
    if (criterion === undefined || result === undefined) return null;
    if (result.findings.some(({ rule }) => criterion.freshness.includes(rule))) return 'old';
    return isHealthy(result) ? 'new' : null;
  }
}

const isHealthy = ({ status }: CheckResult): boolean => status === 'pass' || status === 'warn';

/** Two versions at once: files of both, or locations that do not report the same one. */
function isPartlyNew({ facts, findings }: CheckResult): boolean {
  return facts?.['source'] === 'mixed' || findings.some(({ evidence }) => typeof evidence['expectedAt'] === 'string');
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

/** No response, as before a first deployment or while a server starts; other failures say nothing of what is deployed. */
const NOBODY: ReadonlySet<string> = new Set(['refused', 'dns-not-found']);

/**
 * What an answer says of the bundle before the deployment, which is waited for to change; `null`: nothing, it has to be
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

/** Collects how often a host wants to be requested, by the answers of one run. `now`: milliseconds since 1970. */
export function serverFeedback(origin: string, now: () => number) {
  /** Of the host's responses; `null`: it sent none. */
  const statuses = new Set<number | null>();
  let isThrottled = false;
  let until = 0;
  const add = (answer: Answer): void => {
    if (answer.kind === 'no-reply') return void statuses.add(null);
    if (new URL(answer.url).origin !== origin) return;
    const { status, headers } = answer;
    statuses.add(status);
    if (status !== 429 && status !== 503) return;
    const askedMs = retryAfterMs(headers, now()) ?? 0;
    if (askedMs > 0) until = Math.max(until, now() + askedMs);
    isThrottled ||= status === 429 || askedMs > 0;
  };
  const isEach = (matches: (status: number) => boolean): boolean =>
    [...statuses].every((status) => status === null || matches(status));
  const summary = () => ({
    /** The host wants fewer requests. */
    throttled: isThrottled,
    /** Only errors of servers were received. */
    silent: statuses.size > 0 && isEach((status) => status >= 500 || status === 429),
    /** The host wants fewer requests, or refuses all, as one that takes us for a robot does. */
    refused: isThrottled || ((statuses.has(401) || statuses.has(403)) && isEach((status) => status >= 400)),
    /** How long the host still wants no requests; 0: it does not say. */
    retryAfterMs: Math.max(0, until - now()),
  });
  return { add, summary };
}
