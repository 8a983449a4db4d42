/** The monitor's parts, and one run of a site: check, apply, plan alerts, write. `startMonitor` and `runAllOnce` decide when. */
import { performance } from 'node:perf_hooks';
import { systemResolver, type Resolver } from '../../http/connect.ts';
import type { CheckSiteOptions } from '../../check-site.ts';
import { readKnownAlerts, type KnownAlerts } from '../alerts/known-alerts.ts';
import { startDeliverer, type Deliverer } from '../alerts/deliver.ts';
import { noticeAlert, type DatabaseNotice, type OutboxEntry, type Send } from '../alerts/alert.ts';
import { createSend } from '../alerts/send.ts';
import { REAL_TIMERS, type Timers, startClock, type Clock, type Gap } from '../clock/clock.ts';
import { startHeartbeat, type Pulse } from '../heartbeat/heartbeat.ts';
import type { Scope, Transition, Observation } from '../incident/incident.ts';
import { maintenanceAt, type Maintenance } from '../maintenance/maintenance.ts';
import { currentIncident } from '../incident/state.ts';
import { fairResolver } from '../names/fair-resolver.ts';
import { iso } from '../iso-time.ts';
import type { MonitorSettings } from '../settings.ts';
import type { StartedMaintenance, Store } from '../store/store.ts';
import type { MonitorView } from '../view.ts';
import { createLoadMeter, fullChecksAtOnce, lookupsAtOnce, runsAtOnce, Slots, type Urgency } from './slots.ts';
import { LONGEST_RETRY_MS, Writer } from './writer.ts';
import { openLocalProbe, type Measurement, type Probe } from './local-probe.ts';
import { noteNotified, rewatch, watch, type WatchedSite } from './watched-site.ts';
import { applyObservation, keepObservation, reconcileAll } from './apply-observation.ts';
import type { Report } from '../../check.ts';
import type { Reach } from '../connectivity/connectivity.ts';
import type { Log } from '../log/write.ts';

/** What a monitor needs. Absent parts are the real ones: tests replace them. */
export interface MonitorOptions {
  readonly settings: MonitorSettings;
  readonly store: Store;
  readonly log: Log;
  /** Proxies, and the variables of the configuration's checks. */
  readonly env: NodeJS.ProcessEnv;
  /** What sources are relative to; default: the process's folder. */
  readonly cwd?: string;
  readonly timers?: Timers;
  readonly check?: (options: CheckSiteOptions) => Promise<Report>;
  /** Opens a connection, and resolves a name, for the connectivity check. */
  readonly connect?: Reach;
  readonly resolveName?: Reach;
  readonly send?: Send;
  /** Sends the heartbeat. */
  readonly ping?: (url: string, signal: AbortSignal) => Promise<void>;
  /** What runs the checks; default: this machine. */
  readonly probe?: Probe;
  /** Concurrent runs; default: as many as this process has descriptors for. */
  readonly atOnce?: number;
}

/** An observation, and the measurement that it was made of. */
export interface Measured {
  readonly observation: Observation;
  readonly measurement: Measurement;
}

/** How long the end of a maintenance is remembered: until the site has been checked again. */
const ENDED_MS = 60 * 60_000;
/** A run that takes longer is slow: it gives its slot to others. */
const SLOW_MS = 1_000;

/** How long a database that was damaged or replaced is reported as a trouble. */
const REPLACED_MS = 5 * 60_000;

/** Opens a monitor on its database. `isOnce`: it checks all sites once, and ends. Rejects with a `StoreError`. */
export async function openCore(options: MonitorOptions, isOnce = false): Promise<Core> {
  let core: Core | null = null;
  const book = await readKnownAlerts(options.store, () => core?.settings ?? options.settings);
  const states = await options.store.states();
  core = new Core(options, book, await capacityOf(options), isOnce);
  const { timers, clock, resolver } = core;
  core.probe = options.probe ?? (await openLocalProbe({ ...options, timers, clock, resolver }, options.settings));
  core.apply(options.settings, (site) => states.get(site) ?? null);
  await reconcileAll(core);
  await core.readMaintenance();
  return core;
}

