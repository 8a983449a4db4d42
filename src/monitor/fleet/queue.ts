/**
 * Runs and their results on their way between coordinator and runners, in queues of pg-boss: one queue of runs for each
 * location, one of results, one of runs that were lost. A job never holds what a configuration keeps secret: it names a site,
 * and the runner reads the rest from its own configuration. Runners have functions for them (`runner-functions.sql`).
 */
import { PgBoss, type Db } from 'pg-boss';
import { isRunJob, isSentResult, unpacked, type Fault, type ResultJob, type RunJob } from './job-format.ts';
import generated from '../../generated/sql.json' with { type: 'json' };

export const QUEUE_SCHEMA = 'docvitals_queue';

export interface Taken<T> {
  readonly id: string;
  readonly data: T;
}

/** A result that was removed from the queue, or read without its measurement. `null`: it names no location. */
export interface Rejected {
  readonly location: string | null;
  readonly reason: Fault;
  readonly count: number;
}

export interface Batch<T> {
  readonly jobs: readonly Taken<T>[];
  readonly rejected: readonly Rejected[];
  /** How many were taken, those that were removed among them. */
  readonly taken: number;
}

/** A run whose runners were lost each time, one after the other. */
export interface LostRun extends RunJob {
  /** How long its site is not checked from its location. */
  readonly heldBackMs: number;
}

/** Letters, digits, hyphens. */
const queueOf = (location: string): string => `run-${location}`;
const RESULTS = 'result';
/** pg-boss's dead-letter queue: runs that were lost as often as they may be. */
const LOST = 'lost';

/** A runner that is silent for so long is lost: its runs go to another one of the location, so many times. */
const LOST_AFTER_S = 10;
const MOST_REPEATED = 2;
/** How long a site is not checked from a location whose runners it ends. */
const HELD_BACK_S = 600;
/** A run may be lost as often as it may within this time. */
const KEPT_S = 180;
/** A result that a coordinator took and did not settle in this time is delivered again. */
const SETTLE_S = 600;

/** Rows of a queue that are read when a coordinator begins to act, and how many of them at a time. */
const MOST_UNSETTLED = 50_000;
const PART = 100;

const sum = (numbers: readonly number[]): number => numbers.reduce((all, number) => all + number, 0);

export type Queues = Awaited<ReturnType<typeof openQueues>>;

/** For the acting coordinator, in a schema that exists. `db`: executes its statements while it has the lease. */
export async function openQueues(db: Db) {
  const boss = await startBoss(db);
  const { remove, validResults, unsettledRuns, unsettledResults } = readerOf(boss);
  const created = new Set<string>();
  return {
    async create(locations: readonly string[]): Promise<void> {
      const settings = { retryDelay: 0, deleteAfterSeconds: 60, partition: true };
      await boss.createQueue(RESULTS, { ...settings, retryLimit: 1_000, expireInSeconds: SETTLE_S });
      await boss.createQueue(LOST, { ...settings, retentionSeconds: HELD_BACK_S });
      for (const location of locations) {
        await boss.createQueue(queueOf(location), {
          ...settings,
          retryLimit: MOST_REPEATED,
          heartbeatSeconds: LOST_AFTER_S,
          expireInSeconds: 3_600,
          retentionSeconds: KEPT_S,
          deadLetter: LOST,
        });
      }
      for (const queue of [RESULTS, LOST, ...locations.map(queueOf)]) created.add(queue);
      await db.executeSql(generated.runnerFunctions);
    },

    /**
     * Has pg-boss find runs that were lost, and remove what is too old. Each queue by itself, so that a location that keeps
     * its rows locked does not keep others from it. Rejects with the first error.
     */
    async supervise(): Promise<void> {
      const errors: unknown[] = [];
      for (const queue of created) await boss.supervise(queue).catch((error: unknown) => errors.push(error));
      if (errors.length > 0) throw errors[0];
    },

    /**
     * What other coordinators requested and did not settle: runs that wait or are in progress, and results. `room`: as of
     * `takeResults`.
     */
    async unsettled(locations: readonly string[], room: number) {
      // Runs first, because a run ends with its result.
      const runs = await Promise.all(locations.map(unsettledRuns));
      const { jobs, rejected } = await unsettledResults(room);
      return { runs: runs.flat(), results: jobs, rejected };
    },

    async send(location: string, runs: readonly RunJob[]): Promise<void> {
      await boss.insert(
        queueOf(location),
        runs.map((data) => ({ data })),
      );
    },

    /** Runs that ended their runners lately. */
    async lost(): Promise<readonly LostRun[]> {
      const { rows } = await db.executeSql(`SELECT data, extract(epoch FROM keep_until - now()) * 1000 AS "heldBackMs"
        FROM ${QUEUE_SCHEMA}.job WHERE name = '${LOST}' AND keep_until > now() ORDER BY id LIMIT ${MOST_UNSETTLED}`);
      return (rows as { readonly data: unknown; readonly heldBackMs: string }[]).flatMap(({ data, heldBackMs }) =>
        isRunJob(data) ? [{ ...data, heldBackMs: Number(heldBackMs) }] : [],
      );
    },

    /** `room`: how many bytes of measurements may be read; those beyond are rejected. */
    async takeResults(most: number, room: number): Promise<Batch<ResultJob>> {
      return validResults(await boss.fetch(RESULTS, { batchSize: most }), room);
    },

    /** Removes results that nothing is made of; the others are removed when what is made of them is written. */
    settle: (ids: readonly string[]): Promise<void> => remove(RESULTS, ids),

    async close(): Promise<void> {
      await boss.stop({ graceful: false, close: true });
    },
  };
}

