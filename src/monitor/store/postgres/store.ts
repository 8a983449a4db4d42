/** A store on a PostgreSQL server. Loaded only where a database is one: its packages are optional. */
import { CompiledQuery, sql } from 'kysely';
import { DAY_MS } from '../../../core/time.ts';
import type { SiteState } from '../../incident/state.ts';
import type { Retention } from '../../settings.ts';
import type { OpenOptions } from '../open.ts';
import { closedError, outdated, type Sql, sqlStore } from '../sql.ts';
import { isSeries, responseTime, type DayCounts, type RunRecord, type Store } from '../store.ts';
import { addRun, bucketFrom, bucketsOf, emptyTally, type Rollup, type Tally } from '../tally.ts';
import { connections, demandTables, recordset, storeErrorOf, time, withoutZero } from './connection.ts';
import type { Connections, Database } from './connection.ts';

export function sqlOf(database: Database): Sql {
  const execute = <Row>(query: string, values: readonly unknown[]) => {
    let number = 0;
    const numbered = query.replaceAll('?', () => `$${++number}`);
    return database.executeQuery<Row>(CompiledQuery.raw(numbered, values.map(withoutZero)));
  };
  return {
    all: async <Row>(query: string, ...values: readonly unknown[]) => (await execute<Row>(query, values)).rows,
    run: async (query, ...values) => Number((await execute(query, values)).numAffectedRows ?? 0n),
    writeRuns: (runs) => writeRuns(database, runs),
    writeStates: (states) => writeStates(database, states),
    async settle(results) {
      if (results.length === 0) return;
      await sql`
        DELETE FROM docvitals_queue.job WHERE name = 'result' AND id = ANY(${results}::uuid[])`.execute(database);
    },
    time,
    listed: 'SELECT json_array_elements_text(?::json)',
    incidentColumns: ({ verdict, checks, rules, startedAt, recoveryTimeObjectiveMs, flapping }) => ({
      verdict,
      checks,
      flapping,
      rules,
      started_at: time(startedAt),
      objective_ms: Math.round(recoveryTimeObjectiveMs),
    }),
  };
}

export async function openPostgres(address: string, { mode, now = Date.now, isLockedOnce = false }: OpenOptions) {
  const opened = connections(address, mode === 'own' ? { now, isLockedOnce } : null);
  try {
    if (opened.lease === null) await demandTables(opened);
    else await opened.lease.take();
    return postgresStore(opened);
  } catch (error) {
    await opened.close();
    throw storeErrorOf(error, opened.name);
  }
}

/** `lease`, `queue`: of a monitor. */
function postgresStore(opened: Connections) {
  let isClosed = false;
  const on = async <T>(database: Database, work: (database: Database) => Promise<T>): Promise<T> => {
    if (isClosed) throw closedError(opened.name);
    try {
      return await work(database);
    } catch (error) {
      throw storeErrorOf(error, opened.name);
    }
  };
  const reading = <T>(work: (database: Database) => Promise<T>): Promise<T> => on(opened.read, work);
  const store = sqlStore({
    file: opened.name,
    demandOwned: async () => opened.lease?.demandHeld(),
    read: (work) => reading((database) => work(sqlOf(database))),
    write: (work, isDurable = true) =>
      on(opened.write, (database) =>
        database.transaction().execute(async (transaction) => {
          if (!isDurable) await sql`SET LOCAL synchronous_commit = off`.execute(transaction);
          return work(sqlOf(transaction));
        }),
      ),
    runs: (query) => reading((database) => readRuns(database, query)),
    buckets: (query) => reading(async (database) => (await readRollups(database, query)).map(bucketFrom)),
    days: (query) => reading((database) => readDays(database, query)),
    prune: (now, retention) => on(opened.write, (database) => prune(database, now, retention)),
    async close() {
      if (isClosed) return;
      isClosed = true;
      await opened.close();
    },
  });
  return { ...store, lease: opened.lease, queue: opened.queue };
}

/** `isNew`: those that are stored already stay as they are. */
export async function writeStates(database: Database, states: ReadonlyMap<string, SiteState>, isNew = false) {
  // A document is a text: a state may contain what a text column cannot.
  const rows = [...states].map(([site, state]) => ({ site, verdict: state.verdict, document: JSON.stringify(state) }));
  const update = sql`UPDATE SET verdict = excluded.verdict, updated_at = now(), document = excluded.document`;
  await sql`
    INSERT INTO docvitals.site_state (site, verdict, updated_at, document)
    SELECT site, verdict, now(), document::json
    FROM json_to_recordset(${recordset(rows)}::json) AS s (site text, verdict text, document text)
    ON CONFLICT (site) DO ${isNew ? sql`NOTHING` : update}`.execute(database);
}

