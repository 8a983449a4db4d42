/** When something recurring is due. */
import { hash } from 'node:crypto';
import { Cron } from 'croner';
import { DAY_MS } from '../../time.ts';
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
