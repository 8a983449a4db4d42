/**
 * Who takes part: runners and coordinators, each with a heartbeat by the clock of the database, and with steps that it
 * repeats until it stops.
 */
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { sql } from 'kysely';
import { pause } from '../../http/timing.ts';
import { VERSION } from '../../core/version.ts';
import type { Log } from '../log/write.ts';
import type { Database } from '../store/postgres/connection.ts';

export interface Member {
  readonly id: string;
  readonly role: 'runner' | 'coordinator';
  /** Of a runner. */
  readonly location: string | null;
  readonly version: string;
  readonly host: string;
  readonly pid: number;
  /** ms since 1970. */
  readonly startedAt: number;
  /** Time since its last heartbeat, in ms. */
  readonly silentMs: number;
  /** Runs in progress. */
  readonly running: number;
  /** Runners always do; of the coordinators only one, the others stand by. */
  readonly acting: boolean;
  /** Its own problems, such as `no-network`. */
  readonly problems: readonly string[];
}

/** Between two heartbeats. */
export const BEAT_MS = 2_000;
/** Members that are silent for longer are removed. */
const FORGET = '1 day';
/** More than any fleet has. */
const MOST_MEMBERS = 5_000;

export const memberId = (role: Member['role']): string =>
  `${role}-${hostname()}-${process.pid}-${randomUUID().slice(0, 8)}`;

/** A heartbeat of a coordinator; those of runners are in `runner-queue.ts`. */
export async function beat(
  database: Database,
  { id, startedAt, running, acting, problems }: Pick<Member, 'id' | 'startedAt' | 'running' | 'acting' | 'problems'>,
): Promise<void> {
  await sql`
    INSERT INTO docvitals.member (id, role, location, version, host, pid, started_at, running, acting, problems)
    VALUES (${id}, 'coordinator', NULL, ${VERSION}, ${hostname()}, ${process.pid},
      ${new Date(startedAt).toISOString()}, ${running}, ${acting}, ${problems}::text[])
    ON CONFLICT (id) DO UPDATE SET seen_at = now(), running = excluded.running, acting = excluded.acting,
      problems = excluded.problems`.execute(database);
}

export async function leave(database: Database, id: string): Promise<void> {
  await sql`DELETE FROM docvitals.member WHERE id = ${id}`.execute(database);
}

/** All with a recent heartbeat, by role, location and start. */
export async function readMembers(database: Database): Promise<readonly Member[]> {
  const { rows } = await sql<Member>`
    SELECT id, role, location, version, host, pid, running, acting, problems,
      floor(extract(epoch FROM started_at) * 1000)::float AS "startedAt",
      greatest(0, round(extract(epoch FROM now() - seen_at) * 1000))::float AS "silentMs"
    FROM docvitals.member WHERE seen_at > now() - ${FORGET}::interval
    ORDER BY role, location, started_at, id LIMIT ${MOST_MEMBERS}`.execute(database);
  return rows;
}

export async function forgetMembers(database: Database): Promise<void> {
  // A session of a runner may keep its row locked.
  await sql`
    DELETE FROM docvitals.member WHERE id IN (
      SELECT id FROM docvitals.member WHERE seen_at < now() - ${FORGET}::interval FOR UPDATE SKIP LOCKED
    )`.execute(database);
}

/** The role that all runners had together. It has no rights any more. */
const SHARED_ROLE = 'docvitals_runner';

/** Whether the role exists that runners of all locations shared. */
export async function hasSharedRole(database: Database): Promise<boolean> {
  const { rows } = await sql`SELECT 1 WHERE to_regrole(${SHARED_ROLE}) IS NOT NULL`.execute(database);
  return rows.length > 0;
}

/** Runs that wait for a runner, by location. */
export async function readBacklog(database: Database): Promise<ReadonlyMap<string, number>> {
  const queue = await sql`SELECT 1 WHERE to_regclass('docvitals_queue.job') IS NOT NULL`.execute(database);
  if (queue.rows.length === 0) return new Map();
  const { rows } = await sql<{ location: string; waiting: number }>`
    SELECT substr(name, length('run-') + 1) AS location, count(*)::integer AS waiting FROM docvitals_queue.job
    WHERE name LIKE 'run-%' AND state IN ('created', 'retry') GROUP BY name`.execute(database);
  return new Map(rows.map(({ location, waiting }) => [location, waiting]));
}

/* What they do until they stop. */

/** What failed is tried again after so long. */
const RETRY_MS = 1_000;

/**
 * Does a step every `ms`, again at once where it resolves with `true`, until `signal` is aborted. `note` is called with the
 * error of each step that failed, and with `null` after one that did not.
 */
export async function repeat(
  ms: number,
  signal: AbortSignal,
  note: (error: Error | null) => void,
  step: () => Promise<boolean | void>,
): Promise<void> {
  while (!signal.aborted) {
    try {
      if ((await step()) === true) continue;
      note(null);
      await pause(ms, signal);
    } catch (error) {
      note(error as Error);
      await pause(RETRY_MS, signal);
    }
  }
}

/** Waits for something, but no longer than `ms`, nor when `cut` is aborted; resolves with whether it ended in time. */
export async function within(ms: number, something: Promise<unknown>, cut?: AbortSignal): Promise<boolean> {
  const over = new AbortController();
  const ended = something.then(() => true);
  const signals = cut === undefined ? [over.signal] : [over.signal, cut];
  const late = pause(ms, AbortSignal.any(signals)).then(() => false);
  return Promise.race([ended, late]).finally(() => over.abort());
}

/** Whether the queues can be reached; logs when that changes. */
export function reachabilityLog(log: Log) {
  let isLost = false;
  const note = (error: { readonly message: string } | null): void => {
    if (error !== null && !isLost) log('error', 'queue-unreachable', { error: error.message });
    if (error === null && isLost) log('info', 'queue-reachable');
    isLost = error !== null;
  };
  return { note, isLost: () => isLost };
}
