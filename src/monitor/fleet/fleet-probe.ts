/** Has sites checked by the runners of their locations, and combines what they measured. */
import { randomUUID } from 'node:crypto';
import { VERSION } from '../../version.ts';
import type { Timers } from '../clock/clock.ts';
import { hasAnswered } from '../connectivity/connectivity.ts';
import type { LocationResult, Measurement, Probe } from '../engine/local-probe.ts';
import type { WatchedSite } from '../engine/watched-site.ts';
import { ALIVE_MS } from '../fleet-document.ts';
import type { Scope } from '../incident/incident.ts';
import type { Log } from '../log/write.ts';
import type { MonitorSettings } from '../settings.ts';
import { Crashes } from './crashes.ts';
import type { Member } from './members.ts';
import { combine, Isolation, nothingMeasured } from './quorum.ts';
import { unpacked, type Queues, type ResultJob, type RunJob } from './queue.ts';

export interface FleetProbeOptions {
  readonly queues: Pick<Queues, 'create' | 'reclaim' | 'send' | 'takeResults' | 'settle'>;
  /** Who is alive, asked every second. */
  readonly members: () => Promise<readonly Member[]>;
  readonly settings: MonitorSettings;
  readonly timers: Timers;
  /** ms since 1970. */
  readonly now: () => number;
  readonly log: Log;
  /** How many runs were taken to be written, and how many of them do not wait any more. */
  readonly progress: () => { readonly added: number; readonly done: number };
  /** A run that another coordinator requested before it stopped acting. */
  readonly onInherited: (site: string, scope: Scope, measure: (watched: WatchedSite) => Measurement) => void;
}

/** Runs are requested, and results collected, this often. */
const BATCH_MS = 100;
const MOST_RESULTS = 500;
/** How long locations are waited for: as long as a run may take, and a lost runner to be replaced. */
const WAIT_MS: Readonly<Record<Scope, number>> = { five: 75_000, full: 30 * 60_000, browser: 10 * 60_000 };
/** How long a location that is cut off is waited for once the others have responded. */
const CUT_OFF_WAIT_MS = 2_000;
/** How soon after its end a run has been passed to the writer. */
const APPLIED_AFTER_MS = 500;
/** The results of runs that another coordinator requested are collected for so long. */
const INHERIT_MS = 2_000;
/** Those of locations that have not responded yet may still be on their way. */
const LATER_MS = 13_000;

interface Pending {
  readonly since: number;
  readonly locations: ReadonlySet<string>;
  readonly results: Map<string, ResultJob>;
  readonly end: () => void;
}

/** Results that were taken and are still in the queue, of one run. */
interface Unsettled {
  readonly ids: string[];
  /** When the run ended; `null`: still running. */
  endedAt: number | null;
  /** How many runs the writer had taken when this one was among them; `null`: it may not be yet. */
  added: number | null;
}

export class FleetProbe implements Probe {
  readonly #options: FleetProbeOptions;
  readonly #isolation = new Isolation();
  readonly #pending = new Map<string, Pending>();
  /** Signals whose abortion ends the pending runs. */
  readonly #cuts = new WeakSet<AbortSignal>();
  /** Runs that this coordinator has ended: what comes later is dropped. */
  readonly #ended = new Set<string>();
  readonly #inherited = new Map<string, { readonly since: number; readonly results: ResultJob[] }>();
  readonly #unsettled = new Map<string, Unsettled>();
  readonly #crashes: Crashes;
  #outgoing: RunJob[] = [];
  #settings: MonitorSettings;
  #alive: readonly Member[] = [];
  #created = new Set<string>();
  #problem: string | null = null;
  #isStopped = false;
  #beating: Promise<void> = Promise.resolve();

  constructor(options: FleetProbeOptions) {
    this.#options = options;
    this.#settings = options.settings;
    this.#crashes = new Crashes(options);
  }

  /** Creates the queues, and finds out who is alive: a run that begins before would find no location. */
  async open(): Promise<void> {
    await this.#createQueues();
    await this.#options.queues.reclaim();
    this.#alive = await this.#options.members();
  }

  /** Begins to send and to collect. */
  start(): void {
    this.#beating = this.#work();
  }

  /** Collects nothing any more: what has not been settled goes to the next coordinator. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    for (const { end } of this.#pending.values()) end();
    await this.#beating;
  }

  configure(settings: MonitorSettings): void {
    this.#settings = settings;
  }

  forget(site: string): void {
    this.#crashes.forget(site);
  }

  async settled(): Promise<void> {}

  troubles(): readonly string[] {
    const { locations } = this.#settings;
    const isSilent = locations.some(({ id }) => !this.#isAlive(id));
    const isCutOff = locations.some(({ id }) => this.#isCutOff(id));
    return [
      ...(this.#problem === null ? [] : ['queue-unreachable']),
      ...(isSilent ? ['location-silent'] : []),
      ...(isCutOff ? ['location-cut-off'] : []),
      ...(this.#crashes.isKnown() ? ['site-crashes-runners'] : []),
    ];
  }

  /** All members with a recent heartbeat. */
  members(): readonly Member[] {
    return this.#alive;
  }

