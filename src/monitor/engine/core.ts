/** The monitor's parts, and one run of a site: check, apply, plan alerts, write. `startMonitor` and `runAllOnce` decide when. */
import type { Resolver } from '../../http/connect.ts';
import { PUBLIC_CONTROL } from '../../http/control.ts';
import { AlertBook, routesOf } from '../alerts/plan.ts';
import { Deliverer } from '../alerts/deliver.ts';
import {
  noticeAlert,
  refusedAlert,
  type Alert,
  type DatabaseNotice,
  type Send,
  type SendResult,
} from '../alerts/alert.ts';
import { FindingsNotifier } from '../alerts/findings.ts';
import { createSend } from '../alerts/send.ts';
import { REAL_TIMERS, type Timers, startClock, type Clock, type Gap } from '../clock/clock.ts';
import type { Observation, Scope, Transition } from '../incident/incident.ts';
import { isNotable, REFUSED } from '../incident/refusal.ts';
import { currentIncident, ofEachScope } from '../incident/state.ts';
import type { Log } from '../log/write.ts';
import { maintenanceAt, type Maintenance } from '../maintenance/maintenance.ts';
import type { AlertRoute, MonitorSettings } from '../settings.ts';
import type { StartedMaintenance, Store } from '../store/store.ts';
import type { IncidentListener, MonitorView } from '../view.ts';
import { applyObservation, reconcileAll } from './apply-observation.ts';
import { causesOf, type Lookups } from './causes.ts';
import { startHeartbeat, type Pulse, type requestPing } from './heartbeat.ts';
import { openLocalProbe } from './local-probe.ts';
import type { LocalProbeOptions, Measurement, NarrowedRun, Probe } from './local-probe.ts';
import { createSlots, fairSystemResolver, localSlots, runsAtOnce, type Slot, type Slots } from './concurrency.ts';
import { guarded, type Watchdog } from './watchdog.ts';
import { noteNotified, updateWatched, type WatchedSite } from './watched-site.ts';
import { LONGEST_RETRY_MS, Writer } from './writer.ts';

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
/** How long a database that was damaged or replaced is reported as a trouble. */
const REPLACED_MS = 5 * 60_000;

/** Opens a monitor on its database. `isOnce`: it checks all sites once, and ends. Rejects with a `StoreError`. */
export async function openCore(options: MonitorOptions, isOnce = false): Promise<Core> {
  let core: Core | null = null;
  const book = await AlertBook.read(options.store, () => core?.settings ?? options.settings);
  const states = await options.store.states();
  core = new Core(options, book, options.atOnce ?? (await runsAtOnce()), isOnce);
  const { timers, clock, resolver } = core;
  // A single run has not learnt what responds while the network works; what is configured counts at once.
  const isControlled = isOnce && options.settings.connectivity === null;
  const local = { ...options, timers, clock, resolver, ...(isControlled && { control: PUBLIC_CONTROL }) };
  core.probe = options.probe ?? guarded(await openLocalProbe(local, options.settings), options.watchdog);
  core.apply(options.settings, states);
  await reconcileAll(core);
  await core.readMaintenance();
  return core;
}

export class Core {
  readonly options: MonitorOptions;
  readonly timers: Timers;
  readonly clock: Clock;
  readonly writer: Writer;
  readonly book: AlertBook;
  readonly deliverer: Deliverer;
  readonly pulse: Pulse;
  readonly #findings: FindingsNotifier;
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
  /** Resolves when no notice is being sent. */
  notices: Promise<unknown> = Promise.resolve();
  /** Also for requests of the server, so that all take turns. */
  readonly resolver: Resolver;
  readonly #slots: Readonly<Record<Scope, Slots>>;
  readonly #send: Send;
  #running = 0;
  /** What happened to the database, and until when that is reported as a trouble. */
  #replaced: { readonly reason: DatabaseNotice; readonly until: number } = { reason: 'replaced', until: -Infinity };

