/** The two ways to run a monitor: by the clock until it is stopped, and once over all sites, for cron. */
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../core/time.ts';
import { isFailed } from '../../core/verdict.ts';
import type { DatabaseNotice } from '../alerts/alert.ts';
import { sleep } from '../clock/clock.ts';
import type { DeepScope, Incident, Scope, Transition } from '../incident/incident.ts';
import { currentIncident, DEEP_SCOPES, ofEachScope, SCOPES, type SiteState } from '../incident/state.ts';
import { ScheduledTask, ticksOf, type Due } from '../schedule/schedule.ts';
import type { MonitorSettings } from '../settings.ts';
import type { SiteView } from '../view.ts';
import { openCore, viewOf, type Core, type MonitorOptions } from './core.ts';
import type { WatchedSite } from './watched-site.ts';

/** How long runs in progress may take to end, and, once they are cut off, to notice. */
const GRACE_MS = 2_000;
const CUT_MS = 500;
/** How long results are written, and due alerts sent, in the end; together. */
const FLUSH_MS = 1_500;

export type Monitor = Awaited<ReturnType<typeof startMonitor>>;

/** Rejects with a `StoreError` when the database cannot be read. */
export async function startMonitor(options: MonitorOptions) {
  const core = await openCore(options);
  const scheduler = new Scheduler(core);
  core.onGap = () => scheduler.reset();
  scheduler.plan();
  const tidying = startHousekeeping(core);
  core.notifier.wake();
  let stopping: Promise<boolean> | null = null;
  return {
    ...viewOf(core, (site) => scheduler.nextAt(site)),
    /** The database was damaged or replaced, and a new file begun. */
    databaseReplaced: (reason: DatabaseNotice): void => core.databaseReplaced(reason),
    /** Applies another configuration: what is known of sites that remain is kept. */
    reload: (settings: MonitorSettings) => scheduler.reload(settings),
    /** How much is being done: runs, writing, sending. 0: nothing happens before the next timer. */
    busy: () => core.busy() + tidying(),
    /**
     * Begins no more runs, waits `graceMs` for current ones, and writes their results; resolves with whether all of them
     * are written. Idempotent.
     */
    stop: (graceMs = GRACE_MS): Promise<boolean> => (stopping ??= stop(graceMs)),
  };

  async function stop(graceMs: number): Promise<boolean> {
    scheduler.stop();
    core.closing.abort();
    await within(core, graceMs, scheduler.settled());
    core.cut.abort();
    await within(core, CUT_MS, scheduler.settled());
    await closeCore(core, FLUSH_MS);
    const { unwritten } = core.journal;
    if (unwritten.runs > 0) options.log('error', 'runs-not-kept', { ...unwritten });
    return unwritten.runs === 0;
  }
}

/**
 * Writes and sends what it can within `ms`, and ends everything, without waiting for what does not end when it is aborted.
 * Resolves with how many alerts still wait. The store stays open.
 */
async function closeCore(core: Core, ms: number): Promise<number> {
  const endsAt = core.timers.monotonic() + ms;
  const left = (): number => Math.max(0, endsAt - core.timers.monotonic());
  await Promise.all([within(core, left(), core.journal.flush()), within(core, CUT_MS, core.probe.settled())]);
  const pending = await core.notifier.flush(left());
  await within(core, left(), core.heartbeat.settled());
  await within(core, CUT_MS, Promise.all([core.notifier.stop(), core.heartbeat.stop()]));
  // The results of notifications.
  await within(core, left(), core.journal.flush());
  core.journal.stop();
  core.clock.stop();
  return pending;
}

async function within({ timers }: Core, ms: number, something: Promise<unknown>): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<void>();
  const cancel = timers.after(ms, resolve);
  await Promise.race([something, late]).finally(cancel);
}

/** What is due together begins so far apart at the start. */
const APART_MS = 20;
/** Within this time all are checked whose root cause seems to be gone. */
const FOLLOW_MS = 5_000;
/** What begins so much later than it was due is reported as late. */
const LATE_MS = 1_000;

/** The schedules of all sites; each has one run at a time. */
class Scheduler {
  readonly #core: Core;
  readonly #tasks = new Map<string, Readonly<Record<Scope, ScheduledTask | null>>>();
  readonly #running = new Set<Promise<void>>();

  constructor(core: Core) {
    this.#core = core;
  }

