/** When something is due that happens again and again. */
import { hash } from 'node:crypto';
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
 * restart, so that a thousand sites are not asked at once. What reads cron expressions is loaded where there is one.
 */
export async function ticksOf(schedule: Schedule, name: string): Promise<Ticks> {
  if (schedule.kind === 'every') return everyTicks(schedule, name);
  const { cronTicks } = await import('./cron.ts');
  return cronTicks(schedule);
}

function everyTicks({ everyMs, jitterMs }: Extract<Schedule, { kind: 'every' }>, name: string): Ticks {
  const phase = Math.floor((shareOf(name) * everyMs) / TOGETHER_MS) * TOGETHER_MS;
  return {
    next: (after) => Math.floor((after - phase) / everyMs + 1) * everyMs + phase,
    periodMs: () => everyMs,
    jitterMs: Math.min(jitterMs, everyMs),
  };
}

/** A number from 0 (included) to 1 (excluded) that is a name's own, evenly spread over names. */
export function shareOf(name: string): number {
  return Number.parseInt(hash('sha256', name).slice(0, 12), 16) / 2 ** 48;
}
