/** Sites as the status page has to show them, and what a database remembers of them. */
import type { Status, Verdict } from '../../src/core/check.ts';
import { DEFAULT_CONFIG } from '../../src/config/config.ts';
import type { Incident, IncidentFinding } from '../../src/monitor/incident/incident.ts';
import type { SiteState } from '../../src/monitor/incident/state.ts';
import { emptyState } from '../../src/monitor/incident/state.ts';
import type { PageStore, StatusSource, WatchedSite } from '../../src/monitor/page/data.ts';
import type { MonitoredSite, MonitorSettings } from '../../src/monitor/settings.ts';
import type { Bucket, Resolution, StartedMaintenance } from '../../src/monitor/store/store.ts';
import { checkedAt } from '../monitor/incident/state.ts';

/** 20 November 2026, 18:00:12 UTC. */
export const NOW = Date.parse('2026-11-20T18:00:12Z');
export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

const FIVE = ['bundle', 'config', 'navigation', 'home', 'llms-txt'] as const;

/** A site that is asked every 10 s, by default. */
export function site(id: string, rest: Partial<MonitoredSite> = {}): MonitoredSite {
  return {
    id,
    url: `https://${id}.example.com/`,
    title: id,
    tags: [],
    schedule: { kind: 'every', everyMs: 10 * SECOND, jitterMs: 0 },
    full: { kind: 'every', everyMs: HOUR, jitterMs: 0 },
    browser: null,
    recoveryTimeObjectiveMs: MINUTE,
    confirm: { afterMs: 2 * SECOND, times: 3 },
    recover: { times: 2 },
    alerts: null,
    maintenance: [],
    checking: DEFAULT_CONFIG,
    ...rest,
  };
}

export const failing = (check: string, name: string, rest: Partial<IncidentFinding> = {}): IncidentFinding => ({
  check,
  rule: `${check}/${name}`,
  evidence: {},
  location: null,
  ...rest,
});

/** A state seen 4 s ago. `failed`: the checks that fail, with their rules. */
export function state(
  verdict: Verdict,
  failed: readonly IncidentFinding[] = [],
  rest: Partial<SiteState> = {},
): SiteState {
  const at = NOW - 4 * SECOND;
  const statusOf = (id: string): Status => {
    if (failed.some(({ check }) => check === id)) return 'fail';
    return verdict === 'unknown' ? 'unknown' : 'pass';
  };
  const ids = [...new Set([...FIVE, ...failed.map(({ check }) => check)])];
  const checks = ids.map((id) => {
    const findings = failed.filter(({ check }) => check === id);
    return [id, { status: statusOf(id), at, scope: 'core' as const, findings }] as const;
  });
  return { ...emptyState(), ...checkedAt(at), checks: Object.fromEntries(checks), verdict, ...rest };
}

/** One that began `ago` before now; over after `lastedMs`, or still open (`null`). */
export function incident(of: string, ago: number, lastedMs: number | null, rest: Partial<Incident> = {}): Incident {
  const startedAt = NOW - ago;
  const detectedAt = startedAt + 14_250;
  const stamp = new Date(detectedAt).toISOString().replaceAll(/[-:.Z]/g, '');
  return {
    id: `${of}-${stamp}`,
    site: of,
    verdict: 'down',
    checks: ['bundle', 'config'],
    rules: ['bundle/no-answer', 'config/no-answer'],
    startedAt,
    detectedAt,
    notifiedAt: detectedAt + 830,
    recoveredAt: lastedMs === null ? null : startedAt + lastedMs,
    recoveryTimeObjectiveMs: MINUTE,
    findings: [],
    deploy: null,
    flapping: false,
    sameAs: null,
    ...rest,
  };
}

/** A site as a running monitor shows it. */
export function watched(
  of: MonitoredSite,
  known: SiteState | null,
  maintenance: WatchedSite['maintenance'] = null,
): WatchedSite {
  return { site: of, url: of.url, state: known, maintenance };
}

