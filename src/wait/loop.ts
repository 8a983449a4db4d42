import type { FreshBy, Report } from '../check.ts';
import { exitStatus } from '../verdict.ts';
import { Pauses } from './pause.ts';
import type { Round, RoundKind, Rounds } from './rounds.ts';
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
  #by: FreshBy;
  #count = 0;
  #good = 0;
  #last: { readonly kind: RoundKind; readonly report: Report; readonly inTime: boolean } | null = null;
  #firstNewMs: number | null = null;
  #allNewMs: number | null = null;
  #allGreenMs: number | null = null;
  #sawOld = false;

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
      const before = this.#last?.report ?? null;
      const round = await this.#ask(kind);
      if (this.#isStopped(round.report)) return this.#stopped(kind, round.report, before);
      const next = this.#judge(kind, round);
      if (next === null) return this.#told(round.report);
      await this.#pause(next);
      if (this.#loop.interrupt.aborted) return this.#stopped(kind, round.report, null);
      ({ kind } = next);
    }
    return this.#atLast();
  }

  /**
   * The time is up. The last verdict is about everything that was asked for; and it is a good one only after as many
   * good rounds in a row as were wanted.
   */
  async #atLast(): Promise<Report> {
    // What the end cut short is not what the site is like.
    let last = this.#last?.inTime === true && this.#isWhole(this.#last.kind) ? this.#last.report : null;
    while (last === null || (isGreen(last) && this.#good < this.#loop.stable)) {
      const { report } = await this.#ask('whole');
      if (this.#isStopped(report)) return this.#stopped('whole', report, null);
      last = report;
    }
    if (isGreen(last)) this.#allGreenMs ??= this.#elapsedMs();
    return this.#told(last);
  }

  async #ask(kind: RoundKind): Promise<Round> {
    this.#count += 1;
    this.#tell(kind, null);
    const round = await this.#rounds.ask(kind, this.#leftMs());
    if (this.#isStopped(round.report)) return round;
    this.#last = { kind, report: round.report, inTime: kind === 'whole' || this.#leftMs() > 0 };
    if (kind === 'before') return round;
    const { report } = round;
    this.#noteNew(round);
    if (kind === 'sample') return round;
    const green = isGreen(report);
    this.#good = green ? this.#good + 1 : 0;
    // A version that need not be told, and is not, says nothing: the site's health is what was waited for.
    if (green) this.#by = report.fresh === null ? 'health' : this.#rounds.by;
    if (report.fresh === true || (green && report.fresh === null)) this.#allNewMs ??= this.#elapsedMs();
    return round;
  }

  #noteNew({ report, isNew }: Round): void {
    if (report.fresh === false && !this.#sawOld) {
      // What was new so far is the same in the old version.
      this.#firstNewMs = this.#allNewMs = null;
      this.#sawOld = true;
    }
    if (isNew) this.#firstNewMs ??= this.#elapsedMs();
  }

  #judge(kind: RoundKind, round: Round): Next {
    const { report } = round;
    if (kind === 'before') {
      return round.taken ? { kind: 'sample', pauseMs: this.#pauses.afterGood() } : this.#again(kind, round);
    }
    if (kind === 'sample') {
      if (report.fresh !== true && !(report.fresh === null && isGreen(report))) return this.#again(kind, round);
      this.#pauses.reset();
      return { kind: 'quick', pauseMs: 0 };
    }
    // What is old is known by now: it is asked for alone until it is new.
    if (kind === 'whole' && report.fresh === false) return this.#again('sample', round);
    if (!isGreen(report)) return this.#again('quick', round);
    if (this.#good < this.#loop.stable) return { kind: 'quick', pauseMs: this.#pauses.afterGood() };
    if (!this.#isWhole(kind)) return { kind: 'whole', pauseMs: 0 };
    this.#allGreenMs = this.#elapsedMs();
    return null;
  }

  #again(kind: RoundKind, { report, refused, retryAfterMs }: Round): Next {
    const whole = this.#last?.kind === 'whole';
    return { kind, pauseMs: this.#pauses.afterBad({ refused, retryAfterMs, tookMs: whole ? report.durationMs : 0 }) };
  }

  async #pause({ kind, pauseMs }: NonNullable<Next>): Promise<void> {
    const ms = Math.min(pauseMs, this.#leftMs());
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
      report: this.#last?.report ?? null,
      good: this.#good,
      stable: this.#loop.stable,
      pauseMs,
    });
  }

  #phaseOf(kind: RoundKind): 'new' | 'all' | 'green' {
    if (this.#rounds.by === 'health') return 'green';
    if (kind === 'before' || kind === 'sample') return 'new';
    return this.#allNewMs === null || this.#last?.report.fresh === false ? 'all' : 'green';
  }

  #isWhole(kind: RoundKind): boolean {
    return kind === 'whole' || (kind === 'quick' && this.#rounds.quickIsWhole);
  }

  #isStopped(report: Report): boolean {
    return report.interrupted || this.#loop.interrupt.aborted;
  }

  /** What the round before found says more than one that was cut short, unless that one looks at everything. */
  #stopped(kind: RoundKind, report: Report, before: Report | null): Report {
    const known = this.#isWhole(kind) ? report : (before ?? report);
    // What is well so far was not seen to stay so.
    const verdict = known.verdict === 'healthy' ? 'unknown' : known.verdict;
    return this.#told({ ...known, verdict, interrupted: true });
  }

  #told(report: Report): Report {
    const waited = {
      forMs: this.#loop.forMs,
      elapsedMs: this.#elapsedMs(),
      rounds: this.#count,
      by: this.#by,
      firstNewMs: this.#firstNewMs,
      allNewMs: this.#allNewMs,
      allGreenMs: this.#allGreenMs,
    };
    return { ...report, waited };
  }

  #elapsedMs(): number {
    return Math.round(this.#loop.around.clock() - this.#began);
  }

  #leftMs(): number {
    return this.#loop.forMs - (this.#loop.around.clock() - this.#began);
  }
}

/** Healthy, and not known to be old. */
function isGreen(report: Report): boolean {
  return exitStatus(report) === 0 && report.fresh !== false;
}
