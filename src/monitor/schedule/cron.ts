import { Cron } from 'croner';
import type { Schedule } from '../settings.ts';
import type { Ticks } from './ticks.ts';

const DAY_MS = 86_400_000;

/**
 * The ticks of a cron expression in a time zone; `null`: this machine's. An hour that the clocks leave out in spring has
 * its ticks when it would have been; one that they show twice in autumn has them once, unless they come every hour.
 */
export function cronTicks({ pattern, timeZone, jitterMs }: Extract<Schedule, { kind: 'cron' }>): Ticks {
  const cron = new Cron(pattern, { paused: true, ...(timeZone === null ? {} : { timezone: timeZone }) });
  const next = (after: number): number | null => cron.nextRun(new Date(after))?.getTime() ?? null;
  return {
    next,
    periodMs(at) {
      const first = next(at);
      const second = first === null ? null : next(first);
      return first === null || second === null ? DAY_MS : second - first;
    },
    jitterMs,
  };
}
