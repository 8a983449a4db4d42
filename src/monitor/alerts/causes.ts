/** Open incidents by their root cause, and which routes are told of each cause. Pure. */
import type { Incident } from '../incident/incident.ts';
import type { Draft } from './draft.ts';
import { groupOf } from './interest.ts';

/** Made once for each step of a plan: an outage of one server may be a thousand incidents. */
export interface Causes {
  /** The other incidents that share the root cause. */
  others(incident: Incident): readonly Incident[];
  /** Whether a route has heard, or is going to hear, of any incident of the cause. */
  isTold(incident: Incident, route: string): boolean;
  /** It is going to hear of one. */
  told(incident: Incident, route: string): void;
  /** Alerts of the cause were taken back. */
  untold(incident: Incident): void;
}

/** Groups incidents that are open. */
export function causesOf(open: readonly Incident[], draft: Pick<Draft, 'known'>): Causes {
  const members = Map.groupBy(open, groupOf);
  /** Routes by cause, each looked for when it is asked for. */
  const routes = new Map<string, Set<string>>();
  const routesOf = (incident: Incident): Set<string> => {
    const cause = groupOf(incident);
    const known = routes.get(cause);
    if (known !== undefined) return known;
    const told = (members.get(cause) ?? []).flatMap(({ id }) => toldRoutes(id, draft));
    const found = new Set([...told, ...toldRoutes(incident.id, draft)]);
    routes.set(cause, found);
    return found;
  };
  return {
    others: (incident) => (members.get(groupOf(incident)) ?? []).filter(({ id }) => id !== incident.id),
    isTold: (incident, route) => routesOf(incident).has(route),
    told: (incident, route) => void routesOf(incident).add(route),
    untold: (incident) => void routes.delete(groupOf(incident)),
  };
}

/** The routes that have heard, or are going to hear, of an incident. */
export function toldRoutes(incident: string, draft: Pick<Draft, 'known'>): readonly string[] {
  return draft
    .known(incident)
    .filter(({ event }) => event === 'opened')
    .map(({ route }) => route);
}
