import type { Store } from '../store/store.ts';
import type { PendingAlert } from './outbox.ts';
import type { Alert } from './send.ts';

/**
 * An entry of the outbox as it is told now. An alert may have waited for minutes to escalate, or for hours for its receiver:
 * of an incident that is still open it says what is known by now; of one that is over, what was then, and since when
 * somebody knows.
 */
export async function freshAlert(entry: PendingAlert, store: Pick<Store, 'incident'>): Promise<Alert> {
  const { key, event, incident, alsoSites, goesOn } = entry;
  const alert = { key, event, incident, alsoSites, ...(goesOn === undefined ? {} : { goesOn }) };
  // Where the database cannot be read, what was written with the alert has to do.
  const now = await store.incident(incident.id).catch(() => null);
  if (now === null) return alert;
  const isOpen = event !== 'recovered' && now.recoveredAt === null;
  const notifiedAt = incident.notifiedAt ?? now.notifiedAt;
  return { ...alert, incident: isOpen ? { ...now, notifiedAt } : { ...incident, notifiedAt } };
}
