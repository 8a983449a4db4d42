/** When a site is being worked on: the windows of its configuration, and maintenance that was started by hand. Pure. */
import { Cron } from 'croner';
import type { MaintenanceWindow } from '../settings.ts';
import type { StartedMaintenance } from '../store/store.ts';

/** A time in which a site may be unwell. Times are ms since 1970; `to` is the first moment after it. */
export interface Maintenance {
  readonly from: number;
  readonly to: number;
  readonly reason: string | null;
}

/** The current maintenance, of several the one that ends last; `null`: none. */
export function maintenanceAt(
  windows: readonly MaintenanceWindow[],
  started: readonly StartedMaintenance[],
  now: number,
): Maintenance | null {
  const current = known(windows, started, now).filter(({ from, to }) => from <= now && now < to);
  return current.toSorted((a, b) => b.to - a.to)[0] ?? null;
}

/** The next maintenance to begin; `null`: none is planned. */
export function nextMaintenance(
  windows: readonly MaintenanceWindow[],
  started: readonly StartedMaintenance[],
  now: number,
): Maintenance | null {
  const next = known(windows, started, now).filter(({ from, to }) => from > now && to > from);
  return next.toSorted((a, b) => a.from - b.from || b.to - a.to)[0] ?? null;
}

/** All current and planned maintenance, the earliest first; of recurring maintenance, the next one. */
export function plannedMaintenance(
  windows: readonly MaintenanceWindow[],
  started: readonly StartedMaintenance[],
  now: number,
): readonly Maintenance[] {
  const planned = known(windows, started, now).filter(({ from, to }) => to > now && to > from);
  return planned.toSorted((a, b) => a.from - b.from || a.to - b.to);
}

/** Of recurring maintenance the last one that began, and the next one. */
function known(
  windows: readonly MaintenanceWindow[],
  started: readonly StartedMaintenance[],
  now: number,
): readonly Maintenance[] {
  const ofWindows = windows.flatMap((window): readonly Maintenance[] => {
    const { reason } = window;
    if (window.kind === 'once') return [{ from: window.from, to: window.to, reason }];
    const { last, next } = beginsAround(window, now);
    // It lasts as long as configured, whatever the wall's clock does meanwhile.
    return [last, next].flatMap((from) => (from === null ? [] : [{ from, to: from + window.forMs, reason }]));
  });
  return [...ofWindows, ...started.map(({ from, to, reason }) => ({ from, to, reason }))];
}

/*
 * When recurring maintenance begins, by its cron expression. A time that does not exist on the night on which the clocks
 * go forward is the first moment after the gap; one that comes twice, when they go back, is the first of the two.
 */

type Recurring = Extract<MaintenanceWindow, { kind: 'recurring' }>;

/**
 * What was found out of a window: it is asked about in every run of its site, and cron expressions take long. It holds
 * from `from` on, until `next`.
 */
interface Known {
  readonly cron: Cron;
  readonly from: number;
  /** The last start that is not after a moment, and the first one that is. `null`: there is none. */
  readonly last: number | null;
  readonly next: number | null;
}

const cache = new WeakMap<Recurring, Known>();

/** The starts of a window around a moment; all in ms since 1970. */
function beginsAround(window: Recurring, now: number): Known {
  const before = cache.get(window);
  if (before !== undefined && before.from <= now && now < (before.next ?? Number.POSITIVE_INFINITY)) return before;
  const cron = before?.cron ?? read(window);
  // The result is before the given moment, which counts in whole seconds.
  const after = new Date((Math.floor(now / 1_000) + 1) * 1_000);
  const last = cron.previousRuns(1, after)[0]?.getTime() ?? null;
  const next = cron.nextRun(new Date(now))?.getTime() ?? null;
  const found = { cron, from: last ?? now, last, next };
  cache.set(window, found);
  return found;
}

function read({ pattern, timeZone }: Recurring): Cron {
  return new Cron(pattern, { paused: true, ...(timeZone === null ? {} : { timezone: timeZone }) });
}
