/** Response times of a day or an hour, in points that can be drawn. Pure. */
import { checks } from '../../../checks/index.ts';
import type { Bucket, RunRecord } from '../store/store.ts';

const MINUTE_MS = 60_000;
/** How long it is, and how long each of its points. */
const SPANS = {
  hour: { lengthMs: 60 * MINUTE_MS, stepMs: MINUTE_MS },
  day: { lengthMs: 24 * 60 * MINUTE_MS, stepMs: 10 * MINUTE_MS },
  // Pages are opened less often.
  pages: { lengthMs: 24 * 60 * MINUTE_MS, stepMs: 30 * MINUTE_MS },
} as const;

export type Span = keyof typeof SPANS;

/** What some minutes came to. Times in ms. */
export interface Point {
  /** Their begin, ms since 1970. */
  readonly at: number;
  /** `null`: nothing was requested, or nothing came. */
  readonly meanMs: number | null;
  readonly maxMs: number | null;
  readonly p95Ms: number | null;
  /** The site was not healthy in at least one run, and how badly. */
  readonly bad: 'down' | 'degraded' | null;
  readonly isMaintenance: boolean;
  readonly runs: number;
}

/** The last 24 hours, the last one, or pages in the browser. */
export interface Response {
  readonly span: Span;
  readonly stepMs: number;
  readonly from: number;
  readonly to: number;
  readonly points: readonly Point[];
}

/** Where a span that ends now begins, so that points begin at whole steps. */
export function responseFrom(now: number, span: Span): number {
  const { lengthMs, stepMs } = SPANS[span];
  return Math.ceil((now - lengthMs) / stepMs) * stepMs;
}

/** What is drawn of runs. */
type Timed = Pick<Bucket, 'at' | 'rounds' | 'meanMs' | 'maxMs' | 'p95Ms' | 'down' | 'degraded' | 'maintenance'>;

const RENDERING = checks.find(({ role }) => role === 'browser')?.id;

/** When runs in the browser showed the first heading of the home page. */
export function headingsOf(runs: readonly RunRecord[]): readonly Timed[] {
  return runs.map(({ startedAt, verdict, maintenance, checks: records }) => {
    const ms = records.find(({ id }) => id === RENDERING)?.durationMs ?? null;
    const times = { meanMs: ms, maxMs: ms, p95Ms: ms };
    const counts = { down: Number(verdict === 'down'), degraded: Number(verdict === 'degraded') };
    return { at: startedAt, rounds: 1, ...times, ...counts, maintenance: Number(maintenance) };
  });
}

/** Points from buckets of minutes, or from single runs. */
export function responseOf(buckets: readonly Timed[], now: number, span: Span): Response {
  const { lengthMs, stepMs } = SPANS[span];
  const from = responseFrom(now, span);
  const points = grouped(
    buckets.filter(({ at }) => at >= from),
    from,
    stepMs,
  );
  return { span, stepMs, from, to: from + lengthMs, points };
}

/** The same by hour, for a table. */
export function hoursOf(buckets: readonly Timed[]): readonly Point[] {
  return grouped(buckets, 0, 60 * MINUTE_MS);
}

function grouped(buckets: readonly Timed[], from: number, stepMs: number): readonly Point[] {
  const groups = new Map<number, Timed[]>();
  for (const bucket of buckets) {
    const at = from + Math.floor((bucket.at - from) / stepMs) * stepMs;
    const group = groups.get(at);
    if (group === undefined) groups.set(at, [bucket]);
    else group.push(bucket);
  }
  return [...groups].toSorted(([one], [other]) => one - other).map(([at, group]) => pointOf(at, group));
}

function pointOf(at: number, group: readonly Timed[]): Point {
  const timed = group.filter(({ meanMs }) => meanMs !== null);
  const runs = timed.reduce((sum, bucket) => sum + bucket.rounds, 0);
  const total = timed.reduce((sum, bucket) => sum + (bucket.meanMs ?? 0) * bucket.rounds, 0);
  const has = (name: 'down' | 'degraded' | 'maintenance'): boolean => group.some((one) => one[name] > 0);
  return {
    at,
    meanMs: runs === 0 ? null : total / runs,
    maxMs: largest(timed.map(({ maxMs }) => maxMs)),
    // Percentiles do not add up: the worst minute represents all.
    p95Ms: largest(timed.map(({ p95Ms }) => p95Ms)),
    bad: worstOf(has('down'), has('degraded')),
    isMaintenance: has('maintenance'),
    runs: group.reduce((sum, bucket) => sum + bucket.rounds, 0),
  };
}

function worstOf(isDown: boolean, isDegraded: boolean): Point['bad'] {
  if (isDown) return 'down';
  return isDegraded ? 'degraded' : null;
}

function largest(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : Math.max(...known);
}

/** What the time was like as a whole; `null` where nothing came. */
export function responseSummary(points: readonly Point[]): { readonly meanMs: number; readonly slowest: Point } | null {
  const timed = points.filter(({ meanMs, runs }) => meanMs !== null && runs > 0);
  const slowest = timed.toSorted((one, other) => (other.maxMs ?? 0) - (one.maxMs ?? 0))[0];
  if (slowest === undefined) return null;
  const runs = timed.reduce((sum, point) => sum + point.runs, 0);
  const total = timed.reduce((sum, point) => sum + (point.meanMs ?? 0) * point.runs, 0);
  return { meanMs: total / runs, slowest };
}

/** The least of 1, 2 and 5 with zeros that is not below a value: where an axis ends. */
export function niceCeiling(value: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(value, 1)));
  return [1, 2, 5, 10].map((factor) => factor * power).find((candidate) => candidate >= value) ?? 10 * power;
}
