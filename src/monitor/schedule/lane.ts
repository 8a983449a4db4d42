import type { Around, Cancel } from '../clock/around.ts';
import { shareOf, type Ticks } from './ticks.ts';

/** Why something is due. */
export interface Due {
  /** When it was due, ms since 1970. */
  readonly at: number;
  /** It was asked for before its time, to confirm what was seen last. */
  readonly again: boolean;
}

export interface LaneOptions {
  /** What is scheduled: spreads things that are due together. */
  readonly name: string;
  readonly ticks: Ticks;
  readonly around: Pick<Around, 'after' | 'random'>;
  /** ms since 1970. */
  readonly now: () => number;
  /** Over how long things are spread that are all due at once: at the start, after a sleep. */
  readonly spreadMs: number;
  /** Called when it is due. Nothing more is due until {@link Lane.done} is called. */
  readonly onDue: (due: Due) => void;
  /** Called with how many ticks were left out: the machine slept, the one before took too long. */
  readonly onMissed: (ticks: number) => void;
}

/** Ticks that are counted when many were missed. */
const MOST_MISSED = 1_000;

/** One thing that is done again and again, never twice at once. Ticks that were missed are left out, and never made up for. */
export class Lane {
  #options: LaneOptions;
  #cancel: Cancel | null = null;
  #nextAt: number | null = null;
  #begunAt: number | null;
  #running = false;
  #stopped = false;

  /** `lastAt`: when it was done last, before this process; `null`: never. */
  constructor(options: LaneOptions, lastAt: number | null) {
    this.#options = options;
    this.#begunAt = lastAt;
  }

  /** When it is due next, ms since 1970; `null`: it goes on, or there is no time any more. */
  get nextAt(): number | null {
    return this.#nextAt;
  }

  /** Begins to wait: at once, spread, for what was never done or missed a tick; else for the next tick. */
  start(): void {
    const missed = this.#begunAt === null ? 0 : this.#missed(this.#begunAt);
    this.#startAt(this.#begunAt === null || missed > 0 ? this.#spread() : this.#tick());
  }

  /** Takes up another schedule; what goes on, goes on. */
  change(options: Pick<LaneOptions, 'ticks' | 'spreadMs'>): void {
    this.#options = { ...this.#options, ...options };
    if (!this.#running) this.#startAt(this.#tick());
  }

  /** What was due has been done. `againMs`: it is due once more after so long, if that is sooner than its tick. */
  done(againMs: number | null): void {
    this.#running = false;
    const missed = this.#missed(this.#begunAt ?? this.#options.now());
    if (missed > 0) this.#options.onMissed(missed);
    const tick = this.#tick();
    const again = againMs === null ? null : this.#options.now() + againMs;
    if (again !== null && (tick === null || again < tick)) this.#startAt(again, true);
    else this.#startAt(tick);
  }

  /** It is due after so long, if that is sooner than its tick; what goes on is soon enough. */
  sooner(ms: number): void {
    const at = this.#options.now() + ms;
    if (!this.#running && (this.#nextAt === null || at < this.#nextAt)) this.#startAt(at, true);
  }

  /** Time made a leap: what was missed is left out, and done once. */
  reset(): void {
    if (this.#running || this.#stopped) return;
    const now = this.#options.now();
    const due = this.#nextAt ?? now;
    // A clock that was set back would keep it waiting for as long.
    const missed = this.#missed(Math.min(this.#begunAt ?? now, now));
    if (missed > 1) this.#options.onMissed(missed - 1);
    this.#startAt(missed > 0 || due <= now ? this.#spread() : this.#tick());
  }

  stop(): void {
    this.#stopped = true;
    this.#cancel?.();
    this.#nextAt = null;
  }

  #startAt(at: number | null, again = false): void {
    this.#cancel?.();
    this.#nextAt = this.#stopped ? null : at;
    if (at === null || this.#stopped) return;
    const { around, now } = this.#options;
    this.#cancel = around.after(at - now(), () => {
      this.#running = true;
      this.#nextAt = null;
      this.#begunAt = Math.max(at, now());
      this.#options.onDue({ at, again });
    });
  }

  #tick(): number | null {
    const { ticks, now, around } = this.#options;
    const tick = ticks.next(now());
    return tick === null ? null : tick + Math.floor(around.random() * ticks.jitterMs);
  }

  /** Soon, each at a moment of its own, but not after the tick that would come anyway. */
  #spread(): number {
    const { name, now, spreadMs } = this.#options;
    const soon = now() + Math.floor(shareOf(`spread ${name}`) * spreadMs);
    return Math.min(soon, this.#tick() ?? soon);
  }

  #missed(since: number): number {
    const { ticks, now } = this.#options;
    const until = now();
    let missed = 0;
    for (let tick = ticks.next(since); tick !== null && tick <= until && missed < MOST_MISSED; missed += 1)
      tick = ticks.next(tick);
    return missed;
  }
}
