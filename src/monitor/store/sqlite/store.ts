import { setImmediate } from 'node:timers/promises';
import type { Retention } from '../../settings.ts';
import { StoreError, type RunCommit, type StartedMaintenance, type Store } from '../store.ts';
import type { Connection } from './connection.ts';
import { readIncident, readIncidents, readStates, writeIncident, writeState } from './incidents.ts';
import {
  alertFailed,
  alertSent,
  bringForward,
  readAlertsOf,
  readDueAlerts,
  readOutboxState,
  writeOutbox,
} from './outbox.ts';
import { readPictures, writePictures } from './pictures.ts';
import { readBuckets, readDays, readRuns, writeRuns } from './runs.ts';
import { MINUTES } from './tally.ts';

/** What a store is based on: a database that may be replaced while the store is in use. */
export interface Base {
  readonly file: string;
  current(): Connection;
  /** Called with a database that turned out to be damaged. */
  damaged(database: Connection): void;
  close(): void;
}

/** A store over SQLite. Writing is synchronous, so that nothing of this process comes between the parts of a transaction. */
export function sqliteStore(base: Base): Store & { readonly file: string } {
  let isClosed = false;
  const using = async <T>(work: (database: Connection) => T | Promise<T>): Promise<T> => {
    if (isClosed) throw new StoreError('closed', base.file, 'the database was closed');
    const database = base.current();
    try {
      return await work(database);
    } catch (error) {
      if (error instanceof StoreError && error.problem === 'corrupt') base.damaged(database);
      throw error;
    }
  };
  return {
    file: base.file,
    states: () => using(readStates),
    commit: (runs) => using((database) => commitRuns(database, runs)),
    incidents: (query) => using((database) => readIncidents(database, query)),
    incident: (id) => using((database) => readIncident(database, id)),
    pictures: (incident) => using((database) => readPictures(database, incident)),
    runs: (query) => using((database) => readRuns(database, query)),
    buckets: (query) => using((database) => readBuckets(database, query)),
    days: (query) => using((database) => readDays(database, query)),
    changeOutbox: (changes) =>
      using((database) => {
        if (changes.add.length + changes.cancel.length === 0) return;
        database.transaction(() => writeOutbox(database, changes), true);
      }),
    dueAlerts: (now, limit) => using((database) => readDueAlerts(database, now, limit)),
    outboxState: (after) => using((database) => readOutboxState(database, after)),
    alertSent: ({ key }, at) => using((database) => alertSent(database, key, at)),
    alertFailed: ({ key }, { error, dueAt }) => using((database) => alertFailed(database, key, error, dueAt)),
    bringForward: (ms) => using((database) => bringForward(database, ms)),
    alertsOf: (incident) => using((database) => readAlertsOf(database, incident)),
    startMaintenance: (window) => using((database) => startMaintenance(database, window)),
    endMaintenance: (site, at) => using((database) => endMaintenance(database, site, at)),
    maintenance: (at) => using((database) => readMaintenance(database, at)),
    note: (name) => using((database) => readNote(database, name)),
    setNote: (name, text) => using((database) => writeNote(database, name, text)),
    prune: (now, retention) => using((database) => prune(database, now, retention)),
    async close() {
      if (isClosed) return;
      isClosed = true;
      base.close();
    },
  };
}

/** Writes runs and all that follows from them in one transaction. */
export function commitRuns(database: Connection, commits: readonly RunCommit[]): void {
  if (commits.length === 0) return;
  // After a power cut a run may be missing, but no incident that people were notified of.
  const isDurable = commits.some(
    ({ incidents, outbox }) => incidents.length + outbox.add.length + outbox.cancel.length > 0,
  );
  database.transaction(() => {
    writeRuns(
      database,
      commits.map(({ run }) => run),
    );
    for (const { run, state, incidents, outbox, sent, pictures = [] } of commits) {
      writeState(database, run.site, state);
      for (const incident of incidents) writeIncident(database, incident);
      writeOutbox(database, outbox, sent);
      writePictures(database, run.site, pictures);
    }
  }, isDurable);
}