async function prune(database: Database, now: number, retention: Retention): Promise<number> {
  const { rawMs, minuteMs, hourMs, dayMs } = retention;
  let removed = await dropPartitions(database, 'run', now, rawMs);
  removed += await dropPartitions(database, 'rollup_minute', now, minuteMs);
  await dropPartitions(database, 'run_check', now, rawMs);
  for (const [table, where, ...values] of [
    ['docvitals.rollup_hour', 'at < ?', time(now - hourMs)] as const,
    ['docvitals.rollup_day', 'at < ?', time(now - dayMs)] as const,
    ...outdated(time, now, retention),
  ]) {
    removed += await sqlOf(database).run(`DELETE FROM ${table} WHERE ${where}`, ...values);
  }
  return removed;
}

/* Runs, and their roll-ups by minute, hour and day. */

const runKey = (site: string, scope: string, at: number): string => `${site} ${scope} ${Math.round(at)}`;

export async function insertRuns(database: Database, runs: readonly RunRecord[]): Promise<readonly RunRecord[]> {
  const byKey = new Map(runs.map((run) => [runKey(run.site, run.scope, run.startedAt), run]));
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
    ({ site, scope, started_at: at }) => byKey.get(runKey(site, scope, at.getTime())) ?? [],
  );
  const checks = added.flatMap((run) =>
    run.checks.flatMap(({ id, status, rules, httpStatus, durationMs }, position) => {
      // Of one location only what did not pass: the rest is in the run of all locations, and would be most of the database.
      if (isSeries(run.site) && status === 'pass') return [];
      return {
        site: run.site,
        started_at: time(run.startedAt),
        scope: run.scope,
        position,
        check_id: id,
        status,
        rules,
        http_status: httpStatus,
        duration_ms: durationMs === null ? null : Math.round(durationMs),
      };
    }),
  );
  await sql`
    INSERT INTO docvitals.run_check
    SELECT * FROM json_to_recordset(${recordset(checks)}::json) AS c (site text, started_at timestamptz, scope text,
      position smallint, check_id text, status text, rules text[], http_status integer, duration_ms integer)
    ON CONFLICT DO NOTHING`.execute(database);
  return added;
}

/** Inside the current transaction. */
export async function writeRuns(database: Database, runs: readonly RunRecord[]): Promise<void> {
  // Those of tomorrow as well, while there is time.
  await createPartitions(
    database,
    runs.flatMap(({ startedAt }) => [startedAt, startedAt + DAY_MS]),
  );
  const added = await insertRuns(database, runs);
  if (added.length === 0) return;
  const buckets = bucketsOf(added);
  const keys = buckets.map(({ site, resolution, at }) => ({ site, resolution, at: time(at) }));
  const stored = await sql<RollupRow>`
    SELECT ${ROLLUP} FROM docvitals.rollup JOIN json_to_recordset(${recordset(keys)}::json)
      AS k (site text, resolution text, at timestamptz) USING (site, resolution, at)`.execute(database);
  const tallies = new Map(stored.rows.map(rollupOf).map((rollup) => [rollupKey(rollup), rollup.tally]));
  const rollups = buckets.map(({ runs: members, ...bucket }) => {
    const tally = tallies.get(rollupKey(bucket)) ?? emptyTally();
    for (const run of members) addRun(tally, run);
    return { ...bucket, tally };
  });
  await writeRollups(database, rollups);
}

const rollupKey = ({ site, resolution, at }: Omit<Rollup, 'tally'>): string => `${site} ${resolution} ${at}`;

