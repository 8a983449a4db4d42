/**
 * What both stores keep alike, and its queries: states, incidents, alerts, maintenance, notes and pictures. They differ in
 * how some values are written; runs and roll-ups have queries of their own.
 */
import type { Notification } from '../alerts/alert.ts';
import type { Incident } from '../incident/incident.ts';
import { restored, type SiteState } from '../incident/state.ts';
import { DAY_MS } from '../../core/time.ts';
import type { Retention } from '../settings.ts';
import { mergeEntries } from './journal.ts';
import { hasNews, MOST_CHECKS, MOST_RULES, StoreError } from './store.ts';
import type { Entry, IncidentQuery, Picture, RunRecord, StartedMaintenance, Store } from './store.ts';

export type SqlValue = string | number | null | boolean | Uint8Array | readonly string[];
export type SqlRow = Readonly<Record<string, SqlValue>>;

/**
 * A connection, or a transaction on it, and how values are written in its database. Tables are named with their schema
 * `docvitals`, parameters are written as `?`. Rejects with a `StoreError`.
 */
export interface Sql {
  all<Row>(text: string, ...values: readonly SqlValue[]): Promise<Row[]>;
  run(text: string, ...values: readonly SqlValue[]): Promise<number>;
  /** Writes runs and their roll-ups. One that is stored already (its writer was not informed) is counted once. */
  writeRuns(runs: readonly RunRecord[]): Promise<void>;
  writeStates(states: ReadonlyMap<string, SiteState>): Promise<void>;
  /** Removes results from the queue of a fleet. */
  settle(results: readonly string[]): Promise<void>;
  time(this: void, ms: number): SqlValue;
  /** A query of the values of one parameter, which is a list as JSON. */
  readonly listed: string;
  /** Columns that only this database has. */
  incidentColumns(this: void, incident: Incident): SqlRow;
}

type StoredTime = number | Date;

const msOrNull = (at: StoredTime | null): number | null => (at === null ? null : Number(at));
const timeOrNull = ({ time }: Sql, ms: number | null): SqlValue => (ms === null ? null : time(ms));

/** What is made of the documents of rows; those that a damaged file has made unreadable are left out. */
function fromDocuments<Row extends { readonly document: unknown }, Made>(
  rows: readonly Row[],
  make: (document: never, row: Row) => Made,
): Made[] {
  return rows.flatMap((row) => {
    try {
      const document: unknown = typeof row.document === 'string' ? JSON.parse(row.document) : row.document;
      return document === null ? [] : [make(document as never, row)];
    } catch {
      return [];
    }
  });
}

/** Inserts a row. One with the same `key` is updated (`null`: stays as it is). */
export async function insert(sql: Sql, table: string, row: SqlRow, key: string | null = null): Promise<void> {
  const columns = Object.keys(row);
  const updated = columns.filter((column) => key?.split(', ').includes(column) === false);
  const sets = updated.map((column) => `${column} = excluded.${column}`);
  const conflict = key === null ? 'DO NOTHING' : `(${key}) DO UPDATE SET ${sets.join(', ')}`;
  const values = columns.map(() => '?').join(', ');
  await sql.run(
    `INSERT INTO docvitals.${table} (${columns.join(', ')}) VALUES (${values}) ON CONFLICT ${conflict}`,
    ...Object.values(row),
  );
}

/** How a store reaches its database, and what it does differently. */
export interface Engine extends Pick<Store, 'file' | 'demandOwned' | 'runs' | 'buckets' | 'days' | 'prune' | 'close'> {
  read<T>(this: void, work: (sql: Sql) => Promise<T>): Promise<T>;
  /** In a transaction. `isDurable`: on the disk when it resolves; otherwise a power cut may undo it. */
  write<T>(this: void, work: (sql: Sql) => Promise<T>, isDurable?: boolean): Promise<T>;
}

