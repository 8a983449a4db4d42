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
  const draft = new Draft(planning.known);
  const sites = byId(planning.sites);
  const open = new Map(planning.open.map((incident) => [incident.id, incident]));
  for (const event of events) {
    if (event.kind === 'suspected' || event.kind === 'dismissed') continue;
    const { kind, incident, at } = event;
    const before = open.get(incident.id);
    if (kind === 'recovered') open.delete(incident.id);
    else open.set(incident.id, incident);
    const plan: Plan = { planning, sites, draft, causes: new RootCauses([...open.values()], draft), at };
    if (kind === 'recovered') recover(incident, plan, stillOpen(incident, planning.open, events));
    else if (kind === 'changed') change(incident, before, plan);
    else notify(incident, plan);
  }
  return draft.changes();
}

/**
 * What becomes due as time passes: reminders, and the alerts of routes that should be notified by now and are not, because
 * they are new in the configuration or the site was in maintenance. `silent`: sites in maintenance, which are not notified.
 */
export function planReminders(planning: Planning, now: number, silent: ReadonlySet<string>): OutboxChanges {
  const draft = new Draft(planning.known);
  const sites = byId(planning.sites);
  const plan: Plan = { planning, sites, draft, causes: new RootCauses(planning.open, draft), at: now };
  const suspended = suspendedOf(planning.open);
  for (const incident of planning.open) {
    if (silent.has(incident.site) || suspended.has(incident.id)) withhold(incident, plan);
    else {
      notify(incident, plan);
      for (const route of interestedIn(incident, plan)) {
        const hasJoined = hasNewFollowers(incident, route, silent, plan);
        if (hasJoined) renew(incident, route, plan);
        remind(incident, route, hasJoined, plan);
      }
    }
  }
  return draft.changes();
}

/** The routes of a site for an incident with this verdict, in the order of the configuration. */
export function interestedRoutes(
  incident: Pick<Incident, 'site' | 'verdict'>,
  sites: readonly AlertedSite[],
  routes: readonly AlertRoute[],
): readonly AlertRoute[] {
  const site = sites.find(({ id }) => id === incident.site);
  return routes.filter((route) => isInterested(route, incident, site));
}

/** Whether a route is for an incident with this verdict. `site`: absent if it was removed. */
function isInterested(
  route: AlertRoute,
  { verdict }: Pick<Incident, 'verdict'>,
  site: AlertedSite | undefined,
): boolean {
  return (
    site !== undefined &&
    (site.alerts === null || site.alerts.includes(route.id)) &&
    (route.tags.length === 0 || route.tags.some((tag) => site.tags.includes(tag))) &&
    (route.verdicts.length === 0 || route.verdicts.includes(verdict))
  );
}

/** The incident that represents all of the same root cause. */
export function groupOf({ id, sameAs }: Pick<Incident, 'id' | 'sameAs'>): string {
  return sameAs ?? id;
}

/** What one event is planned with. */
interface Plan {
  readonly planning: Planning;
  readonly sites: ReadonlyMap<string, AlertedSite>;
  readonly draft: Draft;
  /** What is open after the event. */
  readonly causes: RootCauses;
  readonly at: number;
}

/** The changes so far, so that later steps of a plan know of earlier ones. */
class Draft {
  readonly #find: Planning['known'];
  readonly #alerts = new Map<string, readonly KnownAlert[]>();
  readonly #added = new Map<string, OutboxEntry>();
  readonly #cancelled = new Set<string>();

  constructor(find: Planning['known']) {
    this.#find = find;
  }

  /** The alerts about an incident that were sent or wait, with the changes. */
  known(incident: string): readonly KnownAlert[] {
    const found = this.#alerts.get(incident) ?? this.#find(incident);
    this.#alerts.set(incident, found);
    return found;
  }

  /** The routes that are, or will be, notified of an incident. */
  notifiedRoutes(incident: string): readonly string[] {
    return this.known(incident).flatMap(({ event, route }) => (event === 'opened' ? [route] : []));
  }

  add(entry: OutboxEntry): void {
    const { key, route, event, dueAt, alsoSites, incident } = entry;
    this.#added.set(key, entry);
    const alert = { key, route, event, dueAt, alsoSites, sentAt: null, attempts: 0 };
    this.#alerts.set(incident.id, [...this.known(incident.id), alert]);
  }

