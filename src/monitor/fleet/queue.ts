/**
 * Runs and their results on their way between coordinator and runners, in queues of pg-boss: one queue of runs for each
 * location, one of results for all. A job never holds what a configuration keeps secret: it names a site, and the runner
 * reads the rest from its own configuration.
 */
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { PgBoss, type ConstructorOptions } from 'pg-boss';
import type { Measurement } from '../engine/local-probe.ts';
import type { Scope } from '../incident/incident.ts';
import type { Member } from './members.ts';
import generated from '../../generated/sql.json' with { type: 'json' };

export const QUEUE_SCHEMA = 'docvitals_queue';

/** A run that a location is asked for. */
export interface RunJob {
  readonly run: string;
  readonly site: string;
  readonly scope: Scope;
  readonly location: string;
  /** When it was requested, by the coordinator's clock, ms since 1970. */
  readonly at: number;
  /** No body that was received before is relied on. */
  readonly isWhole: boolean;
}

/** What came of it. Without `measured`: nothing; its runner was lost, or does not know the site. */
export interface ResultJob extends RunJob {
  readonly runner?: string;
  readonly measured?: Measurement;
}

export interface Taken<T> {
  readonly id: string;
  /** Which attempt it is: what another runner has taken over is no longer this one's. */
  readonly retryCount: number;
  readonly data: T;
}

/** Letters, digits, hyphens. */
const queueOf = (location: string): string => `run-${location}`;
const RESULTS = 'result';

/** A runner that is silent for so long is lost: its runs go to another one of the location, once. */
const LOST_AFTER_S = 10;
/** A result that a coordinator took and did not settle in this time is delivered again. */
const SETTLE_S = 600;

/** A statement may take this long on the server; the client waits a little longer, in case the server is gone. */
const STATEMENT_MS = 10_000;
const CONNECT_MS = 5_000;

export type Queues = Awaited<ReturnType<typeof openQueues>>;

/**
 * Only the acting coordinator creates queues, in a schema that exists, and collects results. Rejects where the server cannot
 * be reached, or, for a runner, no coordinator has created the queues yet.
 */
export async function openQueues(
  address: string,
  role: Member['role'],
  onProblem: (error: { readonly message: string }) => void = () => {},
) {
  const boss = await startBoss(address, role === 'coordinator', onProblem);
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
      await boss.getDb().executeSql(generated.runnerPrivileges, []);
    },

    /** What other coordinators requested and did not settle: runs that wait or are in progress, and results. */
    async unsettled(locations: readonly string[]) {
      // Runs first, because a runner sends what it measured before it ends the run.
      const runs = await Promise.all(locations.map((location) => boss.findJobs<RunJob>(queueOf(location))));
      const results = await boss.findJobs<SentResult>(RESULTS);
      return { runs: runs.flat().filter(({ state }) => state !== 'failed'), results: results.map(resultOf) };
    },

    async send(location: string, runs: readonly RunJob[]): Promise<void> {
      await boss.insert(
        queueOf(location),
        runs.map((data) => ({ data })),
      );
    },

    take(location: string, most: number): Promise<Taken<RunJob>[]> {
      return boss.fetch<RunJob>(queueOf(location), { batchSize: most });
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
        results.map((result) => ({ data: compressed(result) })),
      );
    },

    async takeResults(most: number): Promise<Taken<ResultJob>[]> {
      return (await boss.fetch<SentResult>(RESULTS, { batchSize: most })).map(resultOf);
    },

    /** Removes results that nothing is made of; the others are removed when what is made of them is written. */
    async settle(ids: readonly string[]): Promise<void> {
      if (ids.length > 0) await boss.deleteJob(RESULTS, [...ids]);
    },

    async close(): Promise<void> {
      await boss.stop({ graceful: false, close: true });
    },
  };
}

/** Rejects where the server cannot be reached. */
async function startBoss(address: string, isActing: boolean, onProblem: (error: { readonly message: string }) => void) {
  const ofConnections = {
    statement_timeout: STATEMENT_MS,
    query_timeout: STATEMENT_MS + CONNECT_MS,
    keepAlive: true,
  };
  const boss = new PgBoss({
    // pg-boss passes to pg what it does not know.
    ...(ofConnections as ConstructorOptions),
    connectionString: address,
    application_name: 'docvitals-queue',
    schema: QUEUE_SCHEMA,
    max: 4,
    connectionTimeoutMillis: CONNECT_MS,
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

/** A result as it is sent: PostgreSQL would take most of its time to compress the reports, of which it reads nothing. */
interface SentResult extends Omit<ResultJob, 'measured'> {
  /** JSON with pictures as Base64, deflated, as Base64. */
  readonly measured?: string;
}

/** More than any report with its pictures, in bytes. */
const LARGEST = 64 * 1024 * 1024;

function compressed({ measured, ...result }: ResultJob): SentResult {
  if (measured === undefined) return result;
  const checks = measured.report.checks.map((check) => ({
    ...check,
    rendered: check.rendered?.map(({ screenshot, ...page }) => {
      return { ...page, screenshot: screenshot && Buffer.from(screenshot).toString('base64') };
    }),
  }));
  const json = JSON.stringify({ ...measured, report: { ...measured.report, checks } });
  return { ...result, measured: deflateRawSync(json, { level: 1 }).toString('base64') };
}

const resultOf = ({ data, ...job }: Taken<SentResult>): Taken<ResultJob> => ({ ...job, data: decompressed(data) });

function decompressed({ measured, ...result }: SentResult): ResultJob {
  if (measured === undefined) return result;
  try {
    const json = inflateRawSync(Buffer.from(measured, 'base64'), { maxOutputLength: LARGEST }).toString();
    const withPicture = (key: string, value: unknown): unknown =>
      key === 'screenshot' && typeof value === 'string' ? Buffer.from(value, 'base64') : value;
    return { ...result, measured: JSON.parse(json, withPicture) as Measurement };
  } catch {
    // It would be delivered again and again: as little is known as of a runner that is lost.
    return result;
  }
}
