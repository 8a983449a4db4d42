/**
 * Runs and their results on their way between coordinator and runners, in queues of pg-boss: one queue of runs for each
 * location, one of results for all. A job never holds what a configuration keeps secret: it names a site, and the runner
 * reads the rest from its own configuration.
 */
import { PgBoss, type ConstructorOptions, type Db } from 'pg-boss';
import {
  isRunJob,
  isSentResult,
  locationIn,
  packed,
  unpacked,
  type Fault,
  type ResultJob,
  type RunJob,
} from './job-format.ts';
import generated from '../../generated/sql.json' with { type: 'json' };

export const QUEUE_SCHEMA = 'docvitals_queue';

export interface Taken<T> {
  readonly id: string;
  /** Which attempt it is: what another runner has taken over is no longer this one's. */
  readonly retryCount: number;
  readonly data: T;
}

/** What was removed from a queue, or read without its measurement. `location`: as it says; `null`: it does not. */
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

/** Letters, digits, hyphens. */
const queueOf = (location: string): string => `run-${location}`;
const RESULTS = 'result';

/** A runner that is silent for so long is lost: its runs go to another one of the location, once. */
const LOST_AFTER_S = 10;
/** A result that a coordinator took and did not settle in this time is delivered again. */
const SETTLE_S = 600;

/** Rows of a queue that are read when a coordinator begins to act, and how many of them at a time. */
const MOST_UNSETTLED = 50_000;
const PART = 100;

const sum = (numbers: readonly number[]): number => numbers.reduce((all, number) => all + number, 0);

/** A statement may take this long on the server; the client waits a little longer, in case the server is gone. */
const STATEMENT_MS = 10_000;
const CONNECT_MS = 5_000;

/** Of the acting coordinator: what executes its statements while it has the lease. Of a runner: an address. */
type QueueDatabase = { readonly db: Db } | { readonly address: string };

export type Queues = Awaited<ReturnType<typeof openQueues>>;

/**
 * Only the acting coordinator creates queues, in a schema that exists, and collects results. Rejects where the server cannot
 * be reached, or, for a runner, no coordinator has created the queues yet.
 */
