/** A runner: takes the runs of its location from the queue, does them, and sends what it measured. */
import { performance } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import { systemResolver } from '../../http/connect.ts';
import { VERSION } from '../../version.ts';
import { REAL_TIMERS, startClock } from '../clock/clock.ts';
import { openLocalProbe, type LocalProbeOptions } from '../engine/local-probe.ts';
import { fullChecksAtOnce, lookupsAtOnce, runsAtOnce, Slots } from '../engine/slots.ts';
import { compact, rewatch, watch, type WatchedSite } from '../engine/watched-site.ts';
import type { Scope } from '../incident/incident.ts';
import type { Log } from '../log/write.ts';
import { fairResolver } from '../names/fair-resolver.ts';
import type { MonitorSettings } from '../settings.ts';
import { connections, demandTables, type Connections, type Database } from '../store/postgres/connection.ts';
import { StoreError } from '../store/store.ts';
import { beat, BEAT_MS, leave, memberId } from './members.ts';
import { packed, QUEUE_SCHEMA, Queues, type ResultJob, type RunJob, type Taken, type TakenJob } from './queue.ts';

export interface RunnerOptions {
  readonly address: string;
  readonly location: string;
  readonly settings: MonitorSettings;
  readonly log: Log;
  readonly env: NodeJS.ProcessEnv;
  /** Concurrent runs; default: as many as this process has descriptors for. */
  readonly atOnce?: number;
  /** What a run does; default: the real checks. */
  readonly check?: LocalProbeOptions['check'];
}

export interface Runner {
  configure(settings: MonitorSettings): void;
  /** Takes no more runs, ends those in progress or gives them back, all within five seconds. */
  stop(): Promise<void>;
}

/** Between two attempts to take runs while there are none. */
const IDLE_MS = 250;
const MOST_TAKEN = 200;
/** Results are sent together. */
const SEND_MS = 100;
/** A run that was requested longer ago is not worth doing: the next one is due. */
const STALE_MS = 90_000;
/** How long runs in progress may take after a stop, and how long it may take to cut them off, to send, and to close. */
const GRACE_MS = 2_500;
const CUT_MS = 500;
const LEAVE_MS = 1_000;
const CLOSE_MS = 500;
/** A server that does not respond is asked again this often. */
const RETRY_MS = 1_000;

/**
 * Starts to take runs, or waits until a coordinator has created the tables and the queues. Rejects where the database
 * cannot be used.
 */
export async function startRunner(options: RunnerOptions): Promise<Runner> {
  const { address, location, log } = options;
  const database = connections(address, false, Date.now);
  const report = reporterOf(log);
  const closing = new AbortController();
  let { settings } = options;
  let running: { readonly work: Work; readonly queues: Queues } | null = null;

  const begin = async (): Promise<boolean> => {
    if (!(await isPrepared(database))) return false;
    const queues = await Queues.open(address, null, report.failed);
    const work = new Work({ ...options, settings }, queues, database.read, report, await runsAtOnce());
    try {
      await work.start();
    } catch (error) {
      await queues.close();
      throw error;
    }
    running = { work, queues };
    log('info', 'runner-started', { version: VERSION, pid: process.pid, location, sites: settings.sites.length });
    return true;
  };
  const close = async (): Promise<void> => {
    await within(CLOSE_MS, Promise.allSettled([running?.queues.close(), database.close()]));
  };
  let waiting = Promise.resolve();
  try {
    if (!(await begin())) {
      log('info', 'runner-waiting', { location });
      waiting = repeat(RETRY_MS, closing, report, async () => {
        if (await begin()) closing.abort();
        return false;
      });
    }
  } catch (error) {
    await close();
    throw error;
  }
  return {
    configure(changed) {
      settings = changed;
      running?.work.configure(changed);
    },
    async stop() {
      closing.abort();
      await waiting;
      await running?.work.stop();
      await close();
    },
  };
}

