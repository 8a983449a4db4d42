import type { FreshBy, Report } from '../check.ts';
import { Clocks } from './clocks.ts';
import { Pauses } from './pause.ts';
import type { Round, RoundKind, Rounds } from './rounds.ts';
import { isGreen, saysNothing, unproven, unsteady, unwellIn } from './reports.ts';
import type { Surroundings, Waiting } from './wait.ts';

interface Loop extends Waiting {
  readonly around: Surroundings;
  /** Ends the waiting at once, with what is known. */
  readonly interrupt: AbortSignal;
}

/** Asks round after round until enough of them were good, or the time is up. Resolves with the last report. */
export function waitFor(rounds: Rounds, loop: Loop): Promise<Report> {
  return new WaitLoop(rounds, loop).run();
}

/** What comes after a round; `null`: the waiting is over. */
type Next = { readonly kind: RoundKind; readonly pauseMs: number } | null;

/** A quick round after the end gets so much time. */
const LATE_ROUND_MS = 10_000;

class WaitLoop {
  readonly #rounds: Rounds;
  readonly #loop: Loop;
  readonly #pauses: Pauses;
  readonly #began: number;
  readonly #clocks = new Clocks();
  #by: FreshBy;
  #count = 0;
  #good = 0;
  #last: { readonly kind: RoundKind; readonly round: Round; readonly inTime: boolean } | null = null;
  /** Until when the host wants to be left alone, and until when there is to be no further round over everything. */
  #quietUntil = 0;
  #wholeFrom = 0;
  /** What was well is so no more: servers answer in turn. */
  #isUnsteady = false;
  /** The old version came after the new one. */
  #isInTurn = false;
  /** The last round that was not good. */
  #trouble: Report | null = null;
  #unwell: readonly string[] = [];

  constructor(rounds: Rounds, loop: Loop) {
    this.#rounds = rounds;
    this.#loop = loop;
    this.#pauses = new Pauses(() => loop.around.random());
    this.#began = loop.around.clock();
    this.#by = rounds.by;
  }

