/**
 * Which alerts follow from what happened. Pure.
 *
 * A route is notified of an incident by an `opened` alert: at once, or, on a route that escalates, after a while unless the
 * incident is over by then. Whoever was notified is notified of the recovery; no one else. Of several incidents with the
 * same root cause a route is notified of one. A degradation is not notified while its site is in an outage, which is an
 * incident of its own.
 */
import type { Incident, IncidentEvent } from '../incident/incident.ts';
import { suspendedOf } from '../incident/state.ts';
import { isWorse } from '../incident/policy.ts';
import type { AlertRoute, IncidentVerdict, MonitoredSite } from '../settings.ts';
import type { AlertEvent, KnownAlert, OutboxChanges, OutboxEntry } from './alert.ts';

/** What of a site decides on its alerts. */
export type AlertedSite = Pick<MonitoredSite, 'id' | 'alerts' | 'tags'>;

/** What planning depends on. */
export interface Planning {
  readonly sites: readonly AlertedSite[];
  readonly routes: readonly AlertRoute[];
  /** All incidents that were open before the events. */
  readonly open: readonly Incident[];
  /** The alerts about an incident that were sent or wait. */
  readonly known: (incident: string) => readonly KnownAlert[];
}

/**
 * How long the other incidents of a root cause may take to recover after the notified one, before one of them is notified:
 * sites are not checked in the same second.
 */
export const FOLLOWERS_GRACE_MS = 30_000;
/** How long after a site has joined a root cause the routes are notified: of several sites at once, not one by one. */
export const JOINING_MS = 30_000;
/** And not again for this long, whichever site joins. */
export const JOINED_APART_MS = 600_000;

/** The alerts that follow from events, and those that are no longer needed. */
export function planAlerts(events: readonly IncidentEvent[], planning: Planning): OutboxChanges {
  const plan = new Plan(planning);
  for (const event of events) {
    if (event.kind === 'suspected' || event.kind === 'dismissed') continue;
    const { kind, incident, at } = event;
    const before = plan.update(incident, at);
    if (kind === 'recovered') plan.recover(incident, stillOpen(incident, planning.open, events));
    else if (kind === 'changed') plan.change(incident, before);
    else plan.notify(incident);
  }
  return plan.changes();
}

/**
 * What becomes due as time passes: reminders, and the alerts of routes that should be notified by now and are not, because
 * they are new in the configuration or the site was in maintenance. `silent`: sites in maintenance, which are not notified.
 */
export function planReminders(planning: Planning, now: number, silent: ReadonlySet<string>): OutboxChanges {
  const plan = new Plan(planning, now);
  const suspended = suspendedOf(planning.open);
  for (const incident of planning.open) {
    if (silent.has(incident.site) || suspended.has(incident.id)) plan.withhold(incident);
    else {
      plan.notify(incident);
      plan.remind(incident, silent);
    }
  }
  return plan.changes();
}

/** The routes of a site for an incident with this verdict, in the order of the configuration. */
export function interestedRoutes(
  { site: id, verdict }: Pick<Incident, 'site' | 'verdict'>,
  sites: readonly AlertedSite[],
  routes: readonly AlertRoute[],
): readonly AlertRoute[] {
  const site = sites.find((one) => one.id === id);
  if (site === undefined) return [];
  return routes.filter(
    (route) =>
      (site.alerts === null || site.alerts.includes(route.id)) &&
      (route.tags.length === 0 || route.tags.some((tag) => site.tags.includes(tag))) &&
      (route.verdicts.length === 0 || route.verdicts.includes(verdict)),
  );
}

/** The incident that represents all of the same root cause. */
export function groupOf({ id, sameAs }: Pick<Incident, 'id' | 'sameAs'>): string {
  return sameAs ?? id;
}

/** What else of the site is open after all events. */
function stillOpen(
  { site }: Incident,
  open: readonly Incident[],
  events: readonly IncidentEvent[],
): { readonly goesOn?: IncidentVerdict } {
  const after = new Map(open.map((incident) => [incident.id, incident]));
  for (const event of events) if ('incident' in event) after.set(event.incident.id, event.incident);
  const left = [...after.values()].find((incident) => incident.site === site && incident.recoveredAt === null);
  return left === undefined ? {} : { goesOn: left.verdict };
}

