import { isDeepStrictEqual } from 'node:util';
import type { CheckResult, Report, Verdict } from '../../check.ts';
import type { CheckSiteOptions } from '../../check-site.ts';
import { siteRun } from '../../project/sites.ts';
import { UsageError } from '../../project/usage-error.ts';
import { groupOf } from '../alerts/plan.ts';
import type { OutboxEntry } from '../alerts/alert.ts';
import type { Incident, IncidentPolicy, Scope } from '../incident/incident.ts';
import { emptyState, ofEachScope, openIncidents, withIncidents, type SiteState } from '../incident/state.ts';
import { policyOf } from '../incident/policy.ts';
import type { LocationStatus } from '../locations.ts';
import type { MonitoredSite } from '../settings.ts';
import type { RunCommit } from '../store/store.ts';
import { VersionReader } from './deployed-contents.ts';

/** A site that is watched, with all that is known of it between its runs. */
export interface WatchedSite {
  site: MonitoredSite;
  /** Without userinfo, ending with a slash. */
  url: string;
  /** What its runs run; `null`: nothing of that kind. */
  runs: Readonly<Record<Scope, CheckSiteOptions | null>>;
  policy: IncidentPolicy;
  state: SiteState | null;
  /** The last run of the core checks that was about the site. */
  report: Report | null;
  readonly results: Map<string, CheckResult>;
  /** What each location saw last; empty: there is only this machine. */
  readonly locations: Map<string, LocationStatus>;
  /** Runs of the core checks since the start, by location (empty: of all together) and verdict. */
  readonly runCounts: Map<string, RunCounts>;
  versions: VersionReader;
  /** The last run took long: the next one may wait for others. */
  slow: boolean;
  /** What the next run writes beside what it saw itself; `null`: nothing. */
  owed: Pick<RunCommit, 'incidents' | 'outbox'> | null;
  /** It was taken out of the configuration. */
  removed: boolean;
}

/** How many runs had each verdict. */
export type RunCounts = Readonly<Partial<Record<Verdict, number>>>;

/** What the configuration says of a site, made ready to run. */
type Prepared = Pick<WatchedSite, 'site' | 'url' | 'runs' | 'policy' | 'versions'>;

/** A site as it begins to be watched. `state`: what was known of it before; `null`: nothing. */
export function watch(site: MonitoredSite, state: SiteState | null, env: NodeJS.ProcessEnv): WatchedSite {
  const maps = { results: new Map(), locations: new Map(), runCounts: new Map() };
  const empty = { ...maps, report: null, slow: false, owed: null, removed: false };
  return { ...prepare(site, env), state, ...empty };
}

/** Applies a new configuration of a site; its state is kept as far as it still applies. */
export function rewatch(watched: WatchedSite, site: MonitoredSite, env: NodeJS.ProcessEnv): void {
  if (isDeepStrictEqual(watched.site, site)) return;
  const { url: before, versions } = watched;
  const isVersionMoved = !isDeepStrictEqual(watched.site.checking.versionFrom, site.checking.versionFrom);
  Object.assign(watched, prepare(site, env));
  if (before === watched.url && !isVersionMoved) watched.versions = versions;
  // Another address has other files, which is not a deployment; results of the old one confirm nothing.
  if (before !== watched.url && watched.state !== null) {
    const { scopes, outage, degradation } = watched.state;
    const { blips, deployments } = emptyState();
    watched.state = {
      ...watched.state,
      scopes: ofEachScope((scope) => ({ ...scopes[scope], suspicion: null })),
      outage: { ...outage, good: null },
      degradation: { ...degradation, good: null },
      blips,
      deployments,
    };
  }
  const declared = new Set(watched.policy.declared.map(({ id }) => id));
  for (const id of watched.results.keys()) if (!declared.has(id)) watched.results.delete(id);
}

