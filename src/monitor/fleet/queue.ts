/**
 * Runs and their results on their way between coordinator and runners, in queues of pg-boss: one queue of runs for each
 * location, one of results for all. A job never holds what a configuration keeps secret: it names a site, and the runner
 * reads the rest from its own configuration.
 */
import { PgBoss } from 'pg-boss';
import type { CheckResult, Report } from '../../check.ts';
import type { ProbeSideReason } from '../connectivity/connectivity.ts';
import type { Observation, Scope } from '../incident/incident.ts';

const QUEUE_SCHEMA = 'docvitals_queue';

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
  readonly measured?: SentMeasurement;
}

/** A measurement as JSON: pictures are Base64. */
export type SentMeasurement = Pick<Observation, 'report' | 'version' | 'contents'> & {
  readonly probeSide: ProbeSideReason | null;
};

export interface Taken<T> {
  readonly id: string;
  readonly data: T;
}

/** Letters, digits, hyphens. */
const queueOf = (location: string): string => `run-${location}`;
const RESULTS = 'result';

/** A runner that is silent for so long is lost: its runs go to another one of the location, once. */
const LOST_AFTER_S = 10;
/** A result that a coordinator took and did not settle in this time goes to the next one. */
const SETTLE_S = 10;

/** Only the acting coordinator creates queues, and returns what was taken and not finished. */
export class Queues {
  readonly #boss: PgBoss;

  private constructor(boss: PgBoss) {
    this.#boss = boss;
  }

  /** Rejects where the server cannot be reached, or, for a runner, no coordinator has created the queues yet. */
  static async open(
    address: string,
    isActing: boolean,
    onProblem: (error: { readonly message: string }) => void,
  ): Promise<Queues> {
    const boss = new PgBoss({
      connectionString: address,
      application_name: 'docvitals-queue',
      schema: QUEUE_SCHEMA,
      max: 4,
      connectionTimeoutMillis: 5_000,
      schedule: false,
      supervise: isActing,
      migrate: isActing,
      createSchema: isActing,
      superviseIntervalSeconds: 1,
      monitorIntervalSeconds: 1,
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
    return new Queues(boss);
  }

  async create(locations: readonly string[]): Promise<void> {
    const settings = { retryDelay: 0, deleteAfterSeconds: 60, partition: true };
    await this.#boss.createQueue(RESULTS, { ...settings, retryLimit: 1_000, expireInSeconds: SETTLE_S });
    for (const location of locations) {
      await this.#boss.createQueue(queueOf(location), {
        ...settings,
        retryLimit: 1,
        heartbeatSeconds: LOST_AFTER_S,
        expireInSeconds: 3_600,
        // What no runner has taken by then is not measured any more.
        retentionSeconds: 60,
        deadLetter: RESULTS,
      });
    }
  }

  async send(location: string, runs: readonly RunJob[]): Promise<void> {
    await this.#boss.insert(
      queueOf(location),
      runs.map((data) => ({ data })),
    );
  }

  take(location: string, most: number): Promise<Taken<RunJob>[]> {
    return this.#boss.fetch<RunJob>(queueOf(location), { batchSize: most });
  }

  /** Says that runs still go on. */
  async touch(location: string, ids: readonly string[]): Promise<void> {
    if (ids.length > 0) await this.#boss.touch(queueOf(location), [...ids]);
  }

  /** Ends runs, whose results have been sent. */
  async finish(location: string, ids: readonly string[]): Promise<void> {
    if (ids.length > 0) await this.#boss.deleteJob(queueOf(location), [...ids]);
  }

  /** Leaves runs to another runner of the location. */
  async giveBack(location: string, ids: readonly string[]): Promise<void> {
    if (ids.length > 0) await this.#boss.fail(queueOf(location), [...ids]);
  }

  async sendResults(results: readonly ResultJob[]): Promise<void> {
    if (results.length > 0)
      await this.#boss.insert(
        RESULTS,
        results.map((data) => ({ data })),
      );
  }

  takeResults(most: number): Promise<Taken<ResultJob>[]> {
    return this.#boss.fetch<ResultJob>(RESULTS, { batchSize: most });
  }

  /** Removes results whose consequences are in the database. */
  async settle(ids: readonly string[]): Promise<void> {
    if (ids.length > 0) await this.#boss.deleteJob(RESULTS, [...ids]);
  }

  async close(): Promise<void> {
    await this.#boss.stop({ graceful: false, close: true });
  }
}

/** A report as JSON holds it. */
export function packed(report: Report, compact: (result: CheckResult) => CheckResult): Report {
  const checks = report.checks.map((result) => {
    const pictures = result.rendered?.map(({ screenshot }) => screenshot);
    const small = compact(result);
    if (pictures === undefined || small.rendered === undefined) return small;
    const rendered = small.rendered.map((page, index) => {
      const bytes = pictures[index] ?? null;
      return { ...page, screenshot: bytes === null ? null : Buffer.from(bytes).toString('base64') };
    });
    return { ...small, rendered: rendered as unknown as NonNullable<CheckResult['rendered']> };
  });
  return { ...report, checks };
}

export function unpacked(report: Report): Report {
  const checks = report.checks.map((result): CheckResult => {
    if (result.rendered === undefined) return result;
    const rendered = result.rendered.map((page) => {
      const text = page.screenshot as unknown as string | null;
      return { ...page, screenshot: text === null ? null : Buffer.from(text, 'base64') };
    });
    return { ...result, rendered };
  });
  return { ...report, checks };
}