/** What a database remembers. `days`: runs of a day that were not well, by how many days ago; `null`: nobody looked. */
export interface Remembered {
  readonly incidents?: readonly Incident[];
  readonly maintenance?: readonly StartedMaintenance[];
  /** By the site's id; a site that is not in it was well all the time. */
  readonly days?: Readonly<Record<string, (ago: number) => Partial<Bucket> | null>>;
  readonly minutes?: Readonly<Record<string, (minute: number) => Partial<Bucket> | null>>;
}

/** A database as pages ask it, without a file. */
export function storeOf({ incidents = [], maintenance = [], days = {}, minutes = {} }: Remembered = {}): PageStore {
  const sorted = incidents.toSorted((one, other) => other.detectedAt - one.detectedAt);
  return {
    incident: (id) => Promise.resolve(incidents.find((one) => one.id === id) ?? null),
    incidents({ site: of, open, since = 0, limit = 1000 }) {
      const found = sorted.filter(
        (one) =>
          (of === undefined || one.site === of) &&
          (open === undefined || (one.recoveredAt === null) === open) &&
          one.detectedAt >= since,
      );
      return Promise.resolve(found.slice(0, limit));
    },
    runs: () => Promise.resolve([]),
    pictures: () => Promise.resolve([]),
    maintenance: (at) => Promise.resolve(maintenance.filter(({ to }) => to > at)),
    async days({ sites, from, to }) {
      const all = sites.map((of) => this.buckets({ site: of, from, to, resolution: 'day' }));
      return (await Promise.all(all)).flat();
    },
    buckets({ site: of, from, to, resolution }) {
      const size = { minute: MINUTE, hour: HOUR, day: DAY }[resolution];
      const made: Bucket[] = [];
      for (let at = Math.ceil(from / size) * size; at < Math.min(to, NOW); at += size) {
        const bucket = bucketOf(of, at, resolution, days[of], minutes[of]);
        if (bucket !== null) made.push(bucket);
      }
      return Promise.resolve(made);
    },
  };
}

function bucketOf(
  of: string,
  at: number,
  resolution: Resolution,
  days: ((ago: number) => Partial<Bucket> | null) | undefined,
  minutes: ((minute: number) => Partial<Bucket> | null) | undefined,
): Bucket | null {
  const runs = { minute: 6, hour: 360, day: 8640 }[resolution];
  const own =
    resolution === 'day' ? days?.(Math.floor(NOW / DAY) - at / DAY) : minutes?.(Math.floor((NOW - at) / MINUTE));
  // What is not kept of a day is not kept of its hours either.
  const ofDay = days?.(Math.floor(NOW / DAY) - Math.floor(at / DAY));
  if (own === null || ofDay === null) return null;
  const wave = 90 + 40 * Math.sin(at / (3 * HOUR)) + 25 * Math.sin(at / (7 * MINUTE));
  const bucket: Bucket = {
    site: of,
    at,
    runs,
    healthy: runs,
    degraded: 0,
    down: 0,
    stale: 0,
    unknown: 0,
    maintenance: 0,
    meanMs: wave,
    minMs: wave * 0.6,
    maxMs: wave * 2.4,
    p95Ms: wave * 1.7,
    ...own,
  };
  const { degraded, down, stale, unknown, maintenance } = bucket;
  return { ...bucket, healthy: Math.max(0, bucket.runs - degraded - down - stale - unknown - maintenance) };
}

/** What pages are made of. */
export function source(
  sites: readonly WatchedSite[],
  remembered: Remembered = {},
  page: Partial<MonitorSettings['page']> = {},
  rest: Partial<StatusSource> = {},
  locations: StatusSource['settings']['locations'] = [],
): StatusSource {
  const settings: MonitorSettings['page'] = { title: null, url: null, language: 'en', ...page };
  return {
    now: NOW,
    settings: { page: settings, sites: sites.map((one) => one.site), locations },
    sites,
    troubles: [],
    store: storeOf(remembered),
    ...rest,
  };
}