  async measure(
    watched: WatchedSite,
    scope: Scope,
    { isWhole, cut }: { readonly isWhole: boolean; readonly cut: AbortSignal },
  ): Promise<Measurement | null> {
    if (watched.runs[scope] === null || cut.aborted || this.#isStopped) return null;
    const { id: site } = watched.site;
    const turn = await this.#crashes.turn(site, scope, cut);
    const at = this.#options.now();
    const locations = turn === null ? [] : this.#locationsOf(watched);
    const run = { run: randomUUID(), site, scope, at, isWhole };
    const results = locations.length === 0 ? [] : await this.#collect({ ...run, location: '' }, locations, cut);
    turn?.();
    if (cut.aborted || this.#isStopped) return null;
    if (locations.length > 0) this.#crashes.note(site, scope, this.#isLost(locations, results));
    return this.#measurementOf(watched, { startedAt: at, endedAt: this.#options.now() }, results, locations);
  }

  /**
   * Whether this run has ended the runners of all locations: at one at least two in a row, as a single one may have been
   * ended by another run.
   */
  #isLost(locations: readonly string[], results: readonly ResultJob[]): boolean {
    const isLostAt = (location: string): boolean => {
      const result = results.find((one) => one.location === location);
      return result === undefined ? !this.#isAlive(location) : result.runner === undefined;
    };
    return results.length > 0 && locations.every(isLostAt);
  }

  /** Requests a run of all locations, and waits for their results. */
  async #collect(run: RunJob, locations: readonly string[], cut: AbortSignal): Promise<readonly ResultJob[]> {
    const { timers } = this.#options;
    const { promise, resolve } = Promise.withResolvers<void>();
    const pending: Pending = {
      since: timers.monotonic(),
      locations: new Set(locations),
      results: new Map(),
      end: resolve,
    };
    const cancel = timers.after(WAIT_MS[run.scope], resolve);
    this.#pending.set(run.run, pending);
    this.#outgoing.push(...locations.map((location) => ({ ...run, location })));
    this.#endWhen(cut);
    await promise;
    cancel();
    this.#pending.delete(run.run);
    this.#remember(run.run);
    return locations.flatMap((location) => pending.results.get(location) ?? []);
  }

  /** One listener for all runs: adding one takes longer the more there are. */
  #endWhen(cut: AbortSignal): void {
    if (this.#cuts.has(cut)) return;
    this.#cuts.add(cut);
    const end = (): void => {
      for (const pending of this.#pending.values()) pending.end();
    };
    cut.addEventListener('abort', end, { once: true });
  }

  #measurementOf(
    watched: WatchedSite,
    times: Pick<Measurement, 'startedAt' | 'endedAt'>,
    jobs: readonly ResultJob[],
    asked: readonly string[],
  ): Measurement {
    const { site, url, policy } = watched;
    const measured = jobs.flatMap(({ location, measured: one }) => (one === undefined ? [] : [{ location, ...one }]));
    const received = measured.map(({ location, report, probeSide }): LocationResult => ({
      location,
      report: unpacked(report),
      probeSide,
    }));
    const locations = this.#isolation.apply(site.id, received, hasAnswered);
    const combined = combine(locations, {
      declared: policy.declared,
      strict: policy.strict,
      needed: site.confirm.locations,
      countsFewer: site.confirm.notifyFewer ?? false,
      silent: asked.filter((one) => !this.#isCutOff(one) && !measured.some(({ location }) => location === one)).length,
    });
    if (combined === null) {
      const report = nothingMeasured(url, VERSION, times.startedAt, policy.strict);
      return { ...times, report, probeSide: 'no-location', version: null };
    }
    // One version counts: locations may reach different copies of the site.
    const shown = measured.find(({ probeSide }) => probeSide === null);
    const { version = null, contents } = shown ?? {};
    return { ...times, ...combined, locations, version, ...(contents === undefined ? {} : { contents }) };
  }

  /** The locations of a site whose runners are alive. */
  #locationsOf({ site }: WatchedSite): readonly string[] {
    const ids = site.locations ?? this.#settings.locations.map(({ id }) => id);
    return ids.filter((id) => this.#created.has(id) && this.#isAlive(id));
  }

  #isAlive(location: string): boolean {
    return this.#alive.some((member) => member.location === location && member.silentMs < ALIVE_MS);
  }

