/** Who has joined a root cause after somebody was told of it: sites are looked at one after another. Pure. */
import type { Incident } from '../incident/incident.ts';
import type { KnownAlert } from './outbox.ts';

/** So long after one has joined those who were told of the cause hear who has: together, not one by one. */
export const JOINING_MS = 30_000;
/** And then not again for so long, whoever joins. */
export const JOINED_APART_MS = 600_000;

/** Of the incidents of a cause those that were there for a while, and that no alert to a route has named. */
export function unnamed(others: readonly Incident[], alerts: readonly KnownAlert[], now: number): readonly Incident[] {
  return others.filter(
    (other) => now - other.detectedAt >= JOINING_MS && !alerts.some((alert) => isNaming(alert, other)),
  );
}

function isNaming({ alsoSites = [], sentAt }: KnownAlert, { site, detectedAt }: Incident): boolean {
  // An alert of before is about an earlier incident of the site.
  return alsoSites.includes(site) && (sentAt === null || sentAt >= detectedAt);
}