  /** Begins to wait for the first runs of all sites; an existing task remains, so that no two runs overlap. */
  plan(): void {
    for (const watched of this.#core.watched.values()) {
      const before = this.#tasks.get(watched.site.id);
      const tasks = ofEachScope((scope) => this.#taskOf(watched, scope, before?.[scope] ?? null));
      this.#tasks.set(watched.site.id, tasks);
    }
  }

  /** Sites that remain are checked when their schedule requires it, not at once. */
  async reload(settings: MonitorSettings): Promise<void> {
    const states = await this.#core.options.store.states().catch(() => new Map<string, SiteState>());
    await this.#core.readFindings(settings.alerts);
    this.#core.apply(settings, states);
    for (const [site, tasks] of this.#tasks) {
      if (this.#core.watched.has(site)) continue;
      for (const task of Object.values(tasks)) task?.stop();
      this.#tasks.delete(site);
    }
    if (!this.#core.closing.signal.aborted) this.plan();
  }

  nextAt(site: string): number | null {
    return this.#tasks.get(site)?.core?.nextAt ?? null;
  }

  /** The clock jumped. */
  reset(): void {
    for (const task of this.#all()) task.reset();
  }

  stop(): void {
    for (const task of this.#all()) task.stop();
  }

  async settled(): Promise<void> {
    await Promise.all(this.#running);
  }

  #all(): readonly ScheduledTask[] {
    return [...this.#tasks.values()].flatMap((tasks) => Object.values(tasks).filter((task) => task !== null));
  }

  #taskOf(watched: WatchedSite, scope: Scope, before: ScheduledTask | null): ScheduledTask | null {
    const { timers, clock, counts, watched: all, probe } = this.#core;
    const { site, runs, state } = watched;
    const schedule = { core: site.schedule, full: site.full, browser: site.browser }[scope];
    if (runs[scope] === null || schedule === null) {
      before?.stop();
      return null;
    }
    const name = `${site.id} ${scope}`;
    const ticks = ticksOf(schedule, name);
    const spreadMs = Math.min(ticks.periodMs(clock.now()), all.size * APART_MS);
    before?.change({ ticks, spreadMs });
    if (before !== null) return before;
    const task: ScheduledTask = new ScheduledTask(
      {
        name,
        ticks,
        timers,
        now: () => clock.now(),
        spreadMs,
        onDue: (due) => {
          const run = this.#run(watched, scope, task, due).finally(() => this.#running.delete(run));
          this.#running.add(run);
        },
        onMissed: (missed) => {
          counts.runsLate += missed;
        },
      },
      probe.begun?.(watched, scope) === undefined ? (state?.scopes[scope].at ?? null) : null,
    );
    task.start();
    return task;
  }

  async #run(watched: WatchedSite, scope: Scope, task: ScheduledTask, { at, again }: Due): Promise<void> {
    const { clock, counts } = this.#core;
    let { runs } = watched;
    const onBegin = (): void => {
      ({ runs } = watched);
      if (clock.now() - at > LATE_MS) counts.runsLate += 1;
    };
    const transition = await this.#core.run(watched, scope, again, () => task.ticks, onBegin);
    task.done();
    // Under another configuration it is checked again at once.
    if (transition === null && watched.runs !== runs) task.sooner(0);
    if (transition === null) return;
    this.#sooner(watched, transition);
    for (const event of transition.events) if (event.kind === 'recovered') this.#follow(event.incident.id);
  }

  /** Incidents with the same root cause are probably over too, and are checked before any route is notified of them. */
  #follow(leader: Incident['id']): void {
    const followers = [...this.#core.watched.values()].filter(({ state }) => currentIncident(state)?.sameAs === leader);
    const apartMs = Math.min(APART_MS, FOLLOW_MS / followers.length);
    for (const [index, { site }] of followers.entries()) this.#tasks.get(site.id)?.core?.sooner(index * apartMs);
  }

  #sooner({ site }: WatchedSite, { recheck, dueWithinMs, pauseMs }: Transition): void {
    const tasks = this.#tasks.get(site.id);
    if (pauseMs !== null) tasks?.core?.pause(pauseMs);
    if (recheck !== null) tasks?.[recheck.scope]?.sooner(recheck.afterMs);
    for (const one of SCOPES) {
      const ms = dueWithinMs[one];
      if (ms !== null) tasks?.[one]?.sooner(ms);
    }
  }
}

/* What a monitor does beside its runs: maintenance started by hand, reminders, deletion of old results. */

/** How often maintenance that another process started is read, and reminders are planned. */
const OFTEN_MS = 3_000;

/** Repeats its tasks until no run may begin any more; returns how many are in progress, when it is called. */
function startHousekeeping(core: Core): () => number {
  const { signal } = core.closing;
  let busy = 0;

  const repeat = async (task: string, firstMs: number, everyMs: number, work: () => Promise<void>): Promise<void> => {
    for (let ms = firstMs; ; ms = everyMs) {
      await sleep(core.timers, ms, signal);
      if (signal.aborted) return;
      busy += 1;
      await work().catch((error: Error) =>
        core.options.log('warn', 'housekeeping-failed', { task, error: error.message }),
      );
      busy -= 1;
    }
  };
  void repeat('maintenance', OFTEN_MS, OFTEN_MS, () => core.readMaintenance());
  void repeat('reminders', OFTEN_MS, OFTEN_MS, async () => remind(core));
  void repeat('findings', MINUTE_MS, MINUTE_MS, async () => core.notifyFindings(false));
  // The first deletion is soon after the start.
  void repeat('prune', MINUTE_MS, HOUR_MS, () => prune(core));
  return () => busy;
}

/** Plans what becomes due as time passes. */
function remind(core: Core, joiningMs?: number): void {
  const now = core.clock.now();
  const inMaintenance = [...core.watched.values()].filter((watched) => core.maintenanceOf(watched, now) !== null);
  const notifications = core.alerts.remind(now, new Set(inMaintenance.map(({ site }) => site.id)), joiningMs);
  if (notifications.length > 0) void core.notifier.write({ notifications });
}

/** Longest step of the time by which results are old: a clock that is years ahead must not make all of them old. */
const STEP_MS = DAY_MS;
/** The note with that time. */
const NOTE = 'forgotten-at';

/** Deletes old results, unless that was done within the hour. Rejects with a `StoreError`. */
export async function prune({ clock, settings, options: { store, log } }: Core): Promise<void> {
  const now = clock.now();
  const note = Number((await store.note(NOTE)) ?? Number.NaN);
  const before = Number.isSafeInteger(note) ? note : null;
  if (before !== null && now >= before && now - before < HOUR_MS) return;
  // At first nothing is old, whatever the clock shows.
  const at = before === null ? now : Math.min(now, before + STEP_MS);
  if (before !== null) {
    const rows = await store.prune(at, settings.retention);
    if (rows > 0) log('debug', 'history-pruned', { rows });
  }
  await store.setNote(NOTE, String(at));
}

/* One run of all sites: failures are confirmed within it, and due alerts are sent. */

/** How long one site takes at most, confirmation included, unless its settings need longer. */
const SITE_MS = 85_000;
/** What a full check, or pages in the browser, leave of that to confirm what they find. */
const CONFIRM_MS = 15_000;
/** With less time left no run begins. */
const LEAST_MS = 3_000;
/** Runs that are no further apart confirm what one of them could not: cron may start one a day. */
const RUNS_APART_MS = 26 * 60 * 60_000;
/** What is due so soon is done in this run. */
const SOON_MS = 2_000;
const SEND_MS = 30_000;
/** An alert that failed and is tried again so soon is waited for: the next run may be an hour away. */
const RETRY_MS = 5_000;

export type SingleRunOutcome = Awaited<ReturnType<typeof runAllOnce>>;

/** Checks every site once, with the full check where that is due. Rejects with a `StoreError` when the database cannot be read. */
export async function runAllOnce(options: MonitorOptions, interrupt?: AbortSignal) {
  const core = await openCore(options, true);
  const cut = (): void => {
    core.closing.abort();
    core.cut.abort();
  };
  interrupt?.addEventListener('abort', cut, { once: true });
  if (interrupt?.aborted) cut();
  // What an earlier run could not send.
  core.notifier.wake();
  const sites = [...core.watched.values()];
  for (const watched of sites) watched.policy = { ...watched.policy, apartMs: RUNS_APART_MS };
  const isComplete = (await Promise.all(sites.map((watched) => runSite(core, watched)))).every(Boolean);
  const isWritten = await core.journal.flush();
  // No site joins any more.
  remind(core, 0);
  core.notifyFindings(true);
  await prune(core).catch(() => {});
  if (!interrupt?.aborted) await core.notifier.flush(SEND_MS, RETRY_MS);
  // The heartbeat means that this run was complete.
  if (!interrupt?.aborted && isWritten) core.heartbeat.ping();
  const views = viewOf(core, () => null).sites();
  const pendingAlerts = await closeCore(core, interrupt?.aborted ? 1_000 : SEND_MS);
  interrupt?.removeEventListener('abort', cut);
  return {
    status: statusOf(views, isWritten && isComplete),
    /** In the order of the configuration. */
    sites: views,
    /** Whether the results are in the database. */
    kept: isWritten,
    /** Alerts that could not be sent; the next run tries again. */
    pendingAlerts,
  };
}

async function runSite(core: Core, watched: WatchedSite): Promise<boolean> {
  const endsAt = core.clock.now() + siteMs(watched);
  const last = await runUntilConfirmed(core, watched, 'core', 1, endsAt);
  for (const scope of DEEP_SCOPES) {
    // Of a site that is down, nothing more can be reported.
    if (watched.state?.outage.incident?.checks.some((id) => isOfCore(watched, id))) break;
    // A failing full check runs sooner than by its schedule.
    const isOverdue = (last?.dueWithinMs[scope] ?? Infinity) <= SOON_MS;
    const isDue = isDeepRunDue(core, watched, scope);
    if (isDue || isOverdue) await runUntilConfirmed(core, watched, scope, isDue ? 1 : 0, endsAt);
  }
  return last !== null || watched.runs.core === null;
}

const isOfCore = ({ runs }: WatchedSite, id: string): boolean =>
  runs.core?.checks.some((check) => check.id === id) ?? false;

/**
 * Checks a site, and again as long as something has to be confirmed; resolves with the last transition. `ticks`: moments
 * of the schedule that the first run covers; confirming runs cover none.
 */
async function runUntilConfirmed(core: Core, watched: WatchedSite, scope: Scope, ticks: number, endsAt: number) {
  const leftMs = (): number => endsAt - core.clock.now();
  if (scope !== 'core' && leftMs() < LEAST_MS + CONFIRM_MS) return null;
  const deadlineMs = leftMs() - (scope === 'core' ? 0 : CONFIRM_MS);
  let transition = await core.run(watched, scope, false, () => ticks, undefined, { deadlineMs, failed: null });
  while (transition !== null && transition.recheck !== null) {
    const { scope: recheckScope, afterMs } = transition.recheck;
    if (afterMs + LEAST_MS > leftMs()) return transition;
    await sleep(core.timers, afterMs, core.closing.signal);
    const narrowed = { deadlineMs: leftMs(), failed: failedIn(watched, recheckScope) };
    transition = await core.run(watched, recheckScope, true, () => 0, undefined, narrowed);
  }
  return transition;
}

/**
 * The checks whose failure a run confirms; `null`: it runs all, because it confirms a recovery. Beyond the core checks these
 * run, too: what another check reports may be their effect.
 */
function failedIn({ state, runs, policy }: WatchedSite, scope: Scope): readonly string[] | null {
  if (state === null || (scope === 'core' && state.scopes.core.suspicion === null)) return null;
  const failed = (runs[scope]?.checks ?? []).flatMap(({ id }) => {
    const known = state.checks[id];
    return known !== undefined && isFailed(known, policy) ? [id] : [];
  });
  const core = scope === 'core' ? [] : (runs.core?.checks.map(({ id }) => id) ?? []);
  return failed.length === 0 ? null : [...core, ...failed];
}

/**
 * How long the runs of a site may take together. Settings may need longer: runs of the core checks to confirm a failure or a
 * recovery, with one more than needed, since runs may end a little after their deadline; and a deadline that is set.
 */
function siteMs({ policy, runs, site }: WatchedSite): number {
  const { confirm, recover } = policy;
  const count = Math.max(confirm.times, recover.times) + 1;
  const coreMs = count * (confirm.afterMs + (runs.core?.limits?.deadlineMs ?? 0));
  return Math.max(SITE_MS, coreMs, 3 * (site.checking.limits.deadlineMs ?? 0));
}

function isDeepRunDue({ clock }: Core, { site, runs, state }: WatchedSite, scope: DeepScope): boolean {
  const schedule = site[scope];
  if (runs[scope] === null || schedule === null) return false;
  const last = state?.scopes[scope].at ?? null;
  const tick = last === null ? clock.now() : ticksOf(schedule, `${site.id} ${scope}`).next(last);
  return tick !== null && tick <= clock.now();
}

/**
 * 0: all sites are healthy, 1: one is not, 3: one could not be determined, or results could not be written. Sites in
 * maintenance do not count.
 */
function statusOf(sites: readonly SiteView[], isWritten: boolean): 0 | 1 | 3 {
  const reported = sites
    .filter(({ maintenance }) => maintenance === null)
    .map(({ state }) => state?.verdict ?? 'unknown');
  if (reported.some((verdict) => verdict !== 'healthy' && verdict !== 'unknown')) return 1;
  return isWritten && !reported.includes('unknown') ? 0 : 3;
}
