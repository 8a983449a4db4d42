/**
 * Runs and their results as they are in the queues. The role of a runner is trusted with less than that of a coordinator,
 * and may write anything into them, so each is validated when it is taken.
 */
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { CheckResult } from '../../core/check.ts';
import type { Measurement } from '../engine/local-probe.ts';
import { compact, MOST_FINDINGS } from '../engine/watched-site.ts';
import type { Scope } from '../incident/incident.ts';
import validators from '../../generated/queue-validators.cjs';

/** A run that a location is asked for. */
export interface RunJob {
  readonly run: string;
  readonly site: string;
  readonly scope: Scope;
  readonly location: string;
  /** When it was requested, by the coordinator's clock, ms since 1970. */
  readonly at: number;
  /** No body that was received before is relied on. */
  readonly bypassCache: boolean;
}

/** What came of it. Without `measured`: nothing; its runner was lost, or does not know the site. */
export interface ResultJob extends RunJob {
  readonly runner?: string;
  readonly measured?: Measurement;
  /** Of `measured` as JSON. */
  readonly bytes?: number;
}

/** A result as it is sent: PostgreSQL would take most of its time to compress the reports, of which it reads nothing. */
export interface SentResult extends Omit<ResultJob, 'measured' | 'bytes'> {
  /** JSON with pictures as Base64, deflated, as Base64. */
  readonly measured?: string;
}

/** Why a job or a result was removed. */
export type Fault = 'invalid' | 'too-large';

/** The longest JSON of a result with its pictures, in bytes. The limits of the database are made for it. */
const LARGEST_RESULT = 1024 * 1024;

export const isRunJob = (data: unknown): data is RunJob => validators.run(data);
export const isSentResult = (data: unknown): data is SentResult => validators.result(data);

/** The location that invalid data names; `null`: none. */
export function locationIn(data: unknown): string | null {
  const location = typeof data === 'object' && data !== null && 'location' in data ? data.location : null;
  return typeof location === 'string' ? location : null;
}

/** With as much of its measurement as fits. */
export function packed(job: ResultJob): SentResult {
  const { measured, bytes: _, ...result } = job;
  const json = measured === undefined ? null : fittingJson(measured);
  return json === null ? result : { ...result, measured: deflateRawSync(json, { level: 1 }).toString('base64') };
}

/** `room`: how many bytes of JSON may be read. */
export function unpacked({ measured, ...result }: SentResult, room: number): ResultJob | Fault {
  if (measured === undefined) return result;
  if (room <= 0) return 'too-large';
  try {
    const most = Math.min(LARGEST_RESULT, room);
    const json = inflateRawSync(Buffer.from(measured, 'base64'), { maxOutputLength: most });
    const value: unknown = JSON.parse(json.toString());
    if (!isSentMeasurement(value)) return 'invalid';
    const checks = value.report.checks.map((check) => withPages(check, receivedPage));
    return { ...result, measured: { ...value, report: { ...value.report, checks } }, bytes: json.length };
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE' ? 'too-large' : 'invalid';
  }
}

/* Measurements, whose pictures are Base64 in JSON. */

type RenderedPage = NonNullable<CheckResult['rendered']>[number];
type SentPage = Omit<RenderedPage, 'screenshot'> & { readonly screenshot?: string | null };
type WithPages<Page> = Omit<CheckResult, 'rendered'> & { readonly rendered?: readonly Page[] };
type SentMeasurement = Omit<Measurement, 'report'> & {
  readonly report: Omit<Measurement['report'], 'checks'> & { readonly checks: readonly WithPages<SentPage>[] };
};

const isSentMeasurement = (value: unknown): value is SentMeasurement => validators.measurement(value);

function withPages<From, To>({ rendered, ...check }: WithPages<From>, change: (page: From) => To): WithPages<To> {
  return { ...check, ...(rendered && { rendered: rendered.map(change) }) };
}

function receivedPage({ screenshot, ...page }: SentPage): RenderedPage {
  return { ...page, screenshot: typeof screenshot === 'string' ? Buffer.from(screenshot, 'base64') : null };
}

/** With as many pictures as fit, and, where a report alone does not, with fewer findings of each check; `null`: nothing fits. */
function fittingJson(measured: Measurement): string | null {
  for (let most = MOST_FINDINGS; most >= 1; most = Math.floor(most / 2)) {
    const checks = measured.report.checks.map((check) => compact(check, most));
    const room = LARGEST_RESULT - Buffer.byteLength(jsonOf(measured, checks, new Set()));
    if (room >= 0) return jsonOf(measured, checks, fittingPictures(checks, room));
  }
  return null;
}

/** Those of bad pages come first. */
function fittingPictures(checks: readonly CheckResult[], room: number): ReadonlySet<Uint8Array> {
  const fitting = new Set<Uint8Array>();
  let left = room;
  const pages = checks.flatMap(({ rendered = [] }) => rendered);
  for (const { screenshot } of pages.toSorted((a, b) => Number(a.isOk) - Number(b.isOk))) {
    const bytes = Math.ceil((screenshot?.length ?? 0) / 3) * 4;
    if (screenshot === null || bytes > left) continue;
    fitting.add(screenshot);
    left -= bytes;
  }
  return fitting;
}

function jsonOf(measured: Measurement, checks: readonly CheckResult[], pictures: ReadonlySet<Uint8Array>): string {
  const sentPage = ({ screenshot, ...page }: RenderedPage): SentPage => {
    const isSent = screenshot !== null && pictures.has(screenshot);
    return { ...page, screenshot: isSent ? Buffer.from(screenshot).toString('base64') : null };
  };
  const sent = checks.map((check) => withPages(check, sentPage));
  return JSON.stringify({ ...measured, report: { ...measured.report, checks: sent } });
}
