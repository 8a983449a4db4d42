/**
 * The one state of a site at a time. The status page, its badges and feeds, the terminal, the API and the metrics all take
 * it from here, so that they cannot contradict each other.
 */
import type { Verdict } from '../check.ts';
import type { Tone } from '../report/html/icons.ts';
import { STABLE_MS } from './incident/policy.ts';
import type { SiteState, Incident } from './incident/incident.ts';
import { isOutage, openIncidents } from './incident/state.ts';
import { isSuspected } from './incident/deploy.ts';
import { ticksOf } from './schedule/ticks.ts';
import type { MonitoredSite } from './settings.ts';
import type { SiteView, MonitorView } from './view.ts';
import type { IncidentQuery, Store } from './store/store.ts';

/**
 * The verdict of a site that is monitored. `unstable`: an incident is open although the site works, or worked a moment
 * ago: it has just come back, or goes up and down.
 */
export type SiteVerdict = Verdict | 'unstable';

/** A verdict, or why there is none to tell. `new`: not checked yet; `maintenance`: being worked on, and not well. */
export type Kind = SiteVerdict | 'new' | 'maintenance';

/** The gravest first: what a page of many sites begins with. */
export const WORST_FIRST: readonly Kind[] = [
  'down',
  'unstable',
  'degraded',
  'unknown',
  'stale',
  'new',
  'maintenance',
  'healthy',
];

/** The sign and the colour that stand beside a kind. */
export const KIND_TONE: Readonly<Record<Kind, Tone>> = {
  down: 'fail',
  unstable: 'warn',
  degraded: 'warn',
  stale: 'stale',
  unknown: 'unknown',
  new: 'skip',
  maintenance: 'note',
  healthy: 'pass',
};

/** How a site stands. Times are ms since 1970. */
export interface SiteStatus {
  readonly kind: Kind;
  /** The same for programs, which read elsewhere that a site is in maintenance; `unknown` before the first check. */
  readonly verdict: SiteVerdict;
  /** When it was checked last; `null`: never. */
  readonly at: number | null;
  /** What was found then; differs from `kind` where that is too long ago, or the site is in maintenance. */
  readonly last: Verdict | null;
  /** Nothing was heard for too long: the monitor has stopped, or cannot look. */
  readonly isSilent: boolean;
  /** A failure that was seen, and is being confirmed before anybody is reported. */
  readonly isSuspected: boolean;
}

/** What a standing is made of. */
export interface SiteStatusFacts {
  readonly state: SiteState | null;
  readonly isInMaintenance: boolean;
  /** What is older than this says nothing any more: when three runs should have been since the last one. */
  readonly silentFrom: number | null;
  readonly now: number;
}

/** How a site stands at `now`. */
export function siteStatusOf({ state, isInMaintenance, silentFrom, now }: SiteStatusFacts): SiteStatus {
  const at = state?.lastAt ?? null;
  if (state === null || at === null) {
    return { kind: 'new', verdict: 'unknown', at: null, last: null, isSilent: false, isSuspected: false };
  }
  const isSilent = silentFrom !== null && now > silentFrom;
  const verdict = isSilent ? 'unknown' : verdictOf(state, now);
  const kind = isInMaintenance && !isSilent && verdict !== 'healthy' ? 'maintenance' : verdict;
  return { kind, verdict, at, last: state.verdict, isSilent, isSuspected: !isSilent && isSuspected(state) };
}

/** The verdict of a site that was checked a moment ago; `null`: it was not. */
export function verdictOf(state: SiteState | null, now: number): SiteVerdict {
  if (state === null) return 'unknown';
  return isUnstable(state, now) ? 'unstable' : state.verdict;
}

function isUnstable({ verdict, incident, lastUpAt }: SiteState, now: number): boolean {
  if (incident === null || verdict === 'unknown') return false;
  if (!isOutage(incident)) return verdict === 'healthy';
  // One that flaps does not change its state with every check; one that stays down is down.
  return verdict !== 'down' || (incident.flapping && lastUpAt !== null && now - lastUpAt < STABLE_MS);
}

