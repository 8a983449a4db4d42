/** The store contract: what a monitor keeps. */
import type { CheckResult, Verdict } from '../../core/check.ts';
import type { Notification, StoredAlerts } from '../alerts/alert.ts';
import type { Incident, Scope } from '../incident/incident.ts';
import type { SiteState } from '../incident/state.ts';
import type { MonitoredSite, Retention } from '../settings.ts';
import { printable } from '../../text/printable.ts';
import type { Language } from '../../locales/language.ts';
import { DAY_MS, HOUR_MS, iso, MINUTE_MS } from '../../core/time.ts';
import { databaseWords, type DatabaseWords } from '../../generated/locales/database.ts';

/** One run over one site, as it is kept. Times are ms since 1970, durations ms. */
export interface RunRecord {
  readonly site: string;
  readonly scope: Scope;
  readonly startedAt: number;
  readonly durationMs: number;
  readonly verdict: Verdict;
  readonly maintenance: boolean;
  /** Moments of the schedule that it covers, by which roll-ups count: 0 for rechecks, more than 1 if it lasted longer. */
  readonly ticks: number;
  readonly checks: readonly CheckRecord[];
}

/** More of a run is not kept: checks, and rules of a check. */
export const MOST_CHECKS = 256;
export const MOST_RULES = 8;

export interface CheckRecord {
  readonly id: string;
  readonly status: CheckResult['status'];
  /** Ids of the rules that are reported and are no mere hints, gravest first, at most {@link MOST_RULES}. */
  readonly rules: readonly string[];
  readonly httpStatus: number | null;
  /** Of pages in the browser, the time to the first heading of the first page. `null`: nothing was requested. */
  readonly durationMs: number | null;
}

export interface Picture {
  readonly site: string;
  /** Whose first bad picture it is; `null`: the last good one of its page. */
  readonly incident: Incident['id'] | null;
  readonly route: string;
  readonly at: number;
  readonly bytes: Uint8Array;
}

/** The name under which runs of one location are kept, beside those of all locations together: `docs@paris`. */
export const seriesOf = (site: string, location: string): string => `${site}@${location}`;

/** Whether a name is one of {@link seriesOf}: no site has an id with that sign. */
export const isSeries = (name: string): boolean => name.includes('@');

/** What a run, or the result of a notification, changes: written whole, or not at all. Of what has a name, the last one counts. */
export interface Entry {
  /** A run, and the same as each location saw it, by {@link seriesOf}. */
  readonly runs?: readonly RunRecord[];
  readonly states?: ReadonlyMap<MonitoredSite['id'], SiteState>;
  readonly incidents?: readonly Incident[];
  readonly notifications?: readonly Notification[];
  readonly pictures?: readonly Picture[];
  /** Results in the queue of a fleet that the run is made of: they are removed with it. */
  readonly settles?: readonly string[] | undefined;
  readonly notes?: ReadonlyMap<string, string>;
}

/** Whether it has more than runs: people are notified of it. */
export const hasNews = ({ incidents = [], notifications = [], notes }: Entry): boolean =>
  incidents.length + notifications.length + (notes?.size ?? 0) > 0;

export const RESOLUTIONS = ['minute', 'hour', 'day'] as const;
export type Resolution = (typeof RESOLUTIONS)[number];

/** How long the buckets of a resolution are, in ms. They divide a day, which is one of UTC. */
export const BUCKET_MS: Readonly<Record<Resolution, number>> = { minute: MINUTE_MS, hour: HOUR_MS, day: DAY_MS };

/** When the bucket begins that a moment belongs to. */
export const beginOf = (at: number, resolution: Resolution): number =>
  Math.floor(at / BUCKET_MS[resolution]) * BUCKET_MS[resolution];

/** What the runs of a site came to in a stretch of time. */
export interface Bucket extends DayCounts {
  /** Scheduled runs: rechecks count in the response times only. */
  readonly runs: number;
  /** Response times: the slowest response of each run of the core checks. `null` where none was received. */
  readonly meanMs: number | null;
  readonly minMs: number | null;
  readonly maxMs: number | null;
  readonly p95Ms: number | null;
}

/** Runs by verdict; those in maintenance are counted apart. */
export interface DayCounts extends Readonly<Record<Verdict | 'maintenance', number>> {
  readonly site: string;
  readonly at: number;
}

export interface StartedMaintenance {
  readonly id: string;
  readonly site: string;
  readonly from: number;
  readonly to: number;
  readonly reason: string | null;
}

export interface IncidentQuery {
  readonly site?: string;
  readonly open?: boolean;
  /** Ids of sites: open incidents of others, which are not watched any more, are excluded. */
  readonly openOf?: readonly string[];
  readonly since?: number;
  readonly before?: number;
  readonly limit?: number;
}

interface RangeQuery {
  readonly site: string;
  readonly from: number;
  readonly to: number;
  readonly limit?: number;
}

/**
 * Everything rejects with a `StoreError`, which says what is wrong: `full` (the disk), `busy`, `corrupt`, `read-only` …
 */
