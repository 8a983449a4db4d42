/** Waits for a site: run after run until enough of them were good, or the time is up. Durations are in milliseconds. */
import type { CheckResult, FreshBy, Report, Waited } from '../core/check.ts';
import type { CheckSiteOptions } from '../core/check-site.ts';
import { backoffMs, type Backoff } from '../http/retry.ts';
import { pause } from '../http/timing.ts';
import { isGreen, PlannedRuns, type WaitRun, type WaitRunKind, type WaitRuns } from './runs.ts';

/** How long to wait for a site, and for what beyond what the run itself expects. */
export interface Wait {
  /** Longest time to wait, in milliseconds; the runs that end the waiting may end after it. */
  readonly forMs: number;
  /** Good runs in a row over fresh connections that are wanted. */
  readonly stable: number;
  /** What the bundle has when the waiting begins is taken first, and then waited for to change. */
  readonly sinceNow?: true;
  /** No pause is longer, so that the end is not reported late, unless the host wants fewer requests. In milliseconds. */
  readonly longestPauseMs?: number;
}

/** How to wait. */
export interface Waiting extends Wait {
  /** Called before each run and before each pause. */
  readonly onRun?: (state: WaitState) => void;
  /** Clock, chance and pauses; those of the machine where it is absent. */
  readonly timers?: Dependencies;
}

/** What a wait is doing. */
export interface WaitState {
  /** The current or last run, from 1. */
  readonly run: number;
  readonly elapsedMs: number;
  readonly forMs: number;
  readonly by: FreshBy;
  /** What is waited for: a first sign of the new version, all samples new, all healthy. */
  readonly phase: 'new' | 'all' | 'healthy';
  /** The run checks everything that was requested. */
  readonly whole: boolean;
  /** What the last run found; `null` before the first has ended. */
  readonly report: Report | null;
  /** Checks that the last run over everything found failing, for other reasons than an old version. */
  readonly failing: readonly string[];
  readonly good: number;
  readonly stable: number;
  /** Milliseconds to the next run; `null`: during a run. */
  readonly pauseMs: number | null;
}

/**
 * Checks a site until it is healthy and fresh or the time is up, each time over new connections. Then one run over
 * everything follows, and the good runs that are missing to `stable`; none while the host wants no requests. Resolves with
 * the last report; `onResult` and `onProgress` are called in runs over all the checks only. Rejects as `checkSite` does.
 */
export async function waitForSite(options: CheckSiteOptions, waiting: Waiting): Promise<Report> {
  const timers = waiting.timers ?? MACHINE;
  const interrupt = options.interrupt ?? new AbortController().signal;
  const runs = new PlannedRuns({ ...options, interrupt }, waiting.sinceNow === true, () => timers.now());
  return new WaitLoop(runs, { ...waiting, timers, interrupt }).run();
}

/** What is not the same in every run. */
export type Dependencies = typeof MACHINE;

const MACHINE = {
  /** Milliseconds, monotonic. */
  clock: (): number => performance.now(),
  /** Milliseconds since 1970. */
  now: (): number => Date.now(),
  random: (): number => Math.random(),
  /** Resolves after so many milliseconds, or as soon as the signal is aborted. */
  sleep: pause,
};

const AFTER_BAD: Backoff = { first: 1_000, factor: 1.5, most: 30_000 };
/** A host that wants fewer requests, or refuses all, is asked more slowly from the first time on. */
const AFTER_REFUSED: Backoff = { first: 5_000, factor: 2, most: 60_000 };
/** Requests for files that do not exist yet make caches remember just that. */
const FIRST_MISSING_MS = 5_000;
/** Between runs over everything that were not good. */
const BEFORE_WHOLE: Backoff = { first: 5_000, factor: 2, most: 60_000 };
/** Between good runs: long enough that another edge may answer, short enough not to delay a live site. */
const GOOD_MS = 1_000;
/** How far a pause is from its length, so that jobs that began together do not send requests together. */
const JITTER = 0.2;

export type Reported = Pick<WaitRun, 'refused' | 'missing' | 'retryAfterMs'>;

