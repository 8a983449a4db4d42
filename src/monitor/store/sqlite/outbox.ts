/** Alerts that have to be sent, and those that were. */
import type { AlertEvent, OutboxChanges, OutboxEntry, PendingAlert } from '../../alerts/alert.ts';
import type { Store } from '../store.ts';
import { parsed, type Connection } from './connection.ts';
import { writeIncident } from './incidents.ts';
import { OUTBOX_STATE } from './schema.ts';

const { waiting, sent, givenUp, cancelled } = OUTBOX_STATE;

/** Errors are for people, and are cut there. */
const LONGEST_ERROR = 500;

const COLUMNS = 'key, route, event, created_at, due_at, attempts, last_error, sent_at, outbox.json, notified_at';
const ENTRIES = `SELECT ${COLUMNS} FROM outbox JOIN incident ON incident.id = outbox.incident`;
/** Alerts before which no other one about their incident waits on their route. The literal 0 lets SQLite use partial indexes. */
const FIRST_WAITING = `outbox.state = 0 AND NOT EXISTS (SELECT 1 FROM outbox AS earlier WHERE earlier.state = 0 AND
  earlier.incident = outbox.incident AND earlier.route = outbox.route AND earlier.seq < outbox.seq)`;

/** An alert as it is stored. */
export interface OutboxRow {
  readonly key: string;
  readonly route: string;
  readonly event: string;
  readonly created_at: number;
  readonly due_at: number;
  readonly attempts: number;
  readonly last_error: string | null;
  readonly sent_at: number | null;
  readonly json: string;
  readonly notified_at: number | null;
}

/** What of an entry is kept as JSON. */
type Snapshot = Pick<OutboxEntry, 'incident' | 'alsoSites' | 'goesOn'>;

/** The time of the first alert may have become known since the entry was written. */
function entryOf(row: OutboxRow): (PendingAlert & { readonly sentAt: number | null })[] {
  const snapshot = parsed(row.json) as Snapshot | null;
  if (snapshot === null) return [];
  const { key, route, created_at: createdAt, due_at: dueAt, attempts, last_error: lastError, sent_at: sentAt } = row;
  const incident = { ...snapshot.incident, notifiedAt: row.notified_at ?? snapshot.incident.notifiedAt };
  const event = row.event as AlertEvent;
  return [{ ...snapshot, key, route, event, incident, createdAt, dueAt, attempts, lastError, sentAt }];
}

/**
 * Changes the outbox, inside the current transaction. What was cancelled stays until it is old, because it may be being
 * sent right now. `sentAt`: when alerts were sent that could not be written before.
 */
export function writeOutbox(
  database: Connection,
  { add, cancel }: OutboxChanges,
  sentAt: ReadonlyMap<string, number> = new Map(),
): void {
  for (const key of cancel) {
    database.run('UPDATE outbox SET state = ? WHERE key = ? AND state = 0', cancelled, key);
  }
  for (const { key, route, event, incident, alsoSites, goesOn, createdAt, dueAt } of add) {
    // A new database, after a damaged one was set aside, may hear of the incident by a reminder.
    if (database.all('SELECT 1 FROM incident WHERE id = ?', incident.id).length === 0) {
      writeIncident(database, incident);
    }
    const snapshot: Snapshot = { incident, alsoSites, ...(goesOn === undefined ? {} : { goesOn }) };
    database.run(
      `INSERT INTO outbox (key, incident, route, event, created_at, due_at, json) VALUES (?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (key) DO UPDATE SET state = excluded.state, due_at = excluded.due_at, json = excluded.json
         WHERE outbox.state = ${cancelled}`,
      key,
      incident.id,
      route,
      event,
      createdAt,
      dueAt,
      JSON.stringify(snapshot),
    );
    const at = sentAt.get(key);
    if (at !== undefined) markSent(database, key, at);
  }
}

export function readDueAlerts(database: Connection, now: number, limit: number): readonly PendingAlert[] {
  const rows = database.all<OutboxRow>(
    `${ENTRIES} WHERE ${FIRST_WAITING} AND outbox.due_at <= ? ORDER BY outbox.due_at, outbox.seq LIMIT ?`,
    now,
    limit,
  );
  return rows.flatMap(entryOf);
}

export function readOutboxState(database: Connection, after = -1): Awaited<ReturnType<Store['outboxState']>> {
  const [all] = database.all<{ pending: number; oldestAt: number | null }>(
    'SELECT count(*) AS pending, min(created_at) AS oldestAt FROM outbox WHERE state = 0',
  );
  const [next] = database.all<{ due_at: number }>(
    `SELECT due_at FROM outbox WHERE ${FIRST_WAITING} AND due_at > ? ORDER BY due_at LIMIT 1`,
    after,
  );
  return { pending: 0, oldestAt: null, ...all, nextDueAt: next?.due_at ?? null };
}

/** The alert was received, even if it was cancelled meanwhile. */
export function alertSent(database: Connection, key: string, at: number): void {
  database.transaction(() => markSent(database, key, at), false);
}

/** The first alert about an incident, or about another one with its root cause, sets the time of its notification. */
function markSent(database: Connection, key: string, at: number): void {
  const changes = database.run(
    'UPDATE outbox SET state = ?, sent_at = ? WHERE key = ? AND state <> ?',
    sent,
    at,
    key,
    sent,
  );
  if (changes === 0) return;
  for (const { event, incident, alsoSites } of database
    .all<OutboxRow>(`${ENTRIES} WHERE key = ?`, key)
    .flatMap(entryOf)) {
    const cause = incident.sameAs ?? incident.id;
    if (event === 'opened') {
      database.run('UPDATE incident SET notified_at = ? WHERE id = ? AND notified_at IS NULL', at, incident.id);
    }
    for (const site of alsoSites) {
      database.run(
        'UPDATE incident SET notified_at = ? WHERE notified_at IS NULL AND site = ? AND (id = ? OR same_as = ?)',
        at,
        database.sites.known(site) ?? -1,
        cause,
        cause,
      );
    }
  }
}

/** The alert was not received; `dueAt`: of the next attempt, `null`: none. What was cancelled or sent meanwhile stays so. */
export function alertFailed(database: Connection, key: string, error: string, dueAt: number | null): void {
  database.transaction(
    () =>
      database.run(
        `UPDATE outbox SET attempts = attempts + 1, last_error = ?, state = ?, due_at = coalesce(?, due_at)
         WHERE key = ? AND state = 0`,
        error.slice(0, LONGEST_ERROR),
        dueAt === null ? givenUp : waiting,
        dueAt,
        key,
      ),
    false,
  );
}

/** All that waits is due so many ms sooner. */
export function bringForward(database: Connection, ms: number): void {
  database.transaction(() => database.run('UPDATE outbox SET due_at = due_at - ? WHERE state = 0', ms), false);
}

/** What was sent or waits about an incident, in the order in which it was written. */
export function readAlertsOf(database: Connection, incident: string): Awaited<ReturnType<Store['alertsOf']>> {
  const rows = database.all<OutboxRow>(
    `${ENTRIES} WHERE outbox.incident = ? AND outbox.state IN (${waiting}, ${sent}) ORDER BY outbox.seq`,
    incident,
  );
  return rows.flatMap(entryOf);
}
