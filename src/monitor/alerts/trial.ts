/** An alert that only tries out a route. Pure. */
import { defaultChecks } from '../../../checks/index.ts';
import type { Incident } from '../incident/incident.ts';
import type { AlertRoute, MonitoredSite } from '../settings.ts';
import type { AlertEvent } from './outbox.ts';
import type { Alert } from './send.ts';

/** How long the incident that it tells of has lasted: as long as the one that people tell of. */
const LASTED_MS = 41_000;
const DETECTED_AFTER_MS = 6_000;

/** About an incident that never was: the host refused the connection. Marked by its ids, and in words. */
export function trialOf(route: AlertRoute, site: MonitoredSite, event: AlertEvent, now: number): Alert {
  const startedAt = now - LASTED_MS;
  const detectedAt = startedAt + DETECTED_AFTER_MS;
  const stamp = new Date(detectedAt).toISOString().replaceAll(/\D/g, '');
  const check = defaultChecks.find(({ role }) => role === 'bundle')?.id ?? '';
  const incident: Incident = {
    id: `test-${site.id}-${stamp.slice(0, 8)}T${stamp.slice(8)}`,
    site: site.id,
    verdict: route.verdicts[0] ?? 'down',
    checks: [check],
    codes: ['refused'],
    startedAt,
    detectedAt,
    notifiedAt: event === 'opened' ? null : detectedAt,
    recoveredAt: event === 'recovered' ? now : null,
    objectiveMs: site.objectiveMs,
    findings: [{ check, code: 'refused', evidence: { test: true }, location: null }],
    deploy: null,
    flapping: false,
    sameAs: null,
  };
  const name = event === 'reminder' ? 'reminder:1' : event;
  return { key: `${incident.id}:${name}:${route.id}`, event, incident, alsoSites: [], test: true };
}
