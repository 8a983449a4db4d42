/** The monitor's parts, and one run of a site: check, apply, plan alerts, write. `startMonitor` and `runAllOnce` decide when. */
import type { Resolver } from '../../http/connect.ts';
import { PUBLIC_CONTROL } from '../../http/control.ts';
import {
  noticeAlert,
  notificationOf,
  refusalId,
  refusedAlert,
  type DatabaseNotice,
  type Notification,
  type Send,
} from '../alerts/alert.ts';
import { SentFindings } from '../alerts/findings.ts';
import { Notifier, retryAfters } from '../alerts/notifier.ts';
import { OpenAlerts } from '../alerts/open-alerts.ts';
import { routesOf } from '../alerts/plan.ts';
import { createSend } from '../alerts/send.ts';
import { REAL_TIMERS, type Timers, startClock, type Clock, type Gap } from '../clock/clock.ts';
import type { Incident, Observation, Scope, Transition } from '../incident/incident.ts';
import { isNotable, REFUSED } from '../incident/refusal.ts';
import { currentIncident, ofEachScope, openIncidents, withIncidents } from '../incident/state.ts';
import type { Log } from '../log/write.ts';
import { maintenanceAt, type Maintenance } from '../maintenance/maintenance.ts';
import type { MonitorSettings } from '../settings.ts';
import { Journal, PATIENCE_MS } from '../store/journal.ts';
import { hasNews, type Entry, type StartedMaintenance, type Store } from '../store/store.ts';
import type { IncidentListener, MonitorView } from '../view.ts';
import { applyObservation } from './apply-observation.ts';
import { causesOf, type Lookups } from './causes.ts';
import { startHeartbeat, type Heartbeat, type requestPing } from './heartbeat.ts';
import { openLocalProbe } from './local-probe.ts';
import type { LocalProbeOptions, Measurement, NarrowedRun, Probe } from './local-probe.ts';
import { createSlots, fairSystemResolver, localSlots, runsAtOnce, type Slot, type Slots } from './concurrency.ts';
import { restoreAll } from './restore.ts';
import { guarded, type Watchdog } from './watchdog.ts';
import { updateWatched, type WatchedSite } from './watched-site.ts';

/** What a monitor needs. Absent parts are the real ones: tests replace them. */
export interface MonitorOptions extends Pick<LocalProbeOptions, 'check' | 'connect' | 'resolveName'> {
  readonly settings: MonitorSettings;
  readonly store: Store;
  readonly log: Log;
  /** Proxies, and the variables of the configuration's checks. */
  readonly env: NodeJS.ProcessEnv;
  readonly timers?: Timers;
  readonly send?: Send;
  readonly ping?: typeof requestPing;
  /** Holds back sites that blocked this process; absent: nothing does. */
  readonly watchdog?: Watchdog;
  /** How it finds out what failing sites share. */
  readonly lookups?: Lookups;
  /** What runs the checks; default: this machine. */
  readonly probe?: Probe;
  /** Concurrent runs; default: as many as this process has descriptors for. */
  readonly atOnce?: number;
}

export type Observed = Observation & Measurement;

/** How long the end of a maintenance is remembered: until the site has been checked again. */
const ENDED_MS = 60 * 60_000;
/** A run that takes longer is slow: it gives its slot to others. */
const SLOW_MS = 1_000;
/** The problem of a run that ended by an error of the program instead of a result, and how long it is one. */
export const RUN_FAILED = 'run-failed';
export const RUN_FAILED_MS = 10 * 60_000;
/** How long a database that was damaged or replaced is reported as a trouble. */
const REPLACED_MS = 5 * 60_000;

/** Opens a monitor on its database. `isOnce`: it checks all sites once, and ends. Rejects with a `StoreError`. */
export async function openCore(options: MonitorOptions, isOnce = false): Promise<Core> {
  let core: Core | null = null;
  const { store, settings } = options;
  const open = await store.open();
  const states = await store.states();
  const stored: Stored = {
    alerts: new OpenAlerts(open, () => core?.settings ?? settings),
    retryAfters: await retryAfters(store),
    findings: new SentFindings(),
  };
  await stored.findings.read(settings.alerts, (name) => store.note(name));
  core = new Core(options, stored, options.atOnce ?? (await runsAtOnce()), isOnce);
  const { timers, clock, resolver } = core;
  // A single run has not learnt what responds while the network works; what is configured counts at once.
  const isControlled = isOnce && settings.connectivity === null;
  const local = { ...options, timers, clock, resolver, ...(isControlled && { control: PUBLIC_CONTROL }) };
  core.probe = options.probe ?? guarded(await openLocalProbe(local, settings), options.watchdog);
  core.apply(settings, states);
  const { watched, alerts } = core;
  const restored = restoreAll({ watched, alerts, now: clock.now(), log: options.log }, open.incidents);
  if (hasNews(restored)) void core.notifier.write(restored);
  await core.readMaintenance();
  return core;
}