/** Reads rows of the queues, and removes results that are not valid. */
function readerOf(boss: PgBoss) {
  /** The smallest first: what is too much is the largest. */
  const idsIn = async (queue: string): Promise<readonly string[]> => {
    const text = `SELECT id FROM ${QUEUE_SCHEMA}.job WHERE name = $1 AND state <> 'failed'
      ORDER BY pg_column_size(data), id LIMIT ${MOST_UNSETTLED}`;
    const { rows } = await boss.getDb().executeSql(text, [queue]);
    return rows.map(({ id }: { readonly id: string }) => id);
  };

  async function* parts(queue: string, ids: readonly string[]) {
    const text = `SELECT id, data, coalesce(octet_length(data::text), 0) AS bytes
      FROM ${QUEUE_SCHEMA}.job WHERE name = $1 AND id = ANY($2::uuid[])`;
    for (let start = 0; start < ids.length; start += PART) {
      const { rows } = await boss.getDb().executeSql(text, [queue, ids.slice(start, start + PART)]);
      yield rows as readonly (Taken<unknown> & { readonly bytes: number })[];
    }
  }

  const remove = async (queue: string, ids: readonly string[]): Promise<void> => {
    if (ids.length > 0) await boss.deleteJob(queue, [...ids]);
  };

  /** A result whose measurement alone is invalid stays without it: its run need not wait any longer. */
  const validResults = async (found: readonly Taken<unknown>[], room: number): Promise<Batch<ResultJob>> => {
    const jobs: Taken<ResultJob>[] = [];
    const invalid: string[] = [];
    const rejected: Rejected[] = [];
    let left = room;
    for (const { id, data } of found) {
      if (!isSentResult(data)) {
        invalid.push(id);
        rejected.push({ location: null, reason: 'invalid', count: 1 });
        continue;
      }
      const { measured: _, ...withoutIt } = data;
      const result = unpacked(data, left);
      if (typeof result === 'string') rejected.push({ location: data.location, reason: result, count: 1 });
      else left -= result.bytes ?? 0;
      jobs.push({ id, data: typeof result === 'string' ? withoutIt : result });
    }
    await remove(RESULTS, invalid);
    return { jobs, rejected, taken: found.length };
  };

  const unsettledRuns = async (location: string): Promise<readonly Taken<RunJob>[]> => {
    const queue = queueOf(location);
    const runs: Taken<RunJob>[] = [];
    for await (const rows of parts(queue, await idsIn(queue)))
      for (const { id, data } of rows) if (isRunJob(data) && data.location === location) runs.push({ id, data });
    return runs;
  };

  const unsettledResults = async (room: number): Promise<Batch<ResultJob>> => {
    const ids = await idsIn(RESULTS);
    const batches: Batch<ResultJob>[] = [];
    let left = room;
    for await (const rows of parts(RESULTS, ids)) {
      const batch = await validResults(rows, left);
      batches.push(batch);
      left -= sum(rows.map(({ bytes }) => bytes));
      if (left <= 0) break;
    }
    const others = ids.slice(batches.length * PART);
    await remove(RESULTS, others);
    const rejected =
      others.length === 0 ? [] : [{ location: null, reason: 'too-large', count: others.length } as const];
    return together([...batches, { jobs: [], rejected, taken: others.length }]);
  };
  return { remove, validResults, unsettledRuns, unsettledResults };
}

const together = <T>(batches: readonly Batch<T>[]): Batch<T> => ({
  jobs: batches.flatMap(({ jobs }) => jobs),
  rejected: batches.flatMap(({ rejected }) => rejected),
  taken: sum(batches.map(({ taken }) => taken)),
});

/** Rejects where the server cannot be reached. */
async function startBoss(db: Db) {
  const boss = new PgBoss({
    db,
    schema: QUEUE_SCHEMA,
    schedule: false,
    // `supervise` is called for each queue.
    supervise: false,
    createSchema: false,
    monitorIntervalSeconds: 1,
    maintenanceIntervalSeconds: 60,
    // A queue of many sites is emptied within seconds, and needs no index rebuilt.
    reindex: false,
    monitorVacuum: false,
  });
  boss.on('error', () => {});
  try {
    await boss.start();
  } catch (error) {
    await boss.stop({ graceful: false }).catch(() => {});
    throw error;
  }
  return boss;
}