/** Pauses that grow while nothing changes. None is longer than `longestMs`, unless the host wants it or refuses all requests. */
export function growingPauses(random: () => number, longestMs = Infinity) {
  let [bad, refusals, whole] = [0, 0, 0];
  const jittered = (ms: number): number => Math.round(ms * (1 - JITTER + 2 * JITTER * random()));
  return {
    /** The first sign of the new version: the rest may be near. */
    restart(): void {
      bad = 0;
    },
    afterGood(): number {
      refusals = 0;
      return jittered(GOOD_MS);
    },
    afterBad({ refused, missing, retryAfterMs }: Reported): number {
      const grown = backoffMs(AFTER_BAD, ++bad);
      refusals = refused ? refusals + 1 : 0;
      const own = Math.min(longestMs, Math.max(grown, missing ? FIRST_MISSING_MS : 0));
      const spared = refused ? backoffMs(AFTER_REFUSED, refusals) : 0;
      // Jitter does not shorten what the host requests.
      return Math.max(jittered(Math.max(own, spared)), retryAfterMs);
    },
    /** `tookMs`: the last run over everything, which is not worth more than half of the time. */
    beforeWhole: (tookMs: number): number =>
      Math.max(jittered(Math.min(longestMs, backoffMs(BEFORE_WHOLE, ++whole))), tookMs),
  };
}

/** `interrupt` ends the waiting at once, with what is known. */
type Loop = Waiting & { readonly timers: Dependencies; readonly interrupt: AbortSignal };

