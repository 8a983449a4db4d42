/** Which routes know of which open incidents: what a running monitor plans its alerts by. */
import type { Incident, IncidentEvent } from '../incident/incident.ts';
import type { MonitorSettings } from '../settings.ts';
import type { Store } from '../store/store.ts';
import type { KnownAlert, OutboxChanges } from './outbox.ts';
import { planAlerts, planReminders } from './plan.ts';

/**
 * Kept in memory beside the database, so that what is planned counts before it is written: a disk may be full for hours.
 * Holds open incidents only, and is as large as there are incidents and routes.
 */
export interface AlertBook {
  /** What follows from events, to be written with them in one transaction. Counts as done. */
  plan(events: readonly IncidentEvent[]): OutboxChanges;
  /**
   * What time makes of open incidents; for `Store.changeOutbox`. Cheap: to be asked for every few seconds, and once
   * after a start. `silent`: sites in maintenance.
   */
  reminders(now: number, silent: ReadonlySet<string>): OutboxChanges;
  /** It was tried in vain. */
  tried(key: string): void;
  /** It arrived. */
  sent(key: string, at: number): void;
  /** It is not tried any more. */
  givenUp(key: string): void;
}

/** The most incidents that can be open: one for each of more sites than there can be. */
const MOST_OPEN = 100_000;

const NOTHING: OutboxChanges = { add: [], cancel: [] };

interface Page {
  readonly incident: Incident;
  readonly alerts: readonly KnownAlert[];
}

/** Opens the book with what the database knows of incidents that are open. Rejects with a `StoreError`. */
export async function openAlertBook(
  store: Pick<Store, 'incidents' | 'alertsOf'>,
  settings: () => Pick<MonitorSettings, 'sites' | 'alerts'>,
): Promise<AlertBook> {
  const pages = new Map<string, Page>();
  for (const incident of await store.incidents({ open: true, limit: MOST_OPEN })) {
    pages.set(incident.id, { incident, alerts: await store.alertsOf(incident.id) });
  }
  return bookOf(pages, settings);
}

function bookOf(pages: Map<string, Page>, settings: () => Pick<MonitorSettings, 'sites' | 'alerts'>): AlertBook {
  /** What nobody looks at any more stands for no other incident either. Its site may come back. */
  const open = (): readonly Incident[] => {
    const watched = new Set(settings().sites.map(({ id }) => id));
    return [...pages.values()].flatMap(({ incident }) => (watched.has(incident.site) ? [incident] : []));
  };
  const planning = (): Parameters<typeof planAlerts>[1] => ({
    sites: settings().sites,
    routes: settings().alerts,
    open: open(),
    known: (id) => pages.get(id)?.alerts ?? [],
  });
  /** Keeps what was planned. */
  const keep = ({ add, cancel }: OutboxChanges): void => {
    for (const key of cancel) change(key, () => null);
    for (const { incident, ...entry } of add) {
      const page = pages.get(incident.id);
      if (page === undefined) continue;
      const alert = { ...entry, sentAt: null, attempts: 0 };
      pages.set(incident.id, { ...page, alerts: [...page.alerts.filter((old) => !isOutdated(old, alert)), alert] });
    }
  };
  const change = (key: string, to: (alert: KnownAlert) => KnownAlert | null): void => {
    const id = incidentOf(key);
    const page = pages.get(id);
    if (page === undefined) return;
    const alerts = page.alerts.flatMap((alert) => (alert.key === key ? (to(alert) ?? []) : [alert]));
    pages.set(id, { ...page, alerts });
  };
  return {
    plan(events) {
      if (!events.some(isAboutIncident)) return NOTHING;
      const changes = planAlerts(events, planning());
      for (const event of events) {
        if (!isAboutIncident(event)) continue;
        const { id } = event.incident;
        if (event.kind === 'recovered') pages.delete(id);
        else pages.set(id, { incident: event.incident, alerts: pages.get(id)?.alerts ?? [] });
      }
      keep(changes);
      return changes;
    },
    reminders(now, silent) {
      const changes = planReminders(planning(), now, silent);
      keep(changes);
      return changes;
    },
    tried: (key) => change(key, (alert) => ({ ...alert, attempts: (alert.attempts ?? 0) + 1 })),
    sent: (key, at) => change(key, (alert) => ({ ...alert, sentAt: at })),
    givenUp: (key) => change(key, () => null),
  };
}

function isAboutIncident(event: IncidentEvent): event is Extract<IncidentEvent, { incident: Incident }> {
  return 'incident' in event;
}

/** Of the reminders of a route the last one counts: an incident may be open for months. */
function isOutdated(old: KnownAlert, alert: KnownAlert): boolean {
  return alert.event === 'reminder' && old.event === 'reminder' && old.route === alert.route && old.sentAt !== null;
}

/** Ids of incidents have no colon. */
function incidentOf(key: string): string {
  return key.slice(0, key.indexOf(':'));
}
