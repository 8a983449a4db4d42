/**
 * Which alerts follow from what happens to incidents. Pure.
 *
 * A route is notified of an incident by an `opened` alert: at once, or, on a route that escalates, after a while unless the
 * incident is over by then. Notified routes are notified of the recovery, no others. Of several incidents with the same
 * root cause a route is notified of one. A degradation is not notified while its site is in an outage.
 */
import type { Incident } from '../incident/incident.ts';
import { isWorse } from '../incident/run.ts';
import type { AlertRoute, IncidentVerdict, MonitoredSite } from '../settings.ts';
import { notificationOf, type AlertEvent, type Notification } from './alert.ts';

export type AlertedSite = Pick<MonitoredSite, 'id' | 'alerts' | 'tags'>;

export interface AlertSettings {
  readonly sites: readonly AlertedSite[];
  readonly alerts: readonly AlertRoute[];
}

export interface KnownIncident {
  incident: Incident;
  /** Those that wait, were sent or were given up, in their order. */
  alerts: readonly Notification[];
}

/**
 * How long the other incidents of a root cause may take to recover after the notified one, before one of them is notified:
 * sites are not checked in the same second.
 */
export const FOLLOWERS_GRACE_MS = 30_000;
/** How long after a site has joined a root cause the routes are notified: of several sites at once, not one by one. */
export const JOINING_MS = 30_000;
/** How long the first alert of a root cause waits for other sites at most: the usual schedule comes to every site meanwhile. */
export const HOLD_MS = 10_000;
/** And not again for this long, whichever site joins. */
export const JOINED_APART_MS = 600_000;

/** The routes of a site for an incident with this verdict, in the order of the configuration. */
export function interestedRoutes(site: AlertedSite, verdict: IncidentVerdict, routes: readonly AlertRoute[]) {
  return routesOf(site, routes).filter(({ verdicts }) => verdicts.length === 0 || verdicts.includes(verdict));
}

/** The routes of a site, whatever happens to it. */
export function routesOf(site: AlertedSite, routes: readonly AlertRoute[]): readonly AlertRoute[] {
  return routes.filter(
    (route) =>
      (site.alerts === null || site.alerts.includes(route.id)) &&
      (route.tags.length === 0 || route.tags.some((tag) => site.tags.includes(tag))),
  );
}

/** The incident that represents all of the same root cause. */
export function groupOf({ id, sameAs }: Pick<Incident, 'id' | 'sameAs'>): string {
  return sameAs ?? id;
}

/** Changes, applied to what is known at once, so that later steps know of earlier ones. */
export class Plan {
  /** The incidents that are open at the beginning. That of a removed site covers no other: the site may return. */
  readonly open: readonly KnownIncident[];
  readonly #sites: ReadonlyMap<string, AlertedSite>;
  readonly #routes: readonly AlertRoute[];
  #at: number;
  readonly #joiningMs: number;
  /** The open incidents by root cause: one failed server may be a thousand. */
  readonly #causes = new Map<string, Set<KnownIncident>>();
  /** The routes that are, or will be, notified of any incident of a cause; computed when first needed. */
  readonly #notified = new Map<string, Set<string>>();
  readonly #added = new Map<string, Notification>();
  readonly #cancelled = new Map<string, Notification>();

