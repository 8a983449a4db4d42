import type { SiteState, Incident } from './incident.ts';
import { REASONS } from '../../http/reasons.ts';

/** What is known of a site that was never checked. */
export function emptyState(): SiteState {
  return {
    form: 1,
    lastGoodAt: null,
    lastFullGoodAt: null,
    lastUpAt: null,
    lastFullUpAt: null,
    lastAt: null,
    lastFullAt: null,
    checks: {},
    suspicion: null,
    fullSuspicion: null,
    badAt: null,
    blips: [],
    incident: null,
    suspended: null,
    good: null,
    suspendedGood: null,
    maintainedUntil: null,
    changes: [],
    outageChanges: [],
    deploy: null,
    version: null,
    contents: {},
    verdict: 'unknown',
  };
}

/* Which incidents of a site are open: an outage, a defect, or an outage with a defect under it. Pure. */

/** Outages and defects have incidents of their own: what goes on for weeks must not hide what is over in minutes. */
export interface Open {
  /** The site is down. */
  readonly outage: Incident | null;
  /** It is not as it should be; it lies still while there is an outage. */
  readonly degradation: Incident | null;
}

export function isOutage({ verdict }: Pick<Incident, 'verdict'>): boolean {
  return verdict === 'down';
}

/** What is open in a state. */
export function openOf({ incident, suspended }: Pick<SiteState, 'incident' | 'suspended'>): Open {
  if (incident === null || !isOutage(incident)) return { outage: null, degradation: incident };
  return { outage: incident, degradation: suspended };
}

/** All that is open at a site, what goes on first. */
export function openIncidents(state: Pick<SiteState, 'incident' | 'suspended'> | null): readonly Incident[] {
  return state === null ? [] : [state.incident, state.suspended].filter((incident) => incident !== null);
}

/** Those of some open incidents that lie under an outage of their site. */
export function suspendedOf(open: readonly Incident[]): ReadonlySet<Incident['id']> {
  const out = new Set(open.filter(isOutage).map(({ site }) => site));
  return new Set(open.flatMap((incident) => (!isOutage(incident) && out.has(incident.site) ? [incident.id] : [])));
}

/* Which incidents of several sites are one and the same trouble. Pure. */

/** An incident and where its site is. */
export interface SitedIncident {
  readonly incident: Incident;
  /** The site's base URL. */
  readonly url: string;
}

/** What comes later than this has a cause of its own. */
const SAME_CAUSE_MS = 2 * 60_000;

/**
 * The open incident whose root cause a new one shares, so that one alert tells of both: on the same origin, opened
 * within two minutes, both outages or neither, and failing in the same way: either no reply came at all, or both are down
 * with the same codes.
 * `null`: it has its own. Never the id of one that shares another's: whoever is told of that one is told of both.
 */
export function rootCause(one: SitedIncident, open: readonly SitedIncident[]): string | null {
  const same = open.filter(
    ({ incident, url }) =>
      incident.id !== one.incident.id &&
      incident.recoveredAt === null &&
      incident.sameAs === null &&
      new URL(url).origin === new URL(one.url).origin &&
      Math.abs(incident.detectedAt - one.incident.detectedAt) <= SAME_CAUSE_MS &&
      failsAlike(incident, one.incident),
  );
  const [first] = same.toSorted((a, b) => a.incident.detectedAt - b.incident.detectedAt || byId(a, b));
  return first?.incident.id ?? null;
}

const byId = (a: SitedIncident, b: SitedIncident): number => (a.incident.id < b.incident.id ? -1 : 1);

function failsAlike(a: Incident, b: Incident): boolean {
  if (isOutage(a) !== isOutage(b)) return false;
  if (isSilent(a) && isSilent(b)) return true;
  const rules = new Set(a.codes);
  return isOutage(a) && rules.size === new Set(b.codes).size && b.codes.every((rule) => rules.has(rule));
}

/** No reply came at all, for whatever reason. */
const isSilent = ({ codes }: Incident): boolean =>
  codes.length > 0 && codes.every((rule) => Object.hasOwn(REASONS, rule));
