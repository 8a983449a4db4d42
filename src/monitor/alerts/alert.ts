/** The vocabulary of alerts, and those that are not about an incident of a site. Pure. Times are ms since 1970. */
import { defaultChecks } from '../../../checks/index.ts';
import type { Incident, IncidentFinding, ListedFinding } from '../incident/incident.ts';
import type { Refusal } from '../incident/state.ts';
import type { AlertRoute, IncidentVerdict, MonitoredSite } from '../settings.ts';

export type AlertEvent = 'opened' | 'reminder' | 'recovered';

export interface Alert {
  /** `<incident>:<event>[:<n>]:<route>`: stable, so that a receiver recognises a repeated alert. */
  readonly key: string;
  readonly event: AlertEvent;
  readonly incident: Incident;
  /** Ids of other sites with the same root cause, that this alert covers. */
  readonly alsoSites: readonly string[];
  /** Of a recovery: the verdict of another incident that is still open at the site; absent: none. */
  readonly goesOn?: IncidentVerdict;
  /** Sent by `docvitals alert test`: marked as such. */
  readonly test?: true;
  /** About the monitor itself, or about new findings, instead of an incident of a site. */
  readonly notice?: DatabaseNotice | 'refused' | 'findings';
  /** New findings, which no incident is about. */
  readonly newFindings?: readonly SiteFinding[];
  /** The site whose host refuses the monitor. */
  readonly refusedBy?: Pick<Refusal, 'host'> & { readonly title: string };
}

export interface SiteFinding {
  readonly site: Pick<MonitoredSite, 'id' | 'title' | 'url'>;
  readonly finding: ListedFinding;
}

/** An alert for one route, from its planning to its end: one row of the database. */
export interface Notification extends Omit<Alert, 'test'> {
  readonly route: string;
  /** `given up`: it was too old, and is not planned again. `cancelled`: it is no longer needed. */
  readonly state: 'waiting' | 'sent' | 'given up' | 'cancelled';
  readonly createdAt: number;
  readonly dueAt: number;
  /** When it was received; `null`: it was not. */
  readonly sentAt: number | null;
  /** Attempts that failed. */
  readonly attempts: number;
  /** Why the last one failed, for people; `null`: none did. Contains no secret. */
  readonly lastError: string | null;
}

/** What is in the database when a monitor starts. */
export interface StoredAlerts {
  readonly incidents: readonly Incident[];
  /** Those of open incidents, and those that wait, in the order in which they were planned. */
  readonly notifications: readonly Notification[];
}

/** The result of sending. `status`: of HTTP or of a command; `null` if none. */
export type SendResult = { readonly ok: true; readonly status: number | null } | SendFailure;

export interface SendFailure {
  readonly ok: false;
  /** Why, in a few words for operators: `http 503`, `timeout`, `ECONNREFUSED`. Contains no secret. */
  readonly error: string;
  /** Another attempt will most likely fail too. */
  readonly permanent: boolean;
  readonly retryAfterMs: number | null;
}

/** Sends an alert through a route. Never rejects; bounded in time; ends when the signal is aborted. */
export type Send = (route: AlertRoute, alert: Alert, signal: AbortSignal) => Promise<SendResult>;

/** An alert that tests a route: about an incident that did not happen, in which the host refused the connection. */
export function testAlert(route: AlertRoute, site: MonitoredSite, event: AlertEvent, now: number): Alert {
  // Typical values.
  const startedAt = now - 41_000;
  const detectedAt = startedAt + 6_000;
  const check = defaultChecks.find(({ role }) => role === 'bundle')?.id ?? '';
  const incident: Incident = {
    ...incidentAt(`test-${site.id}`, detectedAt, { check, rule: `${check}/refused`, evidence: { test: true } }),
    site: site.id,
    verdict: route.verdicts[0] ?? 'down',
    startedAt,
    notifiedAt: event === 'opened' ? null : detectedAt,
    recoveredAt: event === 'recovered' ? now : null,
    recoveryTimeObjectiveMs: site.recoveryTimeObjectiveMs,
  };
  const name = event === 'reminder' ? 'reminder:1' : event;
  return { key: `${incident.id}:${name}:${route.id}`, event, incident, alsoSites: [], test: true };
}

/** A notification that is due at once. */
export function notificationOf(alert: Omit<Alert, 'test'>, route: string, now: number): Notification {
  const unsent = { state: 'waiting', sentAt: null, attempts: 0, lastError: null } as const;
  return { ...alert, route, createdAt: now, dueAt: now, ...unsent };
}

export type DatabaseNotice = 'damaged' | 'replaced';

export function noticeAlert(notice: DatabaseNotice, route: string, now: number): Alert {
  const finding = { check: 'monitor', rule: `monitor/database-${notice}`, evidence: {} };
  const incident = incidentAt('monitor', now, finding);
  return { key: `${incident.id}:opened:${route}`, event: 'opened', incident, alsoSites: [], notice };
}

const refusalName = (site: MonitoredSite['id']): string => `monitor-${site}`;

/** Under which notifications say that a host refuses the monitor, as that of an incident. */
export const refusalId = (site: MonitoredSite['id'], { since }: Pick<Refusal, 'since'>): string =>
  idAt(refusalName(site), since);

/** The host of a site refuses the monitor: the site cannot be checked. */
export function refusedAlert({ id, title }: MonitoredSite, refusal: Refusal, route: string): Alert {
  const { check, evidence, host, since } = refusal;
  const incident = incidentAt(refusalName(id), since, { check, rule: `${check}/client-refused`, evidence });
  const key = `${incident.id}:opened:${route}`;
  return {
    key,
    event: 'opened',
    incident,
    alsoSites: [],
    notice: 'refused',
    refusedBy: { title, ...(host && { host }) },
  };
}

/** New findings of one or more sites; at least one. */
export function findingsAlert(newFindings: readonly SiteFinding[], route: string, now: number): Alert {
  const [first] = newFindings;
  const {
    key: _key,
    since: _since,
    ...finding
  } = first?.finding ?? { check: 'monitor', rule: 'monitor/findings', evidence: {} };
  const sites = new Set(newFindings.map(({ site }) => site.id));
  const about = incidentAt('findings', now, finding);
  const incident = sites.size === 1 && first !== undefined ? { ...about, site: first.site.id } : about;
  return {
    key: `${incident.id}:opened:${route}`,
    event: 'opened',
    incident,
    alsoSites: [],
    notice: 'findings',
    newFindings,
  };
}

const idAt = (name: string, ms: number): string => `${name}-${new Date(ms).toISOString().replaceAll(/[-:.Z]/g, '')}`;

function incidentAt(name: string, detectedAt: number, finding: Omit<IncidentFinding, 'location'>): Incident {
  return {
    id: idAt(name, detectedAt),
    // No site has an id with a space.
    site: 'docvitals monitor',
    verdict: 'degraded',
    checks: [finding.check],
    rules: [finding.rule],
    startedAt: detectedAt,
    detectedAt,
    notifiedAt: null,
    recoveredAt: null,
    recoveryTimeObjectiveMs: 0,
    findings: [{ ...finding, location: null }],
    deploy: null,
    flapping: false,
    sameAs: null,
  };
}
