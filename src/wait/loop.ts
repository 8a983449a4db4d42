import type { FreshBy, Report } from '../check.ts';
import { Clocks } from './clocks.ts';
import { PastRounds } from './past-rounds.ts';
import { Pauses } from './pause.ts';
import type { Round, RoundKind, Rounds } from './rounds.ts';
import { isGreen, saysNothing, unproven, unsteady, unwellIn, withTimes } from './reports.ts';
import { Swings } from './swings.ts';
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

class WaitLoop {
  readonly #rounds: Rounds;
  readonly #loop: Loop;
  readonly #pauses: Pauses;
  readonly #began: number;
  readonly #clocks = new Clocks();
  readonly #past = new PastRounds();
  #by: FreshBy;
  #count = 0;
  #good = 0;
  /** The last round that was not cut short. */
  #last: { readonly kind: RoundKind; readonly round: Round } | null = null;
  /** No further round fits into the time. */
  #isLate = false;
  /** After the last round there was time for another one. */
  #isOpen = false;
  /** Until when the host wants to be left alone, and until when there is to be no further round over everything. */
  #quietUntil = 0;
  #wholeFrom = 0;
  readonly #swings = new Swings();
  #unwell: readonly string[] = [];

  constructor(rounds: Rounds, loop: Loop) {
    this.#rounds = rounds;
    this.#loop = loop;
    this.#pauses = new Pauses(() => loop.around.random(), loop.longestPauseMs);
    this.#began = loop.around.clock();
    this.#by = rounds.by;
  }

  async run(): Promise<Report> {
    let kind = this.#rounds.first;
    while (this.#leftMs() > 0) {
      const before = this.#last?.round.report ?? null;
      const round = await this.#ask(kind);
      if (this.#isStopped(round.report)) return this.#stopped(kind, round.report, before);
      if (round.cut) {
        this.#isOpen = before === null || !isGreen(before);
        break;
      }
      const next = this.#judge(kind, round);
      if (next === null) return this.#told(round.report);
      await this.#pauseBefore(next, round);
      if (this.#loop.interrupt.aborted) return this.#stopped(kind, round.report, null);
      if (this.#isLate) break;
      ({ kind } = next);
    }
    return this.#atLast();
  }

  /** Where there is no time for the next round, a site that is well so far has only rounds missing; others get all the time. */
  async #pauseBefore({ kind, pauseMs }: NonNullable<Next>, { report, retryAfterMs }: Round): Promise<void> {
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
    if (this.#quietUntil > this.#elapsedMs()) return this.#told(unproven(this.#past.known(last.round)));
    if (!this.#isOpen && this.#isLastWord(last)) return this.#steady(last.round, this.#loop.stable);
    return this.#over(last.round.refused ? 'quick' : 'whole', last.round);
  }

  /** One more round when the time is up, and those that are missing after it. */
  async #over(kind: 'quick' | 'whole', before: Round | null): Promise<Report> {
    const round = await this.#ask(kind);
    if (this.#isStopped(round.report)) return this.#stopped(kind, round.report, before?.report ?? null);
    if (round.cut) return this.#told(unproven(this.#past.known(before ?? round)));
    // What went to and fro before has to be as good as it would have to be in time: the round over everything is one more.
    return this.#steady(round, this.#loop.stable + (this.#swings.isUnsteady && kind === 'whole' ? 1 : 0));
  }

  #isLastWord({ kind, round }: { readonly kind: RoundKind; readonly round: Round }): boolean {
    return this.#isWhole(kind) || (kind === 'quick' && round.refused);
  }

  /**
   * The good rounds that are still missing after the end, as many as were wanted and no more. A site that has gone back
   * to what it was before is not live, whatever it says now: then what was wrong last is told as well.
   */
  async #steady(last: Round, wanted: number): Promise<Report> {
    const report = this.#rounds.completed(this.#past.known(last));
    while (isGreen(report) && this.#good < wanted && !this.#swings.isUnsteady) {
      await this.#pause('quick', this.#pauses.afterGood());
      if (this.#loop.interrupt.aborted) return this.#stopped('whole', report, null);
      const round = await this.#ask('quick');
      if (this.#isStopped(round.report)) return this.#stopped('whole', report, null);
      if (round.cut) return this.#told(unproven(report));
      if (!isGreen(round.report)) this.#swings.isUnsteady = true;
    }
    if (!isGreen(report)) return this.#told(report);
    if (this.#good < wanted) return this.#told(unsteady(report, this.#swings.end()));
    this.#clocks.allGreenMs ??= this.#elapsedMs();
    return this.#told(report);
  }

  async #ask(kind: RoundKind): Promise<Round> {
    this.#count += 1;
    this.#tell(kind, null);
    const began = this.#elapsedMs();
    const leftMs = this.#isLate && kind !== 'whole' ? this.#past.lateMs : Math.max(0, this.#leftMs());
    // What has just failed is not tried again and again when the time is up.
    const round = await this.#rounds.ask(kind, leftMs, this.#isLate && this.#past.isSilent);
    if (this.#isStopped(round.report)) return round;
    this.#quietUntil = this.#elapsedMs() + round.retryAfterMs;
    // Our own end says nothing of the site.
    if (round.cut) return round;
    this.#past.note(kind, round, this.#elapsedMs() - began);
    this.#last = { kind, round };
    if (kind !== 'before') this.#note(kind, round);
    return round;
  }

  #note(kind: Exclude<RoundKind, 'before'>, round: Round): void {
    const { report } = round;
    const green = isGreen(report);
    const isAll = kind !== 'sample' && (report.fresh === true || (green && report.fresh === null));
    this.#clocks.note(round, isAll, this.#elapsedMs());
    this.#swings.note(kind, round, this.#good);
    if (kind === 'sample') return;
    this.#good = green ? this.#good + 1 : 0;
    // A version that need not be told, and is not, says nothing: the site's health is what was waited for.
    if (green) this.#by = report.fresh === null ? 'health' : this.#rounds.by;
    if (kind === 'whole') this.#noteWhole(report);
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
    const report = this.#last?.round.report ?? null;
    this.#loop.onRound?.({
      round: this.#count,
      elapsedMs: this.#elapsedMs(),
      forMs: this.#loop.forMs,
      by: this.#by,
      phase: this.#clocks.phaseOf(kind, this.#rounds.by, report),
      whole: this.#isWhole(kind),
      report,
      unwell: this.#unwell,
      good: this.#good,
      stable: this.#loop.stable,
      pauseMs,
    });
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
    return this.#told({ ...unproven(isTold ? report : (before ?? report)), interrupted: true });
  }

  #told(last: Report): Report {
    const report = this.#rounds.completed(last);
    // What the bundle has at the beginning is the old version, whatever comes after it.
    const isAlready = this.#swings.trouble === null && this.#rounds.first !== 'before';
    const times = { forMs: this.#loop.forMs, elapsedMs: this.#elapsedMs(), rounds: this.#count, by: this.#by };
    return withTimes(report, { ...times, ...this.#clocks.told }, { isAlready, isInTurn: this.#swings.isInTurn });
  }

  #elapsedMs(): number {
    return Math.round(this.#loop.around.clock() - this.#began);
  }

  #leftMs(): number {
    return this.#loop.forMs - (this.#loop.around.clock() - this.#began);
  }
}
