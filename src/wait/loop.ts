/** Waits for a site: run after run until enough of them were good, or the time is up. Durations are in milliseconds. */
import type { Report, Waited } from '../check.ts';
import { backoffMs, type Backoff } from '../http/retry.ts';
import { isGreen, saysNothing, unproven, unsteady, unwellIn } from './reports.ts';
import type { WaitRun, WaitRunKind, WaitRuns } from './runs.ts';
import type { Surroundings, Waiting, WaitState } from './wait.ts';

const AFTER_BAD: Backoff = { first: 1_000, factor: 1.5, most: 30_000 };
/** A host that wants fewer requests, or refuses all, is asked more slowly from the first time on. */
const AFTER_REFUSED: Backoff = { first: 5_000, factor: 2, most: 60_000 };
/** Requests for files that do not exist yet make caches remember just that. */
const FIRST_MISSING_MS = 5_000;
/** Between runs over everything that were not good. */
const BEFORE_WHOLE: Backoff = { first: 5_000, factor: 2, most: 60_000 };
/** Between good runs: long enough that another edge may answer, short enough not to delay a live site. */
const GOOD_MS = 1_000;
/** The same for each compared file, if none of them shows whether the version is new: more of them follow. */
const DOUBT_MS = 100;
/** How far a pause is from its length, so that jobs that began together do not send requests together. */
const JITTER = 0.2;

/** Why there is a pause, and what the host says of it. */
export type Reported = Pick<WaitRun, 'refused' | 'missing' | 'retryAfterMs'>;

/** Pauses that grow while nothing changes. None is longer than `longestMs`, unless the host wants it or refuses all requests. */
export function growingPauses(random: () => number, longestMs = Infinity) {
  let [bad, refusals, whole] = [0, 0, 0];
  let isNear = false;
  const jittered = (ms: number): number => Math.round(ms * (1 - JITTER + 2 * JITTER * random()));
  return {
    /** The first sign of the new version: the rest may be near. Only once, because signs may come and go. */
    nearer(): void {
      if (!isNear) bad = 0;
      isNear = true;
    },
    /** Before a good run is repeated. `doubtful`: files that were compared without showing which version is live. */
    afterGood(doubtful = 0): number {
      refusals = 0;
      return jittered(Math.max(GOOD_MS, doubtful * DOUBT_MS));
    },
    /** Before a run that was not good is repeated. */
    afterBad({ refused, missing, retryAfterMs }: Reported): number {
      const grown = backoffMs(AFTER_BAD, ++bad);
      refusals = refused ? refusals + 1 : 0;
      const own = Math.min(longestMs, Math.max(grown, missing ? FIRST_MISSING_MS : 0));
      const spared = refused ? backoffMs(AFTER_REFUSED, refusals) : 0;
      // Jitter does not shorten what the host requests.
      return Math.max(jittered(Math.max(own, spared)), retryAfterMs);
    },
    /** Before the next run over everything; `tookMs`: the last one, which is not worth more than half of the time. */
    beforeWhole: (tookMs: number): number =>
      Math.max(jittered(Math.min(longestMs, backoffMs(BEFORE_WHOLE, ++whole))), tookMs),
  };
}

/** A run after the end gets so much time: more than one request may take, so that its own timeout is reported. */
const LATE_RUN_MS = 12_000;
/** How much longer such a run may take than the good ones before it. */
const SLOWER = 3;

/** `interrupt` ends the waiting at once, with what is known. */
type Loop = Waiting & { readonly timers: Surroundings; readonly interrupt: AbortSignal };

/** Resolves with the last report. */
export function waitFor(runs: WaitRuns, loop: Loop): Promise<Report> {
  return new WaitLoop(runs, loop).run();
}

interface Next {
  readonly kind: WaitRunKind;
  readonly pauseMs: number;
}

