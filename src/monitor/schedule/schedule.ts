/** When something recurring is due: the ticks of a schedule, and a task that follows them. */
import { hash } from 'node:crypto';
import { Cron } from 'croner';
import { DAY_MS } from '../../core/time.ts';
import type { Cancel, Timers } from '../clock/clock.ts';
import type { Schedule } from '../settings.ts';

/** The ticks of a schedule: moments in ms since 1970, ascending, without end. */
export interface Ticks {
  /** The first tick after a moment; `null`: none. */
  next(after: number): number | null;
  /** The time between two ticks, about now: what is late by more than this was missed. */
  periodMs(at: number): number;
  /** By how much a tick is moved at most. */
  readonly jitterMs: number;
}

/** What is due within so long begins together: to wake up for each by itself takes half as much again as the work. */
const TOGETHER_MS = 100;

/**
 * The ticks of a schedule. `name` is what is scheduled: intervals begin at a moment of its own, the same one after a
 * restart, so that a thousand sites are not checked at once.
 */
export function ticksOf(schedule: Schedule, name: string): Ticks {
  if (schedule.kind === 'cron') return cronTicks(schedule);
  const { everyMs, jitterMs } = schedule;
  const phase = Math.floor((shareOf(name) * everyMs) / TOGETHER_MS) * TOGETHER_MS;
  return {
    next: (after) => Math.floor((after - phase) / everyMs + 1) * everyMs + phase,
    periodMs: () => everyMs,
    jitterMs: Math.min(jitterMs, everyMs),
  };
}

/**
 * An hour that the clocks leave out in spring has its ticks when it would have been; one that they show twice in autumn
 * has them once, unless they come every hour. `timeZone`: `null`: this machine's.
 */
function cronTicks({ pattern, timeZone, jitterMs }: Extract<Schedule, { kind: 'cron' }>): Ticks {
  const cron = new Cron(pattern, { paused: true, ...(timeZone === null ? {} : { timezone: timeZone }) });
  return {
    next: (after) => cron.nextRun(new Date(after))?.getTime() ?? null,
    periodMs(at) {
      const [first, second] = cron.nextRuns(2, new Date(at));
      return first === undefined || second === undefined ? DAY_MS : second.getTime() - first.getTime();
    },
    jitterMs,
  };
}

/** A number from 0 (included) to 1 (excluded) that is a name's own, evenly spread over names. */
export function shareOf(name: string): number {
  return Number.parseInt(hash('sha256', name).slice(0, 12), 16) / 2 ** 48;
}

/* A task. */

export interface Due {
  /** When it was due, ms since 1970. */
  readonly at: number;
  /** It was requested before its time, to confirm a result. */
  readonly again: boolean;
}

interface ScheduledTaskOptions {
  /** What is scheduled: spreads things that are due together. */
  readonly name: string;
  readonly ticks: Ticks;
  readonly timers: Pick<Timers, 'after' | 'random'>;
  readonly now: () => number;
  /** Over how long things are spread that are all due at once: at the start, after a sleep. */
  readonly spreadMs: number;
  /** Called when it is due. Nothing more is due until {@link ScheduledTask.done} is called. */
  readonly onDue: (due: Due) => void;
  /** Called with how many ticks were skipped: the machine slept, the run before took too long. */
  readonly onMissed: (ticks: number) => void;
}

/** A tick, a recheck before its time, or a run that makes up for missed ticks. */
interface Pending {
  readonly at: number;
  readonly why: 'tick' | 'again' | 'owed';
  readonly ms: number;
}

/** A recurring task, never run twice at once. Missed ticks are skipped. */
export class ScheduledTask {
  #options: ScheduledTaskOptions;
  #cancel: Cancel | null = null;
  #pending: Pending | null = null;
  /** Ticks up to this moment were done, or reported as missed. */
  #countedTo: number | null;
  /** Ticks up to this moment were covered by a run, or were missed. */
  #coveredTo: number;
  /** Why it runs; `null`: it does not. */
  #running: Pending['why'] | null = null;
  #stopped = false;

  /** `lastAt`: when it was done last, before this process; `null`: never. */
  constructor(options: ScheduledTaskOptions, lastAt: number | null) {
    this.#options = options;
    this.#countedTo = lastAt;
    this.#coveredTo = options.now();
  }

  /** When it is due next, ms since 1970; `null`: it is running, or never. */
  get nextAt(): number | null {
    return this.#pending?.at ?? null;
  }

