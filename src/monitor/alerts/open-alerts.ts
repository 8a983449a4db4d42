/**
 * The open incidents with their notifications, and all that waits to be sent: loaded once, and kept in memory from then on, so
 * that what is planned counts before it is written. A disk may be full for hours.
 */
import type { Incident, IncidentEvent } from '../incident/incident.ts';
import { suspendedOf } from '../incident/state.ts';
import type { AlertRoute } from '../settings.ts';
import type { Alert, Notification, StoredAlerts } from './alert.ts';
import { groupOf, isWaiting, JOINING_MS, Plan, type AlertSettings, type KnownIncident } from './plan.ts';

export class OpenAlerts {
  /** By incident. One that is over, or is none, stays as long as something waits. */
  readonly #known: Map<Incident['id'], KnownIncident>;
  readonly #open: Set<Incident['id']>;
  readonly #settings: () => AlertSettings;

  /** `settings` is called each time, because the configuration may change. */
  constructor({ incidents, notifications }: StoredAlerts, settings: () => AlertSettings) {
    this.#open = new Set(incidents.map(({ id }) => id));
    this.#known = new Map(incidents.map((incident) => [incident.id, { incident, alerts: [] }]));
    this.#settings = settings;
    for (const one of notifications) this.add(one);
  }

  /**
   * The notifications that follow from events, to be written with them, and those that are no longer needed. `holdMs`: how long
   * those of an incident that opens wait for others with the same root cause.
   */
  plan(events: readonly IncidentEvent[], holdMs = 0): readonly Notification[] {
    if (events.length === 0) return [];
    const plan = this.#plan();
    const after = new Map([...plan.open, ...events].map(({ incident }) => [incident.id, incident]));
    const stillOpen = ({ site }: Incident): Incident | undefined =>
      [...after.values()].find((incident) => incident.site === site && incident.recoveredAt === null);
    for (const { kind, incident, at } of events) {
      const known = this.#of(incident);
      const { verdict } = known.incident;
      this.#open.add(incident.id);
      plan.update(known, incident, at);
      if (kind === 'recovered') plan.recover(known, stillOpen(incident)?.verdict);
      else if (kind === 'changed') plan.change(known, verdict);
      else plan.notify(known, at + holdMs);
    }
    for (const { kind, incident } of events) if (kind === 'recovered') this.#end(incident.id);
    return plan.changes();
  }

  /** An open incident shares the root cause of another one; `null`: it does not, since a route was notified of it. */
  join(incident: Incident, now: number): readonly Notification[] | null {
    const known = this.#known.get(incident.id);
    const isNotified = ({ sentAt, attempts }: Notification): boolean => sentAt !== null || attempts > 0;
    if (known === undefined || known.alerts.some(isNotified)) return null;
    const plan = this.#plan(now);
    plan.join(known, incident);
    return plan.changes();
  }

  /** An incident that is open, and is not in the database any more. */
  open(incident: Incident): void {
    this.#of(incident);
    this.#open.add(incident.id);
  }

  /** Forgets an incident whose end is not notified; what waits to be sent about it is cancelled. */
  close(id: Incident['id']): readonly Notification[] {
    const waiting = this.#known.get(id)?.alerts.filter(isWaiting) ?? [];
    this.#open.delete(id);
    this.#known.delete(id);
    return waiting.map((one) => ({ ...one, state: 'cancelled' }));
  }

  /**
   * What becomes due as time passes: reminders, and the alerts of routes that should be notified by now and are not, because
   * they are new in the configuration or the site was in maintenance. `silent`: sites in maintenance, which are not
   * notified. `joiningMs`: how long after a site has joined a root cause. Cheap: called every few seconds.
   */
  remind(now: number, silent: ReadonlySet<string>, joiningMs = JOINING_MS): readonly Notification[] {
    const plan = this.#plan(now, joiningMs);
    const suspended = suspendedOf(plan.open.map(({ incident }) => incident));
    for (const known of plan.open) {
      if (silent.has(known.incident.site) || suspended.has(known.incident.id)) plan.withhold(known);
      else {
        plan.notify(known);
        plan.remind(known, silent);
      }
    }
    return plan.changes();
  }

  /** One that is about no open incident, or comes from the database. */
  add(notification: Notification): void {
    const known = this.#of(notification.incident);
    known.alerts = [...known.alerts, notification];
  }