  cancel(incident: string, key: string): void {
    // What the same plan added is not written at all.
    if (!this.#added.delete(key)) this.#cancelled.add(key);
    const left = this.known(incident).filter((alert) => alert.key !== key);
    this.#alerts.set(incident, left);
  }

  changes(): OutboxChanges {
    return { add: [...this.#added.values()], cancel: [...this.#cancelled] };
  }
}

/** Open incidents by root cause, and the routes that are notified of each: one failed server may be a thousand incidents. */
class RootCauses {
  readonly #members: ReadonlyMap<string, readonly Incident[]>;
  readonly #draft: Draft;
  /** By cause; found when first needed. */
  readonly #routes = new Map<string, Set<string>>();

  constructor(open: readonly Incident[], draft: Draft) {
    this.#members = Map.groupBy(open, groupOf);
    this.#draft = draft;
  }

  /** The other incidents that share the root cause. */
  others(incident: Incident): readonly Incident[] {
    return (this.#members.get(groupOf(incident)) ?? []).filter(({ id }) => id !== incident.id);
  }

  sitesOfOthers(incident: Incident): readonly string[] {
    return this.others(incident).map(({ site }) => site);
  }

  /** The routes that are, or will be, notified of any incident of the cause. */
  notifiedRoutes(incident: Incident): Set<string> {
    const cause = groupOf(incident);
    const known = this.#routes.get(cause);
    if (known !== undefined) return known;
    const ids = [...(this.#members.get(cause) ?? []), incident].map(({ id }) => id);
    const found = new Set(ids.flatMap((id) => this.#draft.notifiedRoutes(id)));
    this.#routes.set(cause, found);
    return found;
  }

  /** Alerts of the cause were cancelled. */
  forget(incident: Incident): void {
    this.#routes.delete(groupOf(incident));
  }
}

/** Adds the missing `opened` alerts: one for each root cause and route. */
function notify(incident: Incident, plan: Plan, notBefore = plan.at): void {
  const notified = plan.causes.notifiedRoutes(incident);
  for (const route of interestedIn(incident, plan)) {
    if (notified.has(route.id)) continue;
    const dueAt = Math.max(notBefore, incident.detectedAt + route.afterMs);
    add('opened', incident, route.id, plan, { dueAt, alsoSites: plan.causes.sitesOfOthers(incident) });
    notified.add(route.id);
  }
}

/** A worse verdict is notified to routes that were not interested before, and again to those that were. */
function change(incident: Incident, before: Incident | undefined, plan: Plan): void {
  const notified = plan.draft.notifiedRoutes(incident.id);
  notify(incident, plan);
  if (before === undefined || !isWorse(incident.verdict, before.verdict)) return;
  for (const route of interestedIn(incident, plan)) {
    // An alert that waits is sent with what is known then.
    const isWaiting = alertsOn(route, incident, plan).some(({ sentAt }) => sentAt === null);
    if (notified.includes(route.id) && !isWaiting) addReminder(incident, route.id, plan);
  }
}

/** Notified routes are notified of the end; what is not due yet is never sent. Then other incidents of the cause follow. */
function recover(incident: Incident, plan: Plan, goesOn: { readonly goesOn?: IncidentVerdict }): void {
  const { draft, at } = plan;
  for (const alert of draft.known(incident.id)) {
    const isNeedless = alert.event === 'reminder' ? alert.sentAt === null : isAhead(alert, at);
    if (isNeedless) draft.cancel(incident.id, alert.key);
  }
  const configured = new Set(plan.planning.routes.map(({ id }) => id));
  for (const route of draft.notifiedRoutes(incident.id)) {
    if (configured.has(route)) add('recovered', incident, route, plan, goesOn);
  }
  for (const other of plan.causes.others(incident).toSorted((a, b) => a.detectedAt - b.detectedAt)) {
    notify(other, plan, at + FOLLOWERS_GRACE_MS);
  }
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

/** What would become due during maintenance, or an outage, is cancelled, and planned again afterwards. */
function withhold(incident: Incident, { draft, causes, at }: Plan): void {
  for (const alert of draft.known(incident.id)) {
    if (!isAhead(alert, at)) continue;
    draft.cancel(incident.id, alert.key);
    causes.forget(incident);
  }
}

function remind(incident: Incident, route: AlertRoute, hasJoined: boolean, plan: Plan): void {
  const alerts = alertsOn(route, incident, plan);
  const last = lastSentAt(alerts);
  const joinedMs = alerts.some(({ event }) => event === 'reminder') ? JOINED_APART_MS : 0;
  const apartMs = Math.min(route.reminderMs ?? Infinity, hasJoined ? joinedMs : Infinity);
  // In both directions, because a clock that was ahead is set back some day.
  if (last !== null && Math.abs(plan.at - last) >= apartMs) addReminder(incident, route.id, plan);
}

/** When the last alert was received; `null`: none, or one waits: a receiver that was away gets one reminder. */
function lastSentAt(alerts: readonly KnownAlert[]): number | null {
  return alerts.some(({ sentAt }) => sentAt === null) ? null : (alerts.at(-1)?.sentAt ?? null);
}

/** Whether a notified route was not notified of other incidents with the same root cause. */
function hasNewFollowers(incident: Incident, route: AlertRoute, silent: ReadonlySet<string>, plan: Plan): boolean {
  const alerts = alertsOn(route, incident, plan);
  if (alerts.length === 0) return false;
  return unnamed(plan.causes.others(incident), alerts, plan.at).some(
    (other) =>
      !silent.has(other.site) &&
      isInterested(route, other, plan.sites.get(other.site)) &&
      !plan.draft.notifiedRoutes(other.id).includes(route.id),
  );
}

/** The incidents of a cause that have lasted for a while and that no alert of a route names. */
function unnamed(others: readonly Incident[], alerts: readonly KnownAlert[], now: number): readonly Incident[] {
  // An alert from before the incident is about an earlier one of the site.
  const isNamed = ({ site, detectedAt }: Incident): boolean =>
    alerts.some(({ alsoSites = [], sentAt }) => alsoSites.includes(site) && (sentAt === null || sentAt >= detectedAt));
  return others.filter((other) => now - other.detectedAt >= JOINING_MS && !isNamed(other));
}

/** The first alert, if it waits, also names the sites that have joined meanwhile. */
function renew(incident: Incident, route: AlertRoute, plan: Plan): void {
  const { draft, causes, at } = plan;
  const first = alertsOn(route, incident, plan).find((alert) => alert.event === 'opened' && isAhead(alert, at));
  if (first === undefined) return;
  draft.cancel(incident.id, first.key);
  add('opened', incident, route.id, plan, { dueAt: first.dueAt, alsoSites: causes.sitesOfOthers(incident) });
}

function addReminder(incident: Incident, route: string, plan: Plan): void {
  const numbers = plan.draft
    .known(incident.id)
    .filter((alert) => alert.route === route && alert.event === 'reminder')
    .map(({ key }) => Number(/:reminder:(\d+):/.exec(key)?.[1] ?? 0));
  const number = Math.max(0, ...numbers) + 1;
  add('reminder', incident, route, plan, { number, alsoSites: plan.causes.sitesOfOthers(incident) });
}

function add(
  event: AlertEvent,
  incident: Incident,
  route: string,
  { draft, at }: Plan,
  {
    dueAt = at,
    alsoSites = [],
    number,
    ...rest
  }: Partial<Pick<OutboxEntry, 'dueAt' | 'alsoSites' | 'goesOn'>> & { readonly number?: number },
): void {
  const name = number === undefined ? event : `${event}:${number}`;
  const key = `${incident.id}:${name}:${route}`;
  draft.add({ key, route, event, incident, alsoSites, createdAt: at, dueAt, ...rest });
}

function interestedIn(incident: Incident, { planning, sites }: Plan): readonly AlertRoute[] {
  return planning.routes.filter((route) => isInterested(route, incident, sites.get(incident.site)));
}

function alertsOn(route: AlertRoute, incident: Incident, { draft }: Plan): readonly KnownAlert[] {
  return draft.known(incident.id).filter((alert) => alert.route === route.id);
}

function byId(sites: readonly AlertedSite[]): ReadonlyMap<string, AlertedSite> {
  return new Map(sites.map((site) => [site.id, site]));
}

/** It cannot have been received yet. What was attempted may have arrived, whatever the result. */
function isAhead({ sentAt, dueAt, attempts = 0 }: KnownAlert, at: number): boolean {
  return sentAt === null && attempts === 0 && dueAt > at;
}
