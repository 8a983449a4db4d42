/**
 * What a monitor knows and does with one run, whenever it is made: looks, takes up what was seen, plans alerts, writes.
 * `startMonitor` does so by the clock, `runAllOnce` once.
 */
import { performance } from 'node:perf_hooks';
import { systemResolver, type Resolver, sharedContext } from '../../http/connect.ts';
import { checkSite, type CheckSiteOptions } from '../../check-site.ts';
import type { KnownAlerts } from '../alerts/known-alerts.ts';
import { startDeliverer, type Deliverer } from '../alerts/deliver.ts';
import { noticeAlert, type DatabaseNotice, type OutboxEntry, type Send } from '../alerts/alert.ts';
import { createSend } from '../alerts/send.ts';
import { REAL_TIMERS, type Timers, startClock, type Clock, type Gap } from '../clock/clock.ts';
import { startHeartbeat, type Pulse } from '../heartbeat/heartbeat.ts';
import type { Scope, Transition, Observation } from '../incident/incident.ts';
import { maintenanceAt, type Maintenance } from '../maintenance/maintenance.ts';
import { fairResolver } from '../names/fair-resolver.ts';
import { iso } from '../iso-time.ts';
import type { MonitorSettings } from '../settings.ts';
import type { StartedMaintenance } from '../store/store.ts';
import { fullChecksAtOnce, lookupsAtOnce, Slots, type Slot } from './slots.ts';
import { LONGEST_RETRY_MS, Writer } from './writer.ts';
import type { MonitorOptions } from './monitor.ts';
import { ProbeNetwork, noteNotified, rewatch, watch, type WatchedSite, Contents } from './watched-site.ts';
import { reconcileAll } from './reconcile.ts';
import { applyObservation } from './apply-observation.ts';
import type { Answer, Report } from '../../check.ts';
import { openSiteSource, siteRun } from '../../project/sites.ts';
import { hasAnswered, isSilent, probeSideReason, type ProbeSideReason } from '../connectivity/connectivity.ts';
import type { Log } from '../log/write.ts';

/* One run over one site: what is seen, and whether it can be trusted. */

interface SiteRunnerOptions {
  readonly check: (options: CheckSiteOptions) => Promise<Report>;
  readonly clock: Clock;
  readonly network: ProbeNetwork;
  readonly maintenanceOf: (watched: WatchedSite, at: number) => Maintenance | null;
  /** When the last one ended; `null`: not lately. */
  readonly maintenanceEnded: (watched: WatchedSite, at: number) => number | null;
  readonly resolver: NonNullable<CheckSiteOptions['resolver']>;
  readonly env: NodeJS.ProcessEnv;
  /** What sources are relative to. */
  readonly cwd: string;
  readonly log: Log;
}

/** What one run saw. */
interface SiteRun {
  readonly observation: Observation;
  /** Why it is about us; `null`: it is about the site. */
  readonly probeSide: ProbeSideReason | null;
}

class SiteRunner {
  readonly #options: SiteRunnerOptions;
  /** How often a site answered: shows whether another one did meanwhile. */
  #answers = 0;
  readonly #secureContext = sharedContext();

  constructor(options: SiteRunnerOptions) {
    this.#options = options;
  }

