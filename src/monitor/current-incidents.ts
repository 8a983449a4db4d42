/**
 * Incidents as they are now. What runs have seen stands above what the database has: that is written a moment later,
 * or much later while the disk is full.
 */
import type { Incident } from './incident/incident.ts';
import { openIncidents } from './incident/open.ts';
import type { IncidentQuery, Store } from './store/store.ts';
import type { MonitorView } from './view.ts';

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
