/** Which routes are told of a site, and of which of its incidents. Pure. */
import type { Incident } from '../incident/incident.ts';
import type { AlertRoute, MonitoredSite } from '../settings.ts';

/** As far as alerts go. */
export type AlertedSite = Pick<MonitoredSite, 'id' | 'alerts' | 'tags'>;

/** The routes of a site that want to hear of an incident as grave as this one, in the order of the configuration. */
export function interestedRoutes(
  incident: Pick<Incident, 'site' | 'verdict'>,
  sites: readonly AlertedSite[],
  routes: readonly AlertRoute[],
): readonly AlertRoute[] {
  const site = sites.find(({ id }) => id === incident.site);
  return routes.filter((route) => isInterested(route, incident, site));
}

/** Whether a route wants to hear of an incident as grave as this one. `site`: absent where it was removed. */
export function isInterested(
  route: AlertRoute,
  { verdict }: Pick<Incident, 'verdict'>,
  site: AlertedSite | undefined,
): boolean {
  return (
    site !== undefined &&
    (site.alerts === null || site.alerts.includes(route.id)) &&
    (route.tags.length === 0 || route.tags.some((tag) => site.tags.includes(tag))) &&
    (route.verdicts.length === 0 || route.verdicts.includes(verdict))
  );
}

/** The incident by which those of one root cause are kept together. */
export function groupOf({ id, sameAs }: Pick<Incident, 'id' | 'sameAs'>): string {
  return sameAs ?? id;
}
