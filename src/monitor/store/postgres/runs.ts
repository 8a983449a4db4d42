/** Runs, and their roll-ups by minute, hour and day. */
import { sql } from 'kysely';
import {
  type Bucket,
  type CheckRecord,
  type DayCounts,
  isSeries,
  type RangeQuery,
  type Resolution,
  responseTime,
  type RunRecord,
  type Store,
} from '../store.ts';
import { addRun, bucketFrom, bucketsOf, countsOf, emptyTally, type Tally } from '../sqlite/tally.ts';
import { type Database, recordset, time } from './connection.ts';
import { createPartitions } from './partitions.ts';

const MOST_CHECKS = 256;
const MOST_CODES = 8;

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

const keyOf = (site: string, scope: string, at: number): string => `${site} ${scope} ${Math.round(at)}`;

export async function insertRuns(database: Database, runs: readonly RunRecord[]): Promise<readonly RunRecord[]> {
  const byKey = new Map(runs.map((run) => [keyOf(run.site, run.scope, run.startedAt), run]));
  const rows = [...byKey.values()].map((run) => ({
    ...run,
    started_at: time(run.startedAt),
    duration_ms: Math.max(0, Math.round(run.durationMs)),
    response_ms: responseTime(run),
    checks: undefined,
  }));
  const inserted = await sql<{ site: string; scope: string; started_at: Date }>`
    INSERT INTO docvitals.run (site, started_at, scope, verdict, maintenance, ticks, duration_ms, response_ms)
    SELECT * FROM json_to_recordset(${recordset(rows)}::json) AS r (site text, started_at timestamptz, scope text,
      verdict text, maintenance boolean, ticks integer, duration_ms integer, response_ms integer)
    ON CONFLICT DO NOTHING RETURNING site, scope, started_at`.execute(database);
  const added = inserted.rows.flatMap(
    ({ site, scope, started_at: at }) => byKey.get(keyOf(site, scope, at.getTime())) ?? [],
  );
  const checks = added.flatMap((run) =>
    keptChecks(run).map(([position, { id, status, codes, httpStatus, durationMs }]) => ({
      site: run.site,
      started_at: time(run.startedAt),
      scope: run.scope,
      position,
      check_id: id,
      status,
      rules: codes.slice(0, MOST_CODES),
      http_status: httpStatus,
      duration_ms: durationMs === null ? null : Math.round(durationMs),
    })),
  );
  await sql`
    INSERT INTO docvitals.run_check
    SELECT * FROM json_to_recordset(${recordset(checks)}::json) AS c (site text, started_at timestamptz, scope text,
      position smallint, check_id text, status text, rules text[], http_status integer, duration_ms integer)
    ON CONFLICT DO NOTHING`.execute(database);
  return added;
}

/** Of one location only what did not pass: the rest is in the run of all locations, and would be most of the database. */
function keptChecks({ site, checks }: RunRecord): readonly (readonly [position: number, check: CheckRecord])[] {
  const all = [...checks.slice(0, MOST_CHECKS).entries()];
  return isSeries(site) ? all.filter(([, { status }]) => status !== 'pass') : all;
}

/** Writes runs, inside the current transaction. One that is stored already (its writer was not informed) is counted once. */
export async function writeRuns(database: Database, runs: readonly RunRecord[]): Promise<void> {
  // Those of tomorrow as well, while there is time.
  await createPartitions(
    database,
    runs.flatMap(({ startedAt }) => [startedAt, startedAt + DAY_MS]),
  );
  const added = await insertRuns(database, runs);
  if (added.length === 0) return;
  const buckets = bucketsOf(added);
  const keys = buckets.map(({ site, resolution, at }) => ({ site, resolution, at: time(at * MINUTE_MS) }));
  const stored = await sql<RollupRow>`
    SELECT rollup.* FROM docvitals.rollup JOIN json_to_recordset(${recordset(keys)}::json)
      AS k (site text, resolution text, at timestamptz) USING (site, resolution, at)`.execute(database);
  const tallies = new Map(
    stored.rows.map((row) => [rollupKey(row.site, row.resolution, row.at.getTime() / MINUTE_MS), tallyOf(row)]),
  );
  const rollups = buckets.map(({ site, resolution, at, runs: members }) => {
    const tally = tallies.get(rollupKey(site, resolution, at)) ?? emptyTally();
    for (const run of members) addRun(tally, run);
    return { site, resolution, at, tally };
  });
  await writeRollups(database, rollups);
}

const rollupKey = (site: string, resolution: Resolution, at: number): string => `${site} ${resolution} ${at}`;

