/**
 * Which alerts follow from what happened. Pure.
 *
 * A route is told of an incident once it has an `opened` alert of it: that is sent at once, or, on a route that
 * escalates, after a while, unless the incident is over by then. Whoever was told hears of the recovery; nobody else.
 * Of incidents with the same root cause a route is told of one at a time.
 */
import type { Incident, IncidentEvent } from '../incident/incident.ts';
import type { AlertRoute } from '../settings.ts';
import { groupOf, interestedRoutes, isGraver, type AlertedSite } from './interest.ts';
import type { AlertEvent, KnownAlert, OutboxChanges } from './outbox.ts';
import { startDraft, type Draft } from './draft.ts';

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
  const open = new Map(planning.open.map((incident) => [incident.id, incident]));
  for (const event of events) {
    if (event.kind === 'suspected' || event.kind === 'dismissed') continue;
    const { kind, incident, at } = event;
    const before = open.get(incident.id);
    if (kind === 'recovered') open.delete(incident.id);
    else open.set(incident.id, incident);
    const plan: Plan = { planning, draft, open: [...open.values()], at };
    if (kind === 'recovered') recover(incident, plan);
    else if (kind === 'changed') change(incident, before, plan);
    else tell(incident, plan);
  }
  return draft.changes();
}

/**
 * What time makes of open incidents: reminders, and the alerts of routes that have to be told by now and are not (they
 * are new in the configuration, or the site was in maintenance when it was their turn). `silent`: sites in maintenance,
 * of which nothing is told while it lasts.
 */
export function planReminders(planning: Planning, now: number, silent: ReadonlySet<string>): OutboxChanges {
  const draft = startDraft(planning.known);
  const plan: Plan = { planning, draft, open: planning.open, at: now };
  for (const incident of planning.open) {
    if (silent.has(incident.site)) hush(incident, plan);
    else {
      tell(incident, plan);
      const routes = interestedRoutes(incident, planning.sites, planning.routes);
      for (const route of routes) remind(incident, route, plan);
    }
  }
  return draft.changes();
}

/** What one event is planned with. */
interface Plan {
  readonly planning: Planning;
  readonly draft: Draft;
  /** As after the event. */
  readonly open: readonly Incident[];
  readonly at: number;
}

/** Adds what is missing of `opened` alerts: never a second one, and one only for each root cause and route. */
function tell(incident: Incident, plan: Plan, notBefore = plan.at): void {
  const { planning, draft, open } = plan;
  for (const route of interestedRoutes(incident, planning.sites, planning.routes)) {
    if (isTold(incident.id, route.id, draft)) continue;
    const others = open.filter((other) => other.id !== incident.id && groupOf(other) === groupOf(incident));
    if (others.some(({ id }) => isTold(id, route.id, draft))) continue;
    const dueAt = Math.max(notBefore, incident.detectedAt + route.afterMs);
    add('opened', incident, route.id, plan, { dueAt, alsoSites: sitesOf(others) });
  }
}

/** What became graver is told to those who have not heard of it, and told again to those who have. */
function change(incident: Incident, before: Incident | undefined, plan: Plan): void {
  const told = toldRoutes(incident.id, plan.draft);
  tell(incident, plan);
  if (before === undefined || !isGraver(incident.verdict, before.verdict)) return;
  for (const route of interestedRoutes(incident, plan.planning.sites, plan.planning.routes)) {
    // An alert that waits is sent with what is known then.
    if (told.includes(route.id) && !hasWaiting(incident.id, route.id, plan)) addReminder(incident, route.id, plan);
  }
}

/** Those who were told hear the end; what is not due yet is never sent. The others of the same cause come to their turn. */
function recover(incident: Incident, plan: Plan): void {
  const { draft, at } = plan;
  for (const alert of draft.known(incident.id)) {
    const isNeedless = alert.event === 'reminder' ? alert.sentAt === null : isAhead(alert, at);
    if (isNeedless) draft.cancel(incident.id, alert.key);
  }
  const there = new Set(plan.planning.routes.map(({ id }) => id));
  for (const route of toldRoutes(incident.id, draft)) {
    if (there.has(route)) add('recovered', incident, route, plan, {});
  }
  const others = plan.open.filter((other) => groupOf(other) === groupOf(incident));
  for (const other of others.toSorted((a, b) => a.detectedAt - b.detectedAt)) {
    tell(other, plan, at + FOLLOWERS_GRACE_MS);
  }
}

/** What would become due in a maintenance is taken back; it is planned again after it. */
function hush(incident: Incident, { draft, at }: Plan): void {
  for (const alert of draft.known(incident.id)) if (isAhead(alert, at)) draft.cancel(incident.id, alert.key);
}

function remind(incident: Incident, route: AlertRoute, plan: Plan): void {
  const alerts = plan.draft.known(incident.id).filter((alert) => alert.route === route.id);
  // The first one has to have arrived, and nothing may wait: a receiver that was away gets one reminder, not a heap.
  if (route.reminderMs === null || alerts.length === 0 || alerts.some(({ sentAt }) => sentAt === null)) return;
  const last = Math.max(...alerts.map(({ sentAt }) => sentAt ?? 0));
  if (plan.at - last >= route.reminderMs) addReminder(incident, route.id, plan);
}

function addReminder(incident: Incident, route: string, plan: Plan): void {
  const numbers = plan.draft
    .known(incident.id)
    .filter((alert) => alert.route === route && alert.event === 'reminder')
    .map(({ key }) => Number(/:reminder:(\d+):/.exec(key)?.[1] ?? 0));
  const others = plan.open.filter((other) => other.id !== incident.id && groupOf(other) === groupOf(incident));
  const number = Math.max(0, ...numbers) + 1;
  add('reminder', incident, route, plan, { number, alsoSites: sitesOf(others) });
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
  }: { readonly dueAt?: number; readonly alsoSites?: readonly string[]; readonly number?: number },
): void {
  const name = number === undefined ? event : `${event}:${number}`;
  draft.add({ key: `${incident.id}:${name}:${route}`, route, event, incident, alsoSites, createdAt: at, dueAt });
}

/** Whether a route has heard of an incident, or is going to. */
function isTold(incident: string, route: string, draft: Draft): boolean {
  return draft.known(incident).some((alert) => alert.route === route && alert.event === 'opened');
}

function toldRoutes(incident: string, draft: Draft): readonly string[] {
  return draft
    .known(incident)
    .filter(({ event }) => event === 'opened')
    .map(({ route }) => route);
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
