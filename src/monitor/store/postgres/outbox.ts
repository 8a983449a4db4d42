/** Alerts that have to be sent, and those that were. */
import { sql } from 'kysely';
import type { AlertEvent, OutboxChanges, OutboxEntry, PendingAlert } from '../../alerts/alert.ts';
import type { Store } from '../store.ts';
import type { Database } from './connection.ts';
import { writeIncident } from './incidents.ts';
import { msOrNull, text, time } from './values.ts';

/** Errors are for people, and are cut there. */
const LONGEST_ERROR = 500;

const ENTRIES = sql`SELECT notification.*, notified_at FROM docvitals.notification
  JOIN docvitals.incident ON incident.id = notification.incident`;
/** Alerts before which no other one about their incident waits on their route. */
const FIRST_WAITING = sql`notification.state = 'waiting' AND NOT EXISTS (
  SELECT 1 FROM docvitals.notification AS earlier WHERE earlier.state = 'waiting' AND
  earlier.incident = notification.incident AND earlier.route = notification.route AND earlier.seq < notification.seq)`;

interface Row {
  readonly key: string;
  readonly route: string;
  readonly event: AlertEvent;
  readonly created_at: Date;
  readonly due_at: Date;
  readonly attempts: number;
  readonly last_error: string | null;
  readonly sent_at: Date | null;
  readonly document: Pick<OutboxEntry, 'incident' | 'alsoSites' | 'goesOn'>;
  readonly notified_at: Date | null;
}

/** The time of the first alert may have become known since the entry was written. */
function entryOf(row: Row): PendingAlert & { readonly sentAt: number | null } {
  const { key, route, event, attempts, document } = row;
  const notifiedAt = msOrNull(row.notified_at) ?? document.incident.notifiedAt;
  return {
    ...document,
    key,
    route,
    event,
    attempts,
    incident: { ...document.incident, notifiedAt },
    createdAt: row.created_at.getTime(),
    dueAt: row.due_at.getTime(),
    lastError: row.last_error,
    sentAt: msOrNull(row.sent_at),
  };
}

/**
 * Changes the outbox, inside the current transaction. What was cancelled stays until it is old, because it may be being
 * sent right now. `sentAt`: when alerts were sent that could not be written before.
 */
export async function writeOutbox(
  database: Database,
  { add, cancel }: OutboxChanges,
  sentAt: ReadonlyMap<string, number> = new Map(),
): Promise<void> {
  if (cancel.length > 0) {
    await sql`UPDATE docvitals.notification SET state = 'cancelled'
      WHERE key = ANY(${cancel}::text[]) AND state = 'waiting'`.execute(database);
  }
  for (const { key, route, event, incident, alsoSites, goesOn, createdAt, dueAt } of add) {
    // A new database may hear of the incident by a reminder.
    await writeIncident(database, incident, true);
    const document: Row['document'] = { incident, alsoSites, ...(goesOn === undefined ? {} : { goesOn }) };
    await sql`
      INSERT INTO docvitals.notification (key, incident, route, event, created_at, due_at, document)
      VALUES (${key}, ${incident.id}, ${route}, ${event}, ${time(createdAt)}, ${time(dueAt)},
        ${JSON.stringify(document)})
      ON CONFLICT (key) DO UPDATE SET state = 'waiting', due_at = excluded.due_at, document = excluded.document
        WHERE notification.state = 'cancelled'`.execute(database);
    const at = sentAt.get(key);
    if (at !== undefined) await markSent(database, key, at);
  }
}

export async function readDueAlerts(database: Database, now: number, limit: number): Promise<readonly PendingAlert[]> {
  const { rows } = await sql<Row>`
    ${ENTRIES} WHERE ${FIRST_WAITING} AND due_at <= ${time(now)} ORDER BY due_at, seq LIMIT ${limit}`.execute(database);
  return rows.map(entryOf);
}

export async function readOutboxState(
  database: Database,
  after = Number.NEGATIVE_INFINITY,
): ReturnType<Store['outboxState']> {
  const { rows } = await sql<{ pending: string; oldest: Date | null; next: Date | null }>`
    SELECT count(*) AS pending, min(created_at) AS oldest,
      (SELECT min(due_at) FROM docvitals.notification WHERE ${FIRST_WAITING} AND due_at > ${time(after)}) AS next
    FROM docvitals.notification WHERE state = 'waiting'`.execute(database);
  const [{ pending, oldest, next } = { pending: 0, oldest: null, next: null }] = rows;
  return { pending: Number(pending), oldestAt: msOrNull(oldest), nextDueAt: msOrNull(next) };
}

/** The first alert about an incident, or about another one with its root cause, sets the time of its notification. */
export async function markSent(database: Database, key: string, at: number): Promise<void> {
  const changed = await sql`
    UPDATE docvitals.notification SET state = 'sent', sent_at = ${time(at)}
    WHERE key = ${key} AND state <> 'sent'`.execute(database);
  if (changed.numAffectedRows === 0n) return;
  const { rows } = await sql<Row>`${ENTRIES} WHERE key = ${key}`.execute(database);
  for (const { event, incident, alsoSites } of rows.map(entryOf)) {
    const cause = incident.sameAs ?? incident.id;
    await sql`
      UPDATE docvitals.incident SET notified_at = ${time(at)} WHERE notified_at IS NULL AND (
        (${event === 'opened'} AND id = ${incident.id}) OR
        (site = ANY(${alsoSites}::text[]) AND (id = ${cause} OR same_as = ${cause})))`.execute(database);
  }
}

/** The alert was not received; `dueAt`: of the next attempt, `null`: none. What was cancelled or sent meanwhile stays so. */
export async function alertFailed(database: Database, key: string, error: string, dueAt: number | null): Promise<void> {
  const change = dueAt === null ? sql`state = 'given up'` : sql`due_at = ${time(dueAt)}`;
  await sql`
    UPDATE docvitals.notification
    SET attempts = attempts + 1, last_error = ${text(error.slice(0, LONGEST_ERROR))}, ${change}
    WHERE key = ${key} AND state = 'waiting'`.execute(database);
}

/** All that waits is due so many ms sooner. */
export async function bringForward(database: Database, ms: number): Promise<void> {
  await sql`
    UPDATE docvitals.notification SET due_at = due_at - ${ms}::double precision * interval '1 millisecond'
    WHERE state = 'waiting'`.execute(database);
}

/** What was sent or waits about an incident, in the order in which it was written. */
export async function readAlertsOf(database: Database, incident: string): ReturnType<Store['alertsOf']> {
  const { rows } = await sql<Row>`
    ${ENTRIES} WHERE notification.incident = ${text(incident)} AND state IN ('waiting', 'sent') ORDER BY seq`.execute(
    database,
  );
  return rows.map(entryOf);
}
