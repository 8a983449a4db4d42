/** Copies an SQLite file into PostgreSQL. What is there already stays, so that it can be run again. */
import { DAY_MS } from '../../../core/time.ts';
import { openStore } from '../open.ts';
import { insert, readIncidents, readStates, type SqlRow, writeIncident } from '../sql.ts';
import { Connection } from '../sqlite/connection.ts';
import { readRollups, readRuns, sqlOf as sqlOfFile } from '../sqlite/store.ts';
import { beginOf, RESOLUTIONS } from '../store.ts';
import { connections, type Database, storeErrorOf, time } from './connection.ts';
import { createPartitions, insertRuns, sqlOf, writeRollups, writeStates } from './store.ts';

const CHUNK = 2_000;

/** Writes as the only monitor of the database. Rejects with a `StoreError` of one of the two. */
export async function importFile(file: string, address: string) {
  const store = await openStore(file, { mode: 'shared' });
  await store.close();
  const source = new Connection(store.file, { access: 'read', busyMs: 5_000 });
  try {
    const target = connections(address, { now: Date.now, isLockedOnce: false });
    try {
      // What a monitor writes meanwhile is left out.
      source.exec('BEGIN');
      return await copy(source, target.write);
    } catch (error) {
      throw storeErrorOf(error, target.name);
    } finally {
      await target.close();
    }
  } finally {
    source.close();
  }
}

async function copy(source: Connection, target: Database) {
  const incidents = await readIncidents(sqlOfFile(source), {});
  const states = await readStates(sqlOfFile(source));
  await target.transaction().execute(async (transaction) => {
    await writeStates(transaction, states, true);
    for (const incident of incidents) await writeIncident(sqlOf(transaction), incident, true);
    await copyRows(source, transaction);
  });
  let runs = 0;
  const sites = source.all<Site>(
    'SELECT name, min(at) AS first, max(at) AS last FROM site LEFT JOIN run ON site = id GROUP BY id',
  );
  for (const site of sites) {
    runs += await copyRuns(source, target, site);
    await copyRollups(source, target, site.name);
  }
  return { sites: sites.length, runs, incidents: incidents.length };
}

/** With the times of its first and its last run; `null`: there is none. */
interface Site {
  readonly name: string;
  readonly first: number | null;
  readonly last: number | null;
}

async function copyRuns(source: Connection, target: Database, { name: site, first, last }: Site): Promise<number> {
  let added = 0;
  if (first === null || last === null) return added;
  for (let from = beginOf(first, 'day'); from <= last; from += DAY_MS) {
    const runs = readRuns(source, { site, from, to: from + DAY_MS });
    if (runs.length === 0) continue;
    await target.transaction().execute(async (transaction) => {
      await createPartitions(transaction, [from]);
      added += (await insertRuns(transaction, runs)).length;
    });
  }
  return added;
}

async function copyRollups(source: Connection, target: Database, site: string): Promise<void> {
  for (const resolution of RESOLUTIONS) {
    const rollups = readRollups(source, { site, resolution, from: -Infinity, to: Infinity });
    for (let first = 0; first < rollups.length; first += CHUNK) {
      const chunk = rollups.slice(first, first + CHUNK);
      const times = chunk.map(({ at }) => at);
      await target.transaction().execute(async (transaction) => {
        if (resolution === 'minute') await createPartitions(transaction, times);
        await writeRollups(transaction, chunk, true);
      });
    }
  }
}

/** What is copied row by row: the table, and what its rows are made of. */
const COPIED = {
  notification: `
    SELECT key, incident, route, event, state, created_at, due_at, sent_at, attempts, last_error, document
    FROM notification ORDER BY seq`,
  maintenance: 'SELECT * FROM maintenance',
  note: 'SELECT * FROM note',
  picture: 'SELECT * FROM picture',
};

async function copyRows(source: Connection, target: Database): Promise<void> {
  const into = sqlOf(target);
  for (const [table, query] of Object.entries(COPIED)) {
    for (const row of source.prepare(query).iterate()) {
      const values = Object.entries(row as SqlRow).map(([name, value]) => {
        return [name, name.endsWith('_at') && typeof value === 'number' ? time(value) : value] as const;
      });
      await insert(into, table, Object.fromEntries(values));
    }
  }
}