  /** Whether the location does not vote. */
  #isCutOff(location: string): boolean {
    return this.#isolation.isCutOff(location) || this.#hasTrouble(location);
  }

  #hasTrouble(location: string): boolean {
    const runners = this.#alive.filter((member) => member.location === location && member.silentMs < ALIVE_MS);
    return runners.length > 0 && runners.every(({ troubles }) => troubles.length > 0);
  }

  /* Loops until the stop. */

  async #work(): Promise<void> {
    let membersAt = -Infinity;
    while (!this.#isStopped) {
      try {
        await this.#flush();
        if (this.#options.timers.monotonic() - membersAt >= 1_000) {
          await this.#createQueues();
          this.#alive = await this.#options.members();
          membersAt = this.#options.timers.monotonic();
          this.#endHopeless();
        }
        const isMore = await this.#receive();
        this.#inherit();
        await this.#settle();
        this.#report(null);
        if (isMore) continue;
      } catch (error) {
        this.#report((error as Error).message);
      }
      await new Promise<void>((resolve) => this.#options.timers.after(BATCH_MS, resolve));
    }
  }

  #report(problem: string | null): void {
    if (problem !== null && this.#problem === null) this.#options.log('error', 'queue-unreachable', { error: problem });
    if (problem === null && this.#problem !== null) this.#options.log('info', 'queue-reachable');
    this.#problem = problem;
  }

  async #createQueues(): Promise<void> {
    const missing = this.#settings.locations.map(({ id }) => id).filter((id) => !this.#created.has(id));
    if (missing.length === 0) return;
    await this.#options.queues.create(missing);
    for (const id of missing) this.#created.add(id);
  }

  /** Sends what is requested; what cannot be sent is requested again. */
  async #flush(): Promise<void> {
    if (this.#outgoing.length === 0) return;
    const runs = this.#outgoing.filter(({ run }) => this.#pending.has(run));
    this.#outgoing = [];
    try {
      const byLocation = Map.groupBy(runs, ({ location }) => location);
      await Promise.all([...byLocation].map(([location, jobs]) => this.#options.queues.send(location, jobs)));
    } catch (error) {
      this.#outgoing.push(...runs);
      throw error;
    }
  }

  /** Takes results; resolves with whether there may be more. */
  async #receive(): Promise<boolean> {
    const taken = await this.#options.queues.takeResults(MOST_RESULTS);
    for (const { id, data } of taken) {
      const known = this.#unsettled.get(data.run);
      if (known === undefined) this.#unsettled.set(data.run, { ids: [id], endedAt: null, added: null });
      else if (!known.ids.includes(id)) known.ids.push(id);
      this.#take(data);
    }
    return taken.length === MOST_RESULTS;
  }

  #take(result: ResultJob): void {
    const pending = this.#pending.get(result.run);
    if (pending === undefined) {
      if (this.#ended.has(result.run)) return this.#endedNow(result.run);
      const { since, results } = this.#inherited.get(result.run) ?? {
        since: this.#options.timers.monotonic(),
        results: [],
      };
      this.#inherited.set(result.run, { since, results: [...results, result] });
      return;
    }
    const { locations, results, end } = pending;
    if (!results.has(result.location)) results.set(result.location, result);
    if (results.size >= locations.size) end();
  }

  /** Ends runs whose other locations have no runner any more, or do not vote. */
  #endHopeless(): void {
    const now = this.#options.timers.monotonic();
    for (const { since, locations, results, end } of this.#pending.values()) {
      const silent = [...locations].filter((location) => !results.has(location) && this.#isAlive(location));
      const isOver = silent.every((location) => this.#isCutOff(location));
      if (silent.length === 0 || (isOver && results.size > 0 && now - since >= CUT_OFF_WAIT_MS)) end();
    }
  }

  /** What a former coordinator requested, and has not applied. */
  #inherit(): void {
    const now = this.#options.timers.monotonic();
    const alive = this.#settings.locations.filter(({ id }) => this.#isAlive(id)).length;
    for (const [run, { since, results }] of this.#inherited) {
      if (now - since < (results.length < alive ? LATER_MS : INHERIT_MS)) continue;
      this.#inherited.delete(run);
      this.#remember(run);
      const [first] = results;
      if (first === undefined) continue;
      const tookMs = Math.max(0, ...results.map(({ measured }) => measured?.report.durationMs ?? 0));
      const times = { startedAt: first.at, endedAt: first.at + Math.round(tookMs) };
      this.#options.onInherited(first.site, first.scope, (watched) =>
        this.#measurementOf(watched, times, results, this.#locationsOf(watched)),
      );
    }
  }

  #remember(run: string): void {
    this.#endedNow(run);
    this.#ended.add(run);
    // Old ones first, as a set keeps them.
    for (const old of this.#ended) {
      if (this.#ended.size <= MOST_ENDED) break;
      this.#ended.delete(old);
    }
  }

  #endedNow(run: string): void {
    const unsettled = this.#unsettled.get(run);
    if (unsettled !== undefined) unsettled.endedAt ??= this.#options.timers.monotonic();
  }

  /** Removes results from the queue whose consequences are in the database. */
  async #settle(): Promise<void> {
    const now = this.#options.timers.monotonic();
    const { added, done } = this.#options.progress();
    const ready: [string, Unsettled][] = [];
    for (const [run, unsettled] of this.#unsettled) {
      if (unsettled.endedAt === null || now - unsettled.endedAt < APPLIED_AFTER_MS) continue;
      unsettled.added ??= added;
      if (unsettled.added <= done) ready.push([run, unsettled]);
    }
    if (ready.length === 0) return;
    await this.#options.queues.settle(ready.flatMap(([, { ids }]) => ids));
    for (const [run] of ready) this.#unsettled.delete(run);
  }
}

/** Runs that ended lately and are remembered, so that late results are not taken for those of another coordinator. */
const MOST_ENDED = 100_000;