function prepare(site: MonitoredSite, env: NodeJS.ProcessEnv): Prepared {
  const core = runOf(site, 'five', env);
  const browser = beyond(core, site.browser && runOf(site, 'browser', env));
  const full = beyond(core, without(browser, core, site.full && runOf(site, 'full', env)));
  const runs = { five: core, full, browser };
  const { base } = (core ?? siteRun(site, 'full', env)).site;
  return {
    site,
    url: base.href,
    runs,
    policy: policyOf(
      site,
      ofEachScope((scope) => runs[scope]?.checks ?? []),
    ),
    versions: new VersionReader(base, site.checking.versionFrom),
  };
}

type Run = CheckSiteOptions | null;

const isRunBy = (run: Run, id: string): boolean => run?.checks.some((check) => check.id === id) ?? false;

/** Where nothing is left beyond the core checks, nothing is rechecked. */
const beyond = (core: Run, run: Run): Run => (run?.checks.some(({ id }) => !isRunBy(core, id)) ? run : null);

/** What the browser's runs check, the full check need not: each result belongs to one schedule. */
function without(browser: Run, core: Run, full: Run): Run {
  return full && { ...full, checks: full.checks.filter(({ id }) => isRunBy(core, id) || !isRunBy(browser, id)) };
}

type Reporting = Pick<OutboxEntry, 'event' | 'incident' | 'alsoSites'>;

/** An alert arrived: the states of its sites record the notification, as the database does. */
export function noteNotified(all: Iterable<WatchedSite>, alert: Reporting, at: number): void {
  for (const watched of all) {
    const isNews = (incident: Incident): boolean => incident.notifiedAt === null && isReporting(alert, incident);
    if (watched.state === null || !openIncidents(watched.state).some(isNews)) continue;
    watched.state = withIncidents(watched.state, (incident) =>
      isNews(incident) ? { ...incident, notifiedAt: at } : incident,
    );
  }
}

/** The incident itself is reported by the alert that it opened; others with its root cause by any that names them. */
function isReporting({ event, incident, alsoSites }: Reporting, reported: Incident): boolean {
  if (incident.id === reported.id) return event === 'opened';
  return alsoSites.includes(reported.site) && groupOf(incident) === groupOf(reported);
}

/** `null`: all checks of that kind are left out. */
function runOf(site: MonitoredSite, scope: Scope, env: NodeJS.ProcessEnv): CheckSiteOptions | null {
  try {
    return siteRun(site, scope, env);
  } catch (error) {
    if (error instanceof UsageError) return null;
    throw error;
  }
}

/** Findings of a check, and places of a finding, that are kept between runs. */
const MOST_FINDINGS = 50;
const MOST_LOCATIONS = 10;
/** Pages in the browser that are kept, for metrics; without their pictures. */
const MOST_PAGES = 20;

/** A result as it is kept: a crawl that finds thousands of broken links must not fill the memory of a monitor. */
export function compact(result: CheckResult): CheckResult {
  const { findings, rendered } = result;
  if (rendered !== undefined) {
    const pages = rendered.slice(0, MOST_PAGES).map((page) => ({ ...page, screenshot: null }));
    const { rendered: _rendered, ...rest } = result;
    return { ...compact(rest), rendered: pages };
  }
  const isSmall = findings.every(({ locations = [] }) => locations.length <= MOST_LOCATIONS);
  if (isSmall && findings.length <= MOST_FINDINGS) return result;
  const omitted: Record<string, number> = { ...result.omitted };
  for (const { rule } of findings.slice(MOST_FINDINGS)) omitted[rule] = (omitted[rule] ?? 0) + 1;
  return {
    ...result,
    findings: findings.slice(0, MOST_FINDINGS).map(({ locations, ...finding }) => ({
      ...finding,
      ...(locations === undefined ? {} : { locations: locations.slice(0, MOST_LOCATIONS) }),
    })),
    ...(Object.keys(omitted).length === 0 ? {} : { omitted }),
  };
}