  /**
   * How many ticks the current run covers: its own, and those that passed meanwhile. A recheck covers only those that
   * passed, mostly none, so that roll-ups measure time however often a site is rechecked.
   */
  get ticks(): number {
    return Math.max(this.#running === 'again' ? 0 : 1, this.#missed(this.#coveredTo));
  }

  /** Waits for the next tick; a task that was never done, or missed a tick, is due soon. */
  start(): void {
    this.#coveredTo = this.#options.now();
    if (this.#countedTo === null || this.#missed(this.#countedTo) > 0) this.#startAt(this.#spread(), 'owed');
    else this.#startAt(this.#tick());
  }

  /** Changes the schedule. Where the next tick is the same, nothing changes, so that repeated reloads delay nothing. */
  change(options: Pick<ScheduledTaskOptions, 'ticks' | 'spreadMs'>): void {
    const { ticks: before } = this.#options;
    this.#options = { ...this.#options, ...options };
    if (this.#running !== null) return;
    const now = this.#options.now();
    const { ticks } = options;
    const isSame = ticks.jitterMs === before.jitterMs && ticks.next(now) === before.next(now);
    if (this.#pending !== null && isSame) return;
    const tick = this.#tick();
    if (this.#pending === null || this.#pending.why === 'tick' || (tick !== null && tick < this.#pending.at))
      this.#startAt(tick);
  }

  /** What was due has been done. */
  done(): void {
    this.#running = null;
    const now = this.#options.now();
    this.#coveredTo = now;
    const missed = this.#missed(this.#countedTo ?? now);
    if (missed > 0) this.#options.onMissed(missed);
    this.#countedTo = now;
    this.#startAt(this.#tick());
  }

  /** It is due after `ms` at the latest, unless it is running. */
  sooner(ms: number): void {
    const at = this.#options.now() + ms;
    if (this.#running === null && (this.#pending === null || at < this.#pending.at)) this.#startAt(at, 'again');
  }

  /** The ticks of the next `ms` are left out, unless it is running. */
  pause(ms: number): void {
    const from = this.#options.now() + ms;
    if (this.#running !== null || this.#pending === null || this.#pending.at >= from) return;
    // No run covers them: what happened then is not known.
    this.#coveredTo = from;
    this.#startAt(this.#options.ticks.next(from - 1));
  }

  /** The clock jumped: what was missed is done once. */
  reset(): void {
    const now = this.#options.now();
    this.#coveredTo = now;
    if (this.#running !== null || this.#stopped) return;
    const { at, why, ms } = this.#pending ?? { at: now, why: 'tick', ms: 0 };
    // A clock that was set back would keep it waiting for as long.
    const missed = this.#missed(Math.min(this.#countedTo ?? now, now));
    if (missed > 1) this.#options.onMissed(missed - 1);
    this.#countedTo = now;
    if (missed > 0 || at <= now || why === 'owed') this.#startAt(this.#spread(), 'owed');
    else if (why === 'again') this.#startAt(Math.min(at, now + ms), 'again');
    else this.#startAt(this.#tick());
  }

  stop(): void {
    this.#stopped = true;
    this.#cancel?.();
    this.#pending = null;
  }

  #startAt(at: number | null, why: Pending['why'] = 'tick'): void {
    this.#cancel?.();
    this.#pending = null;
    if (at === null || this.#stopped) return;
    const { timers, now, onDue } = this.#options;
    const ms = at - now();
    this.#pending = { at, why, ms };
    this.#cancel = timers.after(ms, () => {
      this.#running = why;
      this.#pending = null;
      this.#countedTo = Math.max(at, now());
      onDue({ at, again: why === 'again' });
    });
  }

  #tick(): number | null {
    const { ticks, now, timers } = this.#options;
    const tick = ticks.next(now());
    return tick === null ? null : tick + Math.floor(timers.random() * ticks.jitterMs);
  }

  /** Soon, each at a moment of its own, but not after the tick that would come anyway. */
  #spread(): number {
    const { name, now, spreadMs } = this.#options;
    const soon = now() + Math.floor(shareOf(`spread ${name}`) * spreadMs);
    return Math.min(soon, this.#tick() ?? soon);
  }

  /** About how many ticks there were since: computed, because each of a thousand tasks may have missed thousands. */
  #missed(since: number): number {
    const { ticks, now } = this.#options;
    const until = now();
    const first = ticks.next(since);
    if (first === null || first > until) return 0;
    return 1 + Math.floor((until - first) / Math.max(1, ticks.periodMs(until)));
  }
}