/** Concurrent runs. What other machines run has no limit here. */
async function capacityOf({ atOnce, probe }: MonitorOptions): Promise<number> {
  return atOnce ?? (probe === undefined ? runsAtOnce() : Infinity);
}

export class Core {
  readonly options: MonitorOptions;
  readonly timers: Timers;
  readonly clock: Clock;
  readonly writer: Writer;
  readonly book: KnownAlerts;
  readonly deliverer: Deliverer;
  readonly pulse: Pulse;
  readonly watched = new Map<string, WatchedSite>();
  readonly counts = { rounds: 0, roundsLate: 0, roundsOurs: 0, alertsSent: 0, alertsFailed: 0 };
  /** Aborted when runs are to be cut off. */
  readonly cut = new AbortController();
  /** Aborted when no run may begin any more. */
  readonly closing = new AbortController();
  settings: MonitorSettings;
  onGap: (gap: Gap) => void = () => {};
  /** Maintenance that was started by hand. */
  started: readonly StartedMaintenance[] = [];
  /** Set as soon as it is open. */
  probe!: Probe;
  readonly isOnce: boolean;
  /** Also for requests of the server, so that all take turns. */
  readonly resolver: Resolver;
  readonly #slots: Readonly<Record<Scope, Slots>>;
  readonly #send: Send;
  #running = 0;
  /** What happened to the database, and until when that is reported as a trouble. */
  #replaced: { readonly reason: DatabaseNotice; readonly until: number } = { reason: 'replaced', until: -Infinity };

