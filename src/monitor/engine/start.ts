/** A monitor that runs by the clock, until it is stopped. */
import type { DatabaseNotice } from '../alerts/alert.ts';
import type { MonitorView } from '../view.ts';
import { openCore, viewOf, type Core, type MonitorOptions } from './core.ts';
import type { Measurement } from './local-probe.ts';
import { startHousekeeping } from './housekeeping.ts';
import type { Incident, Scope, Transition } from '../incident/incident.ts';
import { currentIncident, DEEP_SCOPES, ofEachScope, type SiteState } from '../incident/state.ts';
import { ScheduledTask, type Due, type ScheduledTaskOptions } from '../schedule/scheduled-task.ts';
import { ticksOf, type Ticks } from '../schedule/ticks.ts';
import type { MonitorSettings } from '../settings.ts';
import type { WatchedSite } from './watched-site.ts';

/** How long runs that go on may take to end. */
const GRACE_MS = 2_000;
/** How long what was cut off may take to notice. */
const CUT_MS = 500;
/** How long what waits may be written, and what is due be sent, in the end; together. */
const FLUSH_MS = 1_500;

/** The running monitor. */
export interface Monitor extends MonitorView {
  /** The database was damaged or replaced, and a new file begun. */
  databaseReplaced(reason: DatabaseNotice): void;
  /** Applies another configuration: what is known of sites that remain is kept. */
  reload(settings: MonitorSettings): Promise<void>;
  /** Applies what was measured of a site for somebody else; where something later is known, it only adds to the history. */
  record(site: string, scope: Scope, measure: (watched: WatchedSite) => Measurement): void;
  /** How many runs were taken to be written, and how many of them do not wait any more, since the start. */
  progress(): { readonly added: number; readonly done: number };
  /** How much is being done: runs, writing, sending. 0: nothing happens before the next timer. */
  busy(): number;
  /**
   * Begins no more runs, waits `graceMs` (default: 2 s) for current ones, and writes their results; resolves with whether
   * all of them are written. Idempotent.
   */
  stop(graceMs?: number): Promise<boolean>;
}

/** Starts to watch. Rejects with a `StoreError` when the database cannot be read. */
export async function startMonitor(options: MonitorOptions): Promise<Monitor> {
  const core = await openCore(options);
  const runs = new Scheduler(core);
  core.onGap = () => runs.reset();
  await runs.plan();
  const housekeeping = startHousekeeping(core);
  core.deliverer.wake();
  let stopping: Promise<boolean> | null = null;
  return {
    ...viewOf(core, (site) => runs.nextAt(site)),
    databaseReplaced: (reason) => void core.databaseReplaced(reason),
    reload: (settings) => runs.reload(settings),
    record: (site, scope, measure) => core.record(site, scope, measure),
    progress: () => core.writer.progress,
    busy: () => core.busy() + housekeeping.busy(),
    stop: (graceMs = GRACE_MS) => (stopping ??= stop(graceMs)),
  };

  async function stop(graceMs: number): Promise<boolean> {
    housekeeping.stop();
    runs.stop();
    core.closing.abort();
    await within(core, graceMs, runs.settled());
    core.cut.abort();
    await within(core, CUT_MS, runs.settled());
    await closeCore(core, FLUSH_MS);
    const { unwritten } = core.writer;
    if (unwritten.rounds > 0) options.log('error', 'rounds-not-kept', { ...unwritten });
    return unwritten.rounds === 0;
  }
}

/**
 * Writes and sends what it can within `ms`, and ends everything, without waiting for what does not end when it is aborted.
 * Resolves with how many alerts still wait. The store stays open.
 */
export async function closeCore(core: Core, ms: number): Promise<number> {
  const endsAt = core.timers.monotonic() + ms;
  const left = (): number => Math.max(0, endsAt - core.timers.monotonic());
  await Promise.all([within(core, left(), core.writer.flush()), within(core, CUT_MS, core.probe.settled())]);
  core.writer.stop();
  const pending = await core.deliverer.flush(left());
  await within(core, left(), core.pulse.settled());
  await within(core, CUT_MS, Promise.all([core.deliverer.stop(), core.pulse.stop()]));
  core.clock.stop();
  return pending + core.writer.unsent.length;
}

/** Waits for something, but no longer than `ms`. */
async function within({ timers }: Core, ms: number, something: Promise<unknown>): Promise<void> {
  let cancel = (): void => {};
  const late = new Promise<void>((resolve) => {
    cancel = timers.after(ms, resolve);
  });
  await Promise.race([something, late]).finally(() => cancel());
}

/** What is due together begins so far apart at the start. */
const APART_MS = 20;
/** Within this time all are checked whose root cause seems to be gone. */
const FOLLOW_MS = 5_000;
/** What begins so much later than it was due is reported as late. */
const LATE_MS = 1_000;

/** The schedules of one site; each has one run at a time. */
type SiteTasks = Readonly<Record<Scope, ScheduledTask | null>>;

class Scheduler {
  readonly #core: Core;
  readonly #tasks = new Map<string, SiteTasks>();
  readonly #going = new Set<Promise<void>>();
  #stopped = false;

  constructor(core: Core) {
    this.#core = core;
  }

