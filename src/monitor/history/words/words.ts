/** What `docvitals history` and `docvitals incidents` say, in one language, beside what alerts and reports say as well. */
export interface HistoryWords {
  /** Above the columns, in capitals. Times are UTC. */
  readonly columns: {
    readonly time: string;
    readonly up: string;
    readonly rounds: string;
    readonly mean: string;
    readonly p95: string;
    readonly slowest: string;
    readonly verdict: string;
    readonly duration: string;
    readonly findings: string;
  };
  /** In place of a verdict, or behind one. */
  readonly maintenance: string;
  /** A run of the whole site. */
  readonly wholeSite: string;
  /** Nothing is kept of the site, or nothing of that time. */
  noHistory(site: string): string;
  readonly noIncidents: string;
  readonly noOpenIncidents: string;
  /** Behind the time at which something happened: since an incident began. */
  after(duration: string): string;
  readonly nobodyNotified: string;
  /** It is told with another incident that has the same cause. */
  notifiedWith(incident: string): string;
  /** Of an incident that goes on. */
  open(duration: string): string;
  /** There may be more. */
  limited(count: number): string;
}
