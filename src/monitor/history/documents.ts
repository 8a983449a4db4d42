/** The JSON output of the commands. Pure. */
import type { Json } from '../../core/answer.ts';
import { DAY_MS, HOUR_MS, iso } from '../../core/time.ts';
import type { Bucket, Resolution, RunRecord } from '../store/store.ts';
import { DAYS } from '../page/uptime.ts';
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
  | { readonly resolution: 'run'; readonly entries: readonly RunRecord[] }
  | { readonly resolution: Resolution; readonly entries: readonly Bucket[] }
);

/** How far a history reaches back by default. */
export const HISTORY_MS: Readonly<Record<History['resolution'], number>> = {
  run: HOUR_MS,
  minute: 6 * HOUR_MS,
  hour: DAY_MS,
  day: DAYS * DAY_MS,
};

/** The shape of the API's `/api/v1/sites/{id}/history`. */
export function historyDocument(history: History): Json {
  const { site, location = null, resolution, from, to } = history;
  const entries =
    history.resolution === 'run'
      ? history.entries.map(runDocument)
      : history.entries.map(({ site: _site, at, ...counts }) => ({ at: iso(at), ...counts }));
  const named = location === null ? {} : { location };
  return { site, ...named, resolution, from: iso(from), to: iso(to), entries };
}

function runDocument({ scope, startedAt, durationMs, verdict, maintenance, checks }: RunRecord): Json {
  const reported = checks.map((check) => ({ ...check, rules: [...check.rules] }));
  return { at: iso(startedAt), scope, durationMs, verdict, maintenance, checks: reported };
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

const COUNTS = ['runs', 'healthy', 'degraded', 'down', 'stale', 'unknown', 'maintenance'] as const;
const BUCKET_COLUMNS = [...COUNTS, 'meanMs', 'minMs', 'maxMs', 'p95Ms'] as const;
const CHECK_COLUMNS = ['check', 'status', 'rules', 'httpStatus', 'checkMs'];
const RUN_COLUMNS = ['scope', 'verdict', 'maintenance', 'runMs', ...CHECK_COLUMNS];

/** A row for each stretch of time; by runs, one for each check of each. */
export function historyCsv(history: History): string {
  const { site, location = null } = history;
  const series = location === null ? { site } : { site, location };
  const isByRuns = history.resolution === 'run';
  const rows = isByRuns
    ? history.entries.flatMap(checkRows)
    : history.entries.map((bucket) => [iso(bucket.at), ...BUCKET_COLUMNS.map((column) => bucket[column])]);
  return csv(
    [...Object.keys(series), 'at', ...(isByRuns ? RUN_COLUMNS : BUCKET_COLUMNS)],
    rows.map((row) => [...Object.values(series), ...row]),
  );
}

function checkRows({ startedAt, scope, verdict, maintenance, durationMs, checks }: RunRecord): readonly Cell[][] {
  const cells = checks.map((check) => {
    return [check.id, check.status, check.rules.join(' '), check.httpStatus, check.durationMs];
  });
  // A run that could not request anything is one, too.
  const rows = cells.length === 0 ? [CHECK_COLUMNS.map(() => null)] : cells;
  return rows.map((row) => [iso(startedAt), scope, verdict, maintenance, durationMs, ...row]);
}

const TIMES = ['startedAt', 'detectedAt', 'notifiedAt', 'recoveredAt', 'durationMs'] as const;
const COLUMNS = [
  'id',
  'site',
  'verdict',
  'checks',
  'rules',
  ...TIMES,
  'recoveryTimeObjectiveMs',
  'recoveryTimeObjectiveMet',
] as const;

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