  constructor(options: MonitorOptions, book: KnownAlerts, atOnce: number, isOnce: boolean) {
    const { log, env, store, timers = REAL_TIMERS } = options;
    this.options = options;
    this.isOnce = isOnce;
    this.settings = options.settings;
    this.timers = timers;
    this.book = book;
    this.clock = startClock(timers, (gap) => this.#gap(gap));
    const now = (): number => this.clock.now();
    this.#slots = {
      five: new Slots(atOnce, createLoadMeter()),
      full: new Slots(options.probe === undefined ? Math.min(fullChecksAtOnce(), atOnce) : Infinity),
      // A browser takes as much memory as all the rest.
      browser: new Slots(options.probe === undefined ? 1 : Infinity),
    };
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
      send: (entry) => (options.probe === undefined ? this.#sendUnwritten(entry) : Promise.resolve(null)),
    });
    this.deliverer = startDeliverer({
      store,
      send: this.#send,
      timers,
      now,
      log,
      routes: () => this.settings.alerts,
      sites: () => this.settings.sites,
      onSent: (alert, at) => noteNotified(this.watched.values(), alert, at),
      known: book,
      isEager: isOnce,
    });
    this.pulse = startHeartbeat({
      heartbeat: () => this.settings.heartbeat,
      now,
      log,
      troubles: () => this.troubles(),
      env,
      ...(options.ping === undefined ? {} : { ping: options.ping }),
    });
    const most = lookupsAtOnce(env);
    this.resolver = fairResolver({ resolver: systemResolver, most, clock: () => performance.now() });
  }

  /**
   * Checks a site once and applies what it observed; `null`: nothing, or nothing that counts. Never rejects. `ticks`:
   * called at its end, how many moments of the schedule it covers.
   */
  async look(
    watched: WatchedSite,
    scope: Scope,
    urgent: boolean,
    { onBegin = () => {}, ticks }: { readonly onBegin?: () => void; readonly ticks: () => number },
  ): Promise<Transition | null> {
    this.#running += 1;
    const slot = await this.#slots[scope].take(urgencyOf(watched, scope, urgent), this.closing.signal);
    try {
      if (slot === null) return null;
      onBegin();
      const { runs } = watched;
      let isSlow = false;
      const cancel = this.timers.after(SLOW_MS, () => {
        isSlow = true;
        // There is one browser: none of its runs leaves its place to others.
        if (scope !== 'browser') slot.slowDown();
      });
      const run = await this.#observe(watched, scope).finally(cancel);
      if (scope === 'five') watched.slow = isSlow;
      // What an earlier configuration requested says nothing about the site of the current one.
      if (run === null || watched.removed || watched.runs !== runs) return null;
      this.counts.rounds += 1;
      if (run.measurement.probeSide !== null) this.counts.roundsOurs += 1;
      const transition = applyObservation(this, watched, run, ticks());
      if (!this.isOnce) this.pulse.beat();
      return transition;
    } catch (error) {
      // A bug must not stop the other sites.
      this.options.log('error', 'round-failed', { site: watched.site.id, scope, error: (error as Error).message });
      return null;
    } finally {
      slot?.release();
      this.#running -= 1;
    }
  }

  /** Measures, and adds what is known of maintenance; `null`: the run was cut off, or none of that scope exists. */
  async #observe(watched: WatchedSite, scope: Scope): Promise<Measured | null> {
    const { state, report: last } = watched;
    // What was received in earlier runs is relied on while the site is healthy, and not to confirm or to recover.
    const isWhole = last?.verdict !== 'healthy' || currentIncident(state) !== null;
    const measurement = await this.probe.measure(watched, scope, { isWhole, cut: this.cut.signal });
    return measurement === null ? null : this.#measured(watched, scope, measurement);
  }

  /** Adds what is known of maintenance. */
  #measured(watched: WatchedSite, scope: Scope, measurement: Measurement): Measured {
    const { report, startedAt, endedAt, version, contents, probeSide, failingFrom = [] } = measurement;
    const maintenance = this.maintenanceOf(watched, endedAt);
    const ended = this.started.flatMap(({ site, to }) => (site === watched.site.id && to <= endedAt ? [to] : []));
    const observation: Observation = {
      report,
      scope,
      startedAt,
      endedAt,
      maintenance: maintenance !== null,
      maintenanceUntil: maintenance?.to ?? (ended.length === 0 ? null : Math.max(...ended)),
      isProbeSide: probeSide !== null,
      version,
      ...(contents === undefined ? {} : { contents }),
      failingFrom,
    };
    return { observation, measurement };
  }

  /** Applies what was measured of a site for somebody else; where something later is known, it only adds to the history. */
  record(id: string, scope: Scope, measure: (watched: WatchedSite) => Measurement): void {
    const watched = this.watched.get(id);
    if (watched === undefined) return;
    const measurement = measure(watched);
    const known = watched.state?.scopes[scope].at ?? null;
    const measured = this.#measured(watched, scope, measurement);
    this.counts.rounds += 1;
    if (known !== null && measurement.startedAt <= known) keepObservation(this, watched, measured, 1);
    else applyObservation(this, watched, measured, 1);
  }

  /** The maintenance that goes on at a site; `null`: none. */
  maintenanceOf({ site }: WatchedSite, at: number): Maintenance | null {
    const started = this.started.filter((window) => window.site === site.id);
    if (site.maintenance.length === 0 && started.length === 0) return null;
    return maintenanceAt(site.maintenance, started, at);
  }

  /** Applies a configuration. What is known of sites stays; `states`: of those that are new. */
  apply(settings: MonitorSettings, states: (site: string) => WatchedSite['state']): void {
    this.settings = settings;
    this.probe.configure(settings);
    const before = new Map(this.watched);
    this.watched.clear();
    for (const site of settings.sites) {
      const known = before.get(site.id);
      before.delete(site.id);
      if (known !== undefined) rewatch(known, site, this.options.env);
      this.watched.set(site.id, known ?? watch(site, states(site.id), this.options.env));
    }
    for (const gone of before.values()) {
      gone.removed = true;
      this.probe.forget(gone.site.id);
    }
  }

  /** Reads the maintenance that was started by hand. */
  async readMaintenance(): Promise<void> {
    this.started = await this.options.store.maintenance(this.clock.now() - ENDED_MS).catch(() => this.started);
  }

  /** Problems of the monitor itself. */
  troubles(): readonly string[] {
    const { problem } = this.writer;
    const ofStore = problem === 'full' ? 'disk-full' : `database-${problem}`;
    const { reason, until } = this.#replaced;
    const replaced = this.clock.now() < until ? [`database-${reason}`] : [];
    return [...new Set([...(problem === null ? [] : [ofStore]), ...replaced, ...this.probe.troubles()])];
  }

  /** The database was damaged, or deleted or replaced, and a new file begun: reports it, and writes what is open again. */
  async databaseReplaced(reason: DatabaseNotice): Promise<void> {
    const now = this.clock.now();
    this.#replaced = { reason, until: now + REPLACED_MS };
    await reconcileAll(this).catch((error: Error) =>
      this.options.log('error', 'incidents-not-reconciled', { error: error.message }),
    );
    const sending = this.settings.alerts.map(async (route) => {
      const result = await this.#send(route, noticeAlert(reason, route.id, now), this.cut.signal);
      this.options.log(result.ok ? 'info' : 'error', result.ok ? 'notice-sent' : 'notice-failed', {
        route: route.id,
        notice: `database-${reason}`,
        ...(result.ok ? {} : { error: result.error }),
      });
    });
    await Promise.all(sending);
  }

  /** How much goes on. */
  busy(): number {
    return this.#running + (this.writer.isBusy ? 1 : 0) + this.deliverer.busy();
  }

  #gap(gap: Gap): void {
    const { kind, ...fields } = gap;
    this.options.log('warn', kind, fields);
    if (gap.kind === 'clock-jump' && gap.byMs < 0) this.deliverer.clockSetBack(-gap.byMs);
    this.onGap(gap);
  }

  /** Sends an alert that the database cannot take; resolves with when it was received, `null`: it was not. */
  async #sendUnwritten(entry: OutboxEntry): Promise<number | null> {
    const { key, event, incident, alsoSites, goesOn, route: id } = entry;
    const { log } = this.options;
    const route = this.settings.alerts.find((one) => one.id === id);
    if (route === undefined) return null;
    const began = this.clock.now();
    const alert = { key, event, incident, alsoSites, ...(goesOn === undefined ? {} : { goesOn }) };
    const result = await this.#send(route, alert, this.cut.signal);
    const at = this.clock.now();
    const fields = { key, route: id, alert: event, incident: incident.id, site: incident.site };
    if (!result.ok) {
      const { error, permanent } = result;
      this.counts.alertsFailed += 1;
      log('warn', 'alert-failed', { ...fields, error, permanent, retryAt: iso(at + LONGEST_RETRY_MS) });
      return null;
    }
    this.counts.alertsSent += 1;
    this.book.sent(key, at);
    noteNotified(this.watched.values(), entry, at);
    log('info', 'alert-sent', { ...fields, tookMs: at - began });
    return at;
  }
}