/** Whether a coordinator has created what a runner uses, in a form that this version knows. */
async function isPrepared(database: Connections): Promise<boolean> {
  const { rows } = await sql<{ isPrepared: boolean | null }>`
    SELECT has_table_privilege(to_regclass(${`${QUEUE_SCHEMA}.queue`}), 'SELECT') AS "isPrepared"`.execute(
    database.read,
  );
  if (rows[0]?.isPrepared !== true) return false;
  try {
    await demandTables(database, true);
    return true;
  } catch (error) {
    if (error instanceof StoreError && (error.problem === 'missing' || error.problem === 'older')) return false;
    throw error;
  }
}

interface Reporter {
  readonly failed: (error: { readonly message: string }) => void;
  readonly worked: () => void;
}

/** Logs that the database cannot be reached, once, and that it can again. */
function reporterOf(log: Log): Reporter {
  let isFailing = false;
  return {
    failed({ message }) {
      if (!isFailing) log('error', 'queue-unreachable', { error: message });
      isFailing = true;
    },
    worked() {
      if (isFailing) log('info', 'queue-reachable');
      isFailing = false;
    },
  };
}

class Work {
  readonly #options: RunnerOptions;
  readonly #queues: Queues;
  readonly #database: Database;
  readonly #report: Reporter;
  readonly #id = memberId('runner');
  readonly #startedAt = Date.now();
  readonly #clock = startClock(REAL_TIMERS, () => {});
  readonly #watched = new Map<string, WatchedSite>();
  readonly #slots: Readonly<Record<Scope, Slots>>;
  readonly #most: number;
  readonly #closing = new AbortController();
  readonly #cut = new AbortController();
  /** Runs that were taken and whose results have not been sent. */
  readonly #taken = new Map<string, TakenJob>();
  /** Those of them that are still running. */
  readonly #running = new Map<string, Promise<void>>();
  #loops: readonly Promise<void>[] = [];
  #probe!: Awaited<ReturnType<typeof openLocalProbe>>;
  #results: { readonly job: TakenJob; readonly result: ResultJob }[] = [];
  #settings: MonitorSettings;

