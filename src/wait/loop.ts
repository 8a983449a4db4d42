import type { FreshBy, Report } from '../check.ts';
import type { WaitRun, WaitRunKind, WaitRuns } from './runs.ts';
import { isGreen, saysNothing, unproven, unsteady, unwellIn, withTimes } from './reports.ts';
import type { Surroundings, Waiting, WaitState } from './wait.ts';

/** How long to wait between runs. Durations in milliseconds. Pure. */

const FIRST_MS = 1_000;
const GROWTH = 1.5;
const LONGEST_MS = 30_000;
/** A host that says that it is asked too much, or that lets nobody in, is asked more slowly from the first time on. */
const FIRST_REFUSED_MS = 5_000;
const REFUSED_GROWTH = 2;
const LONGEST_REFUSED_MS = 60_000;
/** Asking for files that are not there yet makes caches remember just that. */
const FIRST_MISSING_MS = 5_000;
/** Between runs over everything that were not good. */
const FIRST_WHOLE_MS = 5_000;
const LONGEST_WHOLE_MS = 60_000;
const WHOLE_GROWTH = 2;
/** Between good runs: long enough that another edge may answer, short enough that a site that is live is not waited for. */
const GOOD_MS = 1_000;
/** The same for each file that was compared, where none of them told whether the version is new: more of them follow. */
const DOUBT_MS = 100;
/** How far a pause is from its length, so that jobs that began together do not ask together. */
const JITTER = 0.2;

/** Why there is a pause, and what the host says of it. */
export interface Reported {
  readonly refused: boolean;
  /** All that is old is files that are not there. */
  readonly missing: boolean;
  /** What `Retry-After` still asks for; 0: nothing. */
  readonly retryAfterMs: number;
}

/** Pauses that grow while nothing changes. */
export class Pauses {
  readonly #random: () => number;
  readonly #longestMs: number;
  #bad = 0;
  #refused = 0;
  #whole = 0;
  #isNear = false;

  /** `longestMs`: no pause is longer, unless the host asks for it or lets nobody in. */
  constructor(random: () => number, longestMs = Infinity) {
    this.#random = random;
    this.#longestMs = longestMs;
  }