  /** Begins to wait for the first runs of all sites. */
  async plan(): Promise<void> {
    await Promise.all([...this.#core.watched.values()].map((watched) => this.#plan(watched)));
  }

  /** Sites that remain are checked when their schedule says so, not at once. */
  async reload(settings: MonitorSettings): Promise<void> {
    const states = await this.#core.options.store.states().catch((): ReadonlyMap<string, SiteState> => new Map());
    this.#core.apply(settings, (site) => states.get(site) ?? null);
    for (const [site, tasks] of this.#tasks) {
      if (this.#core.watched.has(site)) continue;
      stopTasks(tasks);
      this.#tasks.delete(site);
    }
    await this.plan();
  }

  nextAt(site: string): number | null {
    return this.#tasks.get(site)?.five?.nextAt ?? null;
  }

  /** The clock jumped. */
  reset(): void {
    for (const tasks of this.#tasks.values()) for (const task of Object.values(tasks)) task?.reset();
  }

  stop(): void {
    this.#stopped = true;
    for (const tasks of this.#tasks.values()) stopTasks(tasks);
  }

  /** Resolves when no run is in progress. */
  async settled(): Promise<void> {
    await Promise.all(this.#going);
  }

  async #plan(watched: WatchedSite): Promise<void> {
    const { site, runs } = watched;
    const schedules = { five: site.schedule, full: site.full, browser: site.browser };
    const ticksFor = async (scope: Scope): Promise<Ticks | null> =>
      runs[scope] === null || schedules[scope] === null ? null : ticksOf(schedules[scope], `${site.id} ${scope}`);
    const ticks = { five: await ticksFor('five'), full: await ticksFor('full'), browser: await ticksFor('browser') };
    // Meanwhile another configuration may have been applied.
    if (this.#stopped || this.#core.watched.get(site.id) !== watched) return;
    const before = this.#tasks.get(site.id);
    this.#tasks.set(
      site.id,
      ofEachScope((scope) => this.#planned(watched, scope, ticks[scope], before?.[scope] ?? null)),
    );
  }

  /** An existing task remains, so that no run begins while one is in progress. */
  #planned(
    watched: WatchedSite,
    scope: Scope,
    ticks: Ticks | null,
    before: ScheduledTask | null,
  ): ScheduledTask | null {
    if (ticks === null) {
      before?.stop();
      return null;
    }
    if (before === null) {
      const task = this.#task(watched, scope, ticks);
      task.start();
      return task;
    }
    before.change({ ticks, spreadMs: this.#spreadMs(ticks) });
    return before;
  }

  #spreadMs(ticks: Ticks): number {
    return Math.min(ticks.periodMs(this.#core.clock.now()), this.#core.watched.size * APART_MS);
  }

  #task(watched: WatchedSite, scope: Scope, ticks: Ticks): ScheduledTask {
    const { timers, clock, counts } = this.#core;
    const { site, state } = watched;
    const taskOptions: ScheduledTaskOptions = {
      name: `${site.id} ${scope}`,
      ticks,
      timers,
      now: () => clock.now(),
      spreadMs: this.#spreadMs(ticks),
      onDue: (due) => this.#begin(watched, scope, task, due),
      onMissed: (missed) => {
        counts.roundsLate += missed;
      },
    };
    const task: ScheduledTask = new ScheduledTask(taskOptions, state?.scopes[scope].at ?? null);
    return task;
  }

  #begin(watched: WatchedSite, scope: Scope, task: ScheduledTask, due: Due): void {
    const run = this.#run(watched, scope, task, due).finally(() => this.#going.delete(run));
    this.#going.add(run);
  }

  async #run(watched: WatchedSite, scope: Scope, task: ScheduledTask, { at, again }: Due): Promise<void> {
    const { clock, counts } = this.#core;
    let { runs } = watched;
    const onBegin = (): void => {
      ({ runs } = watched);
      if (clock.now() - at > LATE_MS) counts.roundsLate += 1;
    };
    const transition = await this.#core.look(watched, scope, again, { onBegin, ticks: () => task.standsFor });
    // Under another configuration it is checked again at once.
    if (transition === null) return task.done(watched.runs === runs ? null : 0);
    task.done(transition.recheckScope === scope ? transition.recheckAfterMs : null);
    this.#sooner(watched, scope, transition);
    for (const event of transition.events) if (event.kind === 'recovered') this.#follow(event.incident.id);
  }

  /** Incidents with the same root cause are probably over too, and are checked before anybody is notified of them. */
  #follow(leader: Incident['id']): void {
    const followers = [...this.#core.watched.values()].filter(({ state }) => currentIncident(state)?.sameAs === leader);
    const apartMs = Math.min(APART_MS, FOLLOW_MS / followers.length);
    for (const [index, { site }] of followers.entries()) this.#tasks.get(site.id)?.five?.sooner(index * apartMs);
  }

  /** An observation may ask for a run of another scope before its time. */
  #sooner({ site }: WatchedSite, scope: Scope, transition: Transition): void {
    const { recheckAfterMs, recheckScope, failingRecheckAfterMs, openRecheckAfterMs } = transition;
    const tasks = this.#tasks.get(site.id);
    if (recheckAfterMs !== null && recheckScope !== scope) tasks?.[recheckScope]?.sooner(recheckAfterMs);
    for (const deep of DEEP_SCOPES) {
      const ms = failingRecheckAfterMs[deep];
      if (ms !== null) tasks?.[deep]?.sooner(ms);
    }
    if (openRecheckAfterMs !== null) tasks?.five?.sooner(openRecheckAfterMs);
  }
}

function stopTasks(tasks: SiteTasks): void {
  for (const task of Object.values(tasks)) task?.stop();
}