/** There is one browser, so that its runs all wait for the same place. */
function urgencyOf({ slow }: WatchedSite, scope: Scope, urgent: boolean): Urgency {
  if (slow && scope !== 'browser') return 'slow';
  return urgent ? 'urgent' : 'usual';
}

/** What the server and the status page see. `nextAt`: when the next run of a site is due. */
export function viewOf(core: Core, nextAt: (site: string) => number | null): MonitorView {
  return {
    startedAt: core.clock.now(),
    store: core.options.store,
    resolver: core.resolver,
    now: () => core.clock.now(),
    settings: () => core.settings,
    sites: () =>
      [...core.watched.values()].map((watched) => {
        const { site, url, state, report, results, locations, runCounts } = watched;
        const maintenance = core.maintenanceOf(watched, core.clock.now());
        return { site, url, state, report, results, locations, runCounts, maintenance, nextAt: nextAt(site.id) };
      }),
    counters: () => {
      const { sent, failed } = core.deliverer.counters();
      const { alertsSent, alertsFailed, ...counts } = core.counts;
      return { ...counts, alertsSent: sent + alertsSent, alertsFailed: failed + alertsFailed };
    },
    troubles: () => core.troubles(),
    ready: () => core.writer.problem === null && [...core.watched.values()].every(({ state }) => state !== null),
  };
}
