/** What `docvitals monitor` and `docvitals maintenance` say, in one language. All strings come printable. */
export interface EngineWords {
  /** First line of a monitor: what it watches. */
  watching(sites: number): string;
  /** Where the status page is. */
  page(url: string): string;
  readonly notListening: string;
  database(file: string): string;
  /** How to end it. */
  readonly howToStop: string;

  readonly inMaintenance: string;
  readonly unstable: string;
  readonly notLookedAt: string;
  /** Since when an incident is open. */
  openSince(time: string): string;
  pendingAlerts(count: number): string;
  /** What was found could not be written. */
  readonly notKept: string;

  maintenanceStarted(site: string, until: string): string;
  maintenanceEnded(site: string, count: number): string;
  /** Whatever was ended by hand: a window of the configuration goes on. */
  maintenanceGoesOn(site: string, until: string): string;
  readonly noMaintenance: string;
  /** Heads of the list: site, from, to, reason. */
  readonly heads: readonly [site: string, from: string, to: string, reason: string];
  /** Behind a window that goes on now. */
  readonly now: string;
}