  /** Looks at a site; `null`: the run was cut off, or there is none of that kind. Rejects with defects of ours only. */
  async look(watched: WatchedSite, scope: Scope, interrupt: AbortSignal): Promise<SiteRun | null> {
    const { check, clock, resolver } = this.#options;
    const run = await this.#run(watched, scope);
    if (run === null) return null;
    const before = { at: clock.now(), gaps: clock.gaps(), blocks: clock.blocks(), answers: this.#answers };
    const contents = new Contents(watched.versions);
    // A run of the whole site hears thousands of answers, and tells no more of these.
    const onAnswer = (answer: Answer): void => (scope === 'five' ? contents.heard(answer) : undefined);
    const sharesConnection = scope === 'five';
    const report = await check({
      ...run,
      sharesConnection,
      resolver,
      secureContext: this.#secureContext,
      interrupt,
      onAnswer,
    });
    if (interrupt.aborted) return null;
    const suspended = clock.gaps() !== before.gaps || (isSilent(report) && clock.hasJustResumed());
    const blocked = clock.blocks() !== before.blocks;
    const endedAt = Math.max(before.at, clock.now());
    const answeredMeanwhile = this.#answers !== before.answers;
    if (hasAnswered(report)) {
      this.#answers += 1;
      this.#options.network.answered();
    }
    const probeSide = await probeSideReason(report, {
      suspended,
      blocked,
      answeredMeanwhile,
      control: this.#options.network.control,
    });
    const maintenance = this.#options.maintenanceOf(watched, endedAt);
    const observation: Observation = {
      report,
      scope,
      startedAt: before.at,
      endedAt,
      maintenance: maintenance !== null,
      maintenanceUntil: maintenance?.to ?? this.#options.maintenanceEnded(watched, endedAt),
      isProbeSide: probeSide !== null,
      ...contents.of(report),
    };
    return { observation, probeSide };
  }

  /** What a run runs. A source is opened again each time: what is deployed is compared with what it says now. */
  async #run({ site, runs }: WatchedSite, scope: Scope): Promise<CheckSiteOptions | null> {
    const run = runs[scope];
    if (run === null || scope === 'five' || site.checking.source === null) return run;
    const { cwd, env, log } = this.#options;
    try {
      return siteRun(site, scope, env, await openSiteSource(site, cwd));
    } catch (error) {
      const { message } = error as Error;
      log('warn', 'source-unreadable', { site: site.id, error: message });
      return run;
    }
  }
}

/** How long the end of a maintenance is known: until a site has been checked again. */
const ENDED_MS = 60 * 60_000;
/** A run that takes longer is a slow one, which leaves others their turn. */
const SLOW_MS = 1_000;

/** How long a database that was damaged or replaced makes the monitor not ready, so that somebody notices. */
const REPLACED_MS = 5 * 60_000;

interface CoreParts {
  readonly book: KnownAlerts;
  readonly atOnce: number;
  readonly isOnce: boolean;
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
  /** Hears of a gap in time. */
  onGap: (gap: Gap) => void = () => {};
  started: readonly StartedMaintenance[] = [];
  readonly network: ProbeNetwork;
  #looking = 0;
  /** It looks at all sites once, and ends. */
  readonly isOnce: boolean;
  readonly #slots: Readonly<Record<Scope, Slots>>;
  /** For whoever looks at sites beside the runs, so that all take turns. */
  readonly resolver: Resolver;
  readonly #looker: SiteRunner;
  readonly #send: Send;
  /** What happened to the database, and until when it is reported as a trouble; ms since 1970. */
  #replaced: { readonly reason: DatabaseNotice; readonly until: number } = { reason: 'replaced', until: -Infinity };

