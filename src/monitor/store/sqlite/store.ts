import type { SQLInputValue } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import { MINUTE_MS } from '../../../time.ts';
import type { Retention } from '../../settings.ts';
import { closedError, outdated, sqlStore, type Engine, type Sql, type SqlValue } from '../sql.ts';
import { RESOLUTIONS, StoreError, type Store } from '../store.ts';
import { bucketFrom } from '../tally.ts';
import type { Connection } from './connection.ts';
import { readDays, readRollups, readRuns, sizeOf, writeRuns } from './runs.ts';

export interface Base {
  readonly file: string;
  current(): Connection;
  damaged(database: Connection): void;
  close(): void;
}

/** The name that SQLite gives its schema. */
const inMain = (text: string): string => text.replaceAll('docvitals.', 'main.');

/** Everything of it is done when it returns. */
export function sqlOf(database: Connection): Sql {
  return {
    all: async <Row>(text: string, ...values: readonly SqlValue[]) =>
      database.all<Row>(inMain(text), ...(values as SQLInputValue[])),
    run: async (text, ...values) => database.run(inMain(text), ...(values as SQLInputValue[])),
    writeRuns: async (runs) => writeRuns(database, runs),
    async writeStates(states) {
      for (const [site, state] of states) {
        database.run('REPLACE INTO site_state (site, document) VALUES (?, ?)', site, JSON.stringify(state));
      }
    },
    time: (ms) => ms,
    listed: 'SELECT value FROM json_each(?)',
    sooner: 'due_at - ?',
    incidentColumns: () => ({}),
  };
}

/** A store over SQLite. One piece of work follows another, so that nothing comes between the parts of a transaction. */
export function sqliteStore(base: Base): Store & { readonly file: string } {
  let isClosed = false;
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const done = last.then(work);
    last = done.catch(() => {});
    return done;
  };
  const using = <T>(work: (database: Connection) => T | Promise<T>): Promise<T> =>
    inTurn(async () => {
      if (isClosed) throw closedError(base.file);
      const database = base.current();
      try {
        return await work(database);
      } catch (error) {
        if (error instanceof StoreError && error.problem === 'corrupt') base.damaged(database);
        throw error;
      }
    });
  const read: Engine['read'] = (work) => using((database) => work(sqlOf(database)));
  const write: Engine['write'] = (work, isDurable = true) =>
    using(async (database) => {
      database.begin(isDurable);
      try {
        const result = await work(sqlOf(database));
        database.exec('COMMIT');
        return result;
      } catch (error) {
        database.rollBack();
        throw error;
      }
    });
  return sqlStore({
    file: base.file,
    read,
    write,
    runs: (query) => using((database) => readRuns(database, query)),
    buckets: (query) => using((database) => readRollups(database, query).map(bucketFrom)),
    async days({ sites, ...range }) {
      const days = [];
      for (let first = 0; first < sites.length; first += SITES_AT_A_TIME) {
        if (first > 0) await setImmediate();
        const some = sites.slice(first, first + SITES_AT_A_TIME);
        days.push(...(await using((database) => readDays(database, { sites: some, ...range }))));
      }
      return days;
    },
    prune: (now, retention) => prune({ read, write }, now, retention),
    close: () =>
      inTurn(async () => {
        if (isClosed) return;
        isClosed = true;
        base.close();
      }),
  });
}

/** Sites whose days are read before other work has its turn: reading blocks the process. */
const SITES_AT_A_TIME = 100;

/** Rows that are removed in one transaction: between two, runs are written. */
const CHUNK = 500;

/** Removes what is older than it is kept for; how many rows. Each step finds what is old by an index. */
async function prune(
  { read, write }: Pick<Engine, 'read' | 'write'>,
  now: number,
  retention: Retention,
): Promise<number> {
  let removed = 0;
  const remove = async (table: string, key: string, where: string, ...values: readonly SqlValue[]): Promise<void> => {
    const text = `DELETE FROM ${table} WHERE (${key}) IN (SELECT ${key} FROM ${table} WHERE ${where} LIMIT ${CHUNK})`;
    for (let changes = CHUNK; changes === CHUNK; await setImmediate()) {
      changes = await write((sql) => sql.run(text, ...values), false);
      removed += changes;
    }
  };
  const { rawMs, minuteMs, hourMs, dayMs } = retention;
  const kept = { minute: minuteMs, hour: hourMs, day: dayMs };
  for (const { id } of await read((sql) => sql.all<{ id: number }>('SELECT id FROM site'))) {
    await remove('run', 'site, at, kind', 'site = ? AND at < ?', id, now - rawMs);
    for (const resolution of RESOLUTIONS) {
      const before = Math.floor((now - kept[resolution]) / MINUTE_MS);
      await remove('rollup', 'site, size, at', 'site = ? AND size = ? AND at < ?', id, sizeOf(resolution), before);
    }
  }
  for (const [table, where, ...values] of outdated((ms) => ms, now, retention)) {
    await remove(table, 'rowid', where, ...values);
  }
  return removed;
}