class WaitLoop {
  readonly #runs: WaitRuns;
  readonly #loop: Loop;
  readonly #pauses: ReturnType<typeof growingPauses>;
  readonly #began: number;
  /** Since the begin; `null`: it has not happened. */
  readonly #reached: Record<'firstNewMs' | 'allNewMs' | 'allGreenMs', number | null> = {
    firstNewMs: null,
    allNewMs: null,
    allGreenMs: null,
  };
  #by: Waited['by'];
  #count = 0;
  #good = 0;
  /** The last run that was not cut short, and the last one in which the host answered without asking for fewer requests. */
  #last: { readonly kind: WaitRunKind; readonly run: WaitRun } | null = null;
  #answered: Report | null = null;
  /** How long the last run took that was not over everything, and the longest good one. */
  #tookMs = 0;
  #longestGoodMs = 0;
  /** No further run fits into the time. */
  #isLate = false;
  /** After the last run there was time for another one. */
  #isOpen = false;
  /** Until when the host wants no requests, and until when there is no further run over everything. */
  #quietUntil = 0;
  #wholeFrom = 0;
  /** The new version was distinguished from the old one; the old version was live. */
  #isSure = false;
  #sawOld = false;
  /** A healthy site became unhealthy: servers answer in turn. `#isInTurn`: the old version came after the new one. */
  #isUnsteady = false;
  #isInTurn = false;
  /** The last run that was not good. */
  #trouble: Report | null = null;
  #unwell: readonly string[] = [];

  constructor(runs: WaitRuns, loop: Loop) {
    this.#runs = runs;
    this.#loop = loop;
    this.#pauses = growingPauses(() => loop.timers.random(), loop.longestPauseMs);
    this.#began = loop.timers.clock();
    this.#by = runs.by;
  }

  async run(): Promise<Report> {
    let kind = this.#runs.first;
    while (this.#leftMs > 0) {
      const before = this.#last?.run.report ?? null;
      const run = await this.#ask(kind);
      if (this.#isStopped(run.report)) return this.#stopped(kind, run.report, before);
      if (run.cut) {
        this.#isOpen = before === null || !isGreen(before);
        break;
      }
      const next = this.#evaluate(kind, run);
      if (next === null) return this.#reported(run.report);
      await this.#pauseBefore(next, run);
      if (this.#loop.interrupt.aborted) return this.#stopped(kind, run.report, null);
      if (this.#isLate) break;
      ({ kind } = next);
    }
    return this.#atLast();
  }

  /** Without time for the next run, a healthy site has only repetitions left; others get all the time. */
  async #pauseBefore({ kind, pauseMs }: Next, { report, retryAfterMs }: WaitRun): Promise<void> {
    const isTooLate = (leftMs: number): boolean => leftMs < this.#tookMs;
    const ms = Math.min(Math.max(pauseMs, retryAfterMs), this.#leftMs);
    this.#isLate = kind === 'quick' && isGreen(report) && isTooLate(this.#leftMs - ms);
    await this.#pause(kind, this.#isLate ? Math.min(retryAfterMs, this.#leftMs) : ms);
    if (this.#isLate || kind === 'whole' || !isTooLate(this.#leftMs)) return;
    this.#isOpen = this.#leftMs > 0;
    await this.#pause(kind, this.#leftMs);
    this.#isLate = true;
  }

  /** The time is up. The last verdict is about everything, unless the host wants fewer requests. */
  async #atLast(): Promise<Report> {
    this.#isLate = true;
    if (this.#last === null) return this.#over('whole', null);
    const { kind, run } = this.#last;
    if (this.#quietUntil > this.#elapsedMs) return this.#reported(unproven(this.#known(run)));
    const isLastWord = this.#isWhole(kind) || (kind === 'quick' && run.refused);
    if (!this.#isOpen && isLastWord) return this.#steady(run, this.#loop.stable);
    return this.#over(run.refused ? 'quick' : 'whole', run);
  }

  /** One more run when the time is up, and those that are missing after it. */
  async #over(kind: 'quick' | 'whole', before: WaitRun | null): Promise<Report> {
    const run = await this.#ask(kind);
    if (this.#isStopped(run.report)) return this.#stopped(kind, run.report, before?.report ?? null);
    if (run.cut) return this.#reported(unproven(this.#known(before ?? run)));
    // A site that was unsteady has to be as good as it would have to be in time: the run over everything is one more.
    return this.#steady(run, this.#loop.stable + (this.#isUnsteady && kind === 'whole' ? 1 : 0));
  }

  /**
   * The good runs that are still missing after the end, as many as were wanted and no more. A site that has gone back to
   * its former condition is not live: then what was wrong last is reported as well.
   */
  async #steady(last: WaitRun, wanted: number): Promise<Report> {
    const report = this.#runs.completed(this.#known(last));
    while (isGreen(report) && this.#good < wanted && !this.#isUnsteady) {
      await this.#pause('quick', this.#pauses.afterGood());
      if (this.#loop.interrupt.aborted) return this.#stopped('whole', report, null);
      const run = await this.#ask('quick');
      if (this.#isStopped(run.report)) return this.#stopped('whole', report, null);
      if (run.cut) return this.#reported(unproven(report));
      if (!isGreen(run.report)) this.#isUnsteady = true;
    }
    if (!isGreen(report)) return this.#reported(report);
    if (this.#good < wanted) {
      if (this.#trouble?.fresh === false) this.#isInTurn = true;
      return this.#reported(unsteady(report, this.#trouble));
    }
    this.#reached.allGreenMs ??= this.#elapsedMs;
    return this.#reported(report);
  }

  async #ask(kind: WaitRunKind): Promise<WaitRun> {
    this.#count += 1;
    this.#announce(kind, null);
    const began = this.#elapsedMs;
    const lateMs = Math.max(LATE_RUN_MS, SLOWER * this.#longestGoodMs);
    const leftMs = this.#isLate && kind !== 'whole' ? lateMs : Math.max(0, this.#leftMs);
    // What has just failed is not tried again and again when the time is up.
    const run = await this.#runs.ask(kind, leftMs, this.#isLate && this.#last?.run.silent === true);
    if (this.#isStopped(run.report)) return run;
    this.#quietUntil = this.#elapsedMs + run.retryAfterMs;
    // The end of the waiting says nothing of the site.
    if (run.cut) return run;
    const tookMs = this.#elapsedMs - began;
    if (kind !== 'whole') this.#tookMs = tookMs;
    if (isGreen(run.report)) this.#longestGoodMs = Math.max(this.#longestGoodMs, tookMs);
    if (!run.throttled && !run.silent && kind !== 'before') this.#answered = run.report;
    this.#last = { kind, run };
    if (kind !== 'before') this.#note(kind, run);
    return run;
  }

  #note(kind: Exclude<WaitRunKind, 'before'>, run: WaitRun): void {
    const { report } = run;
    const green = isGreen(report);
    this.#noteTimes(run, kind !== 'sample' && (report.fresh === true || (green && report.fresh === null)));
    if (!green) this.#noteTrouble(kind, run);
    if (run.isBack) this.#isUnsteady = this.#isInTurn = true;
    if (kind === 'sample') return;
    this.#good = green ? this.#good + 1 : 0;
    // A version that need not be reported, and is not, says nothing: then the site's health was waited for.
    if (green) this.#by = report.fresh === null ? 'health' : this.#runs.by;
    if (kind !== 'whole') return;
    this.#unwell = green || report.fresh === false ? [] : unwellIn(report);
    this.#wholeFrom = this.#elapsedMs + (green ? 0 : this.#pauses.beforeWhole(report.durationMs));
  }

  #noteTrouble(kind: WaitRunKind, { report, isWider }: WaitRun): void {
    this.#trouble = report;
    // A run over everything sees more than the quick ones before it, and so does a wider one.
    if (this.#good === 0 || kind !== 'quick' || isWider) return;
    this.#isUnsteady = true;
    if (report.fresh === false) this.#isInTurn = true;
  }

  /** `isAll`: the run checked all samples, and none of them was old. */
  #noteTimes({ report, isNew, doubt }: WaitRun, isAll: boolean): void {
    const reached = this.#reached;
    if (report.fresh === false && !this.#sawOld) {
      // What was new so far may be the same in the old version; what distinguishes the two was new, and stays so.
      if (!this.#isSure) reached.firstNewMs = reached.allNewMs = null;
      this.#sawOld = true;
    }
    if (isNew) {
      reached.firstNewMs ??= this.#elapsedMs;
      if (doubt === null) this.#isSure = true;
    }
    if (isAll) reached.allNewMs ??= this.#elapsedMs;
  }

  /** `null`: the waiting is over. */
  #evaluate(kind: WaitRunKind, run: WaitRun): Next | null {
    const { report } = run;
    if (kind === 'before') {
      return run.taken ? { kind: 'sample', pauseMs: this.#pauses.afterGood() } : this.#again(kind, run);
    }
    if (kind === 'sample') {
      if (report.fresh !== true && !(report.fresh === null && isGreen(report))) return this.#again(kind, run);
      if (run.doubt === null) this.#pauses.nearer();
      return { kind: 'quick', pauseMs: 0 };
    }
    // What is old is known by now: it is requested alone until it is new.
    if (report.fresh === false) return this.#again('sample', run);
    return isGreen(report) ? this.#afterGood(kind, run) : this.#again('quick', run);
  }

  #afterGood(kind: WaitRunKind, { doubt }: WaitRun): Next | null {
    const isEnough = this.#good >= this.#loop.stable && doubt?.isLast !== false;
    if (!isEnough) return { kind: 'quick', pauseMs: this.#pauses.afterGood(doubt?.files) };
    if (this.#isWhole(kind)) {
      this.#reached.allGreenMs = this.#elapsedMs;
      return null;
    }
    const pauseMs = doubt === null ? 0 : this.#pauses.afterGood(doubt.files);
    return { kind: 'whole', pauseMs: Math.max(pauseMs, this.#wholeFrom - this.#elapsedMs) };
  }

  #again(kind: WaitRunKind, run: WaitRun): Next {
    const pauseMs = this.#pauses.afterBad(run);
    // Before the quick runs rather than after them, so that all good runs are close together.
    const isNextWhole = kind === 'quick' && this.#last?.kind === 'whole';
    return { kind, pauseMs: isNextWhole ? Math.max(pauseMs, this.#wholeFrom - this.#elapsedMs) : pauseMs };
  }

  async #pause(kind: WaitRunKind, ms: number): Promise<void> {
    if (ms <= 0) return;
    this.#announce(kind, ms);
    await this.#loop.timers.sleep(ms, this.#loop.interrupt);
  }

  #announce(kind: WaitRunKind, pauseMs: number | null): void {
    const report = this.#last?.run.report ?? null;
    const { forMs, stable, onRun } = this.#loop;
    const progress = { run: this.#count, elapsedMs: this.#elapsedMs, good: this.#good, unwell: this.#unwell };
    const phase = this.#phaseOf(kind, report);
    onRun?.({ ...progress, forMs, stable, by: this.#by, phase, whole: this.#isWhole(kind), report, pauseMs });
  }

  /** What a run waits for. */
  #phaseOf(kind: WaitRunKind, report: Report | null): WaitState['phase'] {
    const { firstNewMs, allNewMs } = this.#reached;
    if (this.#runs.by === 'health') return 'green';
    if (firstNewMs === null && (kind === 'before' || kind === 'sample')) return 'new';
    return allNewMs === null || report?.fresh === false ? 'all' : 'green';
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

  /** The run before says more than one that was cut short, unless that one has found something, too. */
  #stopped(kind: WaitRunKind, report: Report, before: Report | null): Report {
    const isReported = this.#isWhole(kind) && (before === null || !saysNothing(report) || saysNothing(before));
    return this.#reported({ ...unproven(isReported ? report : (before ?? report)), interrupted: true });
  }

  #reported(last: Report): Report {
    const report = this.#runs.completed(last);
    const { allGreenMs } = this.#reached;
    // What the bundle contains at the beginning is the old version, whatever follows.
    const isAlready = allGreenMs !== null && this.#trouble === null && this.#runs.first !== 'before';
    const waited: Waited = {
      forMs: this.#loop.forMs,
      elapsedMs: this.#elapsedMs,
      rounds: this.#count,
      by: this.#by,
      ...this.#reached,
      ...(isAlready ? { alreadyLive: true } : {}),
      ...(this.#isInTurn && report.fresh === false ? { inTurn: true } : {}),
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
