import type { Incident } from '../../incident/incident.ts';
import type { IncidentVerdict } from '../../settings.ts';
import type { Resolution } from '../../store/store.ts';
import type { Kind } from '../../site-state.ts';

/** The state of some sites in one sentence. */
export interface Headline {
  /** The only site there is. */
  one(name: string): string;
  /** `count` of `total` sites, not all of them. */
  some(count: number, total: number): string;
  /** All sites, more than one. */
  all(total: number): string;
}

/** What is said of bars, by how long each of them is. */
export interface BarWords {
  /** Says how they are to be read. */
  readonly legend: string;
  /** What each of them is. */
  readonly unit: string;
  /** Below the first and the last of them. */
  ago(count: number): string;
  readonly now: string;
  /** What they show, for those who cannot see them. `up`: a percentage, or that there is none. */
  label(count: number, up: string, bad: number): string;
  readonly faults: string;
  readonly noFaults: string;
}

/** What the status page says, in one language. Times, durations and percentages come written out; counts do not. */
export interface PageWords {
  /** What the page is called where the configuration does not say. */
  readonly status: string;
  readonly skip: string;
  readonly language: string;
  readonly headlines: Readonly<Record<Kind, Headline>>;
  /** In small letters, those that are no verdicts. */
  readonly kinds: Readonly<Record<'new' | 'maintenance' | 'unstable', string>>;
  /** `38 healthy` */
  readonly counted: Readonly<Record<Kind, (count: number) => string>>;
  /** What a kind means for those who use the site, where it is no verdict. */
  readonly meanings: Readonly<Record<'new' | 'maintenance' | 'unstable', string>>;
  readonly noSites: string;
  /** Before the time of what is reported. */
  readonly asOf: string;
  /** Of a page that was left open. */
  readonly aged: string;
  readonly reload: string;
  /** Links that stop and start the refresh of a page. */
  readonly stopRefresh: string;
  readonly refresh: string;
  /** Nothing was heard since `time`, when the verdict was another one. */
  silent(time: string, verdict: string): string;
  readonly suspected: string;
  /** What stands in the monitor’s own way. */
  readonly troubles: Readonly<
    Record<'database-damaged' | 'database-replaced' | 'disk-full' | 'no-network' | 'store-unreadable' | 'other', string>
  >;
  /** Instead of what the database cannot tell. */
  readonly unreadable: string;

  readonly sites: string;
  readonly otherSites: string;
  readonly checks: string;
  readonly check: string;
  readonly result: string;
  readonly lookedAt: string;
  readonly findings: string;
  readonly noChecks: string;

  readonly uptime: string;
  /** `99.98% up` */
  up(percent: string): string;
  readonly noUptime: string;
  /** Says how bars of different lengths are to be read. */
  readonly barsLegend: string;
  readonly bars: Readonly<Record<Resolution, BarWords>>;
  /** Says what percentages count. */
  readonly upLegend: string;
  /** What a period was like, where nothing is known of it. */
  readonly periodKinds: Readonly<Record<'none' | 'maintenance' | 'unknown' | 'well', string>>;
  /** Runs of a day, of `total` that tell something. */
  readonly badRounds: Readonly<Record<'down' | 'degraded' | 'stale', (count: number, total: number) => string>>;

  readonly response: Readonly<Record<'hour' | 'day', string>>;
  readonly noResponse: string;
  readonly lastChecks: string;
  /** Instead of a response time: such a check sends many requests. */
  readonly fullCheck: string;
  readonly responseTime: string;
  /** `mean`, `slowest`: durations; `at`: when it was that slow. */
  responseSummary(mean: string, slowest: string, at: string): string;
  readonly responseKeys: Readonly<Record<'mean' | 'p95' | 'bad' | 'maintenance', string>>;
  readonly byHour: string;
  readonly hour: string;
  readonly slowest: string;

  readonly incidentsNow: string;
  readonly pastIncidents: string;
  readonly allIncidents: string;
  noIncidents(days: number): string;
  leftOut(count: number): string;
  /** Below a list that ends after so many. */
  mostTold(count: number): string;
  /** The same of an incident that is over. */
  recovered(title: string): string;
  /** `docs: down` */
  readonly incidentTitles: Readonly<Record<IncidentVerdict | 'unstable', (site: string) => string>>;
  readonly clocks: Readonly<Record<'started' | 'detected' | 'notified' | 'recovered', string>>;
  /** What the first clock is: the last good look, the end of maintenance, the first look that was bad. */
  readonly startedNotes: Readonly<Record<'good-round' | NonNullable<Incident['startedBy']>, string>>;
  readonly notYet: string;
  readonly nobodyNotified: string;
  /** An incident with the same cause was told for both. */
  readonly notifiedWith: string;
  /** Since the incident started. */
  later(duration: string): string;
  /** A duration that counts from detection. */
  fromDetection(duration: string): string;
  met(duration: string, rto: string): string;
  missed(duration: string, rto: string): string;
  openWithin(duration: string, rto: string): string;
  openBeyond(duration: string, rto: string): string;
  readonly whatFails: string;
  readonly whatFailed: string;
  readonly deploy: string;
  /** Between the versions and the time of a deploy. */
  readonly deployBefore: string;
  readonly deploySeen: string;
  readonly flapping: string;
  /** The same in a word, before how long it has been open. */
  readonly unsteady: string;
  /** Names of checks, and what is said of them. */
  said(checks: string, what: string): string;
  readonly sameAs: string;

  readonly maintenance: string;
  readonly goesOn: string;

  readonly allSites: string;
  readonly notFound: string;
  readonly notFoundHint: string;
  readonly badge: string;
  readonly follow: string;
  readonly madeBy: string;

  /** Above the ids of sites, and before the end of a maintenance. */
  readonly site: string;
  readonly until: string;
  /** What an export has done. */
  exported(files: number, folder: string): string;
  removed(files: number): string;

  /** In a badge about all sites, before what it says. */
  readonly badgeLabel: string;
  /** `docs: recovered` */
  feedRecovered(site: string): string;
  readonly feedDescription: string;
}