  async run(): Promise<Report> {
    let kind = this.#rounds.first;
    while (this.#leftMs() > 0) {
      const before = this.#last?.round.report ?? null;
      const round = await this.#ask(kind);
      if (this.#isStopped(round.report)) return this.#stopped(kind, round.report, before);
      const next = this.#judge(kind, round);
      if (next === null) return this.#told(round.report);
      await this.#pause(next.kind, Math.min(Math.max(next.pauseMs, round.retryAfterMs), this.#leftMs()));
      if (this.#loop.interrupt.aborted) return this.#stopped(kind, round.report, null);
      ({ kind } = next);
    }
    return this.#atLast();
  }

  /** The time is up. The last verdict is about everything, unless the host wants to be asked less. */
  async #atLast(): Promise<Report> {
    const last = this.#last;
    if (last !== null && this.#quietUntil > this.#elapsedMs()) return this.#told(unproven(last.round.report));
    // What the end cut short is not what the site is like.
    if (last?.inTime === true && this.#isLastWord(last)) return this.#steady(last.round.report, this.#loop.stable);
    const kind = last?.round.refused === true ? 'quick' : 'whole';
    const { report } = await this.#ask(kind);
    if (this.#isStopped(report)) return this.#stopped(kind, report, last?.round.report ?? null);
    // What went to and fro before has to be as good as it would have to be in time: the round over everything is one more.
    return this.#steady(report, this.#loop.stable + (this.#isUnsteady && kind === 'whole' ? 1 : 0));
  }

  #isLastWord({ kind, round }: { readonly kind: RoundKind; readonly round: Round }): boolean {
    return this.#isWhole(kind) || (kind === 'quick' && round.refused);
  }

  /**
   * The good rounds that are still missing after the end, as many as were wanted and no more. A site that has gone back
   * to what it was before is not live, whatever it says now: then what was wrong last is told as well.
   */
  async #steady(last: Report, wanted: number): Promise<Report> {
    const report = this.#rounds.completed(last);
    while (isGreen(report) && this.#good < wanted && !this.#isUnsteady) {
      await this.#pause('quick', this.#pauses.afterGood());
      if (this.#loop.interrupt.aborted) return this.#stopped('whole', report, null);
      const round = await this.#ask('quick');
      if (this.#isStopped(round.report)) return this.#stopped('whole', report, null);
      if (!isGreen(round.report)) this.#isUnsteady = true;
    }
    if (!isGreen(report)) return this.#told(report);
    if (this.#good < wanted) {
      // Old is told of a site that was new just now.
      if (this.#trouble?.fresh === false) this.#isInTurn = true;
      return this.#told(unsteady(report, this.#trouble));
    }
    this.#clocks.allGreenMs ??= this.#elapsedMs();
    return this.#told(report);
  }

  async #ask(kind: RoundKind): Promise<Round> {
    this.#count += 1;
    this.#tell(kind, null);
    const leftMs = this.#leftMs();
    const round = await this.#rounds.ask(kind, leftMs > 0 ? leftMs : LATE_ROUND_MS);
    if (this.#isStopped(round.report)) return round;
    this.#last = { kind, round, inTime: kind === 'whole' || this.#leftMs() > 0 };
    this.#quietUntil = this.#elapsedMs() + round.retryAfterMs;
    if (kind !== 'before') this.#note(kind, round);
    return round;
  }

  #note(kind: Exclude<RoundKind, 'before'>, round: Round): void {
    const { report } = round;
    const green = isGreen(report);
    const isAll = kind !== 'sample' && (report.fresh === true || (green && report.fresh === null));
    this.#clocks.note(round, isAll, this.#elapsedMs());
    this.#noteTurns(kind, round, green);
    if (!green) this.#trouble = report;
    if (kind === 'sample') return;
    this.#good = green ? this.#good + 1 : 0;
    // A version that need not be told, and is not, says nothing: the site's health is what was waited for.
    if (green) this.#by = report.fresh === null ? 'health' : this.#rounds.by;
    if (kind === 'whole') this.#noteWhole(report);
  }

  #noteTurns(kind: RoundKind, { report, isBack, isWider }: Round, green: boolean): void {
    // A round over everything sees more than the quick ones before it, and so does a wider one.
    const isWorse = !green && this.#good > 0 && kind === 'quick' && !isWider;
    if (isBack || isWorse) this.#isUnsteady = true;
    if (isBack || (isWorse && report.fresh === false)) this.#isInTurn = true;
  }

  #noteWhole(report: Report): void {
    const green = isGreen(report);
    this.#unwell = green || report.fresh === false ? [] : unwellIn(report);
    this.#wholeFrom = this.#elapsedMs() + (green ? 0 : this.#pauses.beforeWhole(report.durationMs));
  }

  #judge(kind: RoundKind, round: Round): Next {
    const { report } = round;
    if (kind === 'before') {
      return round.taken ? { kind: 'sample', pauseMs: this.#pauses.afterGood() } : this.#again(kind, round);
    }
    if (kind === 'sample') {
      if (report.fresh !== true && !(report.fresh === null && isGreen(report))) return this.#again(kind, round);
      if (round.doubt === null) this.#pauses.nearer();
      return { kind: 'quick', pauseMs: 0 };
    }
    // What is old is known by now: it is asked for alone until it is new.
    if (report.fresh === false) return this.#again('sample', round);
    return isGreen(report) ? this.#afterGood(kind, round) : this.#again('quick', round);
  }

  #afterGood(kind: RoundKind, { doubt }: Round): Next {
    const isEnough = this.#good >= this.#loop.stable && doubt?.isLast !== false;
    if (isEnough && this.#isWhole(kind)) {
      this.#clocks.allGreenMs = this.#elapsedMs();
      return null;
    }
    if (!isEnough) return { kind: 'quick', pauseMs: this.#pauses.afterGood(doubt?.files) };
    const pauseMs = doubt === null ? 0 : this.#pauses.afterGood(doubt.files);
    return { kind: 'whole', pauseMs: Math.max(pauseMs, this.#wholeFrom - this.#elapsedMs()) };
  }

  #again(kind: RoundKind, round: Round): Next {
    const pauseMs = this.#pauses.afterBad(round);
    // Before the quick rounds rather than after them, so that all good rounds lie close together.
    const isNextWhole = kind === 'quick' && this.#last?.kind === 'whole';
    return { kind, pauseMs: isNextWhole ? Math.max(pauseMs, this.#wholeFrom - this.#elapsedMs()) : pauseMs };
  }

  async #pause(kind: RoundKind, ms: number): Promise<void> {
    if (ms <= 0) return;
    this.#tell(kind, ms);
    await this.#loop.around.sleep(ms, this.#loop.interrupt);
  }

  #tell(kind: RoundKind, pauseMs: number | null): void {
    this.#loop.onRound?.({
      round: this.#count,
      elapsedMs: this.#elapsedMs(),
      forMs: this.#loop.forMs,
      by: this.#by,
      phase: this.#phaseOf(kind),
      whole: this.#isWhole(kind),
      report: this.#last?.round.report ?? null,
      unwell: this.#unwell,
      good: this.#good,
      stable: this.#loop.stable,
      pauseMs,
    });
  }

  #phaseOf(kind: RoundKind): 'new' | 'all' | 'green' {
    if (this.#rounds.by === 'health') return 'green';
    const { firstNewMs, allNewMs } = this.#clocks;
    if (firstNewMs === null && (kind === 'before' || kind === 'sample')) return 'new';
    return allNewMs === null || this.#last?.round.report.fresh === false ? 'all' : 'green';
  }

  #isWhole(kind: RoundKind): boolean {
    return kind === 'whole' || (kind === 'quick' && this.#rounds.quickIsWhole);
  }

  #isStopped(report: Report): boolean {
    return report.interrupted || this.#loop.interrupt.aborted;
  }

  /** What the round before found says more than one that was cut short, unless that one has found something, too. */
  #stopped(kind: RoundKind, report: Report, before: Report | null): Report {
    const isTold = this.#isWhole(kind) && (before === null || !saysNothing(report) || saysNothing(before));
    const known = isTold ? report : (before ?? report);
    return this.#told({ ...unproven(known), interrupted: true });
  }

  #told(last: Report): Report {
    const report = this.#rounds.completed(last);
    const { firstNewMs, allNewMs, allGreenMs } = this.#clocks;
    const clocks = { firstNewMs, allNewMs, allGreenMs };
    // What the bundle has at the beginning is the old version, whatever comes after it.
    const isAlready = allGreenMs !== null && this.#trouble === null && this.#rounds.first !== 'before';
    const already = isAlready ? { alreadyLive: true as const } : {};
    const inTurn = this.#isInTurn && report.fresh === false ? { inTurn: true as const } : {};
    const { forMs } = this.#loop;
    const times = { forMs, elapsedMs: this.#elapsedMs(), rounds: this.#count, by: this.#by };
    return { ...report, waited: { ...times, ...clocks, ...already, ...inTurn } };
  }

  #elapsedMs(): number {
    return Math.round(this.#loop.around.clock() - this.#began);
  }

  #leftMs(): number {
    return this.#loop.forMs - (this.#loop.around.clock() - this.#began);
  }
}
