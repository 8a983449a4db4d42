/** What a plan has come to so far, so that its later steps know of the earlier ones. */
import type { KnownAlert, OutboxChanges, OutboxEntry } from './outbox.ts';

export interface Draft {
  /** The alerts about an incident that were sent or wait, with what the plan makes of them. */
  known(incident: string): readonly KnownAlert[];
  add(entry: OutboxEntry): void;
  cancel(incident: string, key: string): void;
  changes(): OutboxChanges;
}

/** Begins with the alerts that are known. */
export function startDraft(known: (incident: string) => readonly KnownAlert[]): Draft {
  const alerts = new Map<string, readonly KnownAlert[]>();
  const added = new Map<string, OutboxEntry>();
  const cancelled = new Set<string>();
  const of = (incident: string): readonly KnownAlert[] => {
    const found = alerts.get(incident) ?? known(incident);
    alerts.set(incident, found);
    return found;
  };
  return {
    known: of,
    add(entry) {
      added.set(entry.key, entry);
      const { key, route, event, dueAt, alsoSites } = entry;
      alerts.set(entry.incident.id, [
        ...of(entry.incident.id),
        { key, route, event, dueAt, alsoSites, sentAt: null, attempts: 0 },
      ]);
    },
    cancel(incident, key) {
      // What was added in the same breath is not written at all.
      if (!added.delete(key)) cancelled.add(key);
      alerts.set(
        incident,
        of(incident).filter((alert) => alert.key !== key),
      );
    },
    changes: () => ({ add: [...added.values()], cancel: [...cancelled] }),
  };
}
