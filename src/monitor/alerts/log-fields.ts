import type { PendingAlert } from './outbox.ts';

/** What the log says of an alert, whatever became of it. */
export function about({ key, route, event, incident }: PendingAlert): Readonly<Record<string, string>> {
  return { key, route, alert: event, incident: incident.id, site: incident.site };
}
