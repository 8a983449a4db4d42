/**
 * A coordinator: schedules runs, opens and ends incidents, sends notifications. Any number may run: the one that has the
 * lease of the database acts, the others stand by. One that has lost the lease, or does not reach the database, stops
 * acting and stands by again.
 */
import { startMonitor, type Monitor } from '../engine/start.ts';
import type { Log } from '../log/write.ts';
import type { MonitorSettings } from '../settings.ts';
import { connections, type Database } from '../store/postgres/connection.ts';
import { openPostgres } from '../store/postgres/store.ts';
import { StoreError } from '../store/store.ts';
import { FleetProbe } from './fleet-probe.ts';
import { beat, BEAT_MS, forgetMembers, leave, memberId, readBacklog, repeat, within } from './members.ts';
import { openQueues, QUEUE_SCHEMA, type Queues } from './queue.ts';

export interface CoordinatorOptions {
  readonly address: string;
  readonly settings: () => MonitorSettings;
  readonly log: Log;
  readonly env: NodeJS.ProcessEnv;
  /** Called when this coordinator begins to act; what it resolves with is called when it ends. */
  readonly onActing: (running: Monitor) => Promise<() => Promise<void>>;
}

/** A coordinator that stands by tries to act this often. */
const STANDBY_MS = 500;
/** How long connections may take to close. */
const CLOSE_MS = 1_000;

type Acting = Awaited<ReturnType<typeof act>>;

/** Begins to act, or to stand by. Rejects with a `StoreError` where the database cannot be used at all. */
export async function startCoordinator(options: CoordinatorOptions) {
  const { log } = options;
  const id = memberId('coordinator');
  const startedAt = Date.now();
  const own = connections(options.address);
  let acting: Acting | null = null;
  const closing = new AbortController();
  const { signal } = closing;
  const heartbeat = async (): Promise<void> => {
    await beat(own.read, {
      id,
      startedAt,
      running: acting?.running.busy() ?? 0,
      acting: acting !== null,
      problems: acting?.running.troubles() ?? [],
    });
    if (acting !== null) await forgetMembers(own.read);
  };
  /** `null`: another coordinator acts. */
  const tryToAct = (): Promise<Acting | null> =>
    act(options, own.read).catch((error: unknown) => {
      if (error instanceof StoreError && error.problem === 'locked') return null;
      throw error;
    });
  // The first attempt shows whether the database can be used at all.
  acting = await tryToAct();
  log('info', acting === null ? 'coordinator-standby' : 'coordinator-acting');
  // Heartbeats are optional: before the tables exist, and while the server does not respond, there are none.
  const beating = repeat(BEAT_MS, signal, () => {}, heartbeat);
  let failure: string | null = null;
  const note = (error: Error | null): void => {
    if (error !== null && error.message !== failure) log('error', 'coordinator-failed', { error: error.message });
    failure = error?.message ?? null;
  };
  const leading = repeat(STANDBY_MS, signal, note, async () => {
    if (acting === null) {
      acting = await tryToAct();
      if (acting === null) return;
      log('info', 'coordinator-acting');
      // It was stopped meanwhile.
      if (signal.aborted) await acting.end();
    }
    note(null);
    const reason = await acting.lost;
    if (reason === null) return;
    log('error', 'coordinator-stepped-down', { error: reason });
    const ending = acting;
    acting = null;
    await ending.end(0);
  });
  return {
    /** Applies another configuration. */
    async reload(settings: MonitorSettings) {
      await acting?.running.reload(settings);
    },
    async stop() {
      closing.abort();
      await acting?.end();
      await Promise.all([leading, beating]);
      await leave(own.read, id).catch(() => {});
      await own.close();
    },
  };
}

/**
 * Takes the lease, and starts everything; `end` stops it, runs in progress after `graceMs`. Rejects with a `StoreError`:
 * `locked` where another coordinator acts.
 */
async function act({ address, settings, log, env, onActing }: CoordinatorOptions, database: Database) {
  const store = await openPostgres(address, { mode: 'own', isLockedOnce: true });
  const { lease, queue } = store;
  if (lease === null || queue === null) throw new Error('The database was not opened to act.');
  /** Resolves when it has ended, or with why it cannot act any more. */
  const { promise: lost, resolve: lose } = Promise.withResolvers<string | null>();
  let queues: Queues | null = null;
  let probe: FleetProbe | null = null;
  let running: Monitor | null = null;
  let leaveServer = async (): Promise<void> => {};
  const ended = new AbortController();
  const end = async (graceMs?: number): Promise<void> => {
    if (ended.signal.aborted) return;
    ended.abort();
    await leaveServer();
    await Promise.all([running?.stop(graceMs), probe?.stop()]);
    // A server that is gone may not respond for longer than another one is waited for.
    await within(CLOSE_MS, Promise.allSettled([queues?.close(), store.close()]));
    lose(null);
  };
  try {
    // Not `IF NOT EXISTS`, which needs the right to create schemas even where an administrator made this one.
    const { rows } = await queue.executeSql('SELECT 1 WHERE to_regnamespace($1) IS NULL', [QUEUE_SCHEMA]);
    if (rows.length > 0) await queue.executeSql(`CREATE SCHEMA ${QUEUE_SCHEMA}`);
    queues = await openQueues(queue);
    const now = (): number => running?.now() ?? Date.now();
    const fleet = new FleetProbe({ queues, database, settings: settings(), log, now });
    probe = fleet;
    await fleet.open();
    running = await startMonitor({ settings: settings(), store, log, env, probe: fleet });
    const view = {
      members: () => fleet.alive,
      backlog: () => readBacklog(database),
      rejected: (location?: string) => fleet.rejections.count(location),
      locationsWith: (problem: string) => fleet.locationsWith(problem),
    };
    leaveServer = await onActing({ ...running, fleet: view });
  } catch (error) {
    await end(0);
    throw error;
  }
  void loseWhen(lease.lost);
  return { running, lost, end };

  async function loseWhen(reason: Promise<string>): Promise<void> {
    lose(await reason);
  }
}
