/** What came of a site's checks, by days, hours or minutes. Pure. */
import type { DayCounts, Resolution } from '../store/store.ts';

export const DAY_MS = 86_400_000;
/** How many days a page looks back, today included. */
export const DAYS = 90;

/** How long a period is, and how many of them a page shows. */
export const UNIT_MS: Readonly<Record<Resolution, number>> = { minute: 60_000, hour: 3_600_000, day: DAY_MS };
export const MOST_PERIODS: Readonly<Record<Resolution, number>> = { minute: 60, hour: 24, day: DAYS };
/** How many of them it shows at least; those before the first check say nothing. */
const FEWEST_PERIODS: Readonly<Record<Resolution, number>> = { minute: 10, hour: 6, day: 14 };
/** Longer periods are shown once this many of them have passed. */
const ENOUGH = 3;

/** A site's uptime as it is drawn: periods of one length, oldest first, the current one last. */
export interface Uptime {
  readonly unit: Resolution;
  readonly periods: readonly Period[];
}

/** One UTC day, or an hour or a minute of it. */
export interface Period {
  readonly at: number;
  /** Runs with a result: neither in maintenance nor `unknown`. */
  readonly known: number;
  readonly down: number;
  readonly degraded: number;
  readonly stale: number;
  /** Runs in maintenance, and those of which nothing could be reported: neither counts for the site or against it. */
  readonly maintenance: number;
  readonly unknown: number;
}

/** How a period is drawn. `none`: no check ran. */
export type PeriodKind = 'none' | 'maintenance' | 'unknown' | 'well' | 'stale' | 'degraded' | 'down';

export function periodsOf(
  counts: readonly DayCounts[],
  now: number,
  count = DAYS,
  unit: Resolution = 'day',
): readonly Period[] {
  const found = new Map(counts.map((period) => [beginOf(period.at, unit), period]));
  const last = beginOf(now, unit);
  return Array.from({ length: count }, (_, index) => {
    const at = last - (count - 1 - index) * UNIT_MS[unit];
    const period = found.get(at);
    if (period === undefined) return { at, known: 0, down: 0, degraded: 0, stale: 0, maintenance: 0, unknown: 0 };
    const { healthy, degraded, down, stale, maintenance, unknown } = period;
    return { at, known: healthy + degraded + down + stale, down, degraded, stale, maintenance, unknown };
  });
}

/** When the period begins that a moment is in; days are UTC. */
export const beginOf = (at: number, unit: Resolution): number => Math.floor(at / UNIT_MS[unit]) * UNIT_MS[unit];
export const dayOf = (at: number): number => beginOf(at, 'day');

const isEmpty = ({ known, maintenance, unknown }: Period): boolean => known + maintenance + unknown === 0;

/** Whether checks ran for so long that periods say something. */
export function areEnough(periods: readonly Period[]): boolean {
  const first = periods.findIndex((period) => !isEmpty(period));
  return first !== -1 && first <= periods.length - ENOUGH;
}

export const hasData = (periods: readonly Period[]): boolean => !periods.every(isEmpty);

/** The periods without most of those before the first check. */
export function sinceFirst({ unit, periods }: Uptime): Uptime {
  const first = periods.findIndex((period) => !isEmpty(period));
  const most = Math.max(0, periods.length - FEWEST_PERIODS[unit]);
  return { unit, periods: periods.slice(first === -1 ? most : Math.min(first, most)) };
}

export function kindOfPeriod({ known, down, degraded, stale, maintenance, unknown }: Period): PeriodKind {
  if (down > 0) return 'down';
  if (degraded > 0) return 'degraded';
  if (stale > 0) return 'stale';
  if (known > 0) return 'well';
  if (maintenance > 0) return 'maintenance';
  return unknown > 0 ? 'unknown' : 'none';
}

/** The share of a period in which the site was not healthy, 0 to 1; 0 where nothing is known. */
export function badShareOf({ known, down, degraded, stale }: Period): number {
  return known === 0 ? 0 : (down + degraded + stale) / known;
}

/** The share of runs in which visitors saw the site: it was not down. `null` where nothing is known. */
export function uptimeOf(days: readonly Pick<Period, 'known' | 'down'>[]): number | null {
  const known = days.reduce((sum, day) => sum + day.known, 0);
  const down = days.reduce((sum, day) => sum + day.down, 0);
  return known === 0 ? null : (known - down) / known;
}

/** Hundredths of a percent, never rounded up: 100 % is said of what never was down, 0 % of what never was up. */
export function percentOf(share: number): number {
  const hundredths = Math.floor(share * 10_000 + 1e-9) / 100;
  return share > 0 && hundredths === 0 ? 0.01 : hundredths;
}