/** What is known from the database at the start. */
interface Stored {
  readonly alerts: OpenAlerts;
  readonly retryAfters: ReadonlyMap<string, number>;
  readonly findings: SentFindings;
}

export class Core {
  readonly options: MonitorOptions;
  readonly timers: Timers;
  readonly clock: Clock;
  readonly journal: Journal;
  readonly alerts: OpenAlerts;
  readonly notifier: Notifier;
  readonly heartbeat: Heartbeat;
  readonly #findings: SentFindings;
  readonly watched = new Map<string, WatchedSite>();
  /** Late: begun more than a second after they were due, or left out. Ours: about us, not about the site. */
  readonly counts = { runs: 0, runsLate: 0, probeFailures: 0 };
  /** Aborted when runs are to be cut off. */
  readonly cut = new AbortController();
  /** Aborted when no run may begin any more. */
  readonly closing = new AbortController();
  settings: MonitorSettings;
  onGap: (gap: Gap) => void = () => {};
  readonly incidentListeners: IncidentListener[] = [];
  /** Maintenance that was started by hand. */
  started: readonly StartedMaintenance[] = [];
  /** Set as soon as it is open. */
  probe!: Probe;
  readonly isOnce: boolean;
  /** Also for requests of the server, so that all take turns. */
  readonly resolver: Resolver;
  readonly #slots: Readonly<Record<Scope, Slots>>;
  #running = 0;
  /** By the monotonic clock. */
  #failedAt = -Infinity;
  /** What happened to the database, and until when that is reported as a trouble. */
  #replaced: { readonly reason: DatabaseNotice; readonly until: number } = { reason: 'replaced', until: -Infinity };

  constructor(options: MonitorOptions, stored: Stored, atOnce: number, isOnce: boolean) {
    const { log, env, store, timers = REAL_TIMERS } = options;
    const isLocal = options.probe === undefined;
    this.options = options;
    this.isOnce = isOnce;
    this.settings = options.settings;
    this.timers = timers;
    this.alerts = stored.alerts;
    this.#findings = stored.findings;
    this.clock = startClock(timers, (gap) => this.#gap(gap));
    const now = (): number => this.clock.now();
    // What other machines run has no limit here.
    this.#slots = isLocal ? localSlots(atOnce) : ofEachScope(() => createSlots(Infinity));
    // Another coordinator takes over what this one cannot write.
    this.journal = new Journal({ store, timers, log, patienceMs: isLocal ? PATIENCE_MS : Infinity });
    this.notifier = new Notifier({
      alerts: stored.alerts,
      retryAfters: stored.retryAfters,
      send: options.send ?? createSend({ settings: () => this.settings, env, now }),
      append: (entry) => this.journal.append(entry),
      onSent: (sent, incidents) => this.#sent(sent, incidents),
      // Without its lease, another process sends. One that is alone sends also while its database does not respond.
      maySend: async () =>
        isLocal
          ? this.journal.problem !== 'locked'
          : store.demandOwned().then(
              () => true,
              () => false,
            ),
      timers,
      now,
      log,
      routes: () => this.settings.alerts,
      isEager: isOnce,
    });
    this.heartbeat = startHeartbeat(this);
    this.resolver = fairSystemResolver(env);
  }

  /**
   * Checks a site once and applies the observation; `null`: there is none, or none that counts. Never rejects. `ticks`:
   * called at its end, how many moments of the schedule it covers.
   */
  async run(
    watched: WatchedSite,
    scope: Scope,
    isUrgent: boolean,
    ticks: () => number,
    onBegin: () => void = () => {},
    narrowed?: NarrowedRun,
  ): Promise<Transition | null> {
    const run = await this.#observe(watched, scope, isUrgent, ticks, onBegin, narrowed);
    // Others need not wait for the database.
    await run?.writing;
    return run?.transition ?? null;
  }

  async #observe(
    watched: WatchedSite,
    scope: Scope,
    isUrgent: boolean,
    ticks: () => number,
    onBegin: () => void,
    narrowed?: NarrowedRun,
  ) {
    this.#running += 1;
    // There is one browser: none of its runs leaves its slot to others.
    const mayBeSlow = scope !== 'browser';
    const usual = isUrgent ? 'urgent' : 'usual';
    const slot = await this.#slots[scope].take(watched.slow && mayBeSlow ? 'slow' : usual, this.closing.signal);
    try {
      if (slot === null) return null;
      onBegin();
      const { runs } = watched;
      const measurement = await this.#measure(watched, scope, mayBeSlow ? slot : null, narrowed);
      // What an earlier configuration requested says nothing about the site of the current one.
      const isCurrent = this.watched.get(watched.site.id) === watched && watched.runs === runs;
      if (measurement === null || !isCurrent) return null;
      this.counts.runs += 1;
      if (measurement.probeSide !== null) this.counts.probeFailures += 1;
      const causes = await this.#causesOf(watched, measurement);
      const observed = { ...this.#observed(watched, scope, measurement), causes };
      const { transition, entry } = applyObservation(this, watched, observed, ticks());
      const writing = this.notifier.write(entry);
      if (!this.isOnce) this.heartbeat.ping();
      this.#notifyRefusal(watched);
      this.notifyFindings(false);
      return { transition, writing };
    } catch (error) {
      // A bug must not stop the other sites.
      this.#failedAt = this.timers.monotonic();
      this.options.log('error', 'run-failed', { site: watched.site.id, scope, error: (error as Error).message });
      return null;
    } finally {
      slot?.release();
      this.#running -= 1;
    }
  }

  /** `slot`: given to others when the run is slow; `null`: never. */
  async #measure(
    watched: WatchedSite,
    scope: Scope,
    slot: Slot | null,
    narrowed?: NarrowedRun,
  ): Promise<Measurement | null> {
    const { state, report } = watched;
    let isSlow = false;
    const cancel = this.timers.after(SLOW_MS, () => {
      isSlow = true;
      slot?.slowDown();
    });
    // What was received in earlier runs is relied on while the site is healthy, and not to confirm or to recover.
    const bypassCache = report?.verdict !== 'healthy' || currentIncident(state) !== null;
    const options = { bypassCache, cut: this.cut.signal, ...(narrowed && { narrowed }) };
    const measuring = this.probe.measure(watched, scope, options);
    const measurement = await measuring.finally(cancel);
    if (scope === 'core') watched.slow = isSlow;
    return measurement;
  }

