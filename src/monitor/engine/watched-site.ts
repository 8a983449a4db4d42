import { isDeepStrictEqual } from 'node:util';
import type { CheckResult, Report, Verdict } from '../../core/check.ts';
import type { CheckSiteOptions } from '../../core/check-site.ts';
import { siteRun } from '../../options/run-options.ts';
import { UsageError } from '../../options/arguments.ts';
import type { Scope } from '../incident/incident.ts';
import { emptyState, ofEachScope, type SiteState } from '../incident/state.ts';
import { policyOf, type IncidentPolicy } from '../incident/run.ts';
import type { LocationStatus } from '../locations.ts';
import type { MonitoredSite, MonitorSettings } from '../settings.ts';

/** A monitored site, with all that is known of it between its runs. */
export interface WatchedSite {
  site: MonitoredSite;
  /** Without userinfo, ending with a slash. */
  url: string;
  /** `null`: nothing of that kind is checked. */
  runs: Readonly<Record<Scope, Run>>;
  policy: IncidentPolicy;
  state: SiteState | null;
  /** The last run of the core checks that was about the site. */
  report: Report | null;
  readonly results: Map<string, CheckResult>;
  /** The last result of each location; empty: there is only this machine. */
  readonly locations: Map<string, LocationStatus>;
  /** Runs of the core checks since the start, by location (empty: of all together) and verdict. */
  readonly runCounts: Map<string, RunCounts>;
  /** What it shared with other sites in the last run that failed; as in {@link Incident.causes}. */
  causes: readonly string[];
  /** The last run took long: the next one gives way to others. */
  slow: boolean;
}

type RunCounts = Readonly<Partial<Record<Verdict, number>>>;

/** Applies a configuration; returns the sites that were removed. `states`: of those that are new. */
export function updateWatched(
  all: Map<string, WatchedSite>,
  { sites }: Pick<MonitorSettings, 'sites'>,
  states: ReadonlyMap<string, SiteState>,
  env: NodeJS.ProcessEnv,
): readonly WatchedSite[] {
  const before = new Map(all);
  all.clear();
  for (const site of sites) {
    const known = before.get(site.id);
    before.delete(site.id);
    if (known !== undefined) rewatch(known, site, env);
    all.set(site.id, known ?? watch(site, states.get(site.id) ?? null, env));
  }
  return [...before.values()];
}

/** A new site. `state`: what was known of it before; `null`: nothing. */
export function watch(site: MonitoredSite, state: SiteState | null, env: NodeJS.ProcessEnv): WatchedSite {
  const maps = { results: new Map(), locations: new Map(), runCounts: new Map() };
  const empty = { ...maps, report: null, causes: [], slow: false };
  return { ...prepare(site, env), state, ...empty };
}

/** Applies a new configuration of a site; its state is kept as far as it still applies. */
function rewatch(watched: WatchedSite, site: MonitoredSite, env: NodeJS.ProcessEnv): void {
  if (isDeepStrictEqual(watched.site, site)) return;
  const { url: before, site: former } = watched;
  Object.assign(watched, prepare(site, env));
  // A version in another location is another version, which is not a deployment either.
  if (watched.state !== null && !isDeepStrictEqual(former.checking.versionFrom, site.checking.versionFrom)) {
    watched.state = { ...watched.state, deployments: { ...watched.state.deployments, version: null } };
  }
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

function prepare(site: MonitoredSite, env: NodeJS.ProcessEnv) {
  const core = runOf(site, 'core', env);
  const isRunBy = (run: Run, id: string): boolean => run?.checks.some((check) => check.id === id) ?? false;
  // Where nothing is left beyond the core checks, nothing is rechecked.
  const beyond = (run: Run): Run => (run?.checks.some(({ id }) => !isRunBy(core, id)) ? run : null);
  const browser = beyond(site.browser && runOf(site, 'browser', env));
  const full = site.full && runOf(site, 'full', env);
  // What the browser's runs check, the full check need not: each result belongs to one schedule.
  const own = full?.checks.filter(({ id }) => isRunBy(core, id) || !isRunBy(browser, id)) ?? [];
  const runs = { core, full: beyond(full && { ...full, checks: own }), browser };
  const { base } = (core ?? siteRun(site, 'full', env)).site;
  return {
    site,
    url: base.href,
    runs,
    policy: policyOf(
      site,
      ofEachScope((scope) => runs[scope]?.checks ?? []),
    ),
  };
}

type Run = CheckSiteOptions | null;

/** `null`: all checks of that kind are skipped. */
function runOf(site: MonitoredSite, scope: Scope, env: NodeJS.ProcessEnv): Run {
  try {
    return siteRun(site, scope, env);
  } catch (error) {
    if (error instanceof UsageError) return null;
    throw error;
  }
}

/** Findings of a check, and places of a finding, that are kept between runs. */
export const MOST_FINDINGS = 50;
const MOST_LOCATIONS = 10;
/** Pages in the browser that are kept, for metrics. */
const MOST_PAGES = 20;

/** A result as it is kept: a crawl that finds thousands of broken links must not fill the memory of a monitor. */
export function compact(result: CheckResult, mostFindings = MOST_FINDINGS): CheckResult {
  const { findings, rendered } = result;
  const omitted: Record<string, number> = { ...result.omitted };
  for (const { rule } of findings.slice(mostFindings)) omitted[rule] = (omitted[rule] ?? 0) + 1;
  return {
    ...result,
    findings: findings.slice(0, mostFindings).map((finding) => {
      return { ...finding, ...(finding.locations && { locations: finding.locations.slice(0, MOST_LOCATIONS) }) };
    }),
    ...(Object.keys(omitted).length > 0 && { omitted }),
    ...(rendered && { rendered: rendered.slice(0, MOST_PAGES) }),
  };
}

export function withoutPictures({ rendered, ...result }: CheckResult): CheckResult {
  if (rendered === undefined) return result;
  return { ...result, rendered: rendered.map((page) => ({ ...page, screenshot: null })) };
}
