/** A monitor that runs by the clock, until it is stopped. */
import type { DatabaseNotice } from '../alerts/alert.ts';
import type { Incident, Scope, Transition } from '../incident/incident.ts';
import { currentIncident, ofEachScope, SCOPES, type SiteState } from '../incident/state.ts';
import { ScheduledTask, type Due } from '../schedule/scheduled-task.ts';
import { ticksOf } from '../schedule/ticks.ts';
import type { MonitorSettings } from '../settings.ts';
import { openCore, viewOf, type Core, type MonitorOptions } from './core.ts';
import { startHousekeeping } from './housekeeping.ts';
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
  core.deliverer.wake();
  let stopping: Promise<boolean> | null = null;
  return {
    ...viewOf(core, (site) => scheduler.nextAt(site)),
    /** The database was damaged or replaced, and a new file begun. */
    databaseReplaced: (reason: DatabaseNotice): void => void core.databaseReplaced(reason),
    /** Applies another configuration: what is known of sites that remain is kept. */
    reload: (settings: MonitorSettings) => scheduler.reload(settings),
    record: (...run: Parameters<Core['record']>): void => core.record(...run),
    progress: () => core.writer.progress,
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
    this.#core.apply(settings, states);
    for (const [site, tasks] of this.#tasks) {
      if (this.#core.watched.has(site)) continue;
      for (const task of Object.values(tasks)) task?.stop();
      this.#tasks.delete(site);
    }
    if (!this.#core.closing.signal.aborted) this.plan();
  }

  nextAt(site: string): number | null {
    return this.#tasks.get(site)?.five?.nextAt ?? null;
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
    const { timers, clock, counts, watched: all } = this.#core;
    const { site, runs, state } = watched;
    const schedule = { five: site.schedule, full: site.full, browser: site.browser }[scope];
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
          counts.roundsLate += missed;
        },
      },
      state?.scopes[scope].at ?? null,
    );
    task.start();
    return task;
  }

  async #run(watched: WatchedSite, scope: Scope, task: ScheduledTask, { at, again }: Due): Promise<void> {
    const { clock, counts } = this.#core;
    let { runs } = watched;
    const onBegin = (): void => {
      ({ runs } = watched);
      if (clock.now() - at > LATE_MS) counts.roundsLate += 1;
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
    for (const [index, { site }] of followers.entries()) this.#tasks.get(site.id)?.five?.sooner(index * apartMs);
  }

  #sooner({ site }: WatchedSite, { recheck, dueWithinMs }: Transition): void {
    const tasks = this.#tasks.get(site.id);
    if (recheck !== null) tasks?.[recheck.scope]?.sooner(recheck.afterMs);
    for (const one of SCOPES) {
      const ms = dueWithinMs[one];
      if (ms !== null) tasks?.[one]?.sooner(ms);
    }
  }
}
