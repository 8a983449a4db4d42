/** Has sites checked by the runners of their locations, and combines what they measured. */
import { randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { sql } from 'kysely';
import type { Report } from '../../core/check.ts';
import { VERSION } from '../../core/version.ts';
import { RUN_FAILED } from '../engine/core.ts';
import type { MeasureOptions, Measurement, Probe } from '../engine/local-probe.ts';
import type { Monitor } from '../engine/start.ts';
import { SITE_HELD_BACK } from '../engine/watchdog.ts';
import type { WatchedSite } from '../engine/watched-site.ts';
import { runnersOf } from '../fleet-document.ts';
import type { Scope } from '../incident/incident.ts';
import { SCOPES } from '../incident/state.ts';
import { iso, MINUTE_MS } from '../../core/time.ts';
import type { Log } from '../log/write.ts';
import type { MonitorSettings } from '../settings.ts';
import { recordset, time, type Database } from '../store/postgres/connection.ts';
import { continuationOf } from './continuation.ts';
import { hasSharedRole, reachabilityLog, readMembers, repeat, within, type Member } from './members.ts';
import type { ResultJob, RunJob } from './job-format.ts';
import type { LostRun, Queues, Taken } from './queue.ts';
import { combine, Isolation, type Failures } from './quorum.ts';
import { rejectionLog } from './rejections.ts';

interface FleetProbeOptions {
  readonly queues: Queues;
  readonly database: Database;
  readonly settings: MonitorSettings;
  readonly log: Log;
  /** By the clock of the monitor. */
  readonly now: Monitor['now'];
}

/** Runs are requested, and results collected, this often. */
const BATCH_MS = 100;
const MOST_RESULTS = 100;
const RESULTS_REJECTED = 'location-results-rejected';
const SITE_ENDS_RUNNERS = 'site-crashes-runners';
/** The role that runners of all locations shared still exists. */
const SHARED_ROLE = 'shared-runner-role';
/** Problems of runners that do not keep their location from voting. */
const OF_SITES: ReadonlySet<string> = new Set([SITE_HELD_BACK, RUN_FAILED]);
/** Lost runs are looked for this often. */
const SUPERVISE_MS = 2_000;
/** How much all runs in progress may have been sent, in bytes of JSON. */
const MOST_HELD = 256 * 1024 * 1024;
const MEMBERS_MS = 1_000;
/** How long locations are waited for: as long as a run may take, and a lost runner to be replaced. */
const WAIT_MS: Readonly<Record<Scope, number>> = { core: 75_000, full: 30 * MINUTE_MS, browser: 10 * MINUTE_MS };
/** How long a location that is cut off is waited for once the others have responded. */
const CUT_OFF_WAIT_MS = 2_000;
/** What another coordinator began is dropped if nothing has continued it in this time: its site is not checked any more. */
const CONTINUED_MS = 5 * MINUTE_MS;
/** What is older than the last applied run by more was discarded; less may be the difference between two clocks. */
const CLOCKS_MS = 10_000;

export class FleetProbe implements Probe {
  readonly #options: FleetProbeOptions;
  readonly #isolation = new Isolation();
  readonly #runs = new Map<string, Run>();
  /** What locations saw fail when their majority did, by site and scope. */
  readonly #failures = new Map<string, Failures>();
  /** Until when a site is not checked from a location whose runners it ends, by the monotonic clock. */
  readonly #heldBack = new Map<string, { readonly run: LostRun; readonly until: number }>();
  readonly #reachability: ReturnType<typeof reachabilityLog>;
  /** What was removed from the queues. */
  readonly rejections: ReturnType<typeof rejectionLog>;
  readonly #closing = new AbortController();
  readonly #created = new Set<string>();
  #outgoing: RunJob[] = [];
  /** Results that came after the end of their runs. */
  #late: string[] = [];
  /** Results that were there at the start: they may be delivered once more, even after the end of their runs. */
  #found = new Set<string>();
  #settings: MonitorSettings;
  /** All members with a recent heartbeat. */
  alive: readonly Member[] = [];
  #membersAt = -Infinity;
  #hasSharedRole = false;
  /** How much the runs in progress have been sent, in bytes of JSON. */
  #held = 0;
  #working: Promise<unknown> = Promise.resolve();
  /** Whether a location has a problem. */
  readonly #problemsOfLocations: Readonly<Record<string, (location: string) => boolean>> = {
    'location-silent': (location) => !this.#isAlive(location),
    'location-cut-off': (location) => this.#isCutOff(location),
    [RESULTS_REJECTED]: (location) => this.rejections.isCurrent(location),
    [SITE_HELD_BACK]: (location) => this.#hasProblem(location, SITE_HELD_BACK),
    [RUN_FAILED]: (location) => this.#hasProblem(location, RUN_FAILED),
    [SITE_ENDS_RUNNERS]: (location) => [...this.#heldBack.values()].some(({ run }) => run.location === location),
  };

  constructor(options: FleetProbeOptions) {
    this.#options = options;
    this.#settings = options.settings;
    this.#reachability = reachabilityLog(options.log);
    const isLocation = (id: string): boolean => this.#settings.locations.some((location) => location.id === id);
    this.rejections = rejectionLog(options.log, isLocation);
  }

  /** Finds out what another coordinator began, and who is alive: a run that begins before would find no location. */
  async open(): Promise<void> {
    await this.#createQueues();
    const { queues, database, now } = this.#options;
    const { runs, results, rejected } = await queues.unsettled([...this.#created], MOST_HELD);
    this.rejections.note(rejected);
    const all = [...runs, ...results].map(({ data }) => data).toSorted((one, other) => one.at - other.at);
    const applied = await readApplied(database, all);
    for (const job of all) {
      if (continuationOf(job, { now: now(), locations: this.#created, applied }) !== 'continued') continue;
      const run = this.#runs.get(job.run) ?? newRun(job);
      this.#runs.set(job.run, run);
      run.locations.add(job.location);
    }
    for (const result of results) this.#take(result);
    this.#found = new Set(results.map(({ id }) => id));
    this.alive = await readMembers(database);
    const { signal } = this.#closing;
    // A server that is gone is noticed by the work itself; a queue whose rows are locked is only lost for its location.
    const supervising = repeat(
      SUPERVISE_MS,
      signal,
      () => {},
      () => queues.supervise(),
    );
    const working = repeat(BATCH_MS, signal, this.#reachability.note, () => this.#work());
    this.#working = Promise.all([working, supervising]);
  }

  /** Collects nothing any more: the next coordinator continues what has not been settled. */
  async stop(): Promise<void> {
    this.#closing.abort();
    for (const { over } of this.#runs.values()) over.resolve();
    await this.#working;
  }

  configure(settings: MonitorSettings): void {
    this.#settings = settings;
  }

  forget(site: string): void {
    for (const scope of SCOPES) this.#failures.delete(`${site} ${scope}`);
  }

  async settled(): Promise<void> {}

  /** The oldest run that another coordinator began and did not apply. */
  begun({ site, state }: WatchedSite, scope: Scope): Run | undefined {
    const since = (state?.scopes[scope].at ?? -Infinity) - CLOCKS_MS;
    const others = [...this.#runs.values()].filter(({ isOurs, at }) => !isOurs && at >= since);
    return others.find((run) => run.site === site.id && run.scope === scope);
  }

  troubles(): readonly string[] {
    const ofLocations = Object.keys(this.#problemsOfLocations).filter(
      (problem) => this.locationsWith(problem).length > 0,
    );
    const all = [
      ...(this.#reachability.isLost() ? ['queue-unreachable'] : []),
      ...(this.#hasSharedRole ? [SHARED_ROLE] : []),
      // Of locations that are not known, too.
      ...(this.rejections.isCurrent() ? [RESULTS_REJECTED] : []),
      ...ofLocations,
    ];
    return [...new Set(all)];
  }

  /** The locations that have one of its problems. */
  locationsWith(problem: string): readonly string[] {
    const has = this.#problemsOfLocations[problem];
    return has === undefined ? [] : this.#settings.locations.map(({ id }) => id).filter(has);
  }

  async measure(watched: WatchedSite, scope: Scope, { bypassCache, cut }: MeasureOptions): Promise<Measurement | null> {
    const isStopped = (): boolean => cut.aborted || this.#closing.signal.aborted;
    if (watched.runs[scope] === null || isStopped()) return null;
    const { id: site } = watched.site;
    const locations = this.#locationsOf(watched);
    const admitted = locations.filter((location) => !this.#heldBack.has(keyOf({ site, scope, location })));
    // It ends its runners everywhere.
    if (locations.length > 0 && admitted.length === 0) return null;
    const begun = this.begun(watched, scope);
    const at = begun?.at ?? this.#options.now();
    const run = begun ?? this.#request({ site, scope, at, bypassCache }, admitted);
    const results = await this.#collect(run);
    if (isStopped()) return null;
    // Not later than the next run that the other coordinator began.
    const tookMs = Math.max(0, ...results.map(({ measured }) => measured?.report.durationMs ?? 0));
    const endedAt = begun === undefined ? this.#options.now() : at + Math.round(tookMs);
    const times = { startedAt: at, endedAt };
    return { ...this.#measurementOf(watched, scope, times, results, admitted), settles: [...run.jobs] };
  }

  #request(requested: Omit<RunJob, 'run' | 'location'>, locations: readonly string[]): Run {
    const job = { ...requested, run: randomUUID() };
    const run = newRun(job, locations);
    this.#runs.set(run.id, run);
    this.#outgoing.push(...locations.map((location) => ({ ...job, location })));
    if (locations.length === 0) run.over.resolve();
    return run;
  }

  async #collect(run: Run): Promise<readonly ResultJob[]> {
    run.isOurs = true;
    await within(WAIT_MS[run.scope], run.over.promise);
    this.#drop(run);
    return [...run.locations].flatMap((location) => run.results.get(location) ?? []);
  }

  #measurementOf(
    watched: WatchedSite,
    scope: Scope,
    times: Pick<Measurement, 'startedAt' | 'endedAt'>,
    jobs: readonly ResultJob[],
    requested: readonly string[],
  ): Measurement {
    const { site, url, policy } = watched;
    const measured = jobs.flatMap(({ location, measured: one }) => (one === undefined ? [] : [{ location, ...one }]));
    const locations = this.#isolation.apply(site.id, measured);
    const silent = requested.filter(
      (one) => !this.#isCutOff(one) && !measured.some(({ location }) => location === one),
    );
    const rules = {
      declared: policy.declared,
      strict: policy.strict,
      needed: site.confirm.locations,
      countsFewer: site.confirm.notifyFewer ?? false,
      silent,
      now: performance.now(),
    };
    const key = `${site.id} ${scope}`;
    const combined = combine(locations, rules, this.#failures.get(key));
    if (combined !== null) this.#failures.set(key, combined.failures);
    if (combined === null) {
      const report: Report = {
        tool: { name: 'docvitals', version: VERSION },
        site: { url },
        startedAt: iso(times.startedAt),
        durationMs: 0,
        verdict: 'unknown',
        strict: policy.strict,
        interrupted: false,
        fresh: null,
        checks: [],
      };
      return { ...times, report, probeSide: 'no-location', version: null };
    }
    // One version counts: locations may reach different copies of the site.
    const shown = measured.find(({ probeSide }) => probeSide === null);
    const { version = null, contents } = shown ?? {};
    const { failures: _failures, ...outcome } = combined;
    return { ...times, ...outcome, locations, version, ...(contents === undefined ? {} : { contents }) };
  }

  /** The locations of a site whose runners are alive. */
  #locationsOf({ site }: WatchedSite): readonly string[] {
    const ids = site.locations ?? this.#settings.locations.map(({ id }) => id);
    return ids.filter((id) => this.#created.has(id) && this.#isAlive(id));
  }

  #isAlive(location: string): boolean {
    return runnersOf(this.alive, location).length > 0;
  }

  #hasProblem(location: string, problem: string): boolean {
    return runnersOf(this.alive, location).some(({ problems }) => problems.includes(problem));
  }

  /** Whether the location does not vote: it alone is silent, or all of its runners have problems with all sites. */
  #isCutOff(location: string): boolean {
    const runners = runnersOf(this.alive, location);
    const isOfAllSites = (problem: string): boolean => !OF_SITES.has(problem);
    const haveTrouble = runners.length > 0 && runners.every(({ problems }) => problems.some(isOfAllSites));
    return haveTrouble || this.#isolation.isCutOff(location);
  }

  /* One step of the work, which is repeated until the stop. */

  /** Resolves with whether there may be more to collect. */
  async #work(): Promise<boolean> {
    await this.#flush();
    if (performance.now() - this.#membersAt >= MEMBERS_MS) {
      await this.#createQueues();
      this.alive = await readMembers(this.#options.database);
      this.#hasSharedRole = await hasSharedRole(this.#options.database);
      this.#holdBack(await this.#options.queues.lost());
      this.#membersAt = performance.now();
      this.#endHopeless();
    }
    const { jobs, rejected, taken } = await this.#options.queues.takeResults(MOST_RESULTS, MOST_HELD - this.#held);
    this.rejections.note(rejected);
    for (const job of jobs) this.#take(job);
    await this.#options.queues.settle(this.#late);
    this.#late = [];
    return taken === MOST_RESULTS;
  }

  /** Ends runs that were lost with their runners, and keeps their sites from ending the next ones. */
  #holdBack(lost: readonly LostRun[]): void {
    const { log, now } = this.#options;
    for (const run of lost) {
      const { site, scope, location, heldBackMs } = run;
      const key = keyOf(run);
      if (!this.#heldBack.has(key))
        log('error', 'runners-crashed', { site, scope, location, retryAt: iso(now() + Math.round(heldBackMs)) });
      this.#heldBack.set(key, { run, until: performance.now() + heldBackMs });
      this.#runs.get(run.run)?.locations.delete(location);
    }
    for (const [key, { until }] of this.#heldBack) if (until <= performance.now()) this.#heldBack.delete(key);
  }

  async #createQueues(): Promise<void> {
    const missing = this.#settings.locations.map(({ id }) => id).filter((id) => !this.#created.has(id));
    if (missing.length === 0) return;
    await this.#options.queues.create(missing);
    for (const id of missing) this.#created.add(id);
  }

  /** Sends what is requested; what cannot be sent is requested again. */
  async #flush(): Promise<void> {
    const runs = this.#outgoing.filter(({ run }) => this.#runs.has(run));
    this.#outgoing = [];
    try {
      const byLocation = Map.groupBy(runs, ({ location }) => location);
      await Promise.all([...byLocation].map(([location, jobs]) => this.#options.queues.send(location, jobs)));
    } catch (error) {
      this.#outgoing.push(...runs);
      throw error;
    }
  }

  #take({ id, data }: Taken<ResultJob>): void {
    const run = this.#runs.get(data.run);
    if (run === undefined) {
      // One that was found is removed with what is made of it.
      if (!this.#found.delete(id)) this.#late.push(id);
      return;
    }
    const { locations, results, jobs, over } = run;
    jobs.add(id);
    if (locations.has(data.location) && !results.has(data.location)) {
      results.set(data.location, data);
      this.#held += data.bytes ?? 0;
    }
    if (results.size >= locations.size) over.resolve();
  }

  #drop({ id, results }: Run): void {
    this.#runs.delete(id);
    for (const { bytes = 0 } of results.values()) this.#held -= bytes;
  }

  /** Ends runs whose other locations have no runner any more, or do not vote. */
  #endHopeless(): void {
    const now = performance.now();
    for (const run of this.#runs.values()) {
      const { since, locations, results, over } = run;
      if (!run.isOurs && now - since >= CONTINUED_MS) {
        this.#drop(run);
        this.#late.push(...run.jobs);
      }
      const silent = [...locations].filter((location) => !results.has(location) && this.#isAlive(location));
      const isOver = silent.every((location) => this.#isCutOff(location));
      if (silent.length === 0 || (isOver && results.size > 0 && now - since >= CUT_OFF_WAIT_MS)) over.resolve();
    }
  }
}

/** Which runs are in the history already. Their times do not show it: coordinators have different clocks. */
async function readApplied(database: Database, jobs: readonly RunJob[]): Promise<ReadonlySet<string>> {
  const keys = jobs.map(({ run, site, scope, at }) => ({ id: run, site, scope, started_at: time(at) }));
  const { rows } = await sql<{ id: string }>`
    SELECT DISTINCT id FROM docvitals.run JOIN json_to_recordset(${recordset(keys)}::json)
      AS k (id text, site text, scope text, started_at timestamptz) USING (site, scope, started_at)`.execute(database);
  return new Set(rows.map(({ id }) => id));
}

const keyOf = ({ site, scope, location }: Pick<RunJob, 'site' | 'scope' | 'location'>): string =>
  `${site} ${scope} ${location}`;

type Run = ReturnType<typeof newRun>;

/** A run whose results are waited for. */
function newRun({ run: id, site, scope, at }: Omit<RunJob, 'location'>, locations: readonly string[] = []) {
  return {
    id,
    site,
    scope,
    at,
    /** That it was requested from. */
    locations: new Set(locations),
    /** Whether this coordinator began it, or continues it. */
    isOurs: false,
    /** Resolved when no more results are waited for. */
    over: Promise.withResolvers<void>(),
    /** By the monotonic clock. */
    since: performance.now(),
    /** By location. */
    results: new Map<string, ResultJob>(),
    /** Of all results that were taken. */
    jobs: new Set<string>(),
  };
}
