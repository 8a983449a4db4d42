/** What a running monitor shows of itself: the server, the status page and the metrics are made of it. Types only. */
import type { Resolver } from '../http/connect.ts';
import type { Core } from './engine/core.ts';
import type { Watchdog } from './engine/watchdog.ts';
import type { WatchedSite } from './engine/watched-site.ts';
import type { Member } from './fleet/members.ts';
import type { IncidentEvent } from './incident/incident.ts';
import type { Maintenance } from './maintenance/maintenance.ts';
import type { MonitorSettings } from './settings.ts';
import type { Store } from './store/store.ts';

export interface SiteView
  extends
    Readonly<Pick<WatchedSite, 'site' | 'url' | 'state' | 'report' | 'results'>>,
    Partial<Pick<WatchedSite, 'locations' | 'runCounts'>> {
  /** The current maintenance; `null`: none. */
  readonly maintenance: Maintenance | null;
  readonly nextAt: number | null;
}

export interface FleetView {
  members(): readonly Member[];
  /** Runs that wait for a runner, by location. Rejects where the database cannot be read. */
  backlog(): Promise<ReadonlyMap<string, number>>;
  /** Results that were rejected since the start, of a location or of all; absent: only the acting coordinator knows. */
  rejected?(location?: string): number;
  /** The locations that have one of the monitor's problems; absent: as above. */
  locationsWith?(problem: string): readonly string[];
}

export type IncidentListener = (event: IncidentEvent) => void;

export interface MonitorView {
  /** ms since 1970, as the monitor counts. */
  now(): number;
  settings(): MonitorSettings;
  sites(): readonly SiteView[];
  counters(): Readonly<Core['counts'] & Record<'alertsSent' | 'alertsFailed', number>>;
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
  /** Holds back what blocked this process; absent: nothing does. */
  readonly watchdog?: Pick<Watchdog, 'guard'>;
}