export function sqlStore(engine: Engine): Store {
  const { read, write } = engine;
  return {
    ...engine,
    states: () => read(readStates),
    open: () => read(readOpen),
    async append(entries) {
      if (entries.length === 0) return;
      // After a power cut a run may be missing, but no incident that people were notified of.
      await write((sql) => writeEntries(sql, entries), entries.some(hasNews));
    },
    incidents: (query) => read((sql) => readIncidents(sql, query)),
    incident: (id) => read(async (sql) => (await incidentsWhere(sql, 'WHERE id = ?', id))[0] ?? null),
    pictures: (incident) => read((sql) => readPictures(sql, incident)),
    waiting: (limit) => read((sql) => readWaiting(sql, limit)),
    startMaintenance: ({ id, site, from, to, reason }) =>
      write((sql) =>
        insert(sql, 'maintenance', { id, site, from_at: sql.time(from), to_at: sql.time(to), reason }, 'id'),
      ),
    endMaintenance: (site, at) =>
      write((sql) => {
        const ended = 'UPDATE docvitals.maintenance SET to_at = ? WHERE site = ? AND from_at <= ? AND to_at > ?';
        const time = sql.time(at);
        return sql.run(ended, time, site, time, time);
      }),
    maintenance: (at) => read((sql) => readMaintenance(sql, at)),
    note: (name) =>
      read(async (sql) => {
        const rows = await sql.all<{ value: string }>('SELECT value FROM docvitals.note WHERE name = ?', name);
        return rows[0]?.value ?? null;
      }),
    setNote: (name, value) => write((sql) => insert(sql, 'note', { name, value }, 'name')),
  };
}

async function writeEntries(sql: Sql, entries: readonly Entry[]): Promise<void> {
  const { runs, states, incidents, notifications, pictures, settles, notes } = mergeEntries(entries);
  await sql.writeRuns(runs.map(bounded));
  await sql.writeStates(states);
  await sql.settle(settles);
  for (const incident of incidents) await writeIncident(sql, incident);
  for (const notification of notifications) await writeNotification(sql, notification);
  for (const [site, some] of Map.groupBy(pictures, (picture) => picture.site)) await writePictures(sql, site, some);
  for (const [name, value] of notes) await insert(sql, 'note', { name, value }, 'name');
}

/** As much of a run as is kept. */
const bounded = (run: RunRecord): RunRecord => ({
  ...run,
  checks: run.checks.slice(0, MOST_CHECKS).map((check) => ({ ...check, rules: check.rules.slice(0, MOST_RULES) })),
});

/* States and incidents. */

export async function readStates(sql: Sql): Promise<ReadonlyMap<string, SiteState>> {
  const rows = await sql.all<{ site: string; document: unknown }>(
    'SELECT site, document FROM docvitals.site_state ORDER BY site',
  );
  return new Map(fromDocuments(rows, (state: SiteState, { site }) => [site, restored(state)]));
}

/** Writes an incident that is new or changed. `isNew`: one that is stored already stays as it is. */
export async function writeIncident(sql: Sql, incident: Incident, isNew = false): Promise<void> {
  const row = {
    id: incident.id,
    site: incident.site,
    detected_at: sql.time(incident.detectedAt),
    recovered_at: timeOrNull(sql, incident.recoveredAt),
    notified_at: timeOrNull(sql, incident.notifiedAt),
    same_as: incident.sameAs,
    document: JSON.stringify(incident),
    ...sql.incidentColumns(incident),
  };
  await insert(sql, 'incident', row, isNew ? null : 'id');
}

/** Newest first; those of one moment in a fixed order, for the pages of a listing. */
export function readIncidents(sql: Sql, query: IncidentQuery): Promise<readonly Incident[]> {
  const { site, open, openOf, since, before, limit } = query;
  const { listed, time } = sql;
  const conditions: (readonly [condition: string, ...values: SqlValue[]])[] = [];
  if (site !== undefined) conditions.push(['site = ?', site]);
  if (open !== undefined) conditions.push([`recovered_at IS ${open ? '' : 'NOT '}NULL`]);
  if (openOf !== undefined)
    conditions.push([`(recovered_at IS NOT NULL OR site IN (${listed}))`, JSON.stringify(openOf)]);
  if (since !== undefined) conditions.push(['detected_at >= ?', time(since)]);
  if (before !== undefined) conditions.push(['detected_at < ?', time(before)]);
  const where = conditions.length === 0 ? '' : `WHERE ${conditions.map(([condition]) => condition).join(' AND ')}`;
  const values = conditions.flatMap(([, ...given]) => given);
  const limited = limit === undefined ? '' : `LIMIT ${limit}`;
  return incidentsWhere(sql, `${where} ORDER BY detected_at DESC, id DESC ${limited}`, ...values);
}

