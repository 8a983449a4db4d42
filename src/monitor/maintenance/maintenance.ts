/** Maintenance of sites: the windows of the configuration, and maintenance that was started by hand. Pure. */
import { Cron } from 'croner';
import type { MaintenanceWindow, MonitoredSite } from '../settings.ts';
import type { StartedMaintenance } from '../store/store.ts';

/** Times are ms since 1970; `to` is the first moment after it. */
export interface Maintenance {
  readonly from: number;
  readonly to: number;
  readonly reason: string | null;
}

/** `started`: maintenance of all sites that was started by hand. */
type Query<Found> = (
  site: Pick<MonitoredSite, 'id' | 'maintenance'>,
  started: readonly StartedMaintenance[],
  now: number,
) => Found;

/** The current maintenance, of several the one that ends last; `null`: none. */
export const maintenanceAt: Query<Maintenance | null> = (site, started, now) => {
  const current = around(site, started, now).filter(({ from, to }) => from <= now && now < to);
  return current.toSorted((a, b) => b.to - a.to)[0] ?? null;
};

/** The next maintenance to begin; `null`: none is planned. */
export const nextMaintenance: Query<Maintenance | null> = (site, started, now) => {
  const next = around(site, started, now).filter(({ from, to }) => from > now && to > from);
  return next.toSorted((a, b) => a.from - b.from || b.to - a.to)[0] ?? null;
};

/** All current and planned maintenance, the earliest first; of recurring maintenance, the next one. */
export const plannedMaintenance: Query<readonly Maintenance[]> = (site, started, now) =>
  around(site, started, now)
    .filter(({ from, to }) => to > now && to > from)
    .toSorted((a, b) => a.from - b.from || a.to - b.to);

/** Of recurring maintenance the last one that began, and the next one. */
const around: Query<readonly Maintenance[]> = (site, started, now) =>
  [...site.maintenance, ...started.filter((window) => window.site === site.id)].flatMap(
    (window): readonly Maintenance[] => {
      const { reason } = window;
      if (!('kind' in window) || window.kind === 'once') return [{ from: window.from, to: window.to, reason }];
      const { last, next } = beginsAround(window, now);
      // It lasts as long as configured, whatever the wall's clock does meanwhile.
      return [last, next].flatMap((from) => (from === null ? [] : [{ from, to: from + window.forMs, reason }]));
    },
  );

type Recurring = Extract<MaintenanceWindow, { kind: 'recurring' }>;

/** What was computed for a window: every run of its site asks, and cron expressions take long. Valid from `from` to `next`. */
interface Begins {
  readonly cron: Cron;
  readonly from: number;
  /** The last start that is not after a moment, and the first one that is. `null`: there is none. */
  readonly last: number | null;
  readonly next: number | null;
}

const cache = new WeakMap<Recurring, Begins>();

/**
 * The starts of a window around a moment; all in ms since 1970. A time that does not exist on the night on which the clocks
 * go forward is the first moment after the gap; one that comes twice, when they go back, is the first of the two.
 */
function beginsAround(window: Recurring, now: number): Begins {
  const before = cache.get(window);
  if (before !== undefined && before.from <= now && now < (before.next ?? Infinity)) return before;
  const { pattern, timeZone } = window;
  const cron =
    before?.cron ?? new Cron(pattern, { paused: true, ...(timeZone === null ? {} : { timezone: timeZone }) });
  // The result is before the given moment, which counts in whole seconds.
  const after = new Date((Math.floor(now / 1_000) + 1) * 1_000);
  const last = cron.previousRuns(1, after)[0]?.getTime() ?? null;
  const next = cron.nextRun(new Date(now))?.getTime() ?? null;
  const begins = { cron, from: last ?? now, last, next };
  cache.set(window, begins);
  return begins;
}