export interface Store {
  /** The database, as an absolute path without symbolic links; of a server its address without the password. */
  readonly file: string;
  /** Rejects where another process has taken the database over (`locked`), or where that cannot be found out. */
  demandOwned(): Promise<void>;
  states(): Promise<ReadonlyMap<string, SiteState>>;
  /** The open incidents, their notifications, and all that wait. */
  open(): Promise<StoredAlerts>;
  /** Writes entries in one transaction: all of them or, rejecting, none. */
  append(entries: readonly Entry[]): Promise<void>;
  incidents(query: IncidentQuery): Promise<readonly Incident[]>;
  incident(id: string): Promise<Incident | null>;
  /** The first bad picture of an incident, and the last good one of the same page; empty: there was none. */
  pictures(incident: Pick<Incident, 'id' | 'site'>): Promise<readonly Picture[]>;
  runs(query: RangeQuery & { readonly scope?: Scope }): Promise<readonly RunRecord[]>;
  buckets(query: RangeQuery & { readonly resolution: Resolution }): Promise<readonly Bucket[]>;
  /** The days of many sites, from `from` (inclusive) to `to` (exclusive), oldest first; grouped by site. */
  days(query: Pick<RangeQuery, 'from' | 'to'> & { readonly sites: readonly string[] }): Promise<readonly DayCounts[]>;
  /** Of each incident and route the first notification that waits, the earliest first, at most `limit`; and how many wait in all. */
  waiting(limit: number): Promise<{
    readonly notifications: readonly Notification[];
    readonly pending: number;
    readonly oldestAt: number | null;
  }>;
  startMaintenance(window: StartedMaintenance): Promise<void>;
  /** Ends what is going on at a site; how many there were. */
  endMaintenance(site: string, at: number): Promise<number>;
  maintenance(at: number): Promise<readonly StartedMaintenance[]>;
  note(name: string): Promise<string | null>;
  setNote(name: string, text: string): Promise<void>;
  /** Removes what is older than it is kept for, in short steps; resolves with how many rows went. */
  prune(now: number, retention: Retention): Promise<number>;
  close(): Promise<void>;
}

/**
 * Why a store could not do what was asked:
 * `full` the disk (or the quota) is full; `busy` another process is writing, try again; `corrupt` the file is damaged;
 * `newer` a later docvitals wrote it; `older` an earlier one is still using it; `foreign` it is not a database of
 * docvitals'; `missing` it does not exist; `unreadable` the system refuses to read it, `read-only` to write it; `locked`
 * another monitor has it; `closed` it was closed before.
 */
export type StoreProblem = keyof DatabaseWords['problems'] | 'locked';

export interface Owner {
  readonly pid: number;
  readonly host: string;
  readonly since: number;
}

/** What a store rejects with. `message` is for people who look for the cause; it holds nothing that was stored. */
export class StoreError extends Error {
  readonly problem: StoreProblem;
  readonly file: string;
  /** With `locked`: the monitor that has it; `null`: not known. */
  readonly owner: Owner | null;

  constructor(problem: StoreProblem, file: string, detail: string, owner: Owner | null = null) {
    super(detail);
    this.name = 'StoreError';
    this.problem = problem;
    this.file = file;
    this.owner = owner;
  }
}

export function storeErrorText({ problem, file, message, owner }: StoreError, language: Language): string {
  const words = databaseWords(language);
  const [name, detail] = [printable(file), printable(message)];
  if (problem !== 'locked') return words.problems[problem](name, detail);
  if (owner === null) return words.locked(name, null, '', '');
  return words.locked(name, owner.pid, printable(owner.host), iso(owner.since));
}

/** The exit status of a command: 2 where another file has to be named, 3 where this one could not be used. */
export function storeErrorStatus({ problem }: StoreError): 2 | 3 {
  return problem === 'missing' || problem === 'foreign' ? 2 : 3;
}

/** Whether a database is on a PostgreSQL server; otherwise its name is that of a file. */
export function isPostgres(name: string): boolean {
  return /^postgres(?:ql)?:\/\//i.test(name);
}

/** The name of a database without its password, for people and logs. */
export function shownDatabase(name: string): string {
  if (!isPostgres(name)) return name;
  const url = URL.parse(name);
  // What cannot be read may have a password anywhere.
  if (url === null) return 'postgres://…';
  url.password = '';
  // Parameters may contain a password too, and are not needed to recognise a database.
  url.search = '';
  url.hash = '';
  return url.href;
}

/**
 * The slowest response of a run of the core checks, in whole ms; `null`: none was received. A refused connection fails within
 * a millisecond, which says nothing of how fast the site is; nor does the time that the whole site takes.
 */
export function responseTime({ scope, checks }: Pick<RunRecord, 'scope' | 'checks'>): number | null {
  const times = scope === 'core' ? checks.map(checkResponseTime).filter((ms) => ms !== null) : [];
  return times.length === 0 ? null : Math.max(...times);
}

export const checkResponseTime = ({ httpStatus, durationMs }: CheckRecord): number | null =>
  httpStatus === null || durationMs === null ? null : Math.round(durationMs);