export interface Rollup {
  readonly site: string;
  readonly resolution: Resolution;
  readonly at: number;
  readonly tally: Tally;
}

interface RollupRow extends Omit<DayCounts, 'at'> {
  readonly resolution: Resolution;
  readonly at: Date;
  readonly response_min_ms: number | null;
  readonly response_max_ms: number | null;
  readonly response_total_ms: string;
  readonly response_histogram: Readonly<Record<string, number>>;
}

/** `isNew`: those that are stored already stay as they are. */
export async function writeRollups(database: Database, rollups: readonly Rollup[], isNew = false): Promise<void> {
  const rows = rollups.map(({ site, resolution, at, tally }) => {
    const { meanMs, p95Ms } = bucketFrom(site, at, tally);
    const { total, least, most, times } = tally;
    return {
      site,
      resolution,
      at: time(at * MINUTE_MS),
      ...countsOf(tally),
      response_mean_ms: meanMs,
      response_min_ms: least,
      response_max_ms: most,
      response_p95_ms: p95Ms,
      response_total_ms: total,
      response_histogram: Object.fromEntries(times),
    };
  });
  const names = Object.keys(rows[0] ?? {}).filter((name) => !['site', 'resolution', 'at'].includes(name));
  const changes = sql.join(names.map((name) => sql`${sql.ref(name)} = excluded.${sql.ref(name)}`));
  await sql`
    INSERT INTO docvitals.rollup
    SELECT * FROM json_populate_recordset(NULL::docvitals.rollup, ${recordset(rows)}::json)
    ON CONFLICT (site, resolution, at) DO ${isNew ? sql`NOTHING` : sql`UPDATE SET ${changes}`}`.execute(database);
}

function tallyOf(row: RollupRow): Tally {
  return {
    ...countsOf(row),
    total: Number(row.response_total_ms),
    least: row.response_min_ms,
    most: row.response_max_ms,
    times: new Map(Object.entries(row.response_histogram).map(([bucket, count]) => [Number(bucket), count])),
  };
}

interface RunRow extends Pick<RunRecord, 'scope' | 'verdict' | 'maintenance' | 'ticks'> {
  readonly started_at: Date;
  readonly duration_ms: number;
  readonly checks: readonly CheckRecord[] | null;
}

export async function readRuns(
  database: Database,
  { site, from, to, limit, scope }: Parameters<Store['runs']>[0],
): Promise<readonly RunRecord[]> {
  const ofScope = scope === undefined ? sql`` : sql`AND scope = ${scope}`;
  const { rows } = await sql<RunRow>`
    SELECT run.*, (
      SELECT json_agg(json_build_object('id', check_id, 'status', status, 'codes', rules, 'httpStatus', http_status,
        'durationMs', duration_ms) ORDER BY position)
      FROM docvitals.run_check
      WHERE site = run.site AND started_at = run.started_at AND scope = run.scope
    ) AS checks FROM docvitals.run
    WHERE site = ${site} AND started_at >= ${time(from)} AND started_at < ${time(to)} ${ofScope}
    ORDER BY started_at LIMIT ${limit ?? null}`.execute(database);
  return rows.map(({ scope: of, verdict, maintenance, ticks, started_at: at, duration_ms: durationMs, checks }) => ({
    site,
    scope: of,
    startedAt: at.getTime(),
    durationMs,
    verdict,
    maintenance,
    ticks,
    checks: checks ?? [],
  }));
}

export async function readBuckets(
  database: Database,
  { site, from, to, limit, resolution }: RangeQuery & { readonly resolution: Resolution },
): Promise<readonly Bucket[]> {
  const { rows } = await sql<RollupRow>`
    SELECT * FROM docvitals.rollup
    WHERE site = ${site} AND resolution = ${resolution} AND at >= ${time(from)} AND at < ${time(to)}
    ORDER BY at LIMIT ${limit ?? null}`.execute(database);
  return rows.map((row) => bucketFrom(site, row.at.getTime() / MINUTE_MS, tallyOf(row)));
}

export async function readDays(
  database: Database,
  { sites, from, to }: Parameters<Store['days']>[0],
): Promise<readonly DayCounts[]> {
  const { rows } = await sql<Omit<DayCounts, 'at'> & { readonly at: Date }>`
    SELECT site, at, healthy, degraded, down, stale, unknown, maintenance FROM docvitals.rollup
    WHERE resolution = 'day' AND site = ANY(${sites}::text[]) AND at >= ${time(from)} AND at < ${time(to)}
    ORDER BY site, at`.execute(database);
  return rows.map((row) => ({ ...row, at: row.at.getTime() }));
}
