/** The JSON output of the commands. Pure. */
import type { Json } from '../../answer.ts';
import { iso } from '../iso-time.ts';
import type { Bucket, Resolution, RunRecord } from '../store/store.ts';
import { incidentDocument } from '../incident/document.ts';
import type { Incident } from '../incident/incident.ts';

/** What happened at a site, the oldest first. Times are ms since 1970. */
export type History = {
  readonly site: string;
  /** As one location saw it; `null` or absent: all of them together. */
  readonly location?: string | null;
  readonly from: number;
  readonly to: number;
} & (
  | { readonly resolution: 'round'; readonly entries: readonly RunRecord[] }
  | { readonly resolution: Resolution; readonly entries: readonly Bucket[] }
);

const HOUR_MS = 3_600_000;

export const HISTORY_MS: Readonly<Record<History['resolution'], number>> = {
  round: HOUR_MS,
  minute: 6 * HOUR_MS,
  hour: 24 * HOUR_MS,
  day: 90 * 24 * HOUR_MS,
};

/** The shape of the API's `/api/v1/sites/{id}/history`. */
export function historyDocument(history: History): Json {
  const { site, location = null, resolution, from, to } = history;
  const entries =
    history.resolution === 'round' ? history.entries.map(runDocument) : history.entries.map(bucketDocument);
  const named = location === null ? {} : { location };
  return { site, ...named, resolution, from: iso(from), to: iso(to), entries };
}

function runDocument({ scope, startedAt, durationMs, verdict, maintenance, checks }: RunRecord): Json {
  const reported = checks.map((check) => ({ ...check, codes: [...check.codes] }));
  return { at: iso(startedAt), scope, durationMs, verdict, maintenance, checks: reported };
}

function bucketDocument({ site: _site, at, ...counts }: Bucket): Json {
  return { at: iso(at), ...counts };
}

export type Cell = string | number | boolean | null;

/** A header and rows, lines ending with CR LF. */
export function csv(header: readonly string[], rows: readonly (readonly Cell[])[]): string {
  return [header, ...rows].map((row) => `${row.map(cellOf).join(',')}\r\n`).join('');
}

/** What a spreadsheet takes for a formula (OWASP, CSV injection); white space before it does not help. */
const FORMULA = /^\s*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20|]|^[\t\r\n]/;

function cellOf(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell !== 'string') return String(cell);
  const text = FORMULA.test(cell) ? `'${cell}` : cell;
  return /[",\r\n;\t]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const BUCKET_COUNTS = ['rounds', 'healthy', 'degraded', 'down', 'stale', 'unknown', 'maintenance'] as const;
const BUCKET_TIMES = ['meanMs', 'minMs', 'maxMs', 'p95Ms'] as const;
const BUCKET_COLUMNS = [...BUCKET_COUNTS, ...BUCKET_TIMES];
const CHECK_COLUMNS = ['check', 'status', 'codes', 'httpStatus', 'checkMs'];

/** A row for each stretch of time; by runs, one for each check of each. */
export function historyCsv(history: History): string {
  const { site, location = null } = history;
  const heads = location === null ? ['site'] : ['site', 'location'];
  const names = location === null ? [site] : [site, location];
  if (history.resolution !== 'round') {
    const rows = history.entries.map((bucket) => [
      ...names,
      iso(bucket.at),
      ...BUCKET_COLUMNS.map((name) => bucket[name]),
    ]);
    return csv([...heads, 'at', ...BUCKET_COLUMNS], rows);
  }
  const header = [...heads, 'at', 'scope', 'verdict', 'maintenance', 'roundMs', ...CHECK_COLUMNS];
  const rows = history.entries.flatMap(({ startedAt, scope, verdict, maintenance, durationMs, checks }) => {
    const run = [...names, iso(startedAt), scope, verdict, maintenance, durationMs];
    // A run that could not ask for anything is one, too.
    if (checks.length === 0) return [[...run, ...CHECK_COLUMNS.map(() => null)]];
    return checks.map(({ id, status, codes, httpStatus, durationMs: checkMs }) => {
      return [...run, id, status, codes.join(' '), httpStatus, checkMs];
    });
  });
  return csv(header, rows);
}

const TIMES = ['startedAt', 'detectedAt', 'notifiedAt', 'recoveredAt', 'durationMs'] as const;
const COLUMNS = ['id', 'site', 'verdict', 'checks', 'codes', ...TIMES, 'objectiveMs', 'objectiveMet'] as const;

export function incidentsCsv(incidents: readonly Incident[]): string {
  const rows = incidents.map((incident) => {
    const document = incidentDocument(incident);
    const cells = COLUMNS.map((column) => {
      const value = document[column];
      return typeof value === 'object' && value !== null ? value.join(' ') : value;
    });
    return [...cells, document.deploy?.version ?? null, incident.flapping];
  });
  return csv([...COLUMNS, 'deploy', 'flapping'], rows);
}
