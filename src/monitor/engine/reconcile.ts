/**
 * What the database has of open incidents, made to agree with what it has of their sites. They are written together; but
 * part of a damaged file may have been saved without the rest. No incident may stay open for ever beside another one.
 */
import type { Incident, IncidentEvent, SiteState } from '../incident/incident.ts';
import { openIncidents } from '../incident/open.ts';
import { emptyState } from '../incident/state.ts';

/** A site as it goes on. */
export interface Reconciled {
  readonly state: SiteState | null;
  /** Incidents that the database does not have, or not as they are. */
  readonly incidents: readonly Incident[];
  readonly events: readonly IncidentEvent[];
}

/** `open`: the incidents of the site that the database holds open; `now`: ms since 1970. Pure. */
export function reconcile(state: SiteState | null, open: readonly Incident[], now: number): Reconciled {
  const known = openIncidents(state);
  const missing = known.filter(({ id }) => !open.some((incident) => incident.id === id));
  const orphans = open
    .filter(({ id }) => !known.some((incident) => incident.id === id))
    .toSorted((a, b) => b.detectedAt - a.detectedAt);
  // The newest goes on, where none does: the next rounds tell whether it is over.
  const [newest] = orphans;
  const isTakenUp = known.length === 0 && newest !== undefined;
  // When the others were over nobody knows: the one that came after them has begun by then.
  const after = isTakenUp ? newest : known[0];
  const over = orphans.slice(isTakenUp ? 1 : 0).map((incident): Incident => {
    const endedAt = Math.min(after?.startedAt ?? now, now);
    return { ...incident, recoveredAt: Math.max(endedAt, incident.detectedAt) };
  });
  return {
    state: isTakenUp ? { ...emptyState(), ...state, incident: newest, good: null } : state,
    incidents: [...missing, ...over],
    events: over.map((incident) => ({ kind: 'recovered', incident, at: now })),
  };
}
