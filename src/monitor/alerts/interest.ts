/** Which routes are told of a site, and of which of its incidents. Pure. */
import type { Incident } from '../incident/incident.ts';
import type { AlertRoute, IncidentVerdict, MonitoredSite } from '../settings.ts';

/** As far as alerts go. */
export type AlertedSite = Pick<MonitoredSite, 'id' | 'alerts' | 'tags'>;

/** From the lightest to the gravest. */
const GRAVITY: readonly IncidentVerdict[] = ['stale', 'degraded', 'down'];

/** The routes of a site that want to hear of an incident as grave as this one, in the order of the configuration. */
export function interestedRoutes(
  { site, verdict }: Pick<Incident, 'site' | 'verdict'>,
  sites: readonly AlertedSite[],
  routes: readonly AlertRoute[],
): readonly AlertRoute[] {
  const told = sites.find(({ id }) => id === site);
  if (told === undefined) return [];
  return routes.filter(
    (route) =>
      (told.alerts === null || told.alerts.includes(route.id)) &&
      (route.tags.length === 0 || route.tags.some((tag) => told.tags.includes(tag))) &&
      (route.verdicts.length === 0 || route.verdicts.includes(verdict)),
  );
}

/** Whether a verdict is graver than another. */
export function isGraver(one: IncidentVerdict, other: IncidentVerdict): boolean {
  return GRAVITY.indexOf(one) > GRAVITY.indexOf(other);
}

/** The incident by which those of one root cause are kept together. */
export function groupOf({ id, sameAs }: Pick<Incident, 'id' | 'sameAs'>): string {
  return sameAs ?? id;
}
