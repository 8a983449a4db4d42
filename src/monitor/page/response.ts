/** Response times of a day or an hour, in points that can be drawn. Pure. */
import { checks } from '../../../checks/index.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../time.ts';
import type { Bucket, RunRecord } from '../store/store.ts';

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