/** The changes so far, so that later steps know of earlier ones. */
class Plan {
  readonly #planning: Planning;
  readonly #sites: ReadonlyMap<string, AlertedSite>;
  #at: number;
  /** The open incidents by root cause: one failed server may be a thousand. */
  readonly #causes: Map<string, Map<string, Incident>>;
  /** The routes that are, or will be, notified of any incident of a cause; found when first needed. */
  readonly #notified = new Map<string, Set<string>>();
  readonly #alerts = new Map<string, readonly KnownAlert[]>();
  readonly #added = new Map<string, OutboxEntry>();
  readonly #cancelled = new Set<string>();

  constructor(planning: Planning, at = 0) {
    this.#planning = planning;
    this.#sites = new Map(planning.sites.map((site) => [site.id, site]));
    this.#at = at;
    this.#causes = new Map();
    for (const incident of planning.open) this.#members(incident).set(incident.id, incident);
  }

  changes(): OutboxChanges {
    return { add: [...this.#added.values()], cancel: [...this.#cancelled] };
  }

  /** Something happened to an incident. Returns how it was before. */
  update(incident: Incident, at: number): Incident | undefined {
    this.#at = at;
    const members = this.#members(incident);
    const before = members.get(incident.id);
    if (incident.recoveredAt === null) members.set(incident.id, incident);
    else members.delete(incident.id);
    this.#notified.delete(groupOf(incident));
    return before;
  }

  /** Adds the missing `opened` alerts: one for each root cause and route. */
  notify(incident: Incident, notBefore = this.#at): void {
    const notified = this.#notifiedOfCause(incident);
    for (const { id, afterMs } of this.#interested(incident)) {
      if (notified.has(id)) continue;
      this.#add('opened', incident, id, {
        dueAt: Math.max(notBefore, incident.detectedAt + afterMs),
        alsoSites: this.#sitesOfOthers(incident),
      });
      notified.add(id);
    }
  }

  /** A worse verdict is notified to routes that were not interested before, and again to those that were. */
  change(incident: Incident, before: Incident | undefined): void {
    const notified = this.#notifiedOf(incident);
    this.notify(incident);
    if (before === undefined || !isWorse(incident.verdict, before.verdict)) return;
    for (const route of this.#interested(incident)) {
      // An alert that waits is sent with what is known then.
      const isWaiting = this.#alertsOn(route, incident).some(({ sentAt }) => sentAt === null);
      if (notified.includes(route.id) && !isWaiting) this.#addReminder(incident, route);
    }
  }

