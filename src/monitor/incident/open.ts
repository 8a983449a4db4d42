/** Which incidents of a site are open: an outage, a defect, or an outage with a defect under it. Pure. */
import type { Incident, SiteState } from './incident.ts';

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