  /** Made by `openCore`. */
  constructor(options: MonitorOptions, { book, atOnce, isOnce }: CoreParts) {
    const { log, env, timers = REAL_TIMERS } = options;
    this.options = options;
    this.isOnce = isOnce;
    this.settings = options.settings;
    this.timers = timers;
    this.book = book;
    this.clock = startClock(timers, (gap) => this.#gap(gap));
    const now = (): number => this.clock.now();
    this.network = new ProbeNetwork({ ...options, timers });
    this.#slots = {
      five: new Slots(atOnce, createLoadMeter()),
      full: new Slots(Math.min(fullChecksAtOnce(), atOnce)),
    };
    this.#send = options.send ?? createSend({ settings: () => this.settings, env, now });
    this.writer = new Writer({
      store: options.store,
      timers,
      now,
      log,
      onWritten: (runs) => {
        if (runs.some(({ outbox }) => outbox.add.length > 0)) this.deliverer.wake();
      },
      send: (entry) => this.#sendUnwritten(entry),
    });
    this.deliverer = startDeliverer({
      store: options.store,
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
    this.#looker = this.#newLooker();
  }

  /**
   * Looks at a site once and takes up what was seen; `null`: nothing was seen, or it counts for nothing. Never rejects.
   * `ticks`: asked at its end, how many moments of the schedule it stands for.
   */
  async look(
    watched: WatchedSite,
    scope: Scope,
    urgent: boolean,
    { onBegin = () => {}, ticks }: { readonly onBegin?: () => void; readonly ticks: () => number },
  ): Promise<Transition | null> {
    this.#looking += 1;
    const usual = watched.slow ? 'slow' : 'usual';
    const slot = await this.#slots[scope].take(urgent && !watched.slow ? 'urgent' : usual, this.closing.signal);
    try {
      if (slot === null) return null;
      onBegin();
      const { runs } = watched;
      const runSite = await this.#lookFrom(slot, watched, scope);
      // What was asked by an earlier configuration says nothing of what is watched now.
      if (runSite === null || watched.removed || watched.runs !== runs) return null;
      this.counts.rounds += 1;
      if (runSite.probeSide !== null) this.counts.roundsOurs += 1;
      this.network.report(runSite.probeSide);
      const transition = applyObservation(this, watched, runSite.observation, ticks());
      if (!this.isOnce) this.pulse.beat();
      return transition;
    } catch (error) {
      // A defect of ours is one site's at most.
      this.options.log('error', 'round-failed', { site: watched.site.id, scope, error: (error as Error).message });
      return null;
    } finally {
      slot?.release();
      this.#looking -= 1;
    }
  }

  async #lookFrom(slot: Slot, watched: WatchedSite, scope: Scope): Promise<SiteRun | null> {
    let isSlow = false;
    const cancel = this.timers.after(SLOW_MS, () => {
      isSlow = true;
      slot.slowDown();
    });
    const runSite = await this.#looker.look(watched, scope, this.cut.signal).finally(cancel);
    if (scope === 'five') watched.slow = isSlow;
    return runSite;
  }

  /** The maintenance that goes on at a site; `null`: none. */
  maintenanceOf({ site }: WatchedSite, at: number): Maintenance | null {
    const started = this.started.filter((window) => window.site === site.id);
    if (site.maintenance.length === 0 && started.length === 0) return null;
    return maintenanceAt(site.maintenance, started, at);
  }

  /** Takes up a configuration. What is known of sites stays; `states`: what is known of those that are new. */
  apply(settings: MonitorSettings, states: (site: string) => WatchedSite['state']): void {
    this.settings = settings;
    this.network.change(settings.control);
    const before = new Map(this.watched);
    this.watched.clear();
    for (const site of settings.sites) {
      const known = before.get(site.id);
      before.delete(site.id);
      if (known !== undefined) rewatch(known, site, this.options.env);
      this.watched.set(site.id, known ?? watch(site, states(site.id), this.options.env));
    }
    for (const gone of before.values()) gone.removed = true;
  }

  /** When the maintenance ended that was started at a site by hand, and ended last; `null`: not lately. */
  maintenanceEnded({ site }: WatchedSite, at: number): number | null {
    const ends = this.started.filter((window) => window.site === site.id && window.to <= at).map(({ to }) => to);
    return ends.length === 0 ? null : Math.max(...ends);
  }

  /** Reads what maintenance was started by hand; what was ended is known for a while. */
  async readMaintenance(): Promise<void> {
    this.started = await this.options.store.maintenance(this.clock.now() - ENDED_MS).catch(() => this.started);
  }

  /** What stands in the way of the monitor's work. */
  troubles(): readonly string[] {
    const { problem } = this.writer;
    const ofStore = problem === 'full' ? 'disk-full' : `database-${problem}`;
    const { reason, until } = this.#replaced;
    const replaced = this.clock.now() < until ? [`database-${reason}`] : [];
    return [...new Set([...(problem === null ? [] : [ofStore]), ...replaced, ...this.network.troubles()])];
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
    return this.#looking + (this.writer.isBusy ? 1 : 0) + this.deliverer.busy();
  }

  #newLooker(): SiteRunner {
    const { check = checkSite, env, log, cwd = process.cwd() } = this.options;
    return new SiteRunner({
      check,
      clock: this.clock,
      network: this.network,
      maintenanceOf: (watched, at) => this.maintenanceOf(watched, at),
      maintenanceEnded: (watched, at) => this.maintenanceEnded(watched, at),
      resolver: this.resolver,
      env,
      cwd,
      log,
    });
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

/* Whether this process has as much to do as it can. */

/** Over how long it is reported, in ms: one long task says nothing. */
const SPAN_MS = 100;
/** How much of that time it works. */
const BUSY = 0.9;

/** Makes the function that tells it, as of the last time that it was asked and {@link SPAN_MS} had passed. */
export function createLoadMeter(): () => boolean {
  let before = performance.eventLoopUtilization();
  let isBusy = false;
  return () => {
    const { active, idle, utilization } = performance.eventLoopUtilization(before);
    if (active + idle >= SPAN_MS) {
      isBusy = utilization > BUSY;
      before = performance.eventLoopUtilization();
    }
    return isBusy;
  };
}