export async function openQueues(
  database: QueueDatabase,
  onProblem: (error: { readonly message: string }) => void = () => {},
) {
  const boss = await startBoss(database, onProblem);
  const { remove, validRuns, validResults, unsettledRuns, unsettledResults } = readerOf(boss);
  const ofRuns =
    (work: 'touch' | 'deleteJob' | 'fail') =>
    async (location: string, jobs: readonly Taken<RunJob>[]): Promise<void> => {
      if (jobs.length > 0) await boss[work](queueOf(location), [...jobs]);
    };
  return {
    async create(locations: readonly string[]): Promise<void> {
      const settings = { retryDelay: 0, deleteAfterSeconds: 60, partition: true };
      await boss.createQueue(RESULTS, { ...settings, retryLimit: 1_000, expireInSeconds: SETTLE_S });
      for (const location of locations) {
        await boss.createQueue(queueOf(location), {
          ...settings,
          retryLimit: 1,
          heartbeatSeconds: LOST_AFTER_S,
          expireInSeconds: 3_600,
          // What no runner has taken by then is not measured any more.
          retentionSeconds: 60,
          deadLetter: RESULTS,
        });
      }
      await boss.getDb().executeSql(generated.runnerLimits, []);
      await boss.getDb().executeSql(generated.runnerPrivileges, []);
    },

    /**
     * What other coordinators requested and did not settle: runs that wait or are in progress, and results. `room`: as of
     * `takeResults`.
     */
    async unsettled(locations: readonly string[], room: number) {
      // Runs first, because a runner sends what it measured before it ends the run.
      const runs = await Promise.all(locations.map(unsettledRuns));
      const results = await unsettledResults(room);
      return {
        runs: runs.flatMap(({ jobs }) => jobs),
        results: results.jobs,
        rejected: [...runs, results].flatMap(({ rejected }) => rejected),
      };
    },

    async send(location: string, runs: readonly RunJob[]): Promise<void> {
      await boss.insert(
        queueOf(location),
        runs.map((data) => ({ data })),
      );
    },

    async take(location: string, most: number): Promise<Batch<RunJob>> {
      return validRuns(location, await boss.fetch(queueOf(location), { batchSize: most }));
    },

    /** Reports that runs are still in progress. */
    touch: ofRuns('touch'),
    /** Ends runs, whose results have been sent. */
    finish: ofRuns('deleteJob'),
    /** Leaves runs to another runner of the location. */
    giveBack: ofRuns('fail'),

    async sendResults(results: readonly ResultJob[]): Promise<void> {
      await boss.insert(
        RESULTS,
        results.map((result) => ({ data: packed(result) })),
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

/** Reads rows of the queues, and removes those that are not valid. */
function readerOf(boss: PgBoss) {
  /** The smallest first: what is too much is the largest. */
  const idsIn = async (queue: string): Promise<readonly string[]> => {
    const text = `SELECT id FROM ${QUEUE_SCHEMA}.job WHERE name = $1 AND state <> 'failed'
      ORDER BY pg_column_size(data), id LIMIT ${MOST_UNSETTLED}`;
    const { rows } = await boss.getDb().executeSql(text, [queue]);
    return rows.map(({ id }: { readonly id: string }) => id);
  };

  async function* parts(queue: string, ids: readonly string[]) {
    const text = `SELECT id, retry_count AS "retryCount", data, coalesce(octet_length(data::text), 0) AS bytes
      FROM ${QUEUE_SCHEMA}.job WHERE name = $1 AND id = ANY($2::uuid[])`;
    for (let start = 0; start < ids.length; start += PART) {
      const { rows } = await boss.getDb().executeSql(text, [queue, ids.slice(start, start + PART)]);
      yield rows as readonly (Taken<unknown> & { readonly bytes: number })[];
    }
  }

  const remove = async (queue: string, ids: readonly string[]): Promise<void> => {
    if (ids.length > 0) await boss.deleteJob(queue, [...ids]);
  };

  const validRuns = async (location: string, found: readonly Taken<unknown>[]): Promise<Batch<RunJob>> => {
    const isValid = (job: Taken<unknown>): job is Taken<RunJob> => isRunJob(job.data) && job.data.location === location;
    const invalid = found.filter((job) => !isValid(job));
    await remove(
      queueOf(location),
      invalid.map(({ id }) => id),
    );
    const rejected: readonly Rejected[] = [{ location, reason: 'invalid', count: invalid.length }];
    return { jobs: found.filter(isValid), rejected: invalid.length === 0 ? [] : rejected, taken: found.length };
  };

  /** A result whose measurement alone is invalid stays without it: its run need not wait any longer. */
  const validResults = async (found: readonly Taken<unknown>[], room: number): Promise<Batch<ResultJob>> => {
    const jobs: Taken<ResultJob>[] = [];
    const invalid: string[] = [];
    const rejected: Rejected[] = [];
    let left = room;
    for (const { id, retryCount, data } of found) {
      if (!isSentResult(data)) {
        invalid.push(id);
        rejected.push({ location: locationIn(data), reason: 'invalid', count: 1 });
        continue;
      }
      const { measured: _, ...withoutIt } = data;
      const result = unpacked(data, left);
      if (typeof result === 'string') rejected.push({ location: data.location, reason: result, count: 1 });
      else left -= result.bytes ?? 0;
      jobs.push({ id, retryCount, data: typeof result === 'string' ? withoutIt : result });
    }
    await remove(RESULTS, invalid);
    return { jobs, rejected, taken: found.length };
  };

  const unsettledRuns = async (location: string): Promise<Batch<RunJob>> => {
    const queue = queueOf(location);
    const batches: Batch<RunJob>[] = [];
    for await (const rows of parts(queue, await idsIn(queue))) batches.push(await validRuns(location, rows));
    return together(batches);
  };

  const unsettledResults = async (room: number): Promise<Batch<ResultJob>> => {
    const ids = await idsIn(RESULTS);
    const batches: Batch<ResultJob>[] = [];
    let left = room;
    for await (const rows of parts(RESULTS, ids)) {
      const batch = await validResults(rows, left);
      batches.push(batch);
      const inflated = sum(batch.jobs.map(({ data }) => data.bytes ?? 0));
      left -= Math.max(inflated, sum(rows.map(({ bytes }) => bytes)));
      if (left <= 0) break;
    }
    const others = ids.slice(batches.length * PART);
    await remove(RESULTS, others);
    const rejected =
      others.length === 0 ? [] : [{ location: null, reason: 'too-large', count: others.length } as const];
    return together([...batches, { jobs: [], rejected, taken: others.length }]);
  };
  return { remove, validRuns, validResults, unsettledRuns, unsettledResults };
}

const together = <T>(batches: readonly Batch<T>[]): Batch<T> => ({
  jobs: batches.flatMap(({ jobs }) => jobs),
  rejected: batches.flatMap(({ rejected }) => rejected),
  taken: sum(batches.map(({ taken }) => taken)),
});

/** Rejects where the server cannot be reached. */
async function startBoss(database: QueueDatabase, onProblem: (error: { readonly message: string }) => void) {
  const isActing = 'db' in database;
  const ofRunner = (connectionString: string) => ({
    connectionString,
    application_name: 'docvitals-queue',
    max: 4,
    connectionTimeoutMillis: CONNECT_MS,
    statement_timeout: STATEMENT_MS,
    query_timeout: STATEMENT_MS + CONNECT_MS,
    keepAlive: true,
  });
  const boss = new PgBoss({
    // pg-boss passes to pg what it does not know.
    ...((isActing ? database : ofRunner(database.address)) as ConstructorOptions),
    schema: QUEUE_SCHEMA,
    schedule: false,
    supervise: isActing,
    migrate: isActing,
    createSchema: false,
    superviseIntervalSeconds: 2,
    monitorIntervalSeconds: 2,
    maintenanceIntervalSeconds: 60,
    // A queue of many sites is emptied within seconds, and needs no index rebuilt.
    reindex: false,
    monitorVacuum: false,
  });
  boss.on('error', onProblem);
  try {
    await boss.start();
  } catch (error) {
    await boss.stop({ graceful: false }).catch(() => {});
    throw error;
  }
  return boss;
}