  constructor(options: RunnerOptions, queues: Queues, database: Database, report: Reporter, capacity: number) {
    this.#options = options;
    this.#settings = options.settings;
    this.#queues = queues;
    this.#database = database;
    this.#report = report;
    const most = options.atOnce ?? capacity;
    this.#most = Math.max(2, most);
    this.#slots = {
      five: new Slots(this.#most),
      full: new Slots(Math.min(fullChecksAtOnce(), this.#most)),
      browser: new Slots(1),
    };
  }

  async start(): Promise<void> {
    const { env, log, check } = this.#options;
    const most = lookupsAtOnce(env);
    const local: LocalProbeOptions = {
      // What responded before is learnt again after a start: a runner has no notes in the database.
      store: { note: async () => null, setNote: async () => {} },
      log,
      env,
      timers: REAL_TIMERS,
      clock: this.#clock,
      ...(check === undefined ? {} : { check }),
      resolver: fairResolver({ resolver: systemResolver, most, clock: () => performance.now() }),
    };
    this.#probe = await openLocalProbe(local, this.#settings);
    this.configure(this.#settings);
    await this.#beat();
    this.#loops = [
      repeat(IDLE_MS, this.#closing, this.#report, () => this.#take()),
      repeat(SEND_MS, this.#cut, this.#report, () => this.#send()),
      repeat(BEAT_MS, this.#cut, this.#report, () => this.#beat()),
    ];
  }

  configure(settings: MonitorSettings): void {
    this.#settings = settings;
    this.#probe.configure(settings);
    const before = new Map(this.#watched);
    this.#watched.clear();
    for (const site of settings.sites) {
      const known = before.get(site.id);
      before.delete(site.id);
      if (known !== undefined) rewatch(known, site, this.#options.env);
      this.#watched.set(site.id, known ?? watch(site, null, this.#options.env));
    }
    for (const id of before.keys()) this.#probe.forget(id);
  }

  async stop(): Promise<void> {
    this.#closing.abort();
    // What is being taken now is still run, or given back.
    const [taking] = this.#loops;
    await within(
      GRACE_MS,
      Promise.resolve(taking).then(() => Promise.all(this.#running.values())),
    );
    this.#cut.abort();
    await within(CUT_MS, Promise.all([...this.#loops, ...this.#running.values()]));
    await within(LEAVE_MS, this.#leave().catch(this.#report.failed));
    this.#clock.stop();
  }

  async #leave(): Promise<void> {
    while (await this.#send());
    await this.#queues.giveBack(this.#options.location, [...this.#taken.values()]);
    await leave(this.#database, this.#id);
  }

  /** Takes as many runs as there is room for; resolves with whether there may be more. */
  async #take(): Promise<boolean> {
    const free = Math.min(this.#most - this.#running.size, MOST_TAKEN);
    if (free <= 0) return false;
    const jobs = await this.#queues.take(this.#options.location, free);
    for (const job of jobs) {
      this.#taken.set(job.id, { id: job.id, retryCount: job.retryCount });
      const run = this.#run(job).finally(() => this.#running.delete(job.id));
      this.#running.set(job.id, run);
    }
    return jobs.length === free;
  }

  async #run({ id, retryCount, data }: Taken<RunJob>): Promise<void> {
    const { log } = this.#options;
    const measured = await this.#measure(data).catch((error: Error) => {
      log('error', 'round-failed', { site: data.site, scope: data.scope, error: error.message });
      return null;
    });
    // What was cut off is given back.
    if (this.#cut.signal.aborted) return;
    this.#results.push({
      job: { id, retryCount },
      result: { ...data, runner: this.#id, ...(measured === null ? {} : { measured }) },
    });
  }

  async #measure({ site, scope, isWhole, at }: RunJob): Promise<NonNullable<ResultJob['measured']> | null> {
    const watched = this.#watched.get(site);
    if (watched === undefined) {
      this.#options.log('warn', 'site-not-configured', { site });
      return null;
    }
    if (scope === 'five' && Date.now() - at > STALE_MS) return null;
    const slot = await this.#slots[scope].take('usual', this.#cut.signal);
    try {
      if (slot === null) return null;
      const measured = await this.#probe.measure(watched, scope, { isWhole, cut: this.#cut.signal });
      if (measured === null) return null;
      const { report, probeSide, version, contents } = measured;
      return { report: packed(report, compact), probeSide, version, ...(contents === undefined ? {} : { contents }) };
    } finally {
      slot?.release();
    }
  }

  /** Sends what was measured, then ends the runs: a runner that is lost between the two has them done again. */
  async #send(): Promise<boolean> {
    const batch = this.#results.splice(0, MOST_TAKEN);
    if (batch.length === 0) return false;
    const jobs = batch.map(({ job }) => job);
    try {
      await this.#queues.sendResults(batch.map(({ result }) => result));
      await this.#queues.finish(this.#options.location, jobs);
      for (const { id } of jobs) this.#taken.delete(id);
    } catch (error) {
      this.#results.unshift(...batch);
      throw error;
    }
    return this.#results.length > 0;
  }

  async #beat(): Promise<boolean> {
    const { location } = this.#options;
    await beat(this.#database, {
      id: this.#id,
      role: 'runner',
      location,
      startedAt: this.#startedAt,
      running: this.#running.size,
      acting: true,
      troubles: this.#probe.troubles(),
    });
    await this.#queues.touch(location, [...this.#taken.values()]);
    return false;
  }
}

/** Does something again and again, until the signal is aborted; `true`: at once. */
async function repeat(
  ms: number,
  { signal }: AbortController,
  report: Reporter,
  step: () => Promise<boolean>,
): Promise<void> {
  while (!signal.aborted) {
    let waitMs = ms;
    try {
      if (await step()) continue;
      report.worked();
    } catch (error) {
      report.failed(error as Error);
      waitMs = RETRY_MS;
    }
    await pause(waitMs, signal);
  }
}

/** Waits `ms`, or until `signal` is aborted. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await wait(ms, undefined, { signal }).catch(() => {});
}

/** Waits for something, but no longer than `ms`. */
async function within(ms: number, something: Promise<unknown>): Promise<void> {
  const over = new AbortController();
  await Promise.race([something, pause(ms, over.signal)]).finally(() => over.abort());
}
