/**
 * When recurring maintenance begins, by its cron expression. A time that does not exist on the night on which the clocks
 * go forward is the first moment after the gap; one that comes twice, when they go back, is the first of the two.
 */
import { Cron } from 'croner';
import type { MaintenanceWindow } from '../settings.ts';

type Recurring = Extract<MaintenanceWindow, { kind: 'recurring' }>;

/** The begins around a moment: the last one that is not after it, and the first one that is. `null`: there is none. */
export interface Begins {
  readonly last: number | null;
  readonly next: number | null;
}

/** What was found out of a window: it is asked about in every run of its site, and cron expressions take long. */
interface Known extends Begins {
  readonly cron: Cron;
  /** The first moment of which it holds. */
  readonly from: number;
}

const known = new WeakMap<Recurring, Known>();

/** The begins of a window around a moment; all in ms since 1970. */
export function beginsAround(window: Recurring, now: number): Begins {
  const before = known.get(window);
  if (before !== undefined && before.from <= now && now < (before.next ?? Number.POSITIVE_INFINITY)) return before;
  const cron = before?.cron ?? read(window);
  // What is asked for lies before the moment that is given, which counts in whole seconds.
  const after = new Date((Math.floor(now / 1_000) + 1) * 1_000);
  const last = cron.previousRuns(1, after)[0]?.getTime() ?? null;
  const next = cron.nextRun(new Date(now))?.getTime() ?? null;
  const found = { cron, from: last ?? now, last, next };
  known.set(window, found);
  return found;
}

function read({ pattern, timeZone }: Recurring): Cron {
  return new Cron(pattern, { paused: true, ...(timeZone === null ? {} : { timezone: timeZone }) });
}