function readNote(database: Connection, name: string): string | null {
  const [row] = database.all<{ value: string }>('SELECT value FROM meta WHERE key = ?', name);
  return row?.value ?? null;
}

function writeNote(database: Connection, name: string, text: string): void {
  database.transaction(() => database.run('REPLACE INTO meta (key, value) VALUES (?, ?)', name, text), false);
}

function startMaintenance(database: Connection, { id, site, from, to, reason }: StartedMaintenance): void {
  const sql = 'REPLACE INTO maintenance (id, site, from_at, to_at, reason) VALUES (?, ?, ?, ?, ?)';
  database.transaction(() => database.run(sql, id, site, from, to, reason), true);
}

/** Ends the current maintenance of a site; what begins later stays. */
function endMaintenance(database: Connection, site: string, at: number): number {
  const sql = 'UPDATE maintenance SET to_at = ? WHERE site = ? AND from_at <= ? AND to_at > ?';
  return database.transaction(() => database.run(sql, at, site, at, at), true);
}

function readMaintenance(database: Connection, at: number): readonly StartedMaintenance[] {
  return database
    .all<StartedMaintenance>(
      'SELECT id, site, from_at AS "from", to_at AS "to", reason FROM maintenance WHERE to_at > ? ORDER BY from_at, id',
      at,
    )
    .map((row) => ({ ...row }));
}

/** Rows in one transaction: between two, runs are written. */
const CHUNK = 500;

/** Alerts that were sent or given up are kept as long as hours are, but not longer than this. */
const MOST_OUTBOX_MS = 90 * 24 * 3_600_000;

/** Removes what is older than it is kept for; how many rows. Each step finds what is old by an index. */
async function prune(database: Connection, now: number, retention: Retention): Promise<number> {
  const { rawMs, hourMs, dayMs } = retention;
  const kept = { minute: retention.minuteMs, hour: hourMs, day: dayMs };
  let removed = 0;
  const remove = async (table: string, key: string, where: string, ...parameters: readonly number[]): Promise<void> => {
    const sql = `DELETE FROM ${table} WHERE ${key} IN (SELECT ${key.replaceAll(/[()]/g, '')} FROM ${table} WHERE ${where} LIMIT ?)`;
    for (let changes = CHUNK; changes === CHUNK; await setImmediate()) {
      changes = database.transaction(() => database.run(sql, ...parameters, CHUNK), false);
      removed += changes;
    }
  };
  for (const { id } of database.all<{ id: number }>('SELECT id FROM site')) {
    await remove('round', '(site, at, kind)', 'site = ? AND at < ?', id, now - rawMs);
    for (const size of ['minute', 'hour', 'day'] as const) {
      const before = Math.floor((now - kept[size]) / 60_000);
      await remove('bucket', '(site, size, at)', 'site = ? AND size = ? AND at < ?', id, MINUTES[size], before);
    }
  }
  // As long as an incident is open, its alerts show which routes were notified.
  const isOver = 'EXISTS (SELECT 1 FROM incident WHERE id = incident AND recovered_at IS NOT NULL)';
  await remove('outbox', 'seq', `state <> 0 AND created_at < ? AND ${isOver}`, now - Math.min(hourMs, MOST_OUTBOX_MS));
  const isSent = 'NOT EXISTS (SELECT 1 FROM outbox WHERE incident = incident.id AND state = 0)';
  await remove('incident', 'id', `recovered_at < ? AND ${isSent}`, now - dayMs);
  const isLost = "incident <> '' AND NOT EXISTS (SELECT 1 FROM incident WHERE id = picture.incident)";
  await remove('picture', 'rowid', `at < ? OR (${isLost})`, now - dayMs);
  await remove('maintenance', 'id', 'to_at < ?', now - dayMs);
  return removed;
}
