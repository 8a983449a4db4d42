/**
 * Which alerts follow from what happened. Pure.
 *
 * A route is told of an incident once it has an `opened` alert of it: that is sent at once, or, on a route that
 * escalates, after a while, unless the incident is over by then. Whoever was told hears of the recovery; nobody else.
 * Of incidents with the same root cause a route is told of one at a time. Of a defect nothing is told while its site is in
 * an outage, which is an incident of its own.
 */
import type { Incident, IncidentEvent } from '../incident/incident.ts';
import { isWorse } from '../incident/policy.ts';
import { suspendedOf } from '../incident/state.ts';
import type { AlertRoute, IncidentVerdict } from '../settings.ts';
import { causesOf, toldRoutes, type Causes } from './causes.ts';
import { startDraft, type Draft } from './draft.ts';
import { JOINED_APART_MS, unnamed } from './followers.ts';
import { isInterested, type AlertedSite } from './interest.ts';
import type { AlertEvent, KnownAlert, OutboxChanges, OutboxEntry } from './outbox.ts';

/** What a plan has to know. */
export interface Planning {
  readonly sites: readonly AlertedSite[];
  readonly routes: readonly AlertRoute[];
  /** All incidents that were open before the events. */
  readonly open: readonly Incident[];
  /** The alerts about an incident that were sent or wait. */
  readonly known: (incident: string) => readonly KnownAlert[];
}

/**
 * How long the others of a root cause may take to recover after the one that was told, before somebody is told of them:
 * sites are not looked at in the same second.
 */
export const FOLLOWERS_GRACE_MS = 30_000;

/** The alerts that events make, and those that they make needless. */
export function planAlerts(events: readonly IncidentEvent[], planning: Planning): OutboxChanges {
  const draft = startDraft(planning.known);
  const sites = byId(planning.sites);
  const open = new Map(planning.open.map((incident) => [incident.id, incident]));
  for (const event of events) {
    if (event.kind === 'suspected' || event.kind === 'dismissed') continue;
    const { kind, incident, at } = event;
    const before = open.get(incident.id);
    if (kind === 'recovered') open.delete(incident.id);
    else open.set(incident.id, incident);
    const plan: Plan = { planning, sites, draft, causes: causesOf([...open.values()], draft), at };
    if (kind === 'recovered') recover(incident, plan, goingOn(incident, planning.open, events));
    else if (kind === 'changed') change(incident, before, plan);
    else tell(incident, plan);
  }
  return draft.changes();
}

/**
 * What time makes of open incidents: reminders, and the alerts of routes that have to be told by now and are not (they
 * are new in the configuration, or the site was in maintenance when it was their turn). `silent`: sites in maintenance,
 * of which nothing is told while it lasts; nor is it of defects under an outage.
 */
export function planReminders(planning: Planning, now: number, silent: ReadonlySet<string>): OutboxChanges {
  const draft = startDraft(planning.known);
  const sites = byId(planning.sites);
  const plan: Plan = { planning, sites, draft, causes: causesOf(planning.open, draft), at: now };
  const suspended = suspendedOf(planning.open);
  for (const incident of planning.open) {
    if (silent.has(incident.site) || suspended.has(incident.id)) hush(incident, plan);
    else {
      tell(incident, plan);
      for (const route of interested(incident, plan)) {
        const isJoined = hasNewFollowers(incident, route, silent, plan);
        if (isJoined) renew(incident, route, plan);
        remind(incident, route, isJoined, plan);
      }
    }
  }
  return draft.changes();
}

/** What one event is planned with. */
interface Plan {
  readonly planning: Planning;
  readonly sites: ReadonlyMap<string, AlertedSite>;
  readonly draft: Draft;
  /** What is open after the event. */
  readonly causes: Causes;
  readonly at: number;
}

/** Adds what is missing of `opened` alerts: never a second one, and one only for each root cause and route. */
function tell(incident: Incident, plan: Plan, notBefore = plan.at): void {
  const { causes } = plan;
  for (const route of interested(incident, plan)) {
    if (causes.isTold(incident, route.id)) continue;
    const dueAt = Math.max(notBefore, incident.detectedAt + route.afterMs);
    add('opened', incident, route.id, plan, { dueAt, alsoSites: sitesOf(causes.others(incident)) });
    causes.told(incident, route.id);
  }
}

/** What became graver is told to those who have not heard of it, and told again to those who have. */
function change(incident: Incident, before: Incident | undefined, plan: Plan): void {
  const told = toldRoutes(incident.id, plan.draft);
  tell(incident, plan);
  if (before === undefined || !isWorse(incident.verdict, before.verdict)) return;
  for (const route of interested(incident, plan)) {
    // An alert that waits is sent with what is known then.
    if (told.includes(route.id) && !hasWaiting(incident.id, route.id, plan)) addReminder(incident, route.id, plan);
  }
}

