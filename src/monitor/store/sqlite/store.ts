import { commitWriter } from './commit.ts';
import type { Database } from './database.ts';
import { readIncident, readIncidents, readStates } from './incidents.ts';
import { endMaintenance, readMaintenance, startMaintenance } from './maintenance.ts';
import { readNote, writeNote } from './notes.ts';
import {
  alertFailed,
  alertSent,
  bringForward,
  outboxWriter,
  readAlertsOf,
  readDueAlerts,
  readOutboxState,
} from './outbox.ts';
import { prune } from './prune.ts';
import { readBuckets, readDays, readRuns } from './runs.ts';
import type { Store } from '../store.ts';
import { StoreError } from '../store-error.ts';

/** What a store stands on: it may be replaced while the store is in use. */
export interface Base {
  readonly file: string;
  current(): Database;
  /** Told of a database that turned out to be damaged. */
  damaged(database: Database): void;
  close(): void;
}

/** A store over SQLite. Writing is synchronous, so that nothing of this process comes between the parts of a transaction. */
export function sqliteStore(base: Base): Store & { readonly file: string } {
  let isClosed = false;
  const using = async <T>(work: (database: Database) => T | Promise<T>): Promise<T> => {
    if (isClosed) throw new StoreError('closed', base.file, 'the database was closed');
    const database = base.current();
    try {
      return await work(database);
    } catch (error) {
      if (error instanceof StoreError && error.problem === 'corrupt') base.damaged(database);
      throw error;
    }
  };
  const commit = perDatabase(commitWriter);
  const writeOutbox = perDatabase(outboxWriter);
  return {
    file: base.file,
    states: () => using(readStates),
    commit: (runs) => using((database) => commit(database)(runs)),
    incidents: (query) => using((database) => readIncidents(database, query)),
    incident: (id) => using((database) => readIncident(database, id)),
    runs: (query) => using((database) => readRuns(database, query)),
    buckets: (query) => using((database) => readBuckets(database, query)),
    days: (query) => using((database) => readDays(database, query)),
    changeOutbox: (changes) =>
      using((database) => {
        if (changes.add.length + changes.cancel.length === 0) return;
        database.write(() => writeOutbox(database)(changes), true);
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

/** Makes what belongs to a database once for each. */
function perDatabase<T>(make: (database: Database) => T): (database: Database) => T {
  const made = new WeakMap<Database, T>();
  return (database) => {
    const known = made.get(database) ?? make(database);
    made.set(database, known);
    return known;
  };
}
