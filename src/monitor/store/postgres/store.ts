/** A store on a PostgreSQL server. Loaded only where a database is one: its packages are optional. */
import { CompiledQuery, sql } from 'kysely';
import type { SiteState } from '../../incident/state.ts';
import type { Retention } from '../../settings.ts';
import type { OpenOptions } from '../open.ts';
import { closedError, outdated, type Sql, sqlStore } from '../sql.ts';
import { bucketFrom } from '../tally.ts';
import {
  connections,
  type Connections,
  type Database,
  demandTables,
  recordset,
  storeErrorOf,
  withoutZero,
  time,
} from './connection.ts';
import { dropPartitions, readDays, readRollups, readRuns, writeRuns } from './runs.ts';

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
    time,
    listed: 'SELECT json_array_elements_text(?::json)',
    sooner: "due_at - ?::double precision * interval '1 millisecond'",
    incidentColumns: ({ verdict, checks, codes, startedAt, objectiveMs, flapping }) => ({
      verdict,
      checks,
      flapping,
      rules: codes,
      started_at: time(startedAt),
      objective_ms: Math.round(objectiveMs),
    }),
  };
}

export type PostgresStore = ReturnType<typeof postgresStore>;

export async function openPostgres(address: string, { mode, now = Date.now, isLockedOnce = false }: OpenOptions) {
  const opened = connections(address, mode === 'own' ? { now, isLockedOnce } : null);
  try {
    // Connecting as a monitor takes the lock and brings the tables up to date.
    if (mode === 'own') await sql`SELECT 1`.execute(opened.write);
    else await demandTables(opened);
    return postgresStore(opened);
  } catch (error) {
    await opened.close();
    throw storeErrorOf(error, opened.name);
  }
}

/** `demandLock` rejects with a `StoreError` where the lock of a monitor is lost, or where that cannot be found out. */
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
    read: (work, isOwner) => on(isOwner ? opened.write : opened.read, (database) => work(sqlOf(database))),
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
  return { ...store, demandLock: () => on(opened.read, () => opened.demandLock()) };
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