/** Those who were told hear the end; what is not due yet is never sent. The others of the same cause come to their turn. */
function recover(incident: Incident, plan: Plan, goesOn: { readonly goesOn?: IncidentVerdict }): void {
  const { draft, at } = plan;
  for (const alert of draft.known(incident.id)) {
    const isNeedless = alert.event === 'reminder' ? alert.sentAt === null : isAhead(alert, at);
    if (isNeedless) draft.cancel(incident.id, alert.key);
  }
  const there = new Set(plan.planning.routes.map(({ id }) => id));
  for (const route of toldRoutes(incident.id, draft)) {
    if (there.has(route)) add('recovered', incident, route, plan, goesOn);
  }
  for (const other of plan.causes.others(incident).toSorted((a, b) => a.detectedAt - b.detectedAt)) {
    tell(other, plan, at + FOLLOWERS_GRACE_MS);
  }
}

/** What else of a site is open after all events. */
function goingOn(
  { site }: Incident,
  open: readonly Incident[],
  events: readonly IncidentEvent[],
): { readonly goesOn?: IncidentVerdict } {
  const after = new Map(open.map((incident) => [incident.id, incident]));
  for (const event of events) if ('incident' in event) after.set(event.incident.id, event.incident);
  const left = [...after.values()].find((incident) => incident.site === site && incident.recoveredAt === null);
  return left === undefined ? {} : { goesOn: left.verdict };
}

/** What would become due in a maintenance, or an outage, is taken back; it is planned again after it. */
function hush(incident: Incident, { draft, causes, at }: Plan): void {
  for (const alert of draft.known(incident.id)) {
    if (!isAhead(alert, at)) continue;
    draft.cancel(incident.id, alert.key);
    causes.untold(incident);
  }
}

function remind(incident: Incident, route: AlertRoute, isJoined: boolean, plan: Plan): void {
  const alerts = alertsOn(route, incident, plan);
  const last = lastSentAt(alerts);
  const joinedMs = alerts.some(({ event }) => event === 'reminder') ? JOINED_APART_MS : 0;
  const apartMs = Math.min(route.reminderMs ?? Infinity, isJoined ? joinedMs : Infinity);
  // Whichever way: a clock that was ahead is set back some day.
  if (last !== null && Math.abs(plan.at - last) >= apartMs) addReminder(incident, route.id, plan);
}

/** When the last of some alerts arrived; `null`: there is none, or one waits. */
function lastSentAt(alerts: readonly KnownAlert[]): number | null {
  // The first one has to have arrived, and nothing may wait: a receiver that was away gets one reminder, not a heap.
  return alerts.some(({ sentAt }) => sentAt === null) ? null : (alerts.at(-1)?.sentAt ?? null);
}

/** Whether a route that was told of an incident has not heard of others with the same root cause. */
function hasNewFollowers(incident: Incident, route: AlertRoute, silent: ReadonlySet<string>, plan: Plan): boolean {
  const alerts = alertsOn(route, incident, plan);
  if (alerts.length === 0) return false;
  return unnamed(plan.causes.others(incident), alerts, plan.at).some(
    (other) =>
      !silent.has(other.site) &&
      isInterested(route, other, plan.sites.get(other.site)) &&
      !toldRoutes(other.id, plan.draft).includes(route.id),
  );
}

/** Who waits for the first alert finds in it who has joined meanwhile. */
function renew(incident: Incident, route: AlertRoute, plan: Plan): void {
  const { draft, causes, at } = plan;
  const first = alertsOn(route, incident, plan).find((alert) => alert.event === 'opened' && isAhead(alert, at));
  if (first === undefined) return;
  draft.cancel(incident.id, first.key);
  add('opened', incident, route.id, plan, { dueAt: first.dueAt, alsoSites: sitesOf(causes.others(incident)) });
}

function addReminder(incident: Incident, route: string, plan: Plan): void {
  const numbers = plan.draft
    .known(incident.id)
    .filter((alert) => alert.route === route && alert.event === 'reminder')
    .map(({ key }) => Number(/:reminder:(\d+):/.exec(key)?.[1] ?? 0));
  const number = Math.max(0, ...numbers) + 1;
  add('reminder', incident, route, plan, { number, alsoSites: sitesOf(plan.causes.others(incident)) });
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
  draft.add({
    key: `${incident.id}:${name}:${route}`,
    route,
    event,
    incident,
    alsoSites,
    createdAt: at,
    dueAt,
    ...rest,
  });
}

function interested(incident: Incident, { planning, sites }: Plan): readonly AlertRoute[] {
  return planning.routes.filter((route) => isInterested(route, incident, sites.get(incident.site)));
}

function alertsOn(route: AlertRoute, incident: Incident, { draft }: Plan): readonly KnownAlert[] {
  return draft.known(incident.id).filter((alert) => alert.route === route.id);
}

function byId(sites: readonly AlertedSite[]): ReadonlyMap<string, AlertedSite> {
  return new Map(sites.map((site) => [site.id, site]));
}

function hasWaiting(incident: string, route: string, { draft }: Plan): boolean {
  return draft.known(incident).some((alert) => alert.route === route && alert.sentAt === null);
}

/** Nobody can have got it yet. What was tried may have arrived, whatever came back. */
function isAhead({ sentAt, dueAt, attempts = 0 }: KnownAlert, at: number): boolean {
  return sentAt === null && attempts === 0 && dueAt > at;
}

function sitesOf(incidents: readonly Incident[]): readonly string[] {
  return incidents.map(({ site }) => site);
}
