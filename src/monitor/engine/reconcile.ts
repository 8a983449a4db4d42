/**
 * What the database has of open incidents, made to agree with what it has of their sites. They are written together; but
 * part of a damaged file may have been saved without the rest. No incident may stay open for ever beside another one.
 */
import type { Incident, IncidentEvent } from '../incident/incident.ts';
import { emptyState, isOutage, openIncidents, type SiteState } from '../incident/state.ts';
import type { Core } from './core.ts';

/** A site as it goes on. */
interface Reconciled {
  readonly state: SiteState | null;
  /** Incidents that the database does not have, or not as they are. */
  readonly incidents: readonly Incident[];
  readonly events: readonly IncidentEvent[];
}

/** `open`: the incidents of the site that the database holds open; `now`: ms since 1970. Pure. */
function reconcile(state: SiteState | null, open: readonly Incident[], now: number): Reconciled {
  const known = openIncidents(state);
  const missing = known.filter(({ id }) => !open.some((incident) => incident.id === id));
  const orphans = open
    .filter(({ id }) => !known.some((incident) => incident.id === id))
    .toSorted((a, b) => b.detectedAt - a.detectedAt);
  // The newest goes on, where none does: the next runs tell whether it is over.
  const [newest] = orphans;
  const isApplied = known.length === 0 && newest !== undefined;
  // When the others were over nobody knows: the one that came after them has begun by then.
  const after = isApplied ? newest : known[0];
  const over = orphans.slice(isApplied ? 1 : 0).map((incident): Incident => {
    const endedAt = Math.min(after?.startedAt ?? now, now);
    return { ...incident, recoveredAt: Math.max(endedAt, incident.detectedAt) };
  });
  return {
    state: isApplied ? reopened(state ?? emptyState(), newest) : state,
    incidents: [...missing, ...over],
    events: over.map((incident) => ({ kind: 'recovered', incident, at: now })),
  };
}

function reopened(state: SiteState, incident: Incident): SiteState {
  const kind = isOutage(incident) ? 'outage' : 'degradation';
  return { ...state, [kind]: { ...state[kind], incident, good: null } };
}

/** The most incidents that can be open: one for each of more sites than there can be. */
const MOST_OPEN = 100_000;

/** What is open in the database and what its sites know of it are made to agree; the next run of each writes it. */
export async function reconcileAll({ watched, book, clock, options: { store, log } }: Core): Promise<void> {
  const open = await store.incidents({ open: true, limit: MOST_OPEN });
  for (const site of watched.values()) {
    const own = open.filter((incident) => incident.site === site.site.id);
    const { state, incidents, events } = reconcile(site.state, own, clock.now());
    if (state === site.state && incidents.length === 0) continue;
    site.state = state;
    site.owed = { incidents, outbox: book.plan(events) };
    log('warn', 'incidents-reconciled', { site: site.site.id, open: own.length });
  }
}