export class WaitLoop {
  readonly #runs: WaitRuns;
  readonly #loop: Loop;
  readonly #pauses: ReturnType<typeof growingPauses>;
  readonly #began: number;
  /** Since the begin; `null`: it has not happened. */
  readonly #reached: Record<'firstNewMs' | 'allNewMs' | 'allPassedMs', number | null> = {
    firstNewMs: null,
    allNewMs: null,
    allPassedMs: null,
  };
  #by: Waited['by'];
  #count = 0;
  #good = 0;
  #last: Report | null = null;
  /** The last report of a host that answered without asking for fewer requests. */
  #answered: Report | null = null;
  /** Until when the host wants no requests, and until when there is no further run over everything. */
  #quietUntil = 0;
  #wholeFrom = 0;
  /** What was new became old, or what was healthy unhealthy: servers answer in turn. */
  #isUnsteady = false;
  #trouble: Report | null = null;
  #failing: readonly string[] = [];

  constructor(runs: WaitRuns, loop: Loop) {
    this.#runs = runs;
    this.#loop = loop;
    this.#pauses = growingPauses(() => loop.timers.random(), loop.longestPauseMs);
    this.#began = loop.timers.clock();
    this.#by = runs.by;
  }

  async run(): Promise<Report> {
    let kind = this.#runs.first;
    for (;;) {
      const before = this.#last;
      const run = await this.#ask(kind);
      if (this.#isStopped(run.report)) return this.#stopped(kind, run.report, before);
      const next = this.#evaluate(kind, run);
      if (next === null) return this.#reported(run.report);
      await this.#pause(next.kind, Math.min(Math.max(next.pauseMs, run.retryAfterMs), this.#leftMs));
      if (this.#loop.interrupt.aborted) return this.#stopped(kind, run.report, null);
      if (this.#leftMs <= 0) return this.#atLast(kind, run);
      ({ kind } = next);
    }
  }

  /** The time is up. The last verdict is about everything, unless the host wants fewer requests. */
  async #atLast(kind: WaitRunKind, run: WaitRun): Promise<Report> {
    if (this.#quietUntil > this.#elapsedMs) return this.#reported(unproven(this.#known(run)));
    if (this.#isWhole(kind) || (kind === 'quick' && run.refused)) return this.#repeated(run);
    const lastKind = run.refused ? 'quick' : 'whole';
    const last = await this.#ask(lastKind, run.silent);
    if (this.#isStopped(last.report)) return this.#stopped(lastKind, last.report, run.report);
    return this.#repeated(last);
  }

  /**
   * The good runs that are still missing after the end. A site that went back to its former condition is not live: what
   * was wrong last is reported as well.
   */
  async #repeated(last: WaitRun): Promise<Report> {
    const report = this.#runs.completed(this.#known(last));
    const { stable } = this.#loop;
    if (!isGreen(report)) return this.#reported(report);
    // A site that was unsteady needs as many good runs as in time: the one over everything comes after the others.
    let isSteady = !this.#isUnsteady || this.#good > stable;
    while (isSteady && this.#good < stable) {
      await this.#pause('quick', this.#pauses.afterGood());
      if (this.#loop.interrupt.aborted) return this.#stopped('whole', report, null);
      const run = await this.#ask('quick');
      if (this.#isStopped(run.report)) return this.#stopped('whole', report, null);
      isSteady = isGreen(run.report);
    }
    if (isSteady) this.#reached.allPassedMs ??= this.#elapsedMs;
    return this.#reported(isSteady ? report : unsteady(report, this.#trouble));
  }

  async #ask(kind: WaitRunKind, once = false): Promise<WaitRun> {
    this.#count += 1;
    this.#announce(kind, null);
    const run = await this.#runs.ask(kind, this.#leftMs, once);
    if (this.#isStopped(run.report)) return run;
    this.#quietUntil = this.#elapsedMs + run.retryAfterMs;
    this.#last = run.report;
    if (kind === 'before') return run;
    if (!run.throttled && !run.silent) this.#answered = run.report;
    this.#note(kind, run);
    return run;
  }

  #note(kind: Exclude<WaitRunKind, 'before'>, run: WaitRun): void {
    const { report, isBack } = run;
    const green = isGreen(report);
    // The run checked all samples, and none of them was old.
    this.#noteTimes(run.isNew, kind !== 'sample' && (report.fresh === true || (green && report.fresh === null)));
    // A run over everything sees more than the quick ones before it.
    if (isBack || (!green && kind === 'quick' && this.#good > 0)) this.#isUnsteady = true;
    if (!green) this.#trouble = report;
    if (kind === 'sample') return;
    this.#good = green ? this.#good + 1 : 0;
    // A version that need not be reported, and is not, says nothing: then the site's health was waited for.
    if (green) this.#by = report.fresh === null ? 'health' : this.#runs.by;
    if (kind === 'whole') this.#noteWhole(report);
  }

  #noteTimes(isNew: boolean, isAllNew: boolean): void {
    const reached = this.#reached;
    if (isNew && reached.firstNewMs === null) {
      reached.firstNewMs = this.#elapsedMs;
      this.#pauses.restart();
    }
    if (isAllNew && reached.firstNewMs !== null) reached.allNewMs ??= this.#elapsedMs;
  }

  #noteWhole(report: Report): void {
    const green = isGreen(report);
    this.#failing = green || report.fresh === false ? [] : report.checks.filter(isBad).map(({ id }) => id);
    this.#wholeFrom = this.#elapsedMs + (green ? 0 : this.#pauses.beforeWhole(report.durationMs));
  }

  /** What follows; `null`: the waiting is over. */
  #evaluate(kind: WaitRunKind, run: WaitRun): { readonly kind: WaitRunKind; readonly pauseMs: number } | null {
    const { report } = run;
    const pauseMs = (): number => this.#pauses.afterBad(run);
    if (kind === 'before') {
      return run.taken ? { kind: 'sample', pauseMs: this.#pauses.afterGood() } : { kind, pauseMs: pauseMs() };
    }
    const isPassed = report.fresh === true || (report.fresh === null && isGreen(report));
    if (kind === 'sample') return isPassed ? { kind: 'quick', pauseMs: 0 } : { kind, pauseMs: pauseMs() };
    // What is old is known by now: it is requested alone until it is new.
    if (report.fresh === false) return { kind: 'sample', pauseMs: pauseMs() };
    // The pause is before the quick runs rather than after them, so that all good runs are close together.
    if (!isGreen(report)) return { kind: 'quick', pauseMs: Math.max(pauseMs(), this.#wholeFrom - this.#elapsedMs) };
    if (this.#good < this.#loop.stable) return { kind: 'quick', pauseMs: this.#pauses.afterGood() };
    if (!this.#isWhole(kind)) return { kind: 'whole', pauseMs: Math.max(0, this.#wholeFrom - this.#elapsedMs) };
    this.#reached.allPassedMs = this.#elapsedMs;
    return null;
  }

  async #pause(kind: WaitRunKind, ms: number): Promise<void> {
    if (ms <= 0) return;
    this.#announce(kind, ms);
    await this.#loop.timers.sleep(ms, this.#loop.interrupt);
  }

  #announce(kind: WaitRunKind, pauseMs: number | null): void {
    const report = this.#last;
    const { forMs, stable, onRun } = this.#loop;
    const progress = { run: this.#count, elapsedMs: this.#elapsedMs, good: this.#good, failing: this.#failing };
    const phase = this.#phaseOf(kind, report);
    onRun?.({ ...progress, forMs, stable, by: this.#by, phase, whole: this.#isWhole(kind), report, pauseMs });
  }

  #phaseOf(kind: WaitRunKind, report: Report | null): WaitState['phase'] {
    const { firstNewMs, allNewMs } = this.#reached;
    if (this.#runs.by === 'health') return 'healthy';
    if (firstNewMs === null && (kind === 'before' || kind === 'sample')) return 'new';
    return allNewMs === null || report?.fresh === false ? 'all' : 'healthy';
  }

  #isWhole(kind: WaitRunKind): boolean {
    return kind === 'whole' || (kind === 'quick' && this.#runs.quickIsWhole);
  }

  #isStopped(report: Report): boolean {
    return report.interrupted || this.#loop.interrupt.aborted;
  }

  /** What was wrong with the site before its host only wanted fewer requests. */
  #known({ report, throttled }: WaitRun): Report {
    const before = this.#answered;
    return throttled && report.fresh === null && before !== null && !isGreen(before) ? before : report;
  }

  /** The run before says more than one that was stopped, unless that one has found something, too. */
  #stopped(kind: WaitRunKind, report: Report, before: Report | null): Report {
    const isReported = this.#isWhole(kind) && (before === null || !saysNothing(report) || saysNothing(before));
    return this.#reported({ ...unproven(isReported ? report : (before ?? report)), interrupted: true });
  }

  #reported(last: Report): Report {
    const report = this.#runs.completed(last);
    const { allPassedMs } = this.#reached;
    // What the bundle contains at the beginning is the old version, whatever follows.
    const isAlready = allPassedMs !== null && this.#trouble === null && this.#runs.first !== 'before';
    const waited: Waited = {
      forMs: this.#loop.forMs,
      elapsedMs: this.#elapsedMs,
      runs: this.#count,
      by: this.#by,
      ...this.#reached,
      ...(isAlready ? { alreadyLive: true } : {}),
      ...(this.#isUnsteady && report.fresh === false ? { alternating: true } : {}),
    };
    return { ...report, waited };
  }

  get #elapsedMs(): number {
    return Math.round(this.#loop.timers.clock() - this.#began);
  }

  get #leftMs(): number {
    return this.#loop.forMs - (this.#loop.timers.clock() - this.#began);
  }
}

const isBad = ({ status }: CheckResult): boolean => status === 'fail' || status === 'unknown';

/** What passed so far, but not yet repeatedly. */
function unproven(report: Report): Report {
  return report.verdict === 'healthy' ? { ...report, verdict: 'unknown' } : report;
}

/** Whether no failure is known: the site is healthy as far as it was checked, or unknown. */
function saysNothing({ verdict }: Report): boolean {
  return verdict === 'healthy' || verdict === 'unknown';
}

/** A good run of a site that did not stay so: with what the last run found that was not good. */
function unsteady(report: Report, trouble: Report | null): Report {
  if (trouble === null) return { ...report, verdict: 'unknown' };
  const bad = new Map(trouble.checks.filter(isBad).map((result) => [result.id, result]));
  const { verdict, fresh } = trouble;
  return { ...report, verdict, fresh, checks: report.checks.map((result) => bad.get(result.id) ?? result) };
}
