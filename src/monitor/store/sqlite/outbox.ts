/** Alerts on their way. */
import { sql } from 'kysely';
import type { AlertEvent, OutboxChanges, OutboxEntry, PendingAlert } from '../../alerts/alert.ts';
import type { Store } from '../store.ts';
import { parsed, type Database } from './database.ts';
import { incidentWriter } from './incidents.ts';
import { OUTBOX_STATE, type Schema } from './schema.ts';

const { waiting, sent, givenUp, cancelled } = OUTBOX_STATE;

/** In the text of a query: only so is it known to be about what waits, which has indexes of its own. */
const WAITING = sql.lit(waiting);

/** Errors are for people, and are cut there. */
const LONGEST_ERROR = 500;

/** Changes the outbox; inside the transaction that goes on. */
export type WriteOutbox = (changes: OutboxChanges) => void;

/** What was cancelled stays until it is old, for somebody may be sending it right now. */
export function outboxWriter(database: Database): WriteOutbox {
  const { queries } = database;
  const insert = database.statement(
    queries
      .insertInto('outbox')
      .values({
        key: '',
        incident: '',
        route: '',
        event: '',
        created_at: 0,
        due_at: 0,
        attempts: 0,
        state: waiting,
        json: '',
      })
      .onConflict((conflict) =>
        conflict
          .column('key')
          .doUpdateSet((row) => ({
            state: row.ref('excluded.state'),
            due_at: row.ref('excluded.due_at'),
            json: row.ref('excluded.json'),
          }))
          .where('outbox.state', '=', cancelled),
      ),
  );
  const known = database.statement(queries.selectFrom('incident').select('id').where('id', '=', ''));
  const cancel = database.statement(
    queries.updateTable('outbox').set({ state: cancelled }).where('key', '=', '').where('state', '=', waiting),
  );
  const writeIncident = incidentWriter(database);
  return ({ add, cancel: keys }) => {
    for (const key of keys) cancel.run([cancelled, key, waiting]);
    for (const { key, route, event, incident, alsoSites, goesOn, createdAt, dueAt } of add) {
      // In a new database, after a damaged one was set aside, a reminder may be the first that is heard of it.
      if (known.all([incident.id]).length === 0) writeIncident(incident);
      const json = JSON.stringify({
        incident,
        alsoSites,
        ...(goesOn === undefined ? {} : { goesOn }),
      } satisfies Snapshot);
      insert.run([key, incident.id, route, event, createdAt, dueAt, 0, waiting, json, cancelled]);
    }
  };
}

/** What of an entry is kept as JSON. */
type Snapshot = Pick<OutboxEntry, 'incident' | 'alsoSites' | 'goesOn'>;

/** An entry of a row. When somebody was told of the incident may have become known since the entry was written. */
function entryOf(row: Row): OutboxEntry[] {
  const snapshot = parsed(row.json) as Snapshot | null;
  if (snapshot === null) return [];
  const incident = { ...snapshot.incident, notifiedAt: row.notified_at ?? snapshot.incident.notifiedAt };
  const { key, route, event, created_at: createdAt, due_at: dueAt } = row;
  return [{ ...snapshot, key, route, event: event as AlertEvent, incident, createdAt, dueAt }];
}

type Row = Pick<Schema['outbox'], 'key' | 'route' | 'event' | 'created_at' | 'due_at' | 'json'> &
  Pick<Schema['incident'], 'notified_at'>;

/** The columns of `Row`. */
const ENTRY = [
  'outbox.key',
  'outbox.route',
  'outbox.event',
  'outbox.created_at',
  'outbox.due_at',
  'outbox.json',
  'incident.notified_at',
] as const;

/** Alerts, each with its incident. */
const entries = ({ queries }: Database) =>
  queries.selectFrom('outbox').innerJoin('incident', 'incident.id', 'outbox.incident');

/** Waiting alerts before which no other one about their incident waits on their route. */
const firstWaiting = (database: Database) =>
  entries(database)
    .where('outbox.state', '=', WAITING)
    .where((expression) =>
      expression.not(
        expression.exists(
          expression
            .selectFrom('outbox as earlier')
            .select('earlier.seq')
            .whereRef('earlier.incident', '=', 'outbox.incident')
            .whereRef('earlier.route', '=', 'outbox.route')
            .whereRef('earlier.seq', '<', 'outbox.seq')
            .where('earlier.state', '=', WAITING),
        ),
      ),
    );

