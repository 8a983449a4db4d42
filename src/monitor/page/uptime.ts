/** What a site's days came to. Pure. */
import type { DayCounts } from '../store/store.ts';

export const DAY_MS = 86_400_000;
/** How many days a page looks back, today included. */
export const DAYS = 90;

/** One UTC day. */
export interface Day {
  /** Its begin, ms since 1970. */
  readonly at: number;
  /** Rounds that tell something of the site: neither in maintenance nor `unknown`. */
  readonly known: number;
  readonly down: number;
  readonly degraded: number;
  readonly stale: number;
  /** Rounds in maintenance, and those of which nothing could be told: neither counts for the site or against it. */
  readonly maintenance: number;
  readonly unknown: number;
}

/** How a day is drawn. `none`: nobody looked. */
export type DayKind = 'none' | 'maintenance' | 'unknown' | 'well' | 'stale' | 'degraded' | 'down';

/** The last days, oldest first, today last; days of which nothing is kept are there with nothing in them. */
export function daysOf(counts: readonly DayCounts[], now: number, count = DAYS): readonly Day[] {
  const byDay = new Map(counts.map((day) => [dayOf(day.at), day]));
  const today = dayOf(now);
  return Array.from({ length: count }, (_, index) => {
    const at = today - (count - 1 - index) * DAY_MS;
    const day = byDay.get(at);
    if (day === undefined) return { at, known: 0, down: 0, degraded: 0, stale: 0, maintenance: 0, unknown: 0 };
    const { healthy, degraded, down, stale, maintenance, unknown } = day;
    return { at, known: healthy + degraded + down + stale, down, degraded, stale, maintenance, unknown };
  });
}

/** The begin of a moment's day, in UTC. */
export const dayOf = (at: number): number => Math.floor(at / DAY_MS) * DAY_MS;

/** What a day was like: the worst of it. */
export function kindOfDay({ known, down, degraded, stale, maintenance, unknown }: Day): DayKind {
  if (down > 0) return 'down';
  if (degraded > 0) return 'degraded';
  if (stale > 0) return 'stale';
  if (known > 0) return 'well';
  if (maintenance > 0) return 'maintenance';
  return unknown > 0 ? 'unknown' : 'none';
}

/** The share of a day in which the site was not well, 0 to 1; 0 where nothing is known. */
export function badShareOf({ known, down, degraded, stale }: Day): number {
  return known === 0 ? 0 : (down + degraded + stale) / known;
}

/** The share of rounds in which visitors saw the site: it was not down. `null` where nothing is known. */
export function uptimeOf(days: readonly Pick<Day, 'known' | 'down'>[]): number | null {
  const known = days.reduce((sum, day) => sum + day.known, 0);
  const down = days.reduce((sum, day) => sum + day.down, 0);
  return known === 0 ? null : (known - down) / known;
}

/** Hundredths of a percent, never rounded up: 100 % is said of what never was down, 0 % of what never was up. */
export function percentOf(share: number): number {
  const hundredths = Math.floor(share * 10_000 + 1e-9) / 100;
  return share > 0 && hundredths === 0 ? 0.01 : hundredths;
}