  /** Notified routes are notified of the end; what is not due yet is never sent. Then other incidents of the cause follow. */
  recover(incident: Incident, goesOn: { readonly goesOn?: IncidentVerdict }): void {
    for (const alert of this.#known(incident.id)) {
      const isNeedless = alert.event === 'reminder' ? alert.sentAt === null : this.#isAhead(alert);
      if (isNeedless) this.#cancel(incident, alert.key);
    }
    const configured = new Set(this.#planning.routes.map(({ id }) => id));
    for (const route of this.#notifiedOf(incident)) {
      if (configured.has(route)) this.#add('recovered', incident, route, goesOn);
    }
    for (const other of this.#others(incident).toSorted((a, b) => a.detectedAt - b.detectedAt)) {
      this.notify(other, this.#at + FOLLOWERS_GRACE_MS);
    }
  }

  /** What would become due during maintenance, or an outage, is cancelled, and planned again afterwards. */
  withhold(incident: Incident): void {
    for (const alert of this.#known(incident.id)) if (this.#isAhead(alert)) this.#cancel(incident, alert.key);
  }

  /** Reminds notified routes of an incident: after their time, and when other sites have joined its root cause. */
  remind(incident: Incident, silent: ReadonlySet<string>): void {
    for (const route of this.#interested(incident)) {
      const hasJoined = this.#hasNewFollowers(incident, route, silent);
      if (hasJoined) this.#renew(incident, route);
      const alerts = this.#alertsOn(route, incident);
      // A receiver that was away gets one reminder: none is added while an alert waits.
      const last = alerts.some(({ sentAt }) => sentAt === null) ? null : (alerts.at(-1)?.sentAt ?? null);
      const joinedMs = alerts.some(({ event }) => event === 'reminder') ? JOINED_APART_MS : 0;
      const apartMs = Math.min(route.reminderMs ?? Infinity, hasJoined ? joinedMs : Infinity);
      // In both directions, because a clock that was ahead is set back some day.
      if (last !== null && Math.abs(this.#at - last) >= apartMs) this.#addReminder(incident, route);
    }
  }

  /** Whether a notified route was not notified of other incidents with the same root cause that have lasted for a while. */
  #hasNewFollowers(incident: Incident, route: AlertRoute, silent: ReadonlySet<string>): boolean {
    const alerts = this.#alertsOn(route, incident);
    if (alerts.length === 0) return false;
    // An alert from before the incident is about an earlier one of the site.
    const isNamed = ({ site, detectedAt }: Incident): boolean =>
      alerts.some(
        ({ alsoSites = [], sentAt }) => alsoSites.includes(site) && (sentAt === null || sentAt >= detectedAt),
      );
    return this.#others(incident).some(
      (other) =>
        this.#at - other.detectedAt >= JOINING_MS &&
        !isNamed(other) &&
        !silent.has(other.site) &&
        this.#interested(other).includes(route) &&
        !this.#notifiedOf(other).includes(route.id),
    );
  }

  /** The first alert, if it waits, also names the sites that have joined meanwhile. */
  #renew(incident: Incident, route: AlertRoute): void {
    const first = this.#alertsOn(route, incident).find((alert) => alert.event === 'opened' && this.#isAhead(alert));
    if (first === undefined) return;
    this.#cancel(incident, first.key);
    this.#add('opened', incident, route.id, { dueAt: first.dueAt, alsoSites: this.#sitesOfOthers(incident) });
  }

  #addReminder(incident: Incident, route: AlertRoute): void {
    const numbers = this.#alertsOn(route, incident).map(({ key }) => Number(/:reminder:(\d+):/.exec(key)?.[1] ?? 0));
    const number = Math.max(0, ...numbers) + 1;
    this.#add('reminder', incident, route.id, { number, alsoSites: this.#sitesOfOthers(incident) });
  }

  #add(
    event: AlertEvent,
    incident: Incident,
    route: string,
    more: Partial<Pick<OutboxEntry, 'dueAt' | 'alsoSites' | 'goesOn'>> & { readonly number?: number },
  ): void {
    const { dueAt = this.#at, alsoSites = [], number, ...rest } = more;
    const name = number === undefined ? event : `${event}:${number}`;
    const key = `${incident.id}:${name}:${route}`;
    this.#added.set(key, { key, route, event, incident, alsoSites, createdAt: this.#at, dueAt, ...rest });
    const alert = { key, route, event, dueAt, alsoSites, sentAt: null, attempts: 0 };
    this.#alerts.set(incident.id, [...this.#known(incident.id), alert]);
  }

  #cancel(incident: Incident, key: string): void {
    // What the same plan added is not written at all.
    if (!this.#added.delete(key)) this.#cancelled.add(key);
    const left = this.#known(incident.id).filter((alert) => alert.key !== key);
    this.#alerts.set(incident.id, left);
    this.#notified.delete(groupOf(incident));
  }

  /** The alerts about an incident that were sent or wait, with the changes. */
  #known(incident: string): readonly KnownAlert[] {
    const found = this.#alerts.get(incident) ?? this.#planning.known(incident);
    this.#alerts.set(incident, found);
    return found;
  }

  #alertsOn({ id }: AlertRoute, incident: Incident): readonly KnownAlert[] {
    return this.#known(incident.id).filter(({ route }) => route === id);
  }

  /** The routes that are, or will be, notified of an incident. */
  #notifiedOf({ id }: Incident): readonly string[] {
    return this.#known(id).flatMap(({ event, route }) => (event === 'opened' ? [route] : []));
  }

  #notifiedOfCause(incident: Incident): Set<string> {
    const cause = groupOf(incident);
    const ofCause = (): Set<string> =>
      new Set([...this.#members(incident).values(), incident].flatMap((member) => this.#notifiedOf(member)));
    const found = this.#notified.get(cause) ?? ofCause();
    this.#notified.set(cause, found);
    return found;
  }

  /** The open incidents of the root cause. */
  #members(incident: Incident): Map<string, Incident> {
    const cause = groupOf(incident);
    const members = this.#causes.get(cause) ?? new Map<string, Incident>();
    this.#causes.set(cause, members);
    return members;
  }

  #others(incident: Incident): readonly Incident[] {
    return [...this.#members(incident).values()].filter(({ id }) => id !== incident.id);
  }

  #sitesOfOthers(incident: Incident): readonly string[] {
    return this.#others(incident).map(({ site }) => site);
  }

  #interested(incident: Incident): readonly AlertRoute[] {
    const site = this.#sites.get(incident.site);
    return interestedRoutes(incident, site === undefined ? [] : [site], this.#planning.routes);
  }

  /** It cannot have been received yet. What was attempted may have arrived, whatever the result. */
  #isAhead({ sentAt, dueAt, attempts = 0 }: KnownAlert): boolean {
    return sentAt === null && attempts === 0 && dueAt > this.#at;
  }
}