export async function readDueAlerts(database: Database, now: number, limit: number): Promise<readonly PendingAlert[]> {
  const rows = await firstWaiting(database)
    .select([...ENTRY, 'outbox.attempts', 'outbox.last_error'])
    .where('outbox.due_at', '<=', now)
    .orderBy('outbox.due_at')
    .orderBy('outbox.seq')
    .limit(limit)
    .execute();
  return rows.flatMap((row) =>
    entryOf(row).map((entry) => ({ ...entry, attempts: row.attempts, lastError: row.last_error })),
  );
}

export async function readOutboxState(database: Database, after?: number): ReturnType<Store['outboxState']> {
  const first = firstWaiting(database).select('outbox.due_at').orderBy('outbox.due_at').limit(1);
  const [all, next] = await Promise.all([
    database.queries
      .selectFrom('outbox')
      .select(({ fn }) => [fn.countAll<number>().as('pending'), fn.min<number | null>('created_at').as('oldestAt')])
      .where('state', '=', WAITING)
      .executeTakeFirstOrThrow(),
    (after === undefined ? first : first.where('outbox.due_at', '>', after)).executeTakeFirst(),
  ]);
  return { ...all, nextDueAt: next?.due_at ?? null };
}

/** The alert arrived: so it is, even if it was cancelled meanwhile. The first one shows when somebody knew. */
export function alertSent(database: Database, key: string, at: number): void {
  const { queries } = database;
  const send = database.statement(
    queries.updateTable('outbox').set({ state: sent, sent_at: 0 }).where('key', '=', '').where('state', '!=', sent),
  );
  const read = database.statement(entries(database).select(ENTRY).where('outbox.key', '=', ''));
  database.write(() => {
    const isNews = Number(send.run([sent, at, key, sent]).changes) > 0;
    const [entry] = (read.all([key]) as Row[]).flatMap(entryOf);
    if (isNews && entry !== undefined) linkIncidents(database, entry, at);
  }, false);
}

/** An alert may stand for incidents of other sites that have the same root cause: a later one names who has joined. */
function linkIncidents(database: Database, { event, incident, alsoSites }: OutboxEntry, at: number): void {
  const { queries, sites } = database;
  const link = database.statement(
    queries.updateTable('incident').set({ notified_at: 0 }).where('notified_at', 'is', null).where('id', '=', ''),
  );
  const linkSame = database.statement(
    queries
      .updateTable('incident')
      .set({ notified_at: 0 })
      .where('notified_at', 'is', null)
      .where('site', '=', 0)
      .where((expression) => expression.or([expression('id', '=', ''), expression('same_as', '=', '')])),
  );
  const cause = incident.sameAs ?? incident.id;
  if (event === 'opened') link.run([at, incident.id]);
  for (const site of alsoSites) linkSame.run([at, sites.known(site) ?? -1, cause, cause]);
}

/** The alert did not arrive. What was cancelled or sent meanwhile stays so. */
export function alertFailed(database: Database, key: string, error: string, dueAt: number | null): void {
  const fail = database.statement(
    database.queries
      .updateTable('outbox')
      .set(({ eb }) => ({ attempts: eb('attempts', '+', 1), last_error: '', state: waiting, due_at: 0 }))
      .where('key', '=', '')
      .where('state', '=', waiting),
  );
  const read = database.statement(database.queries.selectFrom('outbox').select('due_at').where('key', '=', ''));
  database.write(() => {
    const [row] = read.all([key]) as { readonly due_at: number }[];
    if (row === undefined) return;
    const state = dueAt === null ? givenUp : waiting;
    fail.run([1, error.slice(0, LONGEST_ERROR), state, dueAt ?? row.due_at, key, waiting]);
  }, false);
}

/** All that waits is due so many ms sooner. */
export function bringForward(database: Database, ms: number): void {
  const shift = database.statement(
    database.queries
      .updateTable('outbox')
      .set(({ eb }) => ({ due_at: eb('due_at', '-', 0) }))
      .where('state', '=', waiting),
  );
  database.write(() => shift.run([ms, waiting]), false);
}

/** What was sent or waits about an incident, in the order in which it was written. */
export async function readAlertsOf(database: Database, incident: string): ReturnType<Store['alertsOf']> {
  const rows = await entries(database)
    .select([...ENTRY, 'outbox.sent_at', 'outbox.attempts'])
    .where('outbox.incident', '=', incident)
    .where('outbox.state', 'in', [waiting, sent])
    .orderBy('outbox.seq')
    .execute();
  return rows.flatMap((row) =>
    entryOf(row).map((entry) => ({ ...entry, sentAt: row.sent_at, attempts: row.attempts })),
  );
}
