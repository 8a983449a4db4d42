/**
 * The lease of a database: one row that says which monitor acts. Its holder renews it twice a second, by the clock of the
 * database. A lease that was not renewed for 2 s is claimed by whoever wants it; one that is not renewed within 1.5 s of
 * that is taken, under a fencing number that is one higher. So a holder is replaced that has ended, hangs, or is cut off,
 * and none is replaced because the database was gone or read-only for a while.
 *
 * Connections that write are admitted with the fencing number, and bear it as their name. Who takes the lease ends those
 * of the holder before; a new connection of that holder is refused.
 */
import { hostname } from 'node:os';
import { performance } from 'node:perf_hooks';
import { pause } from '../../../http/timing.ts';
import { StoreError, type Owner, type StoreProblem } from '../store.ts';

export type Query = (
  text: string,
  values?: readonly unknown[],
) => Promise<readonly Readonly<Record<string, unknown>>[]>;

interface LeaseOptions {
  /** Of the database, for people. */
  readonly name: string;
  readonly now: () => number;
  /** Not again after it was lost. */
  readonly isTakenOnce: boolean;
  /** By a connection that nothing else keeps busy. Rejects with a `StoreError`. */
  readonly query: Query;
  /** Creates the tables, or brings them up to date. */
  readonly migrate: () => Promise<void>;
}

const RENEW_MS = 500;
const [SILENT, CLAIMED] = ['2 seconds', '1.5 seconds'];
/** A database that does not respond for so long to the holder may respond to another monitor. */
const LOST_AFTER_MS = 6_000;
/** How long a monitor that starts waits for a holder that is gone, and between two attempts. */
const WAIT_MS = 7_000;
const POLL_MS = 500;
/** How long the connections of the holder before may take to end. */
const END_MS = 5_000;

/** The database responds, but takes nothing from anybody: the lease stays where it is. */
const ANSWERED = new Set<StoreProblem>(['busy', 'full', 'read-only']);

const nameOf = (fence: string): string => `docvitals-acting-${fence}`;

/** Nothing is done before the first call. */
export function openLease({ name, now, isTakenOnce, query, migrate }: LeaseOptions) {
  /** The fencing number; `null`: it is not held. */
  let fence: string | null = null;
  let wasHeld = false;
  let taking: Promise<string> | null = null;
  const closing = new AbortController();
  const { promise: lost, resolve: lose } = Promise.withResolvers<string>();
  const lostError = (): StoreError => new StoreError('locked', name, 'another monitor has taken over');

  const takeNow = async (): Promise<string> => {
    const [table] = await query("SELECT to_regclass('docvitals.lease') IS NOT NULL AS exists");
    if (table?.['exists'] !== true) await migrate();
    const taken = await takeOrWait(query, name, now, !wasHeld && !isTakenOnce);
    try {
      await endOthers(query, name, taken);
      await migrate();
    } catch (error) {
      await release(query, taken).catch(() => {});
      throw error;
    }
    fence = taken;
    if (!wasHeld) void renewing();
    wasHeld = true;
    return taken;
  };

  /** Its fencing number. Takes it where it is not held. */
  const held = (): Promise<string> => {
    if (fence !== null) return Promise.resolve(fence);
    if (wasHeld && isTakenOnce) return Promise.reject(lostError());
    taking ??= takeNow().finally(() => (taking = null));
    return taking;
  };

  const renewing = async (): Promise<void> => {
    let respondedAt = performance.now();
    for (;;) {
      await pause(RENEW_MS, closing.signal);
      if (closing.signal.aborted) return;
      if (fence === null) continue;
      try {
        const text =
          "UPDATE docvitals.lease SET renewed_at = now(), claimed_at = NULL WHERE name = 'monitor' AND fence = $1 RETURNING 1";
        const rows = await query(text, [fence]);
        if (rows.length === 0) {
          fence = null;
          lose(lostError().message);
        }
        respondedAt = performance.now();
      } catch (error) {
        if (error instanceof StoreError && ANSWERED.has(error.problem)) respondedAt = performance.now();
        if (performance.now() - respondedAt >= LOST_AFTER_MS)
          lose(`the database did not respond for ${LOST_AFTER_MS} ms`);
      }
    }
  };

  return {
    /** Takes it, with the tables up to date. Rejects with a `StoreError`: `locked` where another monitor has it. */
    async take(): Promise<void> {
      await held();
    },

    /** Resolves with why this monitor must not act any more. */
    lost,

    /** Rejects with a `StoreError` unless the database confirms now that no other monitor has taken it. */
    async demandHeld(): Promise<void> {
      if (fence === null || !(await isCurrent(query, fence))) throw lostError();
    },

    /** Lets a new connection write, as `query` does it. Rejects with a `StoreError`: `locked` where another monitor has the lease. */
    async admit(ofConnection: Query): Promise<void> {
      const number = await held();
      await ofConnection(`SET application_name = '${nameOf(number)}'`);
      // After it has its name: who takes the lease in between either sees the connection, or has changed the number.
      if (await isCurrent(ofConnection, number)) return;
      if (fence === number) fence = null;
      lose(lostError().message);
      throw lostError();
    },

    /** Gives it up, so that the next monitor may begin at once. */
    async close(): Promise<void> {
      closing.abort();
      if (fence !== null) await release(query, fence).catch(() => {});
      fence = null;
    },
  };
}

