/** A notification about the monitor itself, in the form of an alert so that every channel can carry it. Pure. */
import type { Incident } from '../incident/incident.ts';
import type { Alert } from './send.ts';

/** What happened to the database of the monitor. */
export type DatabaseNotice = 'damaged' | 'replaced';

/** Used instead of a site's id: no site has an id with a space. */
const SUBJECT = 'docvitals monitor';

/** The alert of a route about the monitor's database. */
export function noticeAlert(notice: DatabaseNotice, route: string, now: number): Alert {
  const stamp = new Date(now).toISOString().replaceAll(/\D/g, '');
  const code = `database-${notice}`;
  const incident: Incident = {
    id: `monitor-${stamp.slice(0, 8)}T${stamp.slice(8)}`,
    site: SUBJECT,
    verdict: 'degraded',
    checks: ['monitor'],
    codes: [code],
    startedAt: now,
    detectedAt: now,
    notifiedAt: null,
    recoveredAt: null,
    objectiveMs: 0,
    findings: [{ check: 'monitor', code, evidence: {}, location: null }],
    deploy: null,
    flapping: false,
    sameAs: null,
  };
  return { key: `${incident.id}:opened:${route}`, event: 'opened', incident, alsoSites: [], notice };
}
