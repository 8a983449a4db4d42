/** Copies an SQLite file into PostgreSQL. What is there already stays, so that it can be run again. */
import { sql } from 'kysely';
import { openStore } from '../open.ts';
import { openDatabase, type Connection } from '../sqlite/connection.ts';
import { readIncidents, readStates } from '../sqlite/incidents.ts';
import type { OutboxRow } from '../sqlite/outbox.ts';
import { readRuns, tallyOf, type BucketRow } from '../sqlite/runs.ts';
import { OUTBOX_STATE } from '../sqlite/schema.ts';
import { MINUTES } from '../sqlite/tally.ts';
import type { Resolution, StartedMaintenance } from '../store.ts';
import { connections, storeErrorOf, type Database } from './connection.ts';
import { writeIncident, writeStates } from './incidents.ts';
import { createPartitions } from './partitions.ts';
import { insertRuns, writeRollups } from './runs.ts';
import { text, time, timeOrNull } from './values.ts';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

/** Roll-ups in one statement. */
const CHUNK = 2_000;

/** Sites and incidents of the file, and runs that were not in the database before. */
export interface Imported {
  readonly sites: number;
  readonly runs: number;
  readonly incidents: number;
}

/** Writes as the only monitor of the database. Rejects with a `StoreError` of one of the two. */
export async function importFile(file: string, address: string): Promise<Imported> {
  // Refuses what is not a database of this version.
  const store = await openStore(file, { mode: 'shared' });
  await store.close();
  const source = openDatabase(store.file, { access: 'read', busyMs: 5_000 });
  try {
    const target = connections(address, true, Date.now);
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

async function copy(source: Connection, target: Database): Promise<Imported> {
  const incidents = readIncidents(source, {});
  const states = readStates(source);
  await target.transaction().execute(async (transaction) => {
    await writeStates(transaction, states, true);
    for (const incident of incidents) await writeIncident(transaction, incident, true);
    await copyAlerts(source, transaction);
    await copyRest(source, transaction);
  });
  const days = new Set<number>();
  let runs = 0;
  const sites = source.all<Site>('SELECT id, name FROM site ORDER BY id');
  for (const site of sites) {
    await copyPictures(source, target, site);
    runs += await copyRuns(source, target, site, days);
    for (const resolution of ['minute', 'hour', 'day'] as const)
      await copyRollups(source, target, site, resolution, days);
  }
  return { sites: sites.length, runs, incidents: incidents.length };
}

interface Site {
  readonly id: number;
  readonly name: string;
}

async function copyRuns(source: Connection, target: Database, { id, name }: Site, days: Set<number>): Promise<number> {
  const [range] = source.all<{ first: number | null; last: number | null }>(
    'SELECT min(at) AS first, max(at) AS last FROM round WHERE site = ?',
    id,
  );
  const { first, last } = { first: range?.first ?? 0, last: range?.last ?? -1 };
  let added = 0;
  for (let from = Math.floor(first / DAY_MS) * DAY_MS; from <= last; from += DAY_MS) {
    const runs = readRuns(source, { site: name, from, to: from + DAY_MS });
    if (runs.length === 0) continue;
    await createPartitions(target, days, [from]);
    added += (await target.transaction().execute((transaction) => insertRuns(transaction, runs))).length;
  }
  return added;
}

async function copyRollups(
  source: Connection,
  target: Database,
  { id, name }: Site,
  resolution: Resolution,
  days: Set<number>,
): Promise<void> {
  const rows = source.all<BucketRow>('SELECT * FROM bucket WHERE site = ? AND size = ?', id, MINUTES[resolution]);
  if (resolution === 'minute')
    await createPartitions(
      target,
      days,
      rows.map(({ at }) => at * MINUTE_MS),
    );
  const rollups = rows.map((row) => ({ site: name, resolution, at: row.at, tally: tallyOf(row) }));
  for (let first = 0; first < rollups.length; first += CHUNK)
    await writeRollups(target, rollups.slice(first, first + CHUNK), true);
}

interface AlertRow extends Omit<OutboxRow, 'notified_at'> {
  readonly incident: string;
  readonly state: number;
}

const STATES: Readonly<Record<number, string>> = {
  [OUTBOX_STATE.waiting]: 'waiting',
  [OUTBOX_STATE.sent]: 'sent',
  [OUTBOX_STATE.givenUp]: 'given up',
  [OUTBOX_STATE.cancelled]: 'cancelled',
};

async function copyAlerts(source: Connection, target: Database): Promise<void> {
  for (const row of source.all<AlertRow>('SELECT * FROM outbox ORDER BY seq')) {
    const { key, incident, route, event, attempts, last_error: error } = row;
    await sql`
      INSERT INTO docvitals.notification (key, incident, route, event, state, created_at, due_at, sent_at, attempts,
        last_error, document)
      VALUES (${key}, ${incident}, ${route}, ${event}, ${STATES[row.state]}, ${time(row.created_at)},
        ${time(row.due_at)}, ${timeOrNull(row.sent_at)}, ${attempts}, ${error === null ? null : text(error)}, ${row.json})
      ON CONFLICT (key) DO NOTHING`.execute(target);
  }
}

/** Maintenance, and what the monitor noted. */
async function copyRest(source: Connection, target: Database): Promise<void> {
  const windows = source.all<StartedMaintenance>(
    'SELECT id, site, from_at AS "from", to_at AS "to", reason FROM maintenance',
  );
  for (const { id, site, from, to, reason } of windows)
    await sql`
      INSERT INTO docvitals.maintenance VALUES
        (${id}, ${site}, ${time(from)}, ${time(to)}, ${reason === null ? null : text(reason)})
      ON CONFLICT DO NOTHING`.execute(target);
  const notes = source.all<{ key: string; value: string }>("SELECT key, value FROM meta WHERE key <> 'owner'");
  for (const { key, value } of notes)
    await sql`INSERT INTO docvitals.note VALUES (${key}, ${text(value)}) ON CONFLICT DO NOTHING`.execute(target);
}

async function copyPictures(source: Connection, target: Database, { id, name }: Site): Promise<void> {
  const rows = source.all<{ incident: string; route: string; at: number; jpeg: Uint8Array }>(
    'SELECT incident, route, at, jpeg FROM picture WHERE site = ?',
    id,
  );
  for (const { incident, route, at, jpeg } of rows) {
    await sql`
      INSERT INTO docvitals.picture VALUES (${name}, ${incident}, ${text(route)}, ${time(at)}, ${Buffer.from(jpeg)})
      ON CONFLICT DO NOTHING`.execute(target);
  }
}
