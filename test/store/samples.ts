/** Rounds, states, incidents and alerts for tests of the store. */
import { notificationOf, type Notification } from '../../src/monitor/alerts/alert.ts';
import type { Incident } from '../../src/monitor/incident/incident.ts';
import type { SiteState } from '../../src/monitor/incident/state.ts';
import { emptyState } from '../../src/monitor/incident/state.ts';
import type { CheckRecord, Entry, RunRecord } from '../../src/monitor/store/store.ts';
import { checkedAt, openState } from '../monitor/incident/state.ts';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** A Friday, at noon. */
export const NOON = Date.UTC(2026, 10, 20, 12);

/** All time that a test tells of. */
export const EVER = { from: 0, to: NOON + 1000 * DAY };

export const checkRecord = (rest: Partial<CheckRecord> = {}): CheckRecord => ({
  id: 'bundle',
  status: 'pass',
  rules: [],
  httpStatus: 200,
  durationMs: 12,
  ...rest,
});

export const roundRecord = (rest: Partial<RunRecord> = {}): RunRecord => ({
  site: 'docs',
  scope: 'core',
  startedAt: NOON,
  durationMs: 40,
  verdict: 'healthy',
  maintenance: false,
  ticks: 1,
  checks: [checkRecord()],
  ...rest,
});

export const siteState = (rest: Partial<SiteState> = {}): SiteState => ({
  ...emptyState(),
  ...checkedAt(NOON),
  checks: { bundle: { status: 'pass', at: NOON, scope: 'core', findings: [] } },
  verdict: 'healthy',
  ...rest,
});

export const incidentOf = (rest: Partial<Incident> = {}): Incident => ({
  id: 'docs-1',
  site: 'docs',
  verdict: 'down',
  checks: ['bundle'],
  rules: ['bundle/status'],
  startedAt: NOON - 10_000,
  detectedAt: NOON,
  notifiedAt: null,
  recoveredAt: null,
  recoveryTimeObjectiveMs: MINUTE,
  findings: [{ check: 'bundle', rule: 'bundle/status', evidence: { status: 503 }, location: null }],
  deploy: null,
  flapping: false,
  sameAs: null,
  ...rest,
});

/** A notification about an incident; its key is that of its route and event. */
export const alertOf = (rest: Partial<Notification> = {}): Notification => {
  const { incident = incidentOf(), route = 'ops', event = 'opened' } = rest;
  const alert = { key: `${incident.id}:${event}:${route}`, event, incident, alsoSites: [] };
  return { ...notificationOf(alert, route, NOON), ...rest };
};

type Run = Omit<Entry, 'runs' | 'states'> & { readonly run?: RunRecord; readonly state?: SiteState };

/** What a run writes. */
export const commitOf = ({ run = roundRecord(), state = siteState(), ...rest }: Run = {}): Entry => ({
  runs: [run],
  states: new Map([[run.site, state]]),
  ...rest,
});

/** What a run writes that opens an incident, with its notifications. */
export const opening = (incident: Incident, ...notifications: readonly Notification[]): Entry =>
  commitOf({
    run: roundRecord({ site: incident.site, startedAt: incident.detectedAt - 50, verdict: 'down' }),
    state: siteState({ ...openState(incident), verdict: 'down' }),
    incidents: [incident],
    notifications,
  });