  #observed(watched: WatchedSite, scope: Scope, measurement: Measurement): Observed {
    const { endedAt } = measurement;
    const maintenance = this.maintenanceOf(watched, endedAt);
    const ended = this.started.flatMap(({ site, to }) => (site === watched.site.id && to <= endedAt ? [to] : []));
    return {
      ...measurement,
      scope,
      maintenance: maintenance !== null,
      maintenanceUntil: maintenance?.to ?? (ended.length === 0 ? null : Math.max(...ended)),
    };
  }

  /** What a site that has begun to fail shares with others. */
  async #causesOf(watched: WatchedSite, { report, probeSide }: Measurement): Promise<readonly string[]> {
    const { state, url, report: before } = watched;
    const isFailing = probeSide === null && (report.verdict === 'down' || report.verdict === 'degraded');
    if (!isFailing || (state?.outage.incident ?? null) !== null) return [];
    watched.causes = await causesOf(
      report,
      new URL(url),
      before?.site.host,
      this.options.lookups ?? { resolver: this.resolver },
    );
    return watched.causes;
  }

  maintenanceOf({ site }: WatchedSite, at: number): Maintenance | null {
    return maintenanceAt(site, this.started, at);
  }

  /** Applies a configuration. What is known of sites stays; `states`: of those that are new. */
  apply(settings: MonitorSettings, states: Awaited<ReturnType<Store['states']>>): void {
    this.settings = settings;
    this.probe.configure(settings);
    for (const gone of updateWatched(this.watched, settings, states, this.options.env)) this.probe.forget(gone.site.id);
  }

  /** Reads what routes know of findings, as far as it is not known yet. */
  async readFindings(routes: MonitorSettings['alerts']): Promise<void> {
    const { store } = this.options;
    await this.#findings.read(routes, (name) => store.note(name)).catch(() => {});
  }

  async readMaintenance(): Promise<void> {
    this.started = await this.options.store.maintenance(this.clock.now() - ENDED_MS).catch(() => this.started);
  }

  troubles(): readonly string[] {
    const { problem } = this.journal;
    const ofStore = problem === 'full' ? 'disk-full' : `database-${problem}`;
    const { reason, until } = this.#replaced;
    const replaced = this.clock.now() < until ? [`database-${reason}`] : [];
    const isRefused = [...this.watched.values()].some(({ state }) => (state?.refusal ?? null) !== null);
    const refused = isRefused ? [REFUSED] : [];
    const failed = this.timers.monotonic() - this.#failedAt < RUN_FAILED_MS ? [RUN_FAILED] : [];
    const own = [...(problem === null ? [] : [ofStore]), ...replaced, ...refused, ...failed];
    return [...new Set([...own, ...this.probe.troubles()])];
  }

  /** The database was damaged, or deleted or replaced, and a new file begun: reports it, and writes what is open again. */
  databaseReplaced(reason: DatabaseNotice): void {
    const now = this.clock.now();
    this.#replaced = { reason, until: now + REPLACED_MS };
    const states = [...this.watched.values()].flatMap(({ site: { id }, state }) =>
      state === null ? [] : [[id, state] as const],
    );
    void this.notifier.write({ ...this.alerts.stored(), states: new Map(states), notes: this.#findings.notes() });
    const notices = this.settings.alerts.map(({ id }) => notificationOf(noticeAlert(reason, id, now), id, now));
    void this.notifier.notify(notices);
  }

  /** A notification was received. Returns what changes with that. */
  #sent(sent: Notification, incidents: readonly Incident[]): Entry {
    if (sent.notice === 'findings')
      return { notes: this.#findings.received(sent, [...this.watched.values()], this.clock.now()) };
    if (sent.notice === 'refused') return { states: this.#refusalSent(sent) };
    const notified = new Map(incidents.map(({ id, notifiedAt }) => [id, notifiedAt]));
    const changed = [...this.watched.values()].flatMap((watched) => {
      const { state, site } = watched;
      if (state === null || !openIncidents(state).some(({ id }) => notified.has(id))) return [];
      watched.state = withIncidents(state, (one) => ({ ...one, notifiedAt: notified.get(one.id) ?? one.notifiedAt }));
      return [[site.id, watched.state] as const];
    });
    return { states: new Map(changed) };
  }

  #refusalSent({ route, incident }: Notification): NonNullable<Entry['states']> {
    const changed = [...this.watched.values()].flatMap((watched) => {
      const { state, site } = watched;
      const refusal = state?.refusal ?? null;
      if (state === null || refusal === null || refusalId(site.id, refusal) !== incident.id) return [];
      watched.state = { ...state, refusal: { ...refusal, notified: [...refusal.notified, route] } };
      return [[site.id, watched.state] as const];
    });
    return new Map(changed);
  }

  /** Notifies each route of a site once that its host refuses the monitor. */
  #notifyRefusal(watched: WatchedSite): void {
    const { site, state } = watched;
    const refusal = state?.refusal ?? null;
    const now = this.clock.now();
    if (refusal === null || !isNotable(refusal, now) || this.maintenanceOf(watched, now) !== null) return;
    const routes = routesOf(site, this.settings.alerts).filter(({ id }) => !refusal.notified.includes(id));
    void this.notifier.notify(routes.map(({ id }) => notificationOf(refusedAlert(site, refusal, id), id, now)));
  }

  /** Notifies of new findings. Sites that are down, or in maintenance, wait. `isLast`: as in {@link SentFindings.plan}. */
  notifyFindings(isLast: boolean): void {
    if (this.closing.signal.aborted) return;
    const now = this.clock.now();
    const sites = [...this.watched.values()].filter(
      (watched) => (watched.state?.outage.incident ?? null) === null && this.maintenanceOf(watched, now) === null,
    );
    const waiting = new Set(
      this.alerts.waiting().flatMap(({ notice, route }) => (notice === 'findings' ? [route] : [])),
    );
    void this.notifier.notify(
      this.#findings.plan(this.settings.alerts, sites, now, isLast, (route) => waiting.has(route)),
    );
  }

  busy(): number {
    return this.#running + (this.journal.isBusy ? 1 : 0) + this.notifier.busy();
  }

  #gap(gap: Gap): void {
    const { kind, ...fields } = gap;
    this.options.log('warn', kind, fields);
    if (gap.kind === 'clock-jump' && gap.byMs < 0) this.notifier.clockSetBack(-gap.byMs);
    this.onGap(gap);
  }
}

/** What the server and the status page see. `nextAt`: when the next run of a site is due. */
export function viewOf(core: Core, nextAt: (site: string) => number | null): MonitorView {
  return {
    store: core.options.store,
    resolver: core.resolver,
    ...(core.options.watchdog === undefined ? {} : { watchdog: core.options.watchdog }),
    now: () => core.clock.now(),
    settings: () => core.settings,
    sites: () =>
      [...core.watched.values()].map((watched) => {
        const maintenance = core.maintenanceOf(watched, core.clock.now());
        return { ...watched, maintenance, nextAt: nextAt(watched.site.id) };
      }),
    counters: () => {
      const { sent, failed } = core.notifier.counts;
      return { ...core.counts, alertsSent: sent, alertsFailed: failed };
    },
    onIncident: (listener) => void core.incidentListeners.push(listener),
    troubles: () => core.troubles(),
    ready: () => core.journal.problem === null && [...core.watched.values()].every(({ state }) => state !== null),
  };
}
