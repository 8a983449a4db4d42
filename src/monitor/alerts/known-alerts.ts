/** The alerts of open incidents, in memory: what a running monitor plans further alerts by. */
import type { Incident, IncidentEvent } from '../incident/incident.ts';
import type { MonitorSettings } from '../settings.ts';
import type { Store } from '../store/store.ts';
import type { KnownAlert, OutboxChanges } from './alert.ts';
import { planAlerts, planReminders, type Planning } from './plan.ts';

/** Kept beside the database, so that what is planned counts before it is written: a disk may be full for hours. */
export type KnownAlerts = Awaited<ReturnType<typeof readKnownAlerts>>;

/** More incidents than can be open: one for each of more sites than there can be. */
const MOST_OPEN = 100_000;

/** Reads the alerts of open incidents from the database. Rejects with a `StoreError`. */
export async function readKnownAlerts(
  store: Pick<Store, 'incidents' | 'alertsOf'>,
  settings: () => Pick<MonitorSettings, 'sites' | 'alerts'>,
) {
  const incidents = new Map<string, { readonly incident: Incident; readonly alerts: readonly KnownAlert[] }>();
  for (const incident of await store.incidents({ open: true, limit: MOST_OPEN })) {
    incidents.set(incident.id, { incident, alerts: await store.alertsOf(incident.id) });
  }
  const planning = (): Planning => {
    const { sites, alerts: routes } = settings();
    // The incident of a removed site covers no other. The site may return.
    const watched = new Set(sites.map(({ id }) => id));
    const open = [...incidents.values()].flatMap(({ incident }) => (watched.has(incident.site) ? [incident] : []));
    return { sites, routes, open, known: (id) => incidents.get(id)?.alerts ?? [] };
  };
  const change = (key: string, to: (alert: KnownAlert) => KnownAlert | null): void => {
    // Ids of incidents have no colon.
    const id = key.slice(0, key.indexOf(':'));
    const known = incidents.get(id);
    if (known === undefined) return;
    const alerts = known.alerts.flatMap((alert) => (alert.key === key ? (to(alert) ?? []) : [alert]));
    incidents.set(id, { ...known, alerts });
  };
  const keep = (changes: OutboxChanges): OutboxChanges => {
    for (const key of changes.cancel) change(key, () => null);
    for (const { incident, ...entry } of changes.add) {
      const known = incidents.get(incident.id);
      if (known === undefined) continue;
      incidents.set(incident.id, { ...known, alerts: [...known.alerts, { ...entry, sentAt: null, attempts: 0 }] });
    }
    return changes;
  };
  return {
    /** What follows from events, to be written with them in one transaction. Counts as done. */
    plan(events: readonly IncidentEvent[]): OutboxChanges {
      const about = events.filter((event) => 'incident' in event);
      if (about.length === 0) return { add: [], cancel: [] };
      const changes = planAlerts(about, planning());
      for (const { kind, incident } of about) {
        if (kind === 'recovered') incidents.delete(incident.id);
        else incidents.set(incident.id, { incident, alerts: incidents.get(incident.id)?.alerts ?? [] });
      }
      return keep(changes);
    },
    /**
     * What becomes due as time passes, for `Store.changeOutbox`. Cheap: called every few seconds, and once after a start.
     * `silent`: sites in maintenance.
     */
    reminders: (now: number, silent: ReadonlySet<string>): OutboxChanges =>
      keep(planReminders(planning(), now, silent)),
    /** An attempt failed. */
    attempted: (key: string): void => change(key, (alert) => ({ ...alert, attempts: (alert.attempts ?? 0) + 1 })),
    /** It was received. */
    sent: (key: string, at: number): void => change(key, (alert) => ({ ...alert, sentAt: at })),
    /** There will be no further attempt. */
    givenUp: (key: string): void => change(key, () => null),
  };
}
