/** A monitor that does nothing, for tests of what shows a running one. */
import type { CheckResult, Report } from '../../src/core/check.ts';
import { DEFAULT_CONFIG } from '../../src/config/config.ts';
import type { Incident } from '../../src/monitor/incident/incident.ts';
import type { SiteState } from '../../src/monitor/incident/state.ts';
import { emptyState } from '../../src/monitor/incident/state.ts';
import type { MonitoredSite, MonitorSettings } from '../../src/monitor/settings.ts';
import type { Bucket, IncidentQuery, RunRecord, StartedMaintenance, Store } from '../../src/monitor/store/store.ts';
import type { MonitorView, SiteView } from '../../src/monitor/view.ts';
import { reportOf } from '../reports.ts';
import { checkedAt } from '../monitor/incident/state.ts';

/** A Friday, at noon. */
export const NOON = Date.UTC(2026, 10, 20, 12);

export const siteOf = (rest: Partial<MonitoredSite> = {}): MonitoredSite => ({
  id: 'docs',
  url: 'https://docs.example/',
  title: 'Handbook',
  tags: [],
  schedule: { kind: 'every', everyMs: 10_000, jitterMs: 0 },
  full: null,
  browser: null,
  recoveryTimeObjectiveMs: 60_000,
  confirm: { afterMs: 2_000, times: 3 },
  recover: { times: 2 },
  alerts: null,
  maintenance: [],
  checking: DEFAULT_CONFIG,
  ...rest,
});

export const settingsOf = (rest: Partial<MonitorSettings> = {}): MonitorSettings => ({
  sites: [siteOf()],
  alerts: [],
  database: null,
  locations: [],
  listen: null,
  heartbeat: null,
  connectivity: [],
  retention: { rawMs: 1, minuteMs: 1, hourMs: 1, dayMs: 1 },
  probe: { targets: [], modules: new Map() },
  browser: DEFAULT_CONFIG.browser,
  page: { title: null, url: null, language: 'en' },
  ...rest,
});

export const incidentOf = (rest: Partial<Incident> = {}): Incident => ({
  id: 'docs-20261120T115800000',
  site: 'docs',
  verdict: 'down',
  checks: ['bundle'],
  rules: ['bundle/status'],
  startedAt: NOON - 130_000,
  detectedAt: NOON - 120_000,
  notifiedAt: NOON - 119_000,
  recoveredAt: null,
  recoveryTimeObjectiveMs: 60_000,
  findings: [{ check: 'bundle', rule: 'bundle/status', evidence: { status: 503 }, location: null }],
  deploy: null,
  flapping: false,
  sameAs: null,
  ...rest,
});

/** A site that was checked: its state and results are those of `report`. */
export function siteViewOf(site: MonitoredSite, report: Report | null, rest: Partial<SiteView> = {}): SiteView {
  const results = new Map((report?.checks ?? []).map((result): [string, CheckResult] => [result.id, result]));
  return {
    site,
    url: site.url,
    state: report === null ? null : stateOf(report),
    report,
    results,
    maintenance: null,
    nextAt: NOON + 5_000,
    ...rest,
  };
}

export function stateOf(report: Report, rest: Partial<SiteState> = {}): SiteState {
  const checks = report.checks.map(
    ({ id, status }) => [id, { status, at: NOON, scope: 'core', findings: [] }] as const,
  );
  return {
    ...emptyState(),
    ...checkedAt(NOON, report.verdict === 'healthy' ? NOON : null),
    checks: Object.fromEntries(checks),
    verdict: report.verdict,
    ...rest,
  };
}

export const healthy = (): Report =>
  reportOf(
    [
      { id: 'bundle', status: 'pass' },
      { id: 'config', status: 'pass' },
    ],
    { verdict: 'healthy' },
  );

/** What is remembered; lists may be changed while a test runs. */
export interface Remembered {
  readonly incidents: Incident[];
  readonly runs: RunRecord[];
  readonly buckets: Bucket[];
  readonly maintenance: StartedMaintenance[];
  pending: number;
  /** What everything rejects with; `null`: nothing. */
  failure: Error | null;
}

export function memory(rest: Partial<Remembered> = {}): Remembered {
  return { incidents: [], runs: [], buckets: [], maintenance: [], pending: 0, failure: null, ...rest };
}

/** A view of these sites; `remembered` stands behind its store. */
export function viewOf(rest: Partial<MonitorView> & { readonly remembered?: Remembered } = {}): MonitorView {
  const { remembered = memory(), ...given } = rest;
  const settings = given.settings?.() ?? settingsOf();
  return {
    now: () => NOON,
    settings: () => settings,
    sites: () => settings.sites.map((site) => siteViewOf(site, healthy())),
    counters: () => ({ runs: 12, runsLate: 1, probeFailures: 2, alertsSent: 3, alertsFailed: 4 }),
    onIncident: () => {},
    troubles: () => [],
    ready: () => true,
    store: storeOf(remembered),
    ...given,
  };
}

/** What the server reads of a store; everything else is a mistake of the test. */
function storeOf(remembered: Remembered): Store {
  const read = async <T>(value: () => T): Promise<T> => {
    if (remembered.failure !== null) throw remembered.failure;
    return value();
  };
  const inRange = (at: number, { from, to }: { from: number; to: number }): boolean => at >= from && at < to;
  const part: Partial<Store> = {
    incidents: (query) => read(() => newestFirst(remembered.incidents, query)),
    pictures: () => read(() => []),
    incident: (id) => read(() => remembered.incidents.find((one) => one.id === id) ?? null),
    runs: (query) => read(() => remembered.runs.filter(({ startedAt }) => inRange(startedAt, query))),
    buckets: (query) => read(() => remembered.buckets.filter(({ at }) => inRange(at, query))),
    days: ({ sites, from, to }) =>
      read(() => remembered.buckets.filter(({ at, site }) => sites.includes(site) && inRange(at, { from, to }))),
    waiting: () =>
      read(() => {
        const { pending } = remembered;
        return { notifications: [], pending, oldestAt: pending > 0 ? NOON : null };
      }),
    maintenance: (at) => read(() => remembered.maintenance.filter(({ to }) => to > at)),
  };
  return new Proxy(part, {
    get: (target, name) => {
      if (name in target) return Reflect.get(target, name) as unknown;
      throw new Error(`the server reads ${String(name)}`);
    },
  }) as Store;
}

function newestFirst(
  all: readonly Incident[],
  { site, open, since, before, limit = Infinity }: IncidentQuery,
): Incident[] {
  return all
    .filter((one) => site === undefined || one.site === site)
    .filter((one) => open === undefined || (one.recoveredAt === null) === open)
    .filter(({ detectedAt }) => detectedAt >= (since ?? 0) && detectedAt < (before ?? Infinity))
    .toSorted((a, b) => b.detectedAt - a.detectedAt)
    .slice(0, limit);
}
