/** The vocabulary of alerts. Types only. Times are milliseconds since 1970. */
import type { Incident } from '../incident/incident.ts';
import type { IncidentVerdict } from '../settings.ts';

/** What an alert is about, as webhooks tell it. */
export type AlertEvent = 'opened' | 'reminder' | 'recovered';

/** An alert that has to be sent: one row of the outbox, written with the incident in one transaction. */
export interface OutboxEntry {
  /** `<incident>:<event>[:<n>]:<route>`: stable, so that whoever receives it twice can tell. */
  readonly key: string;
  readonly route: string;
  readonly event: AlertEvent;
  /** As it was when the alert was written. */
  readonly incident: Incident;
  /** Other incidents that this alert stands for: the same root cause. */
  readonly alsoSites: readonly string[];
  /** Of an end: what the site is all the same, since another incident of it is open; absent: nothing. */
  readonly goesOn?: IncidentVerdict;
  readonly createdAt: number;
  /** Not before. */
  readonly dueAt: number;
}

/** An entry as it is kept. */
export interface PendingAlert extends OutboxEntry {
  /** How often it was tried. */
  readonly attempts: number;
  /** Why it was not sent, for people; `null`: not tried yet. Holds no secret. */
  readonly lastError: string | null;
}

/** What the outbox has to do beside a change of incidents. */
export interface OutboxChanges {
  readonly add: readonly OutboxEntry[];
  /** Keys of entries that are not to be sent any more: an escalation of what is over. */
  readonly cancel: readonly string[];
}

/** An alert that was sent or is waiting: by these it is known which routes are told of an incident. */
export interface KnownAlert extends Pick<OutboxEntry, 'key' | 'route' | 'event' | 'dueAt'> {
  /** When it arrived; `null`: it waits. */
  readonly sentAt: number | null;
  /** How often it was tried; absent: not known. */
  readonly attempts?: number;
  /** The sites of other incidents that it stands for; absent: none. */
  readonly alsoSites?: readonly string[];
}
