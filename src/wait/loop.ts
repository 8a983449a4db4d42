import type { FreshBy, Report } from '../check.ts';
import { Clocks } from './clocks.ts';
import { PastRuns } from './past-runs.ts';
import { Pauses } from './pause.ts';
import type { WaitRun, WaitRunKind, WaitRuns } from './runs.ts';
import { isGreen, saysNothing, unproven, unsteady, unwellIn, withTimes } from './reports.ts';
import { Stability } from './stability.ts';
import type { Surroundings, Waiting } from './wait.ts';

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
   * to what it was before is not live, whatever it says now: then what was wrong last is told as well.
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
    // A version that need not be told, and is not, says nothing: the site's health is what was waited for.
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
    // What is old is known by now: it is asked for alone until it is new.
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