/** `isNew`: those that are stored already stay as they are. */
export async function writeRollups(database: Database, rollups: readonly Rollup[], isNew = false): Promise<void> {
  const rows = rollups.map((rollup) => {
    const { meanMs, p95Ms } = bucketFrom(rollup);
    const { total, least, most, times, ...counts } = rollup.tally;
    return {
      site: rollup.site,
      resolution: rollup.resolution,
      at: time(rollup.at),
      ...counts,
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

const ROLLUP = sql.raw(`site, resolution, at, healthy, degraded, down, stale, unknown, maintenance,
  response_total_ms::float AS total, response_min_ms AS least, response_max_ms AS most, response_histogram AS times`);

type RollupRow = Omit<Rollup, 'at' | 'tally'> &
  Omit<Tally, 'times'> & { readonly at: Date; readonly times: Readonly<Record<string, number>> };

const rollupOf = ({ site, resolution, at, times, ...counts }: RollupRow): Rollup => {
  const histogram = new Map(Object.entries(times).map(([bucket, count]) => [Number(bucket), count]));
  return { site, resolution, at: at.getTime(), tally: { ...counts, times: histogram } };
};

export async function readRuns(database: Database, { site, from, to, limit, scope }: Parameters<Store['runs']>[0]) {
  const ofScope = scope === undefined ? sql`` : sql`AND scope = ${scope}`;
  const { rows } = await sql<Omit<RunRecord, 'startedAt'> & { readonly startedAt: Date }>`
    SELECT site, scope, started_at AS "startedAt", duration_ms AS "durationMs", verdict, maintenance, ticks, coalesce((
      SELECT json_agg(json_build_object('id', check_id, 'status', status, 'rules', rules, 'httpStatus', http_status,
        'durationMs', duration_ms) ORDER BY position)
      FROM docvitals.run_check
      WHERE site = run.site AND started_at = run.started_at AND scope = run.scope
    ), '[]') AS checks FROM docvitals.run
    WHERE site = ${site} AND started_at >= ${time(from)} AND started_at < ${time(to)} ${ofScope}
    ORDER BY started_at LIMIT ${limit ?? null}`.execute(database);
  return rows.map((row) => ({ ...row, startedAt: row.startedAt.getTime() }));
}

export async function readRollups(
  database: Database,
  { site, from, to, limit, resolution }: Parameters<Store['buckets']>[0],
): Promise<readonly Rollup[]> {
  const { rows } = await sql<RollupRow>`
    SELECT ${ROLLUP} FROM docvitals.rollup
    WHERE site = ${site} AND resolution = ${resolution} AND at >= ${time(from)} AND at < ${time(to)}
    ORDER BY at LIMIT ${limit ?? null}`.execute(database);
  return rows.map(rollupOf);
}

export async function readDays(database: Database, { sites, from, to }: Parameters<Store['days']>[0]) {
  const { rows } = await sql<Omit<DayCounts, 'at'> & { readonly at: Date }>`
    SELECT site, at, healthy, degraded, down, stale, unknown, maintenance FROM docvitals.rollup
    WHERE resolution = 'day' AND site = ANY(${sites}::text[]) AND at >= ${time(from)} AND at < ${time(to)}
    ORDER BY site, at`.execute(database);
  return rows.map((row) => ({ ...row, at: row.at.getTime() }));
}

/* Partitions: tables that grow have one for each day (UTC), so that what is too old is dropped instead of deleted row by row. */

const PARTITIONED = { run: 'started_at', run_check: 'started_at', rollup_minute: 'at' } as const;

function partitionOf(table: string, day: number): string {
  const date = time(day * DAY_MS).slice(0, 10);
  return `${table}_${date.replaceAll('-', '')}`;
}

/** Creates the partitions that runs of these times need and that are missing, inside the current transaction. */
export async function createPartitions(transaction: Database, times: readonly number[]): Promise<void> {
  const days = new Set(times.map((ms) => Math.floor(ms / DAY_MS)));
  const needed = [...days].flatMap((day) =>
    Object.keys(PARTITIONED).map((table) => ({ table, day, name: partitionOf(table, day) })),
  );
  const { rows } = await sql<{ name: string }>`
    SELECT name FROM unnest(${needed.map(({ name }) => name)}::text[]) AS name
    WHERE to_regclass('docvitals.' || name) IS NULL`.execute(transaction);
  if (rows.length === 0) return;
  await sql`SET LOCAL lock_timeout = '5s'`.execute(transaction);
  const missing = new Set(rows.map(({ name }) => name));
  for (const { table, day, name } of needed.filter((partition) => missing.has(partition.name))) {
    const [parent, partition] = [sql.table(`docvitals.${table}`), sql.table(`docvitals.${name}`)];
    const [from, to] = [day, day + 1].map((begin) => sql.lit(time(begin * DAY_MS)));
    await sql`CREATE TABLE ${partition} (LIKE ${parent} INCLUDING DEFAULTS)`.execute(transaction);
    // `PARTITION OF` would wait for every reader of the table, such as a backup.
    const range = sql`FOR VALUES FROM (${from}) TO (${to})`;
    await sql`ALTER TABLE ${parent} ATTACH PARTITION ${partition} ${range}`.execute(transaction);
  }
}

/** Drops what is wholly older than it is kept for, and returns how many rows went. */
export async function dropPartitions(database: Database, table: keyof typeof PARTITIONED, now: number, keptMs: number) {
  const before = now - keptMs;
  const parent = sql.table(`docvitals.${table}`);
  const partitions = await sql<{ name: string }>`
    SELECT relname AS name FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
    WHERE inhparent = ${`docvitals.${table}`}::regclass`.execute(database);
  let removed = 0;
  for (const { name } of partitions.rows) {
    const [, year, month, day] = /_(\d{4})(\d\d)(\d\d)$/.exec(name) ?? [];
    const begin = Date.UTC(Number(year), Number(month) - 1, Number(day));
    if (!(begin + DAY_MS <= before)) continue;
    const partition = sql.table(`docvitals.${name}`);
    removed += await database.transaction().execute(async (transaction) => {
      // Who reads is not to be waited for, nor to wait: the next time will do.
      await sql`SET LOCAL lock_timeout = '5s'`.execute(transaction);
      // Checks are deleted with their runs; their number is not reported.
      const counted = table === 'run_check' ? sql`0` : sql`(SELECT count(*) FROM ${partition})`;
      const { rows } = await sql<{ count: string }>`SELECT ${counted} AS count`.execute(transaction);
      await sql`DROP TABLE ${partition}`.execute(transaction);
      return Number(rows[0]?.count ?? 0);
    });
  }
  // The rest of the last day is dropped a day later, which does not matter where many are kept.
  if (keptMs >= 2 * DAY_MS) return removed;
  const { numAffectedRows = 0n } =
    await sql`DELETE FROM ${parent} WHERE ${sql.ref(PARTITIONED[table])} < ${time(before)}`.execute(database);
  return removed + Number(numAffectedRows);
}
