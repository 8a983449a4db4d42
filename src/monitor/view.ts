/** What a running monitor shows of itself: the server, the status page and the metrics are made of it. Types only. */
import type { CheckResult, Report } from '../check.ts';
import type { Resolver } from '../http/connect.ts';
import type { RunCounts } from './engine/watched-site.ts';
import type { Member } from './fleet/members.ts';
import type { LocationStatus } from './locations.ts';
import type { IncidentEvent } from './incident/incident.ts';
import type { SiteState } from './incident/state.ts';
import type { MonitoredSite, MonitorSettings } from './settings.ts';
import type { Store } from './store/store.ts';

export interface SiteView {
  readonly site: MonitoredSite;
  readonly url: string;
  readonly state: SiteState | null;
  /** The last run of the core checks with a result; `null`: none since the start. */
  readonly report: Report | null;
  readonly results: ReadonlyMap<string, CheckResult>;
  readonly locations?: ReadonlyMap<string, LocationStatus>;
  /** Runs of the core checks since the start, by location (empty: of all together) and verdict. */
  readonly runCounts?: ReadonlyMap<string, RunCounts>;
  /** The current maintenance; `null`: none. Times are ms since 1970. */
  readonly maintenance: { readonly from: number; readonly to: number; readonly reason: string | null } | null;
  readonly nextAt: number | null;
}

export interface MonitorCounters {
  readonly rounds: number;
  /** Runs that began later than they were due by more than a second, or were left out. */
  readonly roundsLate: number;
  /** Runs that were about us, not about the site. */
  readonly roundsOurs: number;
  readonly alertsSent: number;
  readonly alertsFailed: number;
}

export interface FleetView {
  members(): readonly Member[];
  /** Runs that wait for a runner, by location. Rejects where the database cannot be read. */
  backlog(): Promise<ReadonlyMap<string, number>>;
}

export type IncidentListener = (event: IncidentEvent) => void;

export interface MonitorView {
  readonly startedAt: number;
  /** ms since 1970, as the monitor counts. */
  now(): number;
  settings(): MonitorSettings;
  sites(): readonly SiteView[];
  counters(): MonitorCounters;
  /** Calls `listener` for each incident that begins, changes or ends from now on. */
  onIncident(listener: IncidentListener): void;
  /** Its own problems, as codes (`disk-full`, `no-network`, `store-unreadable`); empty: nothing. */
  troubles(): readonly string[];
  ready(): boolean;
  readonly store: Store;
  /** Absent: this machine checks the sites. */
  readonly fleet?: FleetView;
  /** Resolves names in turn with the monitor's own runs; the system's resolver where it is absent. */
  readonly resolver?: Resolver;
}
