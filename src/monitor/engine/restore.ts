/**
 * Makes the states of sites and the open incidents of the database agree. They are written together, but part of a damaged
 * file may have been restored without the rest, and no incident may stay open for ever beside another one.
 */
import type { OpenAlerts } from '../alerts/open-alerts.ts';
import { withoutDeepDegradation } from '../incident/findings.ts';
import type { Incident, IncidentEvent } from '../incident/incident.ts';
import type { IncidentPolicy } from '../incident/run.ts';
import { emptyState, isOutage, openIncidents, type SiteState } from '../incident/state.ts';
import type { Log } from '../log/write.ts';
import type { MonitoredSite } from '../settings.ts';
import { mergeEntries } from '../store/journal.ts';
import type { Entry } from '../store/store.ts';

/** A site, as far as it is restored. */
interface Site {
  readonly site: Pick<MonitoredSite, 'id'>;
  readonly policy: IncidentPolicy;
  state: SiteState | null;
}

interface Restored {
  readonly watched: ReadonlyMap<string, Site>;
  readonly alerts: OpenAlerts;
  readonly now: number;
  readonly log: Log;
}

/** `open`: the open incidents of the database. Returns what has to be written. */
export function restoreAll(from: Restored, open: readonly Incident[]): Entry {
  return mergeEntries(
    [...from.watched.values()].map((watched) => {
      const closed = closeDeepDegradation(from, watched);
      const stored = open.filter(({ id, site }) => site === watched.site.id && id !== closed.incidents?.[0]?.id);
      return mergeEntries([closed, restore(from, watched, stored)]);
    }),
  );
}

/** What earlier versions opened because of full checks only. */
function closeDeepDegradation({ alerts, now, log }: Restored, watched: Site): Entry {
  if (watched.state === null) return {};
  const { state, closed } = withoutDeepDegradation(watched.state, watched.policy);
  watched.state = state;
  if (closed === null) return {};
  const { id } = watched.site;
  log('info', 'degradation-closed', { site: id, incident: closed.id });
  const over = { ...closed, recoveredAt: Math.max(now, closed.detectedAt) };
  return { states: new Map([[id, state]]), incidents: [over], notifications: alerts.close(closed.id) };
}

function restore({ alerts, now, log }: Restored, watched: Site, stored: readonly Incident[]): Entry {
  const site = watched.site.id;
  const known = openIncidents(watched.state);
  const missing = known.filter(({ id }) => !stored.some((incident) => incident.id === id));
  const orphans = stored
    .filter(({ id }) => !known.some((incident) => incident.id === id))
    .toSorted((a, b) => b.detectedAt - a.detectedAt);
  if (missing.length === 0 && orphans.length === 0) return {};
  for (const incident of missing) alerts.open(incident);
  // The newest stays open if none does: the next runs show whether it is over.
  const newest = known.length === 0 ? orphans.shift() : undefined;
  if (newest !== undefined) watched.state = reopened(watched.state ?? emptyState(), newest);
  // When the others ended is unknown: by the start of the next one at the latest.
  const endedAt = Math.min((newest ?? known[0])?.startedAt ?? now, now);
  const over = orphans.map((one): Incident => ({ ...one, recoveredAt: Math.max(endedAt, one.detectedAt) }));
  const events = over.map((incident): IncidentEvent => ({ kind: 'recovered', incident, at: now }));
  log('warn', 'incidents-reconciled', { site, open: stored.length });
  return {
    states: new Map(watched.state === null ? [] : [[site, watched.state]]),
    incidents: [...missing, ...over],
    notifications: alerts.plan(events),
  };
}

function reopened(state: SiteState, incident: Incident): SiteState {
  const kind = isOutage(incident) ? 'outage' : 'degradation';
  return { ...state, [kind]: { ...state[kind], incident, good: null } };
}