async function isCurrent(query: Query, fence: string): Promise<boolean> {
  const rows = await query("SELECT 1 FROM docvitals.lease WHERE name = 'monitor' AND fence = $1", [fence]);
  return rows.length > 0;
}

/**
 * Takes the lease, and resolves with its number. `mayWait`: as long as its holder may be gone. Rejects with a `StoreError`:
 * `locked` where there is a holder.
 */
async function takeOrWait(query: Query, name: string, now: () => number, mayWait: boolean): Promise<string> {
  const own: Owner = { pid: process.pid, host: hostname(), since: now() };
  const endsAt = performance.now() + WAIT_MS;
  let renewedAt: unknown;
  for (;;) {
    const [taken] = await query(
      `INSERT INTO docvitals.lease AS held (name, fence, owner, renewed_at) VALUES ('monitor', 1, $1, now())
       ON CONFLICT (name) DO UPDATE SET fence = held.fence + 1, owner = excluded.owner, renewed_at = now(), claimed_at = NULL
         WHERE held.owner IS NULL OR held.claimed_at < now() - interval '${CLAIMED}'
       RETURNING fence::text`,
      [JSON.stringify(own)],
    );
    if (taken !== undefined) return String(taken['fence']);
    await query(
      `UPDATE docvitals.lease SET claimed_at = now()
       WHERE name = 'monitor' AND claimed_at IS NULL AND renewed_at < now() - interval '${SILENT}'`,
    );
    const [holder] = await query("SELECT owner, renewed_at::text FROM docvitals.lease WHERE name = 'monitor'");
    renewedAt ??= holder?.['renewed_at'];
    if (!mayWait || holder?.['renewed_at'] !== renewedAt || performance.now() >= endsAt) {
      throw new StoreError('locked', name, 'another monitor has it', (holder?.['owner'] ?? null) as Owner | null);
    }
    await pause(POLL_MS, new AbortController().signal);
  }
}

/** Ends the connections of the holder before, with what they have begun. */
async function endOthers(query: Query, name: string, fence: string): Promise<void> {
  const endsAt = performance.now() + END_MS;
  for (;;) {
    const rows = await query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()
       AND usename = current_user AND application_name LIKE 'docvitals-acting-%' AND application_name <> $1`,
      [nameOf(fence)],
    );
    if (rows.length === 0) return;
    if (performance.now() >= endsAt) throw new StoreError('busy', name, 'the monitor before still has connections');
    await pause(20, new AbortController().signal);
  }
}

async function release(query: Query, fence: string): Promise<void> {
  await query("UPDATE docvitals.lease SET owner = NULL, claimed_at = NULL WHERE name = 'monitor' AND fence = $1", [
    fence,
  ]);
}
