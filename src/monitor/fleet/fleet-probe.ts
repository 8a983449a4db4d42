/** Has sites checked by the runners of their locations, and combines what they measured. */
import { randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { sql } from 'kysely';
import type { Check, CheckResult, Report } from '../../core/check.ts';
import type { Finding } from '../../core/finding.ts';
import { isFailed, verdictOf } from '../../core/verdict.ts';
import { VERSION } from '../../core/version.ts';
import { hasAnswered } from '../connectivity/connectivity.ts';
import type { LocationResult, MeasureOptions, Measurement, Probe } from '../engine/local-probe.ts';
import type { Monitor } from '../engine/start.ts';
import { SITE_HELD_BACK } from '../engine/watchdog.ts';
import type { WatchedSite } from '../engine/watched-site.ts';
import { runnersOf } from '../fleet-document.ts';
import type { Scope } from '../incident/incident.ts';
import { iso, MINUTE_MS } from '../../core/time.ts';
import type { Log } from '../log/write.ts';
import type { MonitorSettings } from '../settings.ts';
import { recordset, time, type Database } from '../store/postgres/connection.ts';
import { reachabilityLog, readMembers, repeat, within, type Member } from './members.ts';
import type { ResultJob, RunJob } from './job-format.ts';
import type { Queues, Taken } from './queue.ts';
import { rejectionLog, RUNS_REJECTED } from './rejections.ts';

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
/** No run that is older is in progress. */
const OLDEST_MS = 60 * MINUTE_MS;

export class FleetProbe implements Probe {
  readonly #options: FleetProbeOptions;
  readonly #isolation = new Isolation();
  readonly #runs = new Map<string, Run>();
  readonly #crashes: ReturnType<typeof crashGuard>;
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
  /** How much the runs in progress have been sent, in bytes of JSON. */
  #held = 0;
  #working: Promise<void> = Promise.resolve();
  /** Whether a location has a problem. */
  readonly #problemsOfLocations: Readonly<Record<string, (location: string) => boolean>> = {
    'location-silent': (location) => !this.#isAlive(location),
    'location-cut-off': (location) => this.#isCutOff(location),
    [RESULTS_REJECTED]: (location) => this.rejections.isCurrent(location),
    [SITE_HELD_BACK]: (location) => this.#holdsBack(location),
  };

  constructor(options: FleetProbeOptions) {
    this.#options = options;
    this.#settings = options.settings;
    this.#crashes = crashGuard(options.log, options.now);
    this.#reachability = reachabilityLog(options.log);
    const isLocation = (id: string): boolean => this.#settings.locations.some((location) => location.id === id);
    this.rejections = rejectionLog(options.log, 'results-rejected', isLocation);
  }

  /** Finds out what another coordinator began, and who is alive: a run that begins before would find no location. */
  async open(): Promise<void> {
    await this.#createQueues();
    const { queues, database, now } = this.#options;
    const { runs, results, rejected } = await queues.unsettled([...this.#created], MOST_HELD);
    this.rejections.note(rejected);
    const isPossible = ({ at, location }: RunJob): boolean =>
      this.#created.has(location) && at <= now() + CLOCKS_MS && at >= now() - OLDEST_MS;
    const all = [...runs, ...results].map(({ data }) => data);
    const found = all.filter(isPossible).toSorted((a, b) => a.at - b.at);
    const applied = await readApplied(database, found);
    for (const job of found.filter(({ run }) => !applied.has(run))) {
      const run = this.#runs.get(job.run) ?? newRun(job);
      this.#runs.set(job.run, run);
      run.locations.add(job.location);
    }
    for (const result of results) this.#take(result);
    this.#found = new Set(results.map(({ id }) => id));
    this.alive = await readMembers(database);
    this.#working = repeat(BATCH_MS, this.#closing.signal, this.#reachability.note, () => this.#work());
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
    this.#crashes.forget(site);
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
      ...(this.#crashes.isKnown() ? ['site-crashes-runners'] : []),
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
    const end = await this.#crashes.admit(site, scope, cut);
    const locations = end === null || isStopped() ? [] : this.#locationsOf(watched);
    const begun = this.begun(watched, scope);
    const at = begun?.at ?? this.#options.now();
    const run = begun ?? this.#request({ site, scope, at, bypassCache }, locations);
    const results = await this.#collect(run);
    end?.();
    if (isStopped()) return null;
    const isLost = this.#isLost(locations, results);
    // Runners that hold the site back have not tried.
    if (isLost || results.some(({ measured }) => measured !== undefined)) this.#crashes.note(site, scope, isLost);
    // Not later than the next run that the other coordinator began.
    const tookMs = Math.max(0, ...results.map(({ measured }) => measured?.report.durationMs ?? 0));
    const endedAt = begun === undefined ? this.#options.now() : at + Math.round(tookMs);
    const times = { startedAt: at, endedAt };
    return { ...this.#measurementOf(watched, times, results, locations), settles: [...run.jobs] };
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
    times: Pick<Measurement, 'startedAt' | 'endedAt'>,
    jobs: readonly ResultJob[],
    requested: readonly string[],
  ): Measurement {
    const { site, url, policy } = watched;
    const measured = jobs.flatMap(({ location, measured: one }) => (one === undefined ? [] : [{ location, ...one }]));
    const locations = this.#isolation.apply(site.id, measured);
    const combined = combine(locations, {
      declared: policy.declared,
      strict: policy.strict,
      needed: site.confirm.locations,
      countsFewer: site.confirm.notifyFewer ?? false,
      silent: requested.filter((one) => !this.#isCutOff(one) && !measured.some(({ location }) => location === one))
        .length,
    });
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
    return { ...times, ...combined, locations, version, ...(contents === undefined ? {} : { contents }) };
  }

  /** The locations of a site whose runners are alive. */
  #locationsOf({ site }: WatchedSite): readonly string[] {
    const ids = site.locations ?? this.#settings.locations.map(({ id }) => id);
    return ids.filter((id) => this.#created.has(id) && this.#isAlive(id));
  }

  #isAlive(location: string): boolean {
    return runnersOf(this.alive, location).length > 0;
  }

  #holdsBack(location: string): boolean {
    return runnersOf(this.alive, location).some(({ problems }) => problems.includes(SITE_HELD_BACK));
  }

  /** Whether the location does not vote: it alone is silent, or all of its runners have trouble. */
  #isCutOff(location: string): boolean {
    const runners = runnersOf(this.alive, location);
    const isOfAllSites = (trouble: string): boolean => trouble !== RUNS_REJECTED && trouble !== SITE_HELD_BACK;
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

/* What the results of several locations come to. Pure. */

interface QuorumRules {
  /** The checks of the site's runs. */
  readonly declared: readonly Pick<Check, 'id' | 'vital' | 'freshness' | 'older'>[];
  readonly strict: boolean;
  /** How many locations have to see a failure; absent: the majority of those that vote. */
  readonly needed?: number | undefined;
  /** Whether what fewer locations see is a failure, though not one that takes the site down. */
  readonly countsFewer: boolean;
  /** Locations that were asked and whose runners are alive, those among them that have not responded. */
  readonly silent: number;
}

type Combined = Pick<Measurement, 'report' | 'probeSide' | 'failingFrom'>;

/**
 * A check fails where enough locations see it fail; its findings name them. What fewer see is in `failingFrom`. A location
 * whose result is about its own network does not vote. `null`: no location responded.
 */
export function combine(results: readonly LocationResult[], rules: QuorumRules): Combined | null {
  const [first] = results;
  if (first === undefined) return null;
  const votes = results.filter(({ probeSide }) => probeSide === null);
  const middle = votes.toSorted((a, b) => a.report.durationMs - b.report.durationMs)[
    Math.floor((votes.length - 1) / 2)
  ];
  if (middle === undefined) return { report: first.report, probeSide: first.probeSide };
  const needed = rules.needed ?? Math.floor((votes.length + rules.silent) / 2) + 1;
  const fewer = new Set<string>();
  const all = votes.flatMap(({ location, report }) => report.checks.map((result) => ({ location, result })));
  const checks = [...Map.groupBy(all, ({ result }) => result.id).values()].flatMap((seen): CheckResult[] => {
    const unknown = seen.slice(0, 1).map(({ result }) => ({ ...result, status: 'unknown' as const, findings: [] }));
    const failing = seen.filter(({ result }) => isFailed(result, rules));
    const others = seen.filter(({ result }) => !isFailed(result, rules));
    const isConfirmed = failing.length >= needed;
    const from = failing.map(({ location }) => location);
    const [failed] = failing;
    if (failed !== undefined && !isConfirmed) for (const location of from) fewer.add(location);
    // What the silent ones see may be what was missing.
    if (!isConfirmed && failing.length + rules.silent >= needed) return unknown;
    if (failed !== undefined && (isConfirmed || rules.countsFewer)) {
      const findings = failed.result.findings.map((finding) => seenFrom(finding, from));
      return [{ ...failed.result, findings, ...(isConfirmed ? {} : { vital: false }) }];
    }
    const typical = others.find(({ location }) => location === middle.location) ?? others[0];
    if (typical !== undefined) return [typical.result];
    // Every vote fails, and they are too few: nothing is known.
    return unknown;
  });
  return {
    report: { ...middle.report, checks, verdict: verdictOf(checks, rules.declared, rules.strict) },
    probeSide: null,
    failingFrom: [...fewer],
  };
}

function seenFrom(finding: Finding, locations: readonly string[]): Finding {
  const isReported = finding.severity === 'error' || finding.severity === 'warning';
  return isReported ? { ...finding, evidence: { ...finding.evidence, seenFrom: locations.join(', ') } } : finding;
}

/** A location that alone got no response from so many sites, one after the other, is cut off. */
const CUT_OFF_AFTER = 3;

/** Finds out which location is cut off: the sites that it alone cannot reach are more than a coincidence. */
export class Isolation {
  /** By location: sites that responded to others only, since one responded to it. */
  readonly #silent = new Map<string, Set<string>>();

  /** The results of a run, those of locations that are cut off marked. */
  apply(site: string, results: readonly LocationResult[]): readonly LocationResult[] {
    const isReached = results.some(({ report, probeSide }) => probeSide === null && hasAnswered(report));
    for (const { location, report, probeSide } of results) {
      if (probeSide !== null) continue;
      const silent = this.#silent.get(location) ?? new Set();
      if (hasAnswered(report)) silent.clear();
      else if (isReached) silent.add(site);
      this.#silent.set(location, silent);
    }
    return results.map((result) =>
      result.probeSide === null && this.isCutOff(result.location) ? { ...result, probeSide: 'no-network' } : result,
    );
  }

  isCutOff(location: string): boolean {
    return (this.#silent.get(location)?.size ?? 0) >= CUT_OFF_AFTER;
  }
}

/* Sites that end their runners. */

/** So many runs in a row whose runners were lost at all locations: that is no coincidence. */
const CRASHES = 2;
/** How long such a site then waits: doubled each time. */
const FIRST_MS = MINUTE_MS;
const LONGEST_MS = 30 * MINUTE_MS;
/** How long a run waits, at most, to be the only one that may end its runners. */
const ALONE_MS = 30_000;

/**
 * Sites whose runs end their runners: they are run alone, and ever more rarely, so that the others are checked as usual.
 * `now`: ms since 1970.
 */
export function crashGuard(log: Log, now: () => number, monotonic = (): number => performance.now()) {
  /** How often in a row the runners of a run were lost, and how long it then waits, by the monotonic clock. */
  const known = new Map<string, { readonly times: number; readonly waitsUntil: number }>();
  let last: Promise<unknown> = Promise.resolve();
  return {
    /** Whether any site ends its runners. */
    isKnown: (): boolean => [...known.values()].some(({ times }) => times >= CRASHES),

    forget(site: string): void {
      for (const key of known.keys()) if (key.startsWith(`${site} `)) known.delete(key);
    },

    /**
     * Waits until a run may begin: one whose runners were lost is not run together with others like it, as most of them
     * were only lost with the site that is the cause. Resolves with what lets the next one begin; `null`: it is not to be
     * run now.
     */
    async admit(site: string, scope: Scope, cut: AbortSignal): Promise<(() => void) | null> {
      const crash = known.get(`${site} ${scope}`);
      if (crash === undefined) return () => {};
      if (monotonic() < crash.waitsUntil) return null;
      const { promise: over, resolve: end } = Promise.withResolvers<void>();
      const before = last;
      last = Promise.all([before, over]);
      await within(ALONE_MS, before, cut);
      return end;
    },

    /** A run ended; `isLost`: the runners of all locations were lost with it. */
    note(site: string, scope: Scope, isLost: boolean): void {
      const key = `${site} ${scope}`;
      const before = known.get(key)?.times ?? 0;
      if (!isLost) {
        if (before >= CRASHES) log('info', 'runners-survived', { site, scope });
        known.delete(key);
        return;
      }
      const times = before + 1;
      const waitMs = times < CRASHES ? 0 : Math.min(LONGEST_MS, FIRST_MS * 2 ** (times - CRASHES));
      known.set(key, { times, waitsUntil: monotonic() + waitMs });
      if (waitMs > 0) log('error', 'runners-crashed', { site, scope, times, retryAt: iso(now() + waitMs) });
    },
  };
}
