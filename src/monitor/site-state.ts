/**
 * The one state of a site at a time. The status page, its badges and feeds, the terminal, the API and the metrics all take
 * it from here, so that they cannot contradict each other.
 */
import type { Verdict } from '../core/check.ts';
import type { Tone } from '../report/html/frame.ts';
import { STABLE_MS } from './incident/lifecycle.ts';
import { currentIncident, isOutage, lastRunAt, openIncidents, type SiteState } from './incident/state.ts';
import { isSuspected } from './incident/transition.ts';
import { ticksOf } from './schedule/schedule.ts';
import type { MonitoredSite } from './settings.ts';
import type { SiteView } from './view.ts';
import type { Store } from './store/store.ts';

/**
 * The verdict of a site that is monitored. `unstable`: an incident is open although the site works, or worked a moment
 * ago: it has just come back, or goes up and down.
 */
type SiteVerdict = Verdict | 'unstable';

/** A verdict, or why there is none. `new`: not checked yet; `maintenance`: under maintenance and not healthy. */
export type Kind = SiteVerdict | 'new' | 'maintenance';

/** The tones of all kinds, the worst kind first. */
export const KIND_TONE = {
  down: 'fail',
  unstable: 'warn',
  degraded: 'warn',
  unknown: 'unknown',
  stale: 'stale',
  new: 'skip',
  maintenance: 'note',
  healthy: 'pass',
} as const satisfies Readonly<Record<Kind, Tone>>;

export const WORST_FIRST = Object.keys(KIND_TONE) as readonly Kind[];

export function siteStatusAt(
  { site, state, maintenance }: Pick<SiteView, 'site' | 'state' | 'maintenance'>,
  now: number,
) {
  const at = lastRunAt(state);
  if (state === null || at === null) {
    return { kind: 'new', verdict: 'unknown', at: null, last: null, isSilent: false, isSuspected: false } as const;
  }
  // While the host refuses the monitor, runs are rarer than scheduled.
  const isSilent = isSilentSince(site, at + (state.refusal?.pauseMs ?? 0), now);
  const verdict = isSilent ? 'unknown' : verdictOf(state, now);
  const kind: Kind = maintenance !== null && !isSilent && verdict !== 'healthy' ? 'maintenance' : verdict;
  return {
    kind,
    /** The same for programs, which read elsewhere that a site is in maintenance; `unknown` before the first check. */
    verdict,
    at,
    /** What was found then; differs from `kind` where that is too long ago, or the site is in maintenance. */
    last: state.verdict,
    /** There is no recent result: the monitor has stopped, or cannot run checks. */
    isSilent,
    /** A failure that was seen, and is being confirmed before anybody is notified. */
    isSuspected: !isSilent && isSuspected(state),
  };
}

/** The verdict of a site that was checked a moment ago; `null`: it was not. */
export function verdictOf(state: SiteState | null, now: number): SiteVerdict {
  if (state === null) return 'unknown';
  return isUnstable(state, now) ? 'unstable' : state.verdict;
}

function isUnstable(state: SiteState, now: number): boolean {
  const { verdict, scopes } = state;
  const incident = currentIncident(state);
  if (incident === null || verdict === 'unknown') return false;
  if (!isOutage(incident)) return verdict === 'healthy';
  // One that flaps does not change its state with every check; one that stays down is down.
  return verdict !== 'down' || (incident.flapping && now - (scopes.core.upAt ?? -Infinity) < STABLE_MS);
}

/** Runs that should have been since the last one, until nothing is said of a site any more. */
const SILENT_RUNS = 3;
const RUN_MS = 15_000;

/** Whether nothing is said any more of a site that was checked last at `lastAt`; never where it need not be again. */
export function isSilentSince({ schedule, id, checking }: MonitoredSite, lastAt: number, now: number): boolean {
  const grace = schedule.jitterMs + (checking.limits.deadlineMs ?? RUN_MS);
  if (schedule.kind === 'every') return now > lastAt + SILENT_RUNS * schedule.everyMs + grace;
  const ticks = ticksOf(schedule, id);
  let at: number | null = lastAt;
  for (let run = 0; run < SILENT_RUNS && at !== null; run++) at = ticks.next(at);
  return at !== null && now > at + grace;
}

/** How many there are of each kind, the worst kind first. */
export function countKinds(kinds: Iterable<Kind>): ReadonlyMap<Kind, number> {
  const groups = [...Map.groupBy(kinds, (kind) => kind)].map(([kind, all]) => [kind, all.length] as const);
  return new Map(groups.toSorted(([one], [other]) => WORST_FIRST.indexOf(one) - WORST_FIRST.indexOf(other)));
}

/** The worst kind of all sites. */
export function overallKind(counts: ReturnType<typeof countKinds>): Kind {
  const [worst = 'new'] = counts.keys();
  return worst;
}

/** Incidents as the store has them; of those that are open, with what the last runs found. Rejects as the store does. */
export function currentIncidents(
  sites: readonly Pick<SiteView, 'state'>[],
  store: Pick<Store, 'incident' | 'incidents'>,
): typeof store {
  const open = new Map(sites.flatMap(({ state }) => openIncidents(state)).map((incident) => [incident.id, incident]));
  return {
    incidents: async (query) => (await store.incidents(query)).map((incident) => open.get(incident.id) ?? incident),
    incident: async (id) => open.get(id) ?? store.incident(id),
  };
}