  /** A notification has changed. One that was cancelled meanwhile stays so. */
  replace(changed: Notification): void {
    const known = this.#known.get(changed.incident.id);
    if (known === undefined) return;
    const isKept = changed.state !== 'cancelled';
    known.alerts = known.alerts.flatMap((one) => {
      if (one.key !== changed.key) return [one];
      return isKept ? [changed] : [];
    });
    this.#forget(known.incident.id);
  }

  /** A notification was received: the incidents of which that is the first one, with its time. */
  received(sent: Notification, at: number): readonly Incident[] {
    const named = [...this.#known.values()].filter(({ incident }) => isReportedBy(sent, incident));
    const changed = named.flatMap((known) => {
      if (known.incident.notifiedAt !== null) return [];
      known.incident = { ...known.incident, notifiedAt: at };
      return [known.incident];
    });
    this.replace(sent);
    return changed;
  }

  /** Of each incident and route the first one that waits; the earliest of all first. */
  waiting(): readonly Notification[] {
    const first = [...this.#known.values()].flatMap(({ alerts }) => {
      const routes = new Set<string>();
      return alerts.filter((one) => isWaiting(one) && !routes.has(one.route) && routes.add(one.route));
    });
    return first.toSorted((a, b) => a.dueAt - b.dueAt);
  }

  find({ key, incident }: Pick<Notification, 'key' | 'incident'>): Notification | undefined {
    return this.#known.get(incident.id)?.alerts.find((one) => one.key === key);
  }

  /** All that a new database has to know. */
  stored(): StoredAlerts {
    const all = [...this.#known.values()];
    return {
      incidents: all.flatMap(({ incident }) => (this.#open.has(incident.id) ? [incident] : [])),
      notifications: all.flatMap(({ alerts }) => alerts),
    };
  }

  /** The open incidents that a route was notified of, without those of sites that were removed. */
  notified(route: AlertRoute['id']): readonly Incident[] {
    const sites = new Set(this.#settings().sites.map(({ id }) => id));
    return this.#openOnes().flatMap(({ incident, alerts }) => {
      const isNotified = alerts.some(
        ({ event, sentAt, route: to }) => event === 'opened' && sentAt !== null && to === route,
      );
      return isNotified && sites.has(incident.site) ? [incident] : [];
    });
  }

  isOpen(id: Incident['id']): boolean {
    return this.#open.has(id);
  }

  /**
   * An alert with what is known now: it may have waited for minutes to escalate, or for hours for its receiver. One about an
   * incident that is over is as it was, with the time of the first notification.
   */
  current(alert: Notification): Alert {
    const known = this.#known.get(alert.incident.id)?.incident;
    if (known === undefined) return alert;
    const isNews = this.#open.has(known.id) && alert.event !== 'recovered';
    const incident = isNews ? known : alert.incident;
    return { ...alert, incident: { ...incident, notifiedAt: alert.incident.notifiedAt ?? known.notifiedAt } };
  }

  /** The clock was set back: what waits is due so much sooner, so that it does not wait for longer. Returns what changed. */
  bringForward(ms: number): readonly Notification[] {
    const changed: Notification[] = [];
    for (const known of this.#known.values()) {
      known.alerts = known.alerts.map((one) => {
        if (!isWaiting(one)) return one;
        const sooner = { ...one, dueAt: one.dueAt - ms };
        changed.push(sooner);
        return sooner;
      });
    }
    return changed;
  }

  #plan(now?: number, joiningMs?: number): Plan {
    return new Plan(this.#openOnes(), this.#settings(), now, joiningMs);
  }

  #openOnes(): readonly KnownIncident[] {
    return [...this.#known.values()].filter(({ incident }) => this.#open.has(incident.id));
  }

  #of(incident: Incident): KnownIncident {
    const known = this.#known.get(incident.id) ?? { incident, alerts: [] };
    this.#known.set(incident.id, known);
    return known;
  }

  #end(id: Incident['id']): void {
    this.#open.delete(id);
    this.#forget(id);
  }

  #forget(id: Incident['id']): void {
    if (!this.#open.has(id) && this.#known.get(id)?.alerts.some(isWaiting) !== true) this.#known.delete(id);
  }
}

/** The incident itself is reported by the alert that it opened; others with its root cause by any that names them. */
function isReportedBy({ event, incident, alsoSites, notice }: Notification, reported: Incident): boolean {
  if (notice !== undefined) return false;
  if (incident.id === reported.id) return event === 'opened';
  return alsoSites.includes(reported.site) && groupOf(incident) === groupOf(reported);
}