/** How a site stands at `now`, as far as is known of it. */
export async function siteStatusAt(
  { site, state, maintenance }: Pick<SiteView, 'site' | 'state' | 'maintenance'>,
  now: number,
): Promise<SiteStatus> {
  const lastAt = state?.lastAt ?? null;
  const silentFrom = lastAt === null ? null : await silentAfter(site, lastAt);
  return siteStatusOf({ state, isInMaintenance: maintenance !== null, silentFrom, now });
}

/** Runs that should have been since the last one, until nothing is said of a site any more. */
const SILENT_RUNS = 3;
/** What a run may take, where the configuration says nothing. */
const RUN_MS = 15_000;

/** From when on nothing is said any more of a site that was checked last at `lastAt`; `null`: it never has to be again. */
export async function silentAfter({ schedule, id, checking }: MonitoredSite, lastAt: number): Promise<number | null> {
  const grace = schedule.jitterMs + (checking.limits.deadlineMs ?? RUN_MS);
  if (schedule.kind === 'every') return lastAt + SILENT_RUNS * schedule.everyMs + grace;
  const ticks = await ticksOf(schedule, id);
  let at: number | null = lastAt;
  for (let run = 0; run < SILENT_RUNS && at !== null; run++) at = ticks.next(at);
  return at === null ? null : at + grace;
}

/** How many sites stand how. */
export function countKinds(kinds: Iterable<Kind>): ReadonlyMap<Kind, number> {
  const counts = new Map<Kind, number>();
  for (const kind of kinds) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return new Map(WORST_FIRST.flatMap((kind) => (counts.has(kind) ? [[kind, counts.get(kind) ?? 0] as const] : [])));
}

/** The gravest of them; `new` where there is none. */
export function worstOf(kinds: readonly Kind[]): Kind {
  return WORST_FIRST.find((kind) => kinds.includes(kind)) ?? 'new';
}

/*
 * Incidents as they are now. What runs have seen stands above what the database has: that is written a moment later,
 * or much later while the disk is full.
 */

/** Answers as a store does, and rejects with what it rejects with. */
export function currentIncidents(
  view: Pick<MonitorView, 'sites' | 'store' | 'unwritten'>,
): Pick<Store, 'incident' | 'incidents'> {
  const { store } = view;
  return {
    async incidents(query) {
      const observed = observedNow(view);
      const { limit = Infinity } = query;
      // What is over by now leaves its place to another one.
      const stored = await store.incidents(limit === Infinity ? query : { ...query, limit: limit + observed.size });
      const all = new Map([...stored.map((incident) => [incident.id, incident] as const), ...observed]);
      const newest = [...all.values()].filter(isWanted(query)).toSorted(newestFirst).slice(0, limit);
      const reported = new Map(stored.map(({ id, notifiedAt }) => [id, notifiedAt]));
      return newest.map((incident) => ({
        ...incident,
        notifiedAt: incident.notifiedAt ?? reported.get(incident.id) ?? null,
      }));
    },
    async incident(id) {
      const observed = observedNow(view).get(id);
      if (observed === undefined) return store.incident(id);
      if (observed.notifiedAt !== null) return observed;
      const stored = await store.incident(id).catch(() => null);
      return { ...observed, notifiedAt: stored?.notifiedAt ?? null };
    },
  };
}

/** What waits to be written, and what is open, by id. */
function observedNow({ sites, unwritten }: Pick<MonitorView, 'sites' | 'unwritten'>): ReadonlyMap<string, Incident> {
  const open = sites().flatMap(({ state }) => openIncidents(state));
  // The later one of an incident is the newer one.
  return new Map([...(unwritten?.() ?? []), ...open].map((incident) => [incident.id, incident]));
}

/** What a store would tell for a query. */
function isWanted({ site, open, openOf, since, before }: IncidentQuery): (incident: Incident) => boolean {
  return (incident) =>
    (site === undefined || incident.site === site) &&
    (open === undefined || (incident.recoveredAt === null) === open) &&
    (openOf === undefined || incident.recoveredAt !== null || openOf.includes(incident.site)) &&
    incident.detectedAt >= (since ?? -Infinity) &&
    incident.detectedAt < (before ?? Infinity);
}

/** In the order of a store. */
function newestFirst(one: Incident, other: Incident): number {
  if (one.detectedAt !== other.detectedAt) return other.detectedAt - one.detectedAt;
  return one.id < other.id ? 1 : -1;
}
