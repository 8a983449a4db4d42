/**
 * What both stores keep alike, and its queries: states, incidents, alerts, maintenance, notes and pictures. They differ in
 * how some values are written; runs and roll-ups have queries of their own.
 */
import type { OutboxChanges, OutboxEntry, PendingAlert } from '../alerts/alert.ts';
import type { Incident } from '../incident/incident.ts';
import { restored, withIncidents, type SiteState } from '../incident/state.ts';
import { DAY_MS } from '../../core/time.ts';
import type { Retention } from '../settings.ts';
import { hasNews, MOST_CHECKS, MOST_RULES, StoreError } from './store.ts';
import type { IncidentQuery, Picture, RunCommit, RunRecord, StartedMaintenance, Store } from './store.ts';

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
  /** The column `due_at`, earlier by a parameter in ms. */
  readonly sooner: string;
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

/**
 * Inserts a row. One with the same `key` is updated (`null`: stays as it is); `changes`: what its columns become, where
 * that is not the new value.
 */
export async function insert(
  sql: Sql,
  table: string,
  row: SqlRow,
  key: string | null = null,
  changes: Readonly<Record<string, string>> = {},
): Promise<void> {
  const columns = Object.keys(row);
  const updated = columns.filter((column) => key?.split(', ').includes(column) === false);
  const sets = updated.map((column) => `${column} = ${changes[column] ?? `excluded.${column}`}`);
  const conflict = key === null ? 'DO NOTHING' : `(${key}) DO UPDATE SET ${sets.join(', ')}`;
  const values = columns.map(() => '?').join(', ');
  await sql.run(
    `INSERT INTO docvitals.${table} AS old (${columns.join(', ')}) VALUES (${values}) ON CONFLICT ${conflict}`,
    ...Object.values(row),
  );
}

/** How a store reaches its database, and what it does differently. */
export interface Engine extends Pick<Store, 'file' | 'runs' | 'buckets' | 'days' | 'prune' | 'close'> {
  /** `isOwner`: by the connection that has the lock, so that a monitor that has lost it sends nothing twice. */
  read<T>(this: void, work: (sql: Sql) => Promise<T>, isOwner?: boolean): Promise<T>;
  /** In a transaction. `isDurable`: on the disk when it resolves; otherwise a power cut may undo it. */
  write<T>(this: void, work: (sql: Sql) => Promise<T>, isDurable?: boolean): Promise<T>;
}