  constructor(
    known: Iterable<KnownIncident>,
    { sites, alerts: routes }: AlertSettings,
    at = 0,
    joiningMs = JOINING_MS,
  ) {
    this.#joiningMs = joiningMs;
    this.#sites = new Map(sites.map((site) => [site.id, site]));
    this.#routes = routes;
    this.#at = at;
    this.open = [...known].filter(({ incident }) => this.#sites.has(incident.site));
    for (const one of this.open) this.#members(one).add(one);
  }

  /** The notifications that are new, changed or cancelled. */
  changes(): readonly Notification[] {
    return [...new Map([...this.#cancelled, ...this.#added]).values()];
  }

  /** Something happened to an incident. */
  update(known: KnownIncident, incident: Incident, at: number): void {
    this.#at = at;
    known.incident = incident;
    if (incident.recoveredAt === null) this.#members(known).add(known);
    else this.#members(known).delete(known);
    this.#notified.delete(groupOf(incident));
  }

  /** Adds the missing `opened` alerts: one for each root cause and route. */
  notify(known: KnownIncident, notBefore = this.#at): void {
    const notified = this.#notifiedOfCause(known);
    for (const route of this.#interested(known)) {
      const { id, afterMs } = route;
      if (notified.has(id)) {
        this.#joinWaiting(known, route);
        continue;
      }
      const dueAt = Math.max(notBefore, known.incident.detectedAt + afterMs);
      this.#add('opened', known, id, { dueAt, alsoSites: this.#sitesOfOthers(known) });
      notified.add(id);
    }
  }

  /** Takes back what waits about an incident: the alert of its root cause is about it, too. */
  join(known: KnownIncident, incident: Incident): void {
    for (const alert of known.alerts) this.#cancel(known, alert);
    this.#members(known).delete(known);
    this.update(known, incident, this.#at);
    this.notify(known);
  }

  /** A worse verdict is notified to routes that were not interested before, and again to those that were. */
  change(known: KnownIncident, before: IncidentVerdict): void {
    const notified = notifiedOf(known);
    this.notify(known);
    if (!isWorse(known.incident.verdict, before)) return;
    for (const route of this.#interested(known)) {
      // An alert that waits is sent with what is known then.
      const waits = alertsOn(route, known).some(isWaiting);
      if (notified.includes(route.id) && !waits) this.#addReminder(known, route);
    }
  }

  /** Notifies of the end; what is not due yet is never sent. Then other incidents of the cause follow. */
  recover(known: KnownIncident, goesOn: IncidentVerdict | undefined): void {
    for (const alert of known.alerts) {
      const isNeedless = alert.event === 'reminder' ? isWaiting(alert) : this.#isAhead(alert);
      if (isNeedless) this.#cancel(known, alert);
    }
    const configured = new Set(this.#routes.map(({ id }) => id));
    for (const route of notifiedOf(known)) {
      if (configured.has(route)) this.#add('recovered', known, route, goesOn === undefined ? {} : { goesOn });
    }
    for (const other of this.#others(known).toSorted((a, b) => a.incident.detectedAt - b.incident.detectedAt)) {
      this.notify(other, this.#at + FOLLOWERS_GRACE_MS);
    }
  }

  /** What would become due during maintenance, or an outage, is cancelled, and planned again afterwards. */
  withhold(known: KnownIncident): void {
    for (const alert of known.alerts) if (this.#isAhead(alert)) this.#cancel(known, alert);
  }

  /** Reminds notified routes of an incident: after their time, and when other sites have joined its root cause. */
  remind(known: KnownIncident, silent: ReadonlySet<string>): void {
    for (const route of this.#interested(known)) {
      const hasJoined = this.#hasNewFollowers(known, route, silent);
      if (hasJoined) this.#renew(known, route);
      const alerts = alertsOn(route, known);
      // A receiver that was away gets one reminder: none is added while an alert waits.
      const last = alerts.some(isWaiting) ? null : (alerts.at(-1)?.sentAt ?? null);
      const joinedMs = alerts.some(({ event }) => event === 'reminder') ? JOINED_APART_MS : 0;
      const apartMs = Math.min(route.reminderMs ?? Infinity, hasJoined ? joinedMs : Infinity);
      // In both directions, because a clock that was ahead is set back some day.
      if (last !== null && Math.abs(this.#at - last) >= apartMs) this.#addReminder(known, route);
    }
  }

  /** Whether a notified route was not notified of other incidents with the same root cause that have lasted for a while. */
  #hasNewFollowers(known: KnownIncident, route: AlertRoute, silent: ReadonlySet<string>): boolean {
    const alerts = alertsOn(route, known);
    if (alerts.length === 0) return false;
    // An alert from before the incident is about an earlier one of the site.
    const isNamed = ({ site, detectedAt }: Incident): boolean =>
      alerts.some(({ alsoSites, sentAt }) => alsoSites.includes(site) && (sentAt === null || sentAt >= detectedAt));
    return this.#others(known).some(
      (other) =>
        this.#at - other.incident.detectedAt >= this.#joiningMs &&
        !isNamed(other.incident) &&
        !silent.has(other.incident.site) &&
        this.#interested(other).includes(route) &&
        !notifiedOf(other).includes(route.id),
    );
  }

  /** The alert of a root cause that waits for others names one more. One that waits to escalate does so later. */
  #joinWaiting(known: KnownIncident, route: AlertRoute): void {
    for (const other of this.#others(known)) {
      const alerts = alertsOn(route, other);
      const isHeld = alerts.some(({ dueAt }) => dueAt > this.#at && dueAt - this.#at <= HOLD_MS);
      if (isHeld && !alerts.some(({ alsoSites }) => alsoSites.includes(known.incident.site))) this.#renew(other, route);
    }
  }

  /** The first alert, if it waits, also names the sites that have joined meanwhile. */
  #renew(known: KnownIncident, route: AlertRoute): void {
    const first = alertsOn(route, known).find((alert) => alert.event === 'opened' && this.#isAhead(alert));
    if (first === undefined) return;
    this.#cancel(known, first);
    this.#add('opened', known, route.id, { dueAt: first.dueAt, alsoSites: this.#sitesOfOthers(known) });
  }

  #addReminder(known: KnownIncident, route: AlertRoute): void {
    const numbers = alertsOn(route, known).map(({ key }) => Number(/:reminder:(\d+):/.exec(key)?.[1] ?? 0));
    const number = Math.max(0, ...numbers) + 1;
    this.#add('reminder', known, route.id, { alsoSites: this.#sitesOfOthers(known) }, `reminder:${number}`);
  }

  #add(
    event: AlertEvent,
    known: KnownIncident,
    route: string,
    more: Partial<Notification>,
    name: string = event,
  ): void {
    const { incident } = known;
    const key = `${incident.id}:${name}:${route}`;
    const added = { ...notificationOf({ key, event, incident, alsoSites: [] }, route, this.#at), ...more };
    this.#added.set(key, added);
    known.alerts = [...known.alerts, added];
  }

  #cancel(known: KnownIncident, one: Notification): void {
    const { key } = one;
    // What the same plan added is not written at all.
    if (!this.#added.delete(key)) this.#cancelled.set(key, { ...one, state: 'cancelled' });
    known.alerts = known.alerts.filter((alert) => alert.key !== key);
    this.#notified.delete(groupOf(known.incident));
  }

  #notifiedOfCause(known: KnownIncident): Set<string> {
    const cause = groupOf(known.incident);
    const notified = this.#notified.get(cause) ?? new Set([...this.#members(known), known].flatMap(notifiedOf));
    this.#notified.set(cause, notified);
    return notified;
  }

  /** The open incidents of the root cause. */
  #members({ incident }: KnownIncident): Set<KnownIncident> {
    const cause = groupOf(incident);
    const members = this.#causes.get(cause) ?? new Set<KnownIncident>();
    this.#causes.set(cause, members);
    return members;
  }

  #others(known: KnownIncident): readonly KnownIncident[] {
    return [...this.#members(known)].filter((one) => one !== known);
  }

  #sitesOfOthers(known: KnownIncident): readonly string[] {
    return this.#others(known).map(({ incident }) => incident.site);
  }

  #interested({ incident: { site: id, verdict } }: KnownIncident): readonly AlertRoute[] {
    const site = this.#sites.get(id);
    return site === undefined ? [] : interestedRoutes(site, verdict, this.#routes);
  }

  /** It cannot have been received yet. What was attempted may have arrived, whatever the result. */
  #isAhead(alert: Notification): boolean {
    return isWaiting(alert) && alert.attempts === 0 && alert.dueAt > this.#at;
  }
}

export const isWaiting = ({ state }: Notification): boolean => state === 'waiting';

function alertsOn({ id }: AlertRoute, { alerts }: KnownIncident): readonly Notification[] {
  return alerts.filter(({ route }) => route === id);
}

/** The routes that are, or will be, notified of an incident. */
function notifiedOf({ alerts }: KnownIncident): readonly string[] {
  return alerts.flatMap(({ event, route }) => (event === 'opened' ? [route] : []));
}
