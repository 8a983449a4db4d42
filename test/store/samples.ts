/** Rounds, states, incidents and alerts for tests of the store. */
import type { OutboxEntry } from '../../src/monitor/alerts/alert.ts';
import type { Incident } from '../../src/monitor/incident/incident.ts';
import type { SiteState } from '../../src/monitor/incident/state.ts';
import { emptyState } from '../../src/monitor/incident/state.ts';
import type { CheckRecord, RunCommit, RunRecord } from '../../src/monitor/store/store.ts';
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

/** An alert about an incident; its key is that of its route and event. */
export const alertOf = (rest: Partial<OutboxEntry> = {}): OutboxEntry => {
  const { incident = incidentOf(), route = 'ops', event = 'opened' } = rest;
  return {
    key: `${incident.id}:${event}:${route}`,
    route,
    event,
    incident,
    alsoSites: [],
    createdAt: NOON,
    dueAt: NOON,
    ...rest,
  };
};

export const commitOf = (rest: Partial<RunCommit> = {}): RunCommit => ({
  run: roundRecord(),
  state: siteState(),
  incidents: [],
  outbox: { add: [], cancel: [] },
  ...rest,
});

/** A commit that opens an incident and writes its alerts. */
export const opening = (incident: Incident, ...add: readonly OutboxEntry[]): RunCommit =>
  commitOf({
    run: roundRecord({ site: incident.site, startedAt: incident.detectedAt - 50, verdict: 'down' }),
    state: siteState({ ...openState(incident), verdict: 'down' }),
    incidents: [incident],
    outbox: { add, cancel: [] },
  });