async function incidentsWhere(sql: Sql, rest: string, ...values: readonly SqlValue[]): Promise<readonly Incident[]> {
  const rows = await sql.all<{ document: unknown }>(`SELECT document FROM docvitals.incident ${rest}`, ...values);
  return fromDocuments(rows, (one: Incident) => one);
}

/* Notifications. */

/** What has no column of its own. */
type NotificationDocument = Omit<Notification, keyof typeof COLUMNS | 'createdAt' | 'dueAt' | 'sentAt'>;

/** Columns with the names of their fields. */
const COLUMNS = {
  key: 'key',
  route: 'route',
  event: 'event',
  state: 'state',
  attempts: 'attempts',
  lastError: 'last_error',
} as const;

interface NotificationRow extends Pick<Notification, keyof typeof COLUMNS> {
  readonly createdAt: StoredTime;
  readonly dueAt: StoredTime;
  readonly sentAt: StoredTime | null;
  readonly document: unknown;
}

async function notificationsWhere(
  sql: Sql,
  rest: string,
  ...values: readonly SqlValue[]
): Promise<readonly Notification[]> {
  const rows = await sql.all<NotificationRow>(
    `SELECT key, route, event, state, attempts, last_error AS "lastError", created_at AS "createdAt", due_at AS "dueAt",
       sent_at AS "sentAt", document
     FROM docvitals.notification AS one ${rest}`,
    ...values,
  );
  return fromDocuments(rows, (more: NotificationDocument, { document: _document, ...row }) => ({
    ...more,
    ...row,
    createdAt: Number(row.createdAt),
    dueAt: Number(row.dueAt),
    sentAt: msOrNull(row.sentAt),
  }));
}

/** Errors are for people, and are cut there. */
const LONGEST_ERROR = 500;

async function writeNotification(sql: Sql, notification: Notification): Promise<void> {
  const { key, route, event, state, createdAt, dueAt, sentAt, attempts, lastError, ...document } = notification;
  const row = {
    key,
    incident: document.incident.id,
    route,
    event,
    state,
    created_at: sql.time(createdAt),
    due_at: sql.time(dueAt),
    sent_at: timeOrNull(sql, sentAt),
    attempts,
    last_error: lastError?.slice(0, LONGEST_ERROR) ?? null,
    document: JSON.stringify(document),
  };
  await insert(sql, 'notification', row, 'key');
}

async function readOpen(sql: Sql): ReturnType<Store['open']> {
  const incidents = await readIncidents(sql, { open: true });
  const open = `WHERE seq IN (
      SELECT seq FROM docvitals.notification WHERE state = 'waiting'
      UNION SELECT seq FROM docvitals.incident JOIN docvitals.notification AS about ON about.incident = incident.id
        WHERE recovered_at IS NULL AND state IN ('sent', 'given up')
    ) ORDER BY seq`;
  const notifications = await notificationsWhere(sql, open);
  return { incidents, notifications };
}

/** Before which no other one about its incident waits on its route. */
const FIRST_WAITING = `one.state = 'waiting' AND NOT EXISTS (SELECT 1 FROM docvitals.notification AS earlier
  WHERE earlier.state = 'waiting' AND earlier.incident = one.incident AND earlier.route = one.route
  AND earlier.seq < one.seq)`;

async function readWaiting(sql: Sql, limit: number): ReturnType<Store['waiting']> {
  const [row] = await sql.all<{ pending: number | string; oldest: StoredTime | null }>(
    "SELECT count(*) AS pending, min(created_at) AS oldest FROM docvitals.notification WHERE state = 'waiting'",
  );
  const first = `WHERE ${FIRST_WAITING} ORDER BY due_at, seq LIMIT ?`;
  const notifications = limit === 0 ? [] : await notificationsWhere(sql, first, limit);
  return { notifications, pending: Number(row?.pending ?? 0), oldestAt: msOrNull(row?.oldest ?? null) };
}

