/** A store on a PostgreSQL server. Loaded only where a database is one: its packages are optional. */
import { sql } from 'kysely';
import type { Retention } from '../../settings.ts';
import type { FileStore, OpenOptions } from '../open.ts';
import { StoreError, type RunCommit, type StartedMaintenance } from '../store.ts';
import { connections, demandTables, storeErrorOf, type Connections, type Database } from './connection.ts';
import {
  readIncident,
  readIncidents,
  readPictures,
  readStates,
  writeIncident,
  writePictures,
  writeStates,
} from './incidents.ts';
import {
  alertFailed,
  bringForward,
  markSent,
  readAlertsOf,
  readDueAlerts,
  readOutboxState,
  writeOutbox,
} from './outbox.ts';
import { createPartitions, dropPartitions } from './partitions.ts';
import { readBuckets, readDays, readRuns, writeRuns } from './runs.ts';
import { msOrNull, text, time } from './values.ts';

const DAY_MS = 86_400_000;

/** A store on a server. */
export interface PostgresStore extends FileStore {
  /** Rejects with a `StoreError` where the lock of a monitor is lost, or where that cannot be found out. */
  demandLock(): Promise<void>;
}

/** Opens the database of an address. Rejects with a `StoreError`. */
export async function openPostgres(
  address: string,
  { mode, now = Date.now, isLockedOnce = false }: OpenOptions,
): Promise<PostgresStore> {
  const opened = connections(address, mode === 'own', now, isLockedOnce);
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

function postgresStore(opened: Connections): PostgresStore {
  let isClosed = false;
  const days = new Set<number>();
  const on = async <T>(database: Database, work: (database: Database) => Promise<T>): Promise<T> => {
    if (isClosed) throw new StoreError('closed', opened.name, 'the database was closed');
    try {
      return await work(database);
    } catch (error) {
      throw storeErrorOf(error, opened.name);
    }
  };
  const reading = <T>(work: (database: Database) => Promise<T>): Promise<T> => on(opened.read, work);
  const writing = <T>(work: (database: Database) => Promise<T>): Promise<T> =>
    on(opened.write, (database) => database.transaction().execute(work));
  return {
    file: opened.name,
    demandLock: () => on(opened.read, () => opened.demandLock()),
    states: () => reading(readStates),
    async commit(runs) {
      const times = runs.flatMap(({ run: { startedAt } }) => [startedAt, startedAt + DAY_MS]);
      try {
        await on(opened.write, (database) => createPartitions(database, days, times));
        await writing((database) => commitRuns(database, runs));
      } catch (error) {
        // It may be another server now, restored from a backup.
        days.clear();
        throw error;
      }
    },
    incidents: (query) => reading((database) => readIncidents(database, query)),
    incident: (id) => reading((database) => readIncident(database, id)),
    pictures: (incident) => reading((database) => readPictures(database, incident)),
    runs: (query) => reading((database) => readRuns(database, query)),
    buckets: (query) => reading((database) => readBuckets(database, query)),
    days: (query) => reading((database) => readDays(database, query)),
    changeOutbox: (changes) => writing((database) => writeOutbox(database, changes)),
    // By the connection that has the lock: a monitor that has lost it sends nothing twice.
    dueAlerts: (now, limit) => on(opened.write, (database) => readDueAlerts(database, now, limit)),
    outboxState: (after) => reading((database) => readOutboxState(database, after)),
    alertSent: ({ key }, at) => writing((database) => markSent(database, key, at)),
    alertFailed: ({ key }, { error, dueAt }) => writing((database) => alertFailed(database, key, error, dueAt)),
    bringForward: (ms) => writing((database) => bringForward(database, ms)),
    alertsOf: (incident) => reading((database) => readAlertsOf(database, incident)),
    startMaintenance: (window) => writing((database) => startMaintenance(database, window)),
    endMaintenance: (site, at) => writing((database) => endMaintenance(database, site, at)),
    maintenance: (at) => reading((database) => readMaintenance(database, at)),
    note: (name) => reading((database) => readNote(database, name)),
    setNote: (name, value) => writing((database) => writeNote(database, name, value)),
    prune: (now, retention) => on(opened.write, (database) => prune(database, days, now, retention)),
    async close() {
      if (isClosed) return;
      isClosed = true;
      await opened.close();
    },
  };
}

/** Writes runs and all that follows from them, inside the current transaction. */
async function commitRuns(database: Database, commits: readonly RunCommit[]): Promise<void> {
  if (commits.length === 0) return;
  // After a power cut a run may be missing, but no incident that people were notified of.
  const isDurable = commits.some(
    ({ incidents, outbox }) => incidents.length + outbox.add.length + outbox.cancel.length > 0,
  );
  if (!isDurable) await sql`SET LOCAL synchronous_commit = off`.execute(database);
  await writeRuns(
    database,
    commits.flatMap(({ run, locationRuns = [] }) => [run, ...locationRuns]),
  );
  await writeStates(database, new Map(commits.map(({ run, state }) => [run.site, state])));
  for (const { run, incidents, outbox, sent, pictures = [] } of commits) {
    for (const incident of incidents) await writeIncident(database, incident);
    await writeOutbox(database, outbox, sent);
    await writePictures(database, run.site, pictures);
  }
}

async function readNote(database: Database, name: string): Promise<string | null> {
  const { rows } = await sql<{ value: string }>`SELECT value FROM docvitals.note WHERE name = ${name}`.execute(
    database,
  );
  return rows[0]?.value ?? null;
}

async function writeNote(database: Database, name: string, value: string): Promise<void> {
  await sql`
    INSERT INTO docvitals.note (name, value) VALUES (${name}, ${text(value)})
    ON CONFLICT (name) DO UPDATE SET value = excluded.value`.execute(database);
}

async function startMaintenance(database: Database, window: StartedMaintenance): Promise<void> {
  const { id, site, from, to, reason } = window;
  await sql`
    INSERT INTO docvitals.maintenance (id, site, from_at, to_at, reason)
    VALUES (${id}, ${site}, ${time(from)}, ${time(to)}, ${reason === null ? null : text(reason)})
    ON CONFLICT (id) DO UPDATE SET site = excluded.site, from_at = excluded.from_at, to_at = excluded.to_at,
      reason = excluded.reason`.execute(database);
}

/** Ends the current maintenance of a site; what begins later stays. */
async function endMaintenance(database: Database, site: string, at: number): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    UPDATE docvitals.maintenance SET to_at = ${time(at)}
    WHERE site = ${site} AND from_at <= ${time(at)} AND to_at > ${time(at)}`.execute(database);
  return Number(numAffectedRows);
}

async function readMaintenance(database: Database, at: number): Promise<readonly StartedMaintenance[]> {
  const { rows } = await sql<{ id: string; site: string; from_at: Date; to_at: Date; reason: string | null }>`
    SELECT * FROM docvitals.maintenance WHERE to_at > ${time(at)} ORDER BY from_at, id`.execute(database);
  return rows.map(({ id, site, from_at: from, to_at: to, reason }) => ({
    id,
    site,
    from: msOrNull(from) ?? 0,
    to: msOrNull(to) ?? 0,
    reason,
  }));
}

/** Alerts that were sent or given up are kept as long as hours are, but not longer than this. */
const MOST_OUTBOX_MS = 90 * DAY_MS;

/** Removes what is older than it is kept for; how many rows. */
async function prune(database: Database, days: Set<number>, now: number, retention: Retention): Promise<number> {
  const { rawMs, minuteMs, hourMs, dayMs } = retention;
  const drop = (table: 'run' | 'run_check' | 'rollup_minute', ms: number): Promise<number> =>
    // A day more does not matter where many are kept.
    dropPartitions(database, days, table, { before: now - ms, isExact: ms < 2 * DAY_MS });
  const rows = (await drop('run', rawMs)) + (await drop('rollup_minute', minuteMs));
  await drop('run_check', rawMs);
  const old = time(now - dayMs);
  const removals = [
    sql`docvitals.rollup_hour WHERE at < ${time(now - hourMs)}`,
    sql`docvitals.rollup_day WHERE at < ${old}`,
    // As long as an incident is open, its alerts show which routes were notified.
    sql`docvitals.notification WHERE state <> 'waiting' AND created_at < ${time(now - Math.min(hourMs, MOST_OUTBOX_MS))}
      AND EXISTS (SELECT 1 FROM docvitals.incident WHERE id = incident AND recovered_at IS NOT NULL)`,
    sql`docvitals.incident WHERE recovered_at < ${old} AND NOT EXISTS
      (SELECT 1 FROM docvitals.notification WHERE incident = incident.id AND state = 'waiting')`,
    sql`docvitals.picture WHERE taken_at < ${old} OR (incident <> '' AND NOT EXISTS
      (SELECT 1 FROM docvitals.incident WHERE id = picture.incident))`,
    sql`docvitals.maintenance WHERE to_at < ${old}`,
  ];
  let removed = rows;
  for (const removal of removals) {
    const { numAffectedRows = 0n } = await sql`DELETE FROM ${removal}`.execute(database);
    removed += Number(numAffectedRows);
  }
  return removed;
}
