/** What the commands tell in JSON. Pure. */
import type { Json } from '../../answer.ts';
import { iso } from '../iso-time.ts';
import type { Bucket, Resolution, RunRecord } from '../store/store.ts';

/** What happened at a site, the oldest first. Times are ms since 1970. */
export type History = {
  readonly site: string;
  readonly from: number;
  readonly to: number;
} &
  /** One by one, as far as they are kept. */
  (
    | { readonly resolution: 'round'; readonly entries: readonly RunRecord[] }
    | { readonly resolution: Resolution; readonly entries: readonly Bucket[] }
  );

const HOUR_MS = 3_600_000;

/** How far back, where nobody says, in ms: what a screen has room for. */
export const HISTORY_MS: Readonly<Record<History['resolution'], number>> = {
  round: HOUR_MS,
  minute: 6 * HOUR_MS,
  hour: 24 * HOUR_MS,
  day: 90 * 24 * HOUR_MS,
};

/** The shape of the API's `/api/v1/sites/{id}/history`. */
export function historyDocument(history: History): Json {
  const { site, resolution, from, to } = history;
  const entries =
    history.resolution === 'round' ? history.entries.map(runDocument) : history.entries.map(bucketDocument);
  return { site, resolution, from: iso(from), to: iso(to), entries };
}

function runDocument({ scope, startedAt, durationMs, verdict, maintenance, checks }: RunRecord): Json {
  const reported = checks.map((check) => ({ ...check, codes: [...check.codes] }));
  return { at: iso(startedAt), scope, durationMs, verdict, maintenance, checks: reported };
}

function bucketDocument({ site: _site, at, ...counts }: Bucket): Json {
  return { at: iso(at), ...counts };
}
