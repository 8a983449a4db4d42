/**
 * Runs and their results as they are in the queues. What a runner measured may be anything, so each result is validated
 * when it is taken.
 */
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

/** A result as it is sent. */
export interface SentResult extends Omit<ResultJob, 'measured' | 'bytes'> {
  /** JSON with pictures as Base64. A text, because PostgreSQL reads nothing of it. */
  readonly measured?: string;
}

/** Why a result was removed. */
export type Fault = 'invalid' | 'too-large';

/** The longest JSON of a result with its pictures, in bytes; also in `runner-functions.sql`. */
const LARGEST_RESULT = 1024 * 1024;

export const isRunJob = (data: unknown): data is RunJob => validators.run(data);
export const isSentResult = (data: unknown): data is SentResult => validators.result(data);

/** As much of a measurement as fits, as JSON; `null`: nothing does. */
export function packed(measured: Measurement): string | null {
  for (let most = MOST_FINDINGS; most >= 1; most = Math.floor(most / 2)) {
    const checks = measured.report.checks.map((check) => compact(check, most));
    const room = LARGEST_RESULT - Buffer.byteLength(jsonOf(measured, checks, new Set()));
    if (room >= 0) return jsonOf(measured, checks, fittingPictures(checks, room));
  }
  return null;
}

/** `room`: how many bytes of JSON may be read. */
export function unpacked({ measured, ...result }: SentResult, room: number): ResultJob | Fault {
  if (measured === undefined) return result;
  const bytes = Buffer.byteLength(measured);
  if (bytes > Math.min(LARGEST_RESULT, room)) return 'too-large';
  const value = parsed(measured);
  if (!isSentMeasurement(value)) return 'invalid';
  const checks = value.report.checks.map((check) => withPages(check, receivedPage));
  return { ...result, measured: { ...value, report: { ...value.report, checks } }, bytes };
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null;
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