  constructor(options: MonitorOptions, book: AlertBook, atOnce: number, isOnce: boolean) {
    const { log, env, store, timers = REAL_TIMERS } = options;
    const isLocal = options.probe === undefined;
    this.options = options;
    this.isOnce = isOnce;
    this.settings = options.settings;
    this.timers = timers;
    this.book = book;
    this.clock = startClock(timers, (gap) => this.#gap(gap));
    const now = (): number => this.clock.now();
    // What other machines run has no limit here.
    this.#slots = isLocal ? localSlots(atOnce) : ofEachScope(() => createSlots(Infinity));
    this.#send = options.send ?? createSend({ settings: () => this.settings, env, now });
    this.writer = new Writer({
      store,
      timers,
      now,
      log,
      onWritten: (runs) => {
        if (runs.some(({ outbox }) => outbox.add.length > 0)) this.deliverer.wake();
      },
      // Another coordinator takes over what this one cannot write.
      send: async (entry) => (isLocal ? this.deliverer.sendUnwritten(entry, LONGEST_RETRY_MS) : null),
    });
    this.deliverer = new Deliverer({
      store,
      book,
      send: this.#send,
      timers,
      now,
      log,
      routes: () => this.settings.alerts,
      onSent: (entry, at) => noteNotified(this.watched.values(), entry, at),
      isEager: isOnce,
      isCancelled: (key) => this.writer.isCancelled(key),
    });
    this.#findings = new FindingsNotifier({
      store,
      send: (route, alert) => this.#sendNotice(route, alert, 'findings'),
      now,
      random: timers.random,
    });
    this.pulse = startHeartbeat(this);
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
      const transition = applyObservation(this, watched, observed, ticks());
      if (!this.isOnce) this.pulse.beat();
      this.notices = Promise.all([this.notices, this.#notifyRefusal(watched), this.notifyFindings(false)]);
      return transition;
    } catch (error) {
      // A bug must not stop the other sites.
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

  async readMaintenance(): Promise<void> {
    this.started = await this.options.store.maintenance(this.clock.now() - ENDED_MS).catch(() => this.started);
  }

  troubles(): readonly string[] {
    const { problem } = this.writer;
    const ofStore = problem === 'full' ? 'disk-full' : `database-${problem}`;
    const { reason, until } = this.#replaced;
    const replaced = this.clock.now() < until ? [`database-${reason}`] : [];
    const isRefused = [...this.watched.values()].some(({ state }) => (state?.refusal ?? null) !== null);
    const refused = isRefused ? [REFUSED] : [];
    return [...new Set([...(problem === null ? [] : [ofStore]), ...replaced, ...refused, ...this.probe.troubles()])];
  }

  /** The database was damaged, or deleted or replaced, and a new file begun: reports it, and writes what is open again. */
  async databaseReplaced(reason: DatabaseNotice): Promise<void> {
    const { log } = this.options;
    const now = this.clock.now();
    this.#replaced = { reason, until: now + REPLACED_MS };
    await reconcileAll(this).catch((error: Error) =>
      log('error', 'incidents-not-reconciled', { error: error.message }),
    );
    const sending = this.settings.alerts.map((route) =>
      this.#sendNotice(route, noticeAlert(reason, route.id, now), `database-${reason}`),
    );
    await Promise.all(sending);
  }

  /** Sends it once. */
  async #sendNotice(route: AlertRoute, alert: Alert, notice: string): Promise<SendResult> {
    const { log } = this.options;
    const result = await this.#send(route, alert, this.cut.signal);
    const fields = { route: route.id, notice };
    if (result.ok) log('info', 'notice-sent', fields);
    else log('error', 'notice-failed', { ...fields, error: result.error });
    return result;
  }

  /**
   * Notifies each route of a site once that its host refuses the monitor. A route that was not reached is tried again
   * after the next run, which also writes who knows.
   */
  async #notifyRefusal(watched: WatchedSite): Promise<void> {
    const { site, state } = watched;
    const refusal = state?.refusal ?? null;
    const now = this.clock.now();
    if (refusal === null || !isNotable(refusal, now) || this.maintenanceOf(watched, now) !== null) return;
    const routes = routesOf(site, this.settings.alerts).filter(({ id }) => !refusal.notified.includes(id));
    const sending = routes.map(async (route) => {
      const { ok: isSent } = await this.#sendNotice(route, refusedAlert(site, refusal, route.id), REFUSED);
      const known = watched.state?.refusal ?? null;
      if (!isSent || watched.state === null || known?.since !== refusal.since) return;
      watched.state = { ...watched.state, refusal: { ...known, notified: [...known.notified, route.id] } };
    });
    await Promise.all(sending);
  }

  /** Notifies of new findings. Sites that are down, or in maintenance, wait. `isLast`: as in {@link FindingsNotifier.notify}. */
  async notifyFindings(isLast: boolean): Promise<void> {
    if (this.closing.signal.aborted) return;
    const now = this.clock.now();
    const sites = [...this.watched.values()].filter(
      (watched) => (watched.state?.outage.incident ?? null) === null && this.maintenanceOf(watched, now) === null,
    );
    await this.#findings.notify(this.settings.alerts, sites, isLast);
  }

  busy(): number {
    return this.#running + (this.writer.isBusy ? 1 : 0) + this.deliverer.busy();
  }

  #gap(gap: Gap): void {
    const { kind, ...fields } = gap;
    this.options.log('warn', kind, fields);
    if (gap.kind === 'clock-jump' && gap.byMs < 0) this.deliverer.clockSetBack(-gap.byMs);
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
      const { sent, failed } = core.deliverer.counts;
      return { ...core.counts, alertsSent: sent, alertsFailed: failed };
    },
    onIncident: (listener) => void core.incidentListeners.push(listener),
    troubles: () => core.troubles(),
    ready: () => core.writer.problem === null && [...core.watched.values()].every(({ state }) => state !== null),
  };
}
