/** A runner: takes the runs of its location from the queue, does them, and sends what it measured. */
import { sql } from 'kysely';
import { VERSION } from '../../version.ts';
import { REAL_TIMERS, startClock } from '../clock/clock.ts';
import { openLocalProbe, type LocalProbeOptions, type Measurement } from '../engine/local-probe.ts';
import { localSlots, runsAtOnce } from '../engine/slots.ts';
import { compact, updateWatched, type WatchedSite } from '../engine/watched-site.ts';
import type { Log } from '../log/write.ts';
import { fairSystemResolver } from '../names/fair-resolver.ts';
import type { MonitorSettings } from '../settings.ts';
import { connections, demandTables, type Connections, type Database } from '../store/postgres/connection.ts';
import { StoreError } from '../store/store.ts';
import { Reachability, repeat, within } from './loop.ts';
import { beat, BEAT_MS, leave, memberId } from './members.ts';
import { QUEUE_SCHEMA, Queues, type ResultJob, type RunJob, type Taken, type TakenJob } from './queue.ts';

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
/** Between two attempts to begin. */
const WAITING_MS = 1_000;

/**
 * Starts to take runs, or waits until a coordinator has created the tables and the queues. Rejects where the database
 * cannot be used.
 */
export async function startRunner(options: RunnerOptions): Promise<Runner> {
  const { address, location, log } = options;
  const database = connections(address, false, Date.now);
  const reachability = new Reachability(log);
  /** Aborted when it has begun, or is not to begin any more. */
  const closing = new AbortController();
  let { settings } = options;
  let work: Work | null = null;

  const begin = async (): Promise<void> => {
    if (!(await isPrepared(database))) return;
    const queues = await Queues.open(address, null, reachability.note);
    const started = new Work({ ...options, settings }, queues, database.read, reachability, await runsAtOnce());
    try {
      await started.start();
    } catch (error) {
      await queues.close();
      throw error;
    }
    work = started;
    log('info', 'runner-started', { version: VERSION, pid: process.pid, location, sites: settings.sites.length });
    closing.abort();
  };
  const close = async (): Promise<void> => {
    await within(CLOSE_MS, Promise.allSettled([work?.queues.close(), database.close()]));
  };
  try {
    await begin();
  } catch (error) {
    await close();
    throw error;
  }
  if (work === null) log('info', 'runner-waiting', { location });
  const waiting = repeat(WAITING_MS, closing.signal, reachability.note, begin);
  return {
    configure(changed) {
      settings = changed;
      work?.configure(changed);
    },
    async stop() {
      closing.abort();
      await waiting;
      await work?.stop();
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

class Work {
  readonly queues: Queues;
  readonly #options: RunnerOptions;
  readonly #database: Database;
  readonly #reachability: Reachability;
  readonly #id = memberId('runner');
  readonly #startedAt = Date.now();
  readonly #clock = startClock(REAL_TIMERS, () => {});
  readonly #watched = new Map<string, WatchedSite>();
  readonly #slots: ReturnType<typeof localSlots>;
  readonly #most: number;
  readonly #closing = new AbortController();
  readonly #cut = new AbortController();
  /** Runs that were taken and whose results have not been sent. */
  readonly #taken = new Map<string, TakenJob>();
  /** Those of them that are still running. */
  readonly #running = new Map<string, Promise<void>>();
  #taking: Promise<void> = Promise.resolve();
  #reporting: Promise<unknown> = Promise.resolve();
  #probe!: Awaited<ReturnType<typeof openLocalProbe>>;
  #results: { readonly job: TakenJob; readonly result: ResultJob }[] = [];

  constructor(
    options: RunnerOptions,
    queues: Queues,
    database: Database,
    reachability: Reachability,
    capacity: number,
  ) {
    this.#options = options;
    this.queues = queues;
    this.#database = database;
    this.#reachability = reachability;
    this.#most = Math.max(2, options.atOnce ?? capacity);
    this.#slots = localSlots(this.#most);
  }

  async start(): Promise<void> {
    const { settings, env, log, check } = this.#options;
    const { signal: cut } = this.#cut;
    const { note } = this.#reachability;
    const own = { store: null, timers: REAL_TIMERS, clock: this.#clock, resolver: fairSystemResolver(env) };
    this.#probe = await openLocalProbe({ ...own, log, env, ...(check === undefined ? {} : { check }) }, settings);
    this.configure(settings);
    await this.#beat();
    this.#taking = repeat(IDLE_MS, this.#closing.signal, note, () => this.#take());
    this.#reporting = Promise.all([
      repeat(SEND_MS, cut, note, () => this.#send()),
      repeat(BEAT_MS, cut, note, () => this.#beat()),
    ]);
  }

  configure(settings: MonitorSettings): void {
    this.#probe.configure(settings);
    const gone = updateWatched(this.#watched, settings, new Map(), this.#options.env);
    for (const { site } of gone) this.#probe.forget(site.id);
  }

  async stop(): Promise<void> {
    this.#closing.abort();
    await within(GRACE_MS, this.#ended());
    this.#cut.abort();
    await within(CUT_MS, Promise.all([this.#ended(), this.#reporting]));
    await within(LEAVE_MS, this.#leave().catch(this.#reachability.note));
    this.#clock.stop();
  }

  /** What is being taken now is still run, or given back. */
  async #ended(): Promise<void> {
    await this.#taking;
    await Promise.all(this.#running.values());
  }

  async #leave(): Promise<void> {
    while (await this.#send());
    await this.queues.giveBack(this.#options.location, [...this.#taken.values()]);
    await leave(this.#database, this.#id);
  }

  /** Takes as many runs as there is room for; resolves with whether there may be more. */
  async #take(): Promise<boolean> {
    const free = Math.min(this.#most - this.#running.size, MOST_TAKEN);
    if (free <= 0) return false;
    const jobs = await this.queues.take(this.#options.location, free);
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

  async #measure({ site, scope, isWhole, at }: RunJob): Promise<Measurement | null> {
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
      return { ...measured, report: { ...measured.report, checks: measured.report.checks.map(compact) } };
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
      await this.queues.sendResults(batch.map(({ result }) => result));
      await this.queues.finish(this.#options.location, jobs);
      for (const { id } of jobs) this.#taken.delete(id);
    } catch (error) {
      this.#results.unshift(...batch);
      throw error;
    }
    return this.#results.length > 0;
  }

  async #beat(): Promise<void> {
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
    await this.queues.touch(location, [...this.#taken.values()]);
  }
}
