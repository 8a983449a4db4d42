/** What came of a site's checks, by days, hours or minutes. Pure. */
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../time.ts';
import { beginOf, BUCKET_MS, type Bucket, type DayCounts, type Resolution, type RunRecord } from '../store/store.ts';
import { checks } from '../../../checks/index.ts';

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

/** How a period is drawn. `none`: no check ran. */
export type PeriodKind = ReturnType<typeof kindOfPeriod>;

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

/* Response times of a day or an hour, in points that can be drawn. Pure. */

const SPANS = {
  hour: { lengthMs: HOUR_MS, stepMs: MINUTE_MS },
  day: { lengthMs: DAY_MS, stepMs: 10 * MINUTE_MS },
  pages: { lengthMs: DAY_MS, stepMs: 30 * MINUTE_MS },
} as const;

export type Span = keyof typeof SPANS;

export type Point = ReturnType<typeof pointOf>;

export type Response = ReturnType<typeof responseOf>;

/** Where a span that ends now begins, so that points begin at whole steps. */
export function responseFrom(now: number, span: Span): number {
  const { lengthMs, stepMs } = SPANS[span];
  return Math.ceil((now - lengthMs) / stepMs) * stepMs;
}

type Timed = Pick<Bucket, 'at' | 'rounds' | 'meanMs' | 'maxMs' | 'p95Ms' | 'down' | 'degraded' | 'maintenance'>;

const RENDERING = checks.find(({ role }) => role === 'browser')?.id;

export function headingsOf(runs: readonly RunRecord[]): readonly Timed[] {
  return runs.map(({ startedAt, verdict, maintenance, checks: records }) => {
    const ms = records.find(({ id }) => id === RENDERING)?.durationMs ?? null;
    const times = { meanMs: ms, maxMs: ms, p95Ms: ms };
    const counts = { down: Number(verdict === 'down'), degraded: Number(verdict === 'degraded') };
    return { at: startedAt, rounds: 1, ...times, ...counts, maintenance: Number(maintenance) };
  });
}

export function responseOf(buckets: readonly Timed[], now: number, span: Span) {
  const { lengthMs, stepMs } = SPANS[span];
  const from = responseFrom(now, span);
  const inSpan = buckets.filter(({ at }) => at >= from);
  const points = grouped(inSpan, from, stepMs);
  return { span, stepMs, from, to: from + lengthMs, points, hours: grouped(buckets, 0, HOUR_MS) };
}

function grouped(buckets: readonly Timed[], from: number, stepMs: number): readonly Point[] {
  const groups = Map.groupBy(buckets, ({ at }) => from + Math.floor((at - from) / stepMs) * stepMs);
  return [...groups].toSorted(([one], [other]) => one - other).map(([at, group]) => pointOf(at, group));
}

function pointOf(at: number, group: readonly Timed[]) {
  const timed = group.filter(({ meanMs }) => meanMs !== null);
  const has = (name: 'down' | 'degraded' | 'maintenance'): boolean => group.some((one) => one[name] > 0);
  const degraded = has('degraded') ? 'degraded' : null;
  return {
    at,
    /** `null`: nothing was requested, or nothing came. */
    meanMs: meanOf(timed.map(({ meanMs, rounds }) => [meanMs ?? 0, rounds])),
    maxMs: largest(timed.map(({ maxMs }) => maxMs)),
    // Percentiles do not add up: the worst minute represents all.
    p95Ms: largest(timed.map(({ p95Ms }) => p95Ms)),
    /** The site was not healthy in at least one run, and how badly. */
    bad: has('down') ? 'down' : degraded,
    isMaintenance: has('maintenance'),
    runs: group.reduce((sum, bucket) => sum + bucket.rounds, 0),
  };
}

function meanOf(weighted: readonly (readonly [value: number, weight: number])[]): number | null {
  const weights = weighted.reduce((sum, [, weight]) => sum + weight, 0);
  return weights === 0 ? null : weighted.reduce((sum, [value, weight]) => sum + value * weight, 0) / weights;
}

function largest(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : Math.max(...known);
}

export function responseSummary(points: readonly Point[]) {
  const timed = points.filter(({ meanMs, runs }) => meanMs !== null && runs > 0);
  const meanMs = meanOf(timed.map((point) => [point.meanMs ?? 0, point.runs]));
  const [slowest] = timed.toSorted((one, other) => (other.maxMs ?? 0) - (one.maxMs ?? 0));
  return meanMs === null || slowest === undefined ? null : { meanMs, slowest };
}

/** The least of 1, 2 and 5 with zeros that is not below a value: where an axis ends. */
export function niceCeiling(value: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(value, 1)));
  return [1, 2, 5, 10].map((factor) => factor * power).find((candidate) => candidate >= value) ?? 10 * power;
}