/* Maintenance. */

async function readMaintenance(sql: Sql, at: number): Promise<readonly StartedMaintenance[]> {
  const rows = await sql.all<Omit<StartedMaintenance, 'from' | 'to'> & { from: StoredTime; to: StoredTime }>(
    `SELECT id, site, from_at AS "from", to_at AS "to", reason FROM docvitals.maintenance WHERE to_at > ?
     ORDER BY from_at, id`,
    sql.time(at),
  );
  return rows.map((row) => ({ ...row, from: Number(row.from), to: Number(row.to) }));
}

/* Pictures of pages: the last good one of each page, with an empty `incident`, and the first bad one of each incident. */

const MOST_OF_A_KIND = 10;

async function writePictures(sql: Sql, site: string, pictures: readonly Picture[]): Promise<void> {
  for (const { incident, route, at, bytes } of pictures) {
    const first = 'SELECT 1 FROM docvitals.picture WHERE site = ? AND incident = ? LIMIT 1';
    if (incident !== null && (await sql.all(first, site, incident)).length > 0) continue;
    const row = { site, incident: incident ?? '', route, taken_at: sql.time(at), jpeg: bytes };
    await insert(sql, 'picture', row, 'site, incident, route');
  }
  for (const kind of ["incident = ''", "incident <> ''"]) {
    await sql.run(
      `DELETE FROM docvitals.picture WHERE (site, incident, route) IN (SELECT site, incident, route FROM docvitals.picture
       WHERE site = ? AND ${kind} ORDER BY taken_at DESC LIMIT 1000000 OFFSET ${MOST_OF_A_KIND})`,
      site,
    );
  }
}

async function readPictures(sql: Sql, { id, site }: Parameters<Store['pictures']>[0]): Promise<readonly Picture[]> {
  const rows = await sql.all<{ incident: string; route: string; at: StoredTime; jpeg: Uint8Array }>(
    `SELECT picture.incident, picture.route, picture.taken_at AS at, picture.jpeg FROM docvitals.picture AS bad
     JOIN docvitals.picture ON picture.site = bad.site AND picture.route = bad.route
       AND picture.incident IN ('', bad.incident)
     WHERE bad.site = ? AND bad.incident = ? ORDER BY picture.incident`,
    site,
    id,
  );
  return rows.map(({ incident, route, at, jpeg }) => {
    return { site, route, incident: incident || null, at: Number(at), bytes: new Uint8Array(jpeg) };
  });
}

/** Notifications that do not wait are kept as long as hours are, but not longer than this. */
const MOST_NOTIFIED_MS = 90 * DAY_MS;

export function outdated(
  time: Sql['time'],
  now: number,
  { hourMs, dayMs }: Retention,
): readonly (readonly [table: string, condition: string, ...values: SqlValue[]])[] {
  const old = time(now - dayMs);
  return [
    [
      'docvitals.notification',
      // As long as an incident is open, its notifications show which routes know of it.
      `state <> 'waiting' AND created_at < ?
       AND NOT EXISTS (SELECT 1 FROM docvitals.incident AS about WHERE about.id = incident AND recovered_at IS NULL)`,
      time(now - Math.min(hourMs, MOST_NOTIFIED_MS)),
    ],
    [
      'docvitals.incident',
      `recovered_at < ? AND NOT EXISTS
       (SELECT 1 FROM docvitals.notification AS one WHERE one.incident = id AND one.state = 'waiting')`,
      old,
    ],
    [
      'docvitals.picture',
      `taken_at < ? OR (incident <> '' AND NOT EXISTS
       (SELECT 1 FROM docvitals.incident AS about WHERE about.id = picture.incident))`,
      old,
    ],
    ['docvitals.maintenance', 'to_at < ?', old],
  ];
}

export const closedError = (file: string): StoreError => new StoreError('closed', file, 'the database was closed');
