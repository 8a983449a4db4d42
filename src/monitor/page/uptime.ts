/** How often a site was up, by days, hours or minutes. Pure. */
import { beginOf, BUCKET_MS, type DayCounts, type Resolution } from '../store/store.ts';

export const DAYS = 90;

/** How many periods a page shows. */
const MOST_PERIODS: Readonly<Record<Resolution, number>> = { minute: 60, hour: 24, day: DAYS };
/** How many of them it shows at least; those before the first check say nothing. */
const FEWEST_PERIODS: Readonly<Record<Resolution, number>> = { minute: 10, hour: 6, day: 14 };
const ENOUGH = 3;

/** A site's uptime as it is drawn: periods of one length, oldest first, the current one last. */
export interface Uptime {
  readonly unit: Resolution;
  readonly periods: readonly Period[];
}

/** The runs of a period. Those in maintenance, and unknown ones, count neither for the site nor against it. */
export type Period = Omit<DayCounts, 'site'>;

const EMPTY = { healthy: 0, degraded: 0, down: 0, stale: 0, maintenance: 0, unknown: 0 };

type KnownRuns = Pick<Period, 'healthy' | 'degraded' | 'down' | 'stale'>;

export const knownRuns = ({ healthy, degraded, down, stale }: KnownRuns): number => healthy + degraded + down + stale;

export function periodsOf(counts: readonly DayCounts[], now: number, unit: Resolution = 'day'): readonly Period[] {
  const found = new Map(counts.map((period) => [beginOf(period.at, unit), period]));
  const first = firstPeriod(now, unit);
  return Array.from({ length: MOST_PERIODS[unit] }, (_, index) => {
    const at = first + index * BUCKET_MS[unit];
    return { ...EMPTY, ...found.get(at), at };
  });
}

/** When the first of the periods begins. */
export const firstPeriod = (now: number, unit: Resolution): number =>
  beginOf(now, unit) - (MOST_PERIODS[unit] - 1) * BUCKET_MS[unit];

/** The index of the first period in which a check ran; how many periods there are, where none did. */
function firstWithRuns(periods: readonly Period[]): number {
  const first = periods.findIndex((period) => knownRuns(period) + period.maintenance + period.unknown > 0);
  return first === -1 ? periods.length : first;
}

export const areEnough = (periods: readonly Period[]): boolean => firstWithRuns(periods) <= periods.length - ENOUGH;

export const hasData = (periods: readonly Period[]): boolean => firstWithRuns(periods) < periods.length;

export function sinceFirst({ unit, periods }: Uptime): Uptime {
  const most = Math.max(0, periods.length - FEWEST_PERIODS[unit]);
  return { unit, periods: periods.slice(Math.min(firstWithRuns(periods), most)) };
}

/** How a period is drawn. `none`: no check ran. */
export function kindOfPeriod(period: Period) {
  const kinds = ['down', 'degraded', 'stale', 'healthy', 'maintenance', 'unknown'] as const;
  return kinds.find((name) => period[name] > 0) ?? 'none';
}

/** The share of a period in which the site was not healthy, 0 to 1; 0 where nothing is known. */
export function badShareOf(period: Period): number {
  const known = knownRuns(period);
  return known === 0 ? 0 : (known - period.healthy) / known;
}

/** The share of runs in which visitors saw the site: it was not down. `null` where nothing is known. */
export function uptimeOf(days: readonly KnownRuns[]): number | null {
  const known = days.reduce((sum, day) => sum + knownRuns(day), 0);
  const down = days.reduce((sum, day) => sum + day.down, 0);
  return known === 0 ? null : (known - down) / known;
}

/** Hundredths of a percent, never rounded up: 100 % is said of what never was down, 0 % of what never was up. */
export function percentOf(share: number): number {
  const hundredths = Math.floor(share * 10_000 + 1e-9) / 100;
  return share > 0 && hundredths === 0 ? 0.01 : hundredths;
}