  /** The first sign of what is waited for: the rest is perhaps near. Where signs come and go, it is not. */
  nearer(): void {
    if (!this.#isNear) this.#bad = 0;
    this.#isNear = true;
  }

  /** Before a good run is repeated. `doubtful`: files that were compared without telling the versions apart. */
  afterGood(doubtful = 0): number {
    this.#refused = 0;
    return this.#jittered(Math.max(GOOD_MS, doubtful * DOUBT_MS));
  }

  /** Before a run that was not good is repeated. */
  afterBad({ refused, missing, retryAfterMs }: Reported): number {
    const grown = Math.min(LONGEST_MS, FIRST_MS * GROWTH ** this.#bad);
    this.#bad += 1;
    this.#refused = refused ? this.#refused + 1 : 0;
    const spared = refused ? Math.min(LONGEST_REFUSED_MS, FIRST_REFUSED_MS * REFUSED_GROWTH ** (this.#refused - 1)) : 0;
    // What the host asks for is not shortened by chance.
    const own = Math.min(this.#longestMs, Math.max(grown, missing ? FIRST_MISSING_MS : 0));
    return Math.max(this.#jittered(Math.max(own, spared)), retryAfterMs);
  }

  /** Before the next run over everything; `tookMs`: the last one, which is not worth more than half of the time. */
  beforeWhole(tookMs: number): number {
    const grown = Math.min(this.#longestMs, LONGEST_WHOLE_MS, FIRST_WHOLE_MS * WHOLE_GROWTH ** this.#whole);
    this.#whole += 1;
    return Math.max(this.#jittered(grown), tookMs);
  }

  #jittered(ms: number): number {
    return Math.round(ms * (1 - JITTER + 2 * JITTER * this.#random()));
  }
}

/** A run after the end gets so much time: more than one request may take, so that its own timeout is what is reported. */
const LATE_RUN_MS = 12_000;
/** How much longer such a run may take than the good ones before it. */
const SLOWER = 3;

/** What the runs so far say of the next ones. */
class PastRuns {
  #tookMs = 0;
  #goodMs = 0;
  #answered: Report | null = null;
  #isSilent = false;

  /** Takes note of a run that was not cut short. */
  note(kind: WaitRunKind, { report, throttled, silent }: WaitRun, tookMs: number): void {
    if (kind !== 'whole') this.#tookMs = tookMs;
    if (isGreen(report)) this.#goodMs = Math.max(this.#goodMs, tookMs);
    if (!throttled && !silent && kind !== 'before') this.#answered = report;
    this.#isSilent = silent;
  }

  /** Whether there is too little time for another run that is not whole. */
  isTooLate(leftMs: number): boolean {
    return leftMs < this.#tookMs;
  }

  /** How long a run after the end may take. */
  get lateMs(): number {
    return Math.max(LATE_RUN_MS, SLOWER * this.#goodMs);
  }

  /** Nothing came in the last run: it is not worth asking twice. */
  get isSilent(): boolean {
    return this.#isSilent;
  }

  /** What a host that only asks for less in the end said before, where that is something against the site. */
  known({ report, throttled }: Pick<WaitRun, 'report' | 'throttled'>): Report {
    const before = this.#answered;
    return throttled && report.fresh === null && before !== null && !isGreen(before) ? before : report;
  }
}

/** The three clocks of a waiting: milliseconds since it began; `null`: it did not come to that. */
class Clocks {
  firstNewMs: number | null = null;
  allNewMs: number | null = null;
  allGreenMs: number | null = null;
  #isSure = false;
  #sawOld = false;

  /** As they are reported in a report. */
  get reported(): Pick<Clocks, 'firstNewMs' | 'allNewMs' | 'allGreenMs'> {
    const { firstNewMs, allNewMs, allGreenMs } = this;
    return { firstNewMs, allNewMs, allGreenMs };
  }

  /** What a run of that kind waits for, after one with that report. */
  phaseOf(kind: WaitRunKind, by: FreshBy, report: Report | null): WaitState['phase'] {
    if (by === 'health') return 'green';
    if (this.firstNewMs === null && (kind === 'before' || kind === 'sample')) return 'new';
    return this.allNewMs === null || report?.fresh === false ? 'all' : 'green';
  }

  /** Takes note of a run. `isAll`: it checked all samples, and none of them was old. */
  note({ report, isNew, doubt }: Pick<WaitRun, 'report' | 'isNew' | 'doubt'>, isAll: boolean, elapsedMs: number): void {
    if (report.fresh === false && !this.#sawOld) {
      // What was new so far is perhaps the same in the old version; what tells the two apart was new, and stays so.
      if (!this.#isSure) this.firstNewMs = this.allNewMs = null;
      this.#sawOld = true;
    }
    if (isNew) {
      this.firstNewMs ??= elapsedMs;
      if (doubt === null) this.#isSure = true;
    }
    if (isAll) this.allNewMs ??= elapsedMs;
  }
}

/** What goes to and fro in a waiting. */
class Stability {
  /** What was well is so no more: servers answer in turn. */
  isUnsteady = false;
  /** The old version came after the new one. */
  isInTurn = false;
  /** The last run that was not good. */
  trouble: Report | null = null;

  /** Takes note of a run. `good`: the good ones in a row before it. */
  note(kind: WaitRunKind, { report, isBack, isWider }: WaitRun, good: number): void {
    const green = isGreen(report);
    // A run over everything sees more than the quick ones before it, and so does a wider one.
    const isWorse = !green && good > 0 && kind === 'quick' && !isWider;
    if (isBack || isWorse) this.isUnsteady = true;
    if (isBack || (isWorse && report.fresh === false)) this.isInTurn = true;
    if (!green) this.trouble = report;
  }

  /** The waiting ends without enough good runs: what was bad last is told of a site that was good just now. */
  end(): Report | null {
    if (this.trouble?.fresh === false) this.isInTurn = true;
    return this.trouble;
  }
}

interface Loop extends Waiting {
  readonly timers: Surroundings;
  /** Ends the waiting at once, with what is known. */
  readonly interrupt: AbortSignal;
}

/** Asks run after run until enough of them were good, or the time is up. Resolves with the last report. */
export function waitFor(runs: WaitRuns, loop: Loop): Promise<Report> {
  return new WaitLoop(runs, loop).run();
}

/** What comes after a run; `null`: the waiting is over. */
type Next = { readonly kind: WaitRunKind; readonly pauseMs: number } | null;

class WaitLoop {
  readonly #runs: WaitRuns;
  readonly #loop: Loop;
  readonly #pauses: Pauses;
  readonly #began: number;
  readonly #clocks = new Clocks();
  readonly #past = new PastRuns();
  #by: FreshBy;
  #count = 0;
  #good = 0;
  /** The last run that was not cut short. */
  #last: { readonly kind: WaitRunKind; readonly run: WaitRun } | null = null;
  /** No further run fits into the time. */
  #isLate = false;
  /** After the last run there was time for another one. */
  #isOpen = false;
  /** Until when the host wants to be left alone, and until when there is to be no further run over everything. */
  #quietUntil = 0;
  #wholeFrom = 0;
  readonly #stability = new Stability();
  #unwell: readonly string[] = [];

  constructor(runs: WaitRuns, loop: Loop) {
    this.#runs = runs;
    this.#loop = loop;
    this.#pauses = new Pauses(() => loop.timers.random(), loop.longestPauseMs);
    this.#began = loop.timers.clock();
    this.#by = runs.by;
  }

  async run(): Promise<Report> {
    let kind = this.#runs.first;
    while (this.#leftMs() > 0) {
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

  /** Where there is no time for the next run, a site that is well so far has only runs missing; others get all the time. */
  async #pauseBefore({ kind, pauseMs }: NonNullable<Next>, { report, retryAfterMs }: WaitRun): Promise<void> {
    const ms = Math.min(Math.max(pauseMs, retryAfterMs), this.#leftMs());
    this.#isLate = kind === 'quick' && isGreen(report) && this.#past.isTooLate(this.#leftMs() - ms);
    await this.#pause(kind, this.#isLate ? Math.min(retryAfterMs, this.#leftMs()) : ms);
    if (this.#isLate || kind === 'whole' || !this.#past.isTooLate(this.#leftMs())) return;
    this.#isOpen = this.#leftMs() > 0;
    await this.#pause(kind, this.#leftMs());
    this.#isLate = true;
  }

  /** The time is up. The last verdict is about everything, unless the host wants to be asked less. */
  async #atLast(): Promise<Report> {
    this.#isLate = true;
    const last = this.#last;
    if (last === null) return this.#over('whole', null);
    if (this.#quietUntil > this.#elapsedMs()) return this.#reported(unproven(this.#past.known(last.run)));
    if (!this.#isOpen && this.#isLastWord(last)) return this.#steady(last.run, this.#loop.stable);
    return this.#over(last.run.refused ? 'quick' : 'whole', last.run);
  }

  /** One more run when the time is up, and those that are missing after it. */
  async #over(kind: 'quick' | 'whole', before: WaitRun | null): Promise<Report> {
    const run = await this.#ask(kind);
    if (this.#isStopped(run.report)) return this.#stopped(kind, run.report, before?.report ?? null);
    if (run.cut) return this.#reported(unproven(this.#past.known(before ?? run)));
    // What went to and fro before has to be as good as it would have to be in time: the run over everything is one more.
    return this.#steady(run, this.#loop.stable + (this.#stability.isUnsteady && kind === 'whole' ? 1 : 0));
  }

  #isLastWord({ kind, run }: { readonly kind: WaitRunKind; readonly run: WaitRun }): boolean {
    return this.#isWhole(kind) || (kind === 'quick' && run.refused);
  }

  /**
   * The good runs that are still missing after the end, as many as were wanted and no more. A site that has gone back
   * to what it was before is not live, whatever it says now: then what was wrong last is reported as well.
   */
  async #steady(last: WaitRun, wanted: number): Promise<Report> {
    const report = this.#runs.completed(this.#past.known(last));
    while (isGreen(report) && this.#good < wanted && !this.#stability.isUnsteady) {
      await this.#pause('quick', this.#pauses.afterGood());
      if (this.#loop.interrupt.aborted) return this.#stopped('whole', report, null);
      const run = await this.#ask('quick');
      if (this.#isStopped(run.report)) return this.#stopped('whole', report, null);
      if (run.cut) return this.#reported(unproven(report));
      if (!isGreen(run.report)) this.#stability.isUnsteady = true;
    }
    if (!isGreen(report)) return this.#reported(report);
    if (this.#good < wanted) return this.#reported(unsteady(report, this.#stability.end()));
    this.#clocks.allGreenMs ??= this.#elapsedMs();
    return this.#reported(report);
  }

  async #ask(kind: WaitRunKind): Promise<WaitRun> {
    this.#count += 1;
    this.#report(kind, null);
    const began = this.#elapsedMs();
    const leftMs = this.#isLate && kind !== 'whole' ? this.#past.lateMs : Math.max(0, this.#leftMs());
    // What has just failed is not tried again and again when the time is up.
    const run = await this.#runs.ask(kind, leftMs, this.#isLate && this.#past.isSilent);
    if (this.#isStopped(run.report)) return run;
    this.#quietUntil = this.#elapsedMs() + run.retryAfterMs;
    // Our own end says nothing of the site.
    if (run.cut) return run;
    this.#past.note(kind, run, this.#elapsedMs() - began);
    this.#last = { kind, run };
    if (kind !== 'before') this.#note(kind, run);
    return run;
  }

  #note(kind: Exclude<WaitRunKind, 'before'>, run: WaitRun): void {
    const { report } = run;
    const green = isGreen(report);
    const isAll = kind !== 'sample' && (report.fresh === true || (green && report.fresh === null));
    this.#clocks.note(run, isAll, this.#elapsedMs());
    this.#stability.note(kind, run, this.#good);
    if (kind === 'sample') return;
    this.#good = green ? this.#good + 1 : 0;
    // A version that need not be reported, and is not, says nothing: the site's health is what was waited for.
    if (green) this.#by = report.fresh === null ? 'health' : this.#runs.by;
    if (kind === 'whole') this.#noteWhole(report);
  }

  #noteWhole(report: Report): void {
    const green = isGreen(report);
    this.#unwell = green || report.fresh === false ? [] : unwellIn(report);
    this.#wholeFrom = this.#elapsedMs() + (green ? 0 : this.#pauses.beforeWhole(report.durationMs));
  }

  #evaluate(kind: WaitRunKind, run: WaitRun): Next {
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

  #afterGood(kind: WaitRunKind, { doubt }: WaitRun): Next {
    const isEnough = this.#good >= this.#loop.stable && doubt?.isLast !== false;
    if (isEnough && this.#isWhole(kind)) {
      this.#clocks.allGreenMs = this.#elapsedMs();
      return null;
    }
    if (!isEnough) return { kind: 'quick', pauseMs: this.#pauses.afterGood(doubt?.files) };
    const pauseMs = doubt === null ? 0 : this.#pauses.afterGood(doubt.files);
    return { kind: 'whole', pauseMs: Math.max(pauseMs, this.#wholeFrom - this.#elapsedMs()) };
  }

  #again(kind: WaitRunKind, run: WaitRun): Next {
    const pauseMs = this.#pauses.afterBad(run);
    // Before the quick runs rather than after them, so that all good runs lie close together.
    const isNextWhole = kind === 'quick' && this.#last?.kind === 'whole';
    return { kind, pauseMs: isNextWhole ? Math.max(pauseMs, this.#wholeFrom - this.#elapsedMs()) : pauseMs };
  }

  async #pause(kind: WaitRunKind, ms: number): Promise<void> {
    if (ms <= 0) return;
    this.#report(kind, ms);
    await this.#loop.timers.sleep(ms, this.#loop.interrupt);
  }

  #report(kind: WaitRunKind, pauseMs: number | null): void {
    const report = this.#last?.run.report ?? null;
    this.#loop.onRun?.({
      run: this.#count,
      elapsedMs: this.#elapsedMs(),
      forMs: this.#loop.forMs,
      by: this.#by,
      phase: this.#clocks.phaseOf(kind, this.#runs.by, report),
      whole: this.#isWhole(kind),
      report,
      unwell: this.#unwell,
      good: this.#good,
      stable: this.#loop.stable,
      pauseMs,
    });
  }

  #isWhole(kind: WaitRunKind): boolean {
    return kind === 'whole' || (kind === 'quick' && this.#runs.quickIsWhole);
  }

  #isStopped(report: Report): boolean {
    return report.interrupted || this.#loop.interrupt.aborted;
  }

  /** What the run before found says more than one that was cut short, unless that one has found something, too. */
  #stopped(kind: WaitRunKind, report: Report, before: Report | null): Report {
    const isReported = this.#isWhole(kind) && (before === null || !saysNothing(report) || saysNothing(before));
    return this.#reported({ ...unproven(isReported ? report : (before ?? report)), interrupted: true });
  }

  #reported(last: Report): Report {
    const report = this.#runs.completed(last);
    // What the bundle has at the beginning is the old version, whatever comes after it.
    const isAlready = this.#stability.trouble === null && this.#runs.first !== 'before';
    const times = { forMs: this.#loop.forMs, elapsedMs: this.#elapsedMs(), rounds: this.#count, by: this.#by };
    return withTimes(report, { ...times, ...this.#clocks.reported }, { isAlready, isInTurn: this.#stability.isInTurn });
  }

  #elapsedMs(): number {
    return Math.round(this.#loop.timers.clock() - this.#began);
  }

  #leftMs(): number {
    return this.#loop.forMs - (this.#loop.timers.clock() - this.#began);
  }
}