export function sqlStore(engine: Engine): Store {
  const { read, write } = engine;
  return {
    ...engine,
    states: () => read(readStates),
    async commit(commits) {
      if (commits.length === 0) return;
      // After a power cut a run may be missing, but no incident that people were notified of.
      await write((sql) => commitRuns(sql, commits), commits.some(hasNews));
    },
    incidents: (query) => read((sql) => readIncidents(sql, query)),
    incident: (id) => read(async (sql) => (await incidentsWhere(sql, 'WHERE id = ?', id))[0] ?? null),
    pictures: (incident) => read((sql) => readPictures(sql, incident)),
    async changeOutbox(changes) {
      if (changes.add.length + changes.cancel.length > 0) await write((sql) => writeOutbox(sql, changes));
    },
    dueAlerts: (now, limit) =>
      read((sql) => {
        const due = `WHERE ${FIRST_WAITING} AND alert.due_at <= ? ORDER BY alert.due_at, alert.seq LIMIT ?`;
        return alertsWhere(sql, due, sql.time(now), limit);
      }, true),
    outboxState: (after) => read((sql) => readOutboxState(sql, after)),
    alertSent: ({ key }, at) => write((sql) => markSent(sql, key, at)),
    alertFailed: ({ key }, failure) => write((sql) => markFailed(sql, key, failure)),
    bringForward: (ms) =>
      write(async (sql) => {
        await sql.run(`UPDATE docvitals.notification SET due_at = ${sql.sooner} WHERE state = 'waiting'`, ms);
      }),
    alertsOf: (incident) =>
      read((sql) => {
        const kept = "WHERE alert.incident = ? AND alert.state IN ('waiting', 'sent') ORDER BY alert.seq";
        return alertsWhere(sql, kept, incident);
      }),
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

async function commitRuns(sql: Sql, commits: readonly RunCommit[]): Promise<void> {
  await sql.writeRuns(commits.flatMap(({ run, locationRuns = [] }) => [run, ...locationRuns].map(bounded)));
  await sql.writeStates(new Map(commits.map(({ run, state }) => [run.site, state])));
  await sql.settle(commits.flatMap(({ settles = [] }) => settles));
  for (const { run, incidents, outbox, sent, pictures = [] } of commits) {
    for (const incident of incidents) await writeIncident(sql, incident);
    await writeOutbox(sql, outbox, sent);
    await writePictures(sql, run.site, pictures);
  }
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
  const open = await readIncidents(sql, { open: true });
  const notifiedAt = new Map(open.map((one) => [one.id, one.notifiedAt]));
  return new Map(
    fromDocuments(rows, (state: SiteState, { site }) => [
      site,
      withIncidents(restored(state), (incident) => ({
        ...incident,
        notifiedAt: notifiedAt.get(incident.id) ?? incident.notifiedAt,
      })),
    ]),
  );
}

/**
 * Writes an incident that is new or changed. The time of its first alert is known here best. `isNew`: one that is stored
 * already stays as it is.
 */
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
  const changes = { notified_at: 'coalesce(old.notified_at, excluded.notified_at)' };
  await insert(sql, 'incident', row, isNew ? null : 'id', changes);
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
  const rows = await sql.all<{ document: unknown; notified_at: StoredTime | null }>(
    `SELECT document, notified_at FROM docvitals.incident ${rest}`,
    ...values,
  );
  return fromDocuments(rows, (one: Incident, row) => ({ ...one, notifiedAt: msOrNull(row.notified_at) }));
}

/* Alerts that have to be sent, and those that were. */

type AlertDocument = Pick<OutboxEntry, 'incident' | 'alsoSites' | 'goesOn'>;

interface AlertRow extends Pick<PendingAlert, 'key' | 'route' | 'event' | 'attempts' | 'lastError'> {
  readonly createdAt: StoredTime;
  readonly dueAt: StoredTime;
  readonly sentAt: StoredTime | null;
  readonly notifiedAt: StoredTime | null;
  readonly document: unknown;
}

async function alertsWhere(sql: Sql, rest: string, ...values: readonly SqlValue[]) {
  const rows = await sql.all<AlertRow>(
    `SELECT key, route, event, attempts, last_error AS "lastError", created_at AS "createdAt", due_at AS "dueAt",
       sent_at AS "sentAt", notified_at AS "notifiedAt", alert.document
     FROM docvitals.notification AS alert JOIN docvitals.incident ON incident.id = alert.incident ${rest}`,
    ...values,
  );
  return fromDocuments(rows, ({ incident, ...known }: AlertDocument, { document: _document, notifiedAt, ...row }) => ({
    ...known,
    ...row,
    // It may have become known since the alert was written.
    incident: { ...incident, notifiedAt: msOrNull(notifiedAt) ?? incident.notifiedAt },
    createdAt: Number(row.createdAt),
    dueAt: Number(row.dueAt),
    sentAt: msOrNull(row.sentAt),
  }));
}

/** Alerts before which no other one about their incident waits on their route. */
const FIRST_WAITING = `alert.state = 'waiting' AND NOT EXISTS (SELECT 1 FROM docvitals.notification AS earlier
  WHERE earlier.state = 'waiting' AND earlier.incident = alert.incident AND earlier.route = alert.route
  AND earlier.seq < alert.seq)`;

/**
 * Changes the outbox. What was cancelled stays until it is old, because it may be being sent right now. `sentAt`: when
 * alerts were sent that could not be written before.
 */
async function writeOutbox(
  sql: Sql,
  { add, cancel }: OutboxChanges,
  sentAt: ReadonlyMap<string, number> = new Map(),
): Promise<void> {
  for (const key of cancel) {
    await sql.run("UPDATE docvitals.notification SET state = 'cancelled' WHERE key = ? AND state = 'waiting'", key);
  }
  for (const { key, route, event, incident, alsoSites, goesOn, createdAt, dueAt } of add) {
    // A new database, after a damaged one was set aside, may hear of the incident by a reminder.
    await writeIncident(sql, incident, true);
    const known: AlertDocument = { incident, alsoSites, ...(goesOn === undefined ? {} : { goesOn }) };
    await sql.run(
      `INSERT INTO docvitals.notification AS old (key, incident, route, event, created_at, due_at, document)
       VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (key) DO UPDATE SET state = excluded.state, due_at = excluded.due_at,
         document = excluded.document WHERE old.state = 'cancelled'`,
      key,
      incident.id,
      route,
      event,
      sql.time(createdAt),
      sql.time(dueAt),
      JSON.stringify(known),
    );
    const at = sentAt.get(key);
    if (at !== undefined) await markSent(sql, key, at);
  }
}

async function readOutboxState(sql: Sql, after = -1): ReturnType<Store['outboxState']> {
  const [row] = await sql.all<{ pending: number | string; oldest: StoredTime | null; next: StoredTime | null }>(
    `SELECT count(*) AS pending, min(created_at) AS oldest,
       (SELECT min(due_at) FROM docvitals.notification AS alert WHERE ${FIRST_WAITING} AND due_at > ?) AS next
     FROM docvitals.notification WHERE state = 'waiting'`,
    sql.time(after),
  );
  const { pending, oldest, next } = row ?? { pending: 0, oldest: null, next: null };
  return { pending: Number(pending), oldestAt: msOrNull(oldest), nextDueAt: msOrNull(next) };
}

/**
 * The alert was received, even if it was cancelled meanwhile. The first one about an incident, or about another one with
 * its root cause, sets the time of its notification.
 */
async function markSent(sql: Sql, key: string, at: number): Promise<void> {
  const sent = "UPDATE docvitals.notification SET state = 'sent', sent_at = ? WHERE key = ? AND state <> 'sent'";
  if ((await sql.run(sent, sql.time(at), key)) === 0) return;
  const notified = `UPDATE docvitals.incident SET notified_at = ? WHERE notified_at IS NULL AND`;
  for (const { event, incident, alsoSites } of await alertsWhere(sql, 'WHERE key = ?', key)) {
    const cause = incident.sameAs ?? incident.id;
    if (event === 'opened') await sql.run(`${notified} id = ?`, sql.time(at), incident.id);
    for (const site of alsoSites) {
      await sql.run(`${notified} site = ? AND (id = ? OR same_as = ?)`, sql.time(at), site, cause, cause);
    }
  }
}

/** Errors are for people, and are cut there. */
const LONGEST_ERROR = 500;

/** What was cancelled or sent meanwhile stays so. */
async function markFailed(sql: Sql, key: string, { error, dueAt }: Parameters<Store['alertFailed']>[1]): Promise<void> {
  await sql.run(
    `UPDATE docvitals.notification SET attempts = attempts + 1, last_error = ?, state = ?, due_at = coalesce(?, due_at)
     WHERE key = ? AND state = 'waiting'`,
    error.slice(0, LONGEST_ERROR),
    dueAt === null ? 'given up' : 'waiting',
    timeOrNull(sql, dueAt),
    key,
  );
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
  if (pictures.length === 0) return;
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

/** Alerts that were sent or given up are kept as long as hours are, but not longer than this. */
const MOST_OUTBOX_MS = 90 * DAY_MS;

export function outdated(
  time: Sql['time'],
  now: number,
  { hourMs, dayMs }: Retention,
): readonly (readonly [table: string, condition: string, ...values: SqlValue[]])[] {
  const old = time(now - dayMs);
  return [
    [
      'docvitals.notification',
      // As long as an incident is open, its alerts show which routes were notified.
      `state <> 'waiting' AND created_at < ?
       AND EXISTS (SELECT 1 FROM docvitals.incident AS about WHERE about.id = incident AND recovered_at IS NOT NULL)`,
      time(now - Math.min(hourMs, MOST_OUTBOX_MS)),
    ],
    [
      'docvitals.incident',
      `recovered_at < ? AND NOT EXISTS
       (SELECT 1 FROM docvitals.notification AS alert WHERE alert.incident = id AND alert.state = 'waiting')`,
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
