/** A runner: takes the runs of its location from the queue, does them, and hands in what it measured. */
import { VERSION } from '../../core/version.ts';
import { REAL_TIMERS, startClock, type Clock } from '../clock/clock.ts';
import { openLocalProbe, type LocalProbeOptions, type Measurement } from '../engine/local-probe.ts';
import { RUN_FAILED, RUN_FAILED_MS } from '../engine/core.ts';
import { fairSystemResolver, localSlots, runsAtOnce } from '../engine/concurrency.ts';
import { guarded, type Watchdog } from '../engine/watchdog.ts';
import { compact, updateWatched, type WatchedSite } from '../engine/watched-site.ts';
import type { Log } from '../log/write.ts';
import type { MonitorSettings } from '../settings.ts';
import { connections } from '../store/postgres/connection.ts';
import { BEAT_MS, memberId, reachabilityLog, repeat, within } from './members.ts';
import type { RunJob } from './job-format.ts';
import { isPrepared, runnerQueue, type Ended, type RunnerQueue, type TakenRun } from './runner-queue.ts';

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
  readonly watchdog?: Watchdog;
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
export async function startRunner(options: RunnerOptions) {
  const { address, location, log } = options;
  const database = connections(address);
  const clock = startClock(REAL_TIMERS, () => {});
  const { note } = reachabilityLog(log);
  /** Aborted when it has begun, or is not to begin any more. */
  const closing = new AbortController();
  let { settings } = options;
  let work: Work | null = null;

  const begin = async (): Promise<void> => {
    if (!(await isPrepared(database, location))) return;
    const id = memberId('runner');
    work = await startWork({ ...options, settings }, { id, clock, queue: runnerQueue(database, id), note });
    log('info', 'runner-started', { version: VERSION, pid: process.pid, location, sites: settings.sites.length });
    closing.abort();
  };
  const close = async (): Promise<void> => {
    clock.stop();
    await within(CLOSE_MS, Promise.allSettled([database.close()]));
  };
  try {
    await begin();
  } catch (error) {
    await close();
    throw error;
  }
  if (work === null) log('info', 'runner-waiting', { location });
  const waiting = repeat(WAITING_MS, closing.signal, note, begin);
  return {
    configure(changed: MonitorSettings) {
      settings = changed;
      work?.configure(changed);
    },
    /** Takes no more runs, ends those in progress or gives them back, all within five seconds. */
    async stop() {
      closing.abort();
      await waiting;
      await work?.stop();
      await close();
    },
  };
}

type Work = Awaited<ReturnType<typeof startWork>>;

interface Dependencies {
  readonly id: string;
  readonly clock: Clock;
  readonly queue: RunnerQueue;
  readonly note: (error: Error | null) => void;
}

async function startWork(options: RunnerOptions, { id, clock, queue, note }: Dependencies) {
  const { log } = options;
  const most = Math.max(2, options.atOnce ?? (await runsAtOnce()));
  const closing = new AbortController();
  const cutting = new AbortController();
  const { signal: cut } = cutting;
  /** Runs that were taken and whose results have not been handed in. */
  const taken = new Map<string, TakenRun>();
  /** Each resolves when a run has ended. */
  const running = new Set<Promise<void>>();
  const results: Ended[] = [];
  /** By the monotonic clock. */
  let failedAt = -Infinity;
  const { configure, measure, troubles } = await openSites(options, { clock, most, cut });

  const run = async (job: TakenRun): Promise<void> => {
    const { data } = job;
    const measured = await measure(data).catch((error: Error) => {
      failedAt = performance.now();
      log('error', 'run-failed', { site: data.site, scope: data.scope, error: error.message });
      return null;
    });
    // What was cut off is given back.
    if (cut.aborted) return;
    results.push({ job, result: { ...data, runner: id, ...(measured === null ? {} : { measured }) } });
  };

  /** Takes as many runs as there is room for; resolves with whether there may be more. */
  const take = async (): Promise<boolean> => {
    const free = Math.min(most - running.size, MOST_TAKEN);
    if (free <= 0) return false;
    // One at a time that may be what ended its runner, so that it does not take the others with it.
    const mayRepeat = [...taken.values()].every(({ attempt }) => attempt === 0);
    const jobs = await queue.take(free, mayRepeat);
    for (const job of jobs) {
      taken.set(job.id, job);
      const ended = run(job).finally(() => running.delete(ended));
      running.add(ended);
    }
    return jobs.length >= free;
  };

  const send = async (): Promise<boolean> => {
    const batch = results.slice(0, MOST_TAKEN);
    if (batch.length === 0) return false;
    const sent = results.splice(0, await queue.handIn(batch));
    for (const { job } of sent) taken.delete(job.id);
    return results.length > 0;
  };

  const sendHeartbeat = async (): Promise<void> => {
    const hasFailed = performance.now() - failedAt < RUN_FAILED_MS;
    await queue.beat([...taken.values()], running.size, [...troubles(), ...(hasFailed ? [RUN_FAILED] : [])]);
  };

  await sendHeartbeat();
  const taking = repeat(IDLE_MS, closing.signal, note, take);
  const reporting = Promise.all([repeat(SEND_MS, cut, note, send), repeat(BEAT_MS, cut, note, sendHeartbeat)]);
  /** What is being taken now is still run, or given back. */
  const allEnded = async (): Promise<void> => {
    await taking;
    await Promise.all(running);
  };
  const leaveAll = async (): Promise<void> => {
    while (await send());
    await queue.leave([...taken.values()]);
  };
  return {
    configure,
    async stop() {
      closing.abort();
      await within(GRACE_MS, allEnded());
      cutting.abort();
      await within(CUT_MS, Promise.all([allEnded(), reporting]));
      await within(LEAVE_MS, leaveAll().catch(note));
    },
  };
}

/** The sites of the configuration, each with what a run of it needs; `most` run at once, until `cut`. */
async function openSites(
  { settings, log, env, check, watchdog }: RunnerOptions,
  { clock, most, cut }: { readonly clock: Clock; readonly most: number; readonly cut: AbortSignal },
) {
  const watched = new Map<string, WatchedSite>();
  const slots = localSlots(most);
  const own = { store: null, timers: REAL_TIMERS, clock, resolver: fairSystemResolver(env) };
  const local = { ...own, log, env, ...(check === undefined ? {} : { check }) };
  const probe = guarded(await openLocalProbe(local, settings), watchdog);

  const configure = (changed: MonitorSettings): void => {
    probe.configure(changed);
    for (const { site } of updateWatched(watched, changed, new Map(), env)) probe.forget(site.id);
  };

  const measure = async ({ site, scope, bypassCache, at }: RunJob): Promise<Measurement | null> => {
    const known = watched.get(site);
    if (known === undefined) {
      log('warn', 'site-not-configured', { site });
      return null;
    }
    if (scope === 'core' && Date.now() - at > STALE_MS) return null;
    const slot = await slots[scope].take('usual', cut);
    try {
      const measured = slot === null ? null : await probe.measure(known, scope, { bypassCache, cut });
      if (measured === null) return null;
      return { ...measured, report: { ...measured.report, checks: measured.report.checks.map(compact) } };
    } finally {
      slot?.release();
    }
  };

  configure(settings);
  return { configure, measure, troubles: () => probe.troubles() };
}
