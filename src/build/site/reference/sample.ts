/** A site, its report and its incident: what the examples and the lists of metrics are made from. */
import type { CheckResult, Report } from '../../../check.ts';
import { DEFAULT_CONFIG } from '../../../config/config.ts';
import type { Incident } from '../../../monitor/incident/incident.ts';
import { emptyState, type SiteState } from '../../../monitor/incident/state.ts';
import { DEFAULT_MONITOR, DEFAULT_WATCHING, type MonitoredSite } from '../../../monitor/settings.ts';
import type { Store } from '../../../monitor/store/store.ts';
import type { MonitorView } from '../../../monitor/view.ts';

/** A Friday, at six in the evening. */
export const SIX = Date.UTC(2026, 10, 20, 18);

const SECOND = 1_000;

export const SAMPLE_SITE: MonitoredSite = {
  ...DEFAULT_WATCHING,
  id: 'docs',
  url: 'https://docs.example.com/',
  title: 'Documentation',
  tags: [],
  alerts: null,
  maintenance: [],
  checking: DEFAULT_CONFIG,
};

/** A deployment has left a trailing comma in the configuration. */
export const SAMPLE_INCIDENT: Incident = {
  id: 'docs-20261120T180054600',
  site: SAMPLE_SITE.id,
  verdict: 'down',
  checks: ['config'],
  codes: ['trailing-comma'],
  startedAt: SIX + 40_600,
  detectedAt: SIX + 54_600,
  notifiedAt: null,
  recoveredAt: null,
  objectiveMs: SAMPLE_SITE.objectiveMs,
  findings: [
    {
      check: 'config',
      code: 'trailing-comma',
      evidence: {},
      location: { path: 'config.json', line: 3, column: 25 },
      excerpt: { firstLine: 2, lines: ['  "title": "Tidewater",', '  "homePage": "index.md",', '}'] },
    },
  ],
  deploy: { version: '4f8bdbe', before: 'bf6d82a', seenAt: SIX + 50_600 },
  flapping: false,
  sameAs: null,
};

/** An incident with every field that one can have, and without what may be unknown. */
export const WHOLE_INCIDENT: Incident = {
  ...SAMPLE_INCIDENT,
  findings: [{ check: 'bundle', code: 'refused', evidence: {}, location: null }],
  deploy: { version: '4f8bdbe', before: null, seenAt: SIX + 50_600 },
  notifiedAt: SIX + 55 * SECOND,
  recoveredAt: SIX + 80_600,
  objectiveFrom: 'detected',
  flapping: true,
};

const BUNDLE: CheckResult = {
  id: 'bundle',
  role: 'bundle',
  vital: true,
  status: 'pass',
  target: 'GET /index.html',
  url: SAMPLE_SITE.url,
  httpStatus: 200,
  durationMs: 82,
  attempts: 1,
  timings: { dnsMs: 2, connectMs: 8, tlsMs: 12, firstByteMs: 40, totalMs: 80 },
  findings: [],
};

/** A report with every fact from which a metric is made. */
export const SAMPLE_REPORT: Report = {
  tool: { name: 'docvitals', version: '0.0.0' },
  site: { url: SAMPLE_SITE.url },
  startedAt: new Date(SIX).toISOString(),
  durationMs: 310,
  receivedBytes: 51_200,
  verdict: 'down',
  strict: false,
  interrupted: false,
  fresh: true,
  waited: {
    forMs: 300_000,
    elapsedMs: 42_000,
    rounds: 9,
    by: 'version',
    firstNewMs: 30_000,
    allNewMs: 38_000,
    allGreenMs: 42_000,
  },
  checks: [
    BUNDLE,
    {
      ...BUNDLE,
      id: 'config',
      role: 'certificate',
      status: 'fail',
      facts: { validTo: '2027-01-01T00:00:00.000Z' },
      findings: [{ rule: 'trailing-comma', severity: 'error', evidence: {} }],
      rendered: [
        {
          route: '',
          isOk: true,
          screenshot: null,
          headingMs: 410,
          largestPaintMs: 520,
          layoutShift: 0.01,
          transferredBytes: 51_200,
          requests: 9,
        },
      ],
    },
  ],
};

/** A monitor of the site: the incident is open, one before it has ended, and something is wrong with the monitor itself. */
export function sampleView(): MonitorView {
  const open = { ...SAMPLE_INCIDENT, notifiedAt: SIX + 55 * SECOND };
  const ended = { ...WHOLE_INCIDENT, id: 'docs-20261120T170000000' };
  const now = SIX + 100 * SECOND;
  const ran = { at: now, goodAt: SIX, upAt: SIX, badAt: now, suspicion: null };
  const empty = emptyState();
  const state: SiteState = {
    ...empty,
    verdict: 'down',
    scopes: { ...empty.scopes, five: ran },
    outage: { ...empty.outage, incident: open },
  };
  const settings = {
    ...DEFAULT_MONITOR,
    sites: [SAMPLE_SITE],
    locations: [{ id: 'paris', title: 'Paris', coordinates: null }],
    probe: { ...DEFAULT_MONITOR.probe, targets: [SAMPLE_SITE.id] },
  };
  const store: Pick<Store, 'outboxState'> = {
    outboxState: async () => ({ pending: 1, nextDueAt: now, oldestAt: now }),
  };
  return {
    startedAt: SIX - 3_600 * SECOND,
    now: () => now,
    settings: () => settings,
    sites: () => [
      {
        site: SAMPLE_SITE,
        url: SAMPLE_SITE.url,
        state,
        report: SAMPLE_REPORT,
        results: new Map(SAMPLE_REPORT.checks.map((check) => [check.id, check])),
        locations: new Map([
          ['paris', { at: now, verdict: 'down', probeSide: null, responseMs: 80, checks: new Map() }],
        ]),
        maintenance: null,
        nextAt: null,
      },
    ],
    fleet: { members: () => [], backlog: async () => new Map() },
    counters: () => ({ rounds: 1, roundsLate: 0, roundsOurs: 0, alertsSent: 1, alertsFailed: 0 }),
    onIncident(listener) {
      listener({ kind: 'opened', incident: open, at: open.detectedAt });
      listener({ kind: 'recovered', incident: ended, at: now });
    },
    troubles: () => ['disk-full'],
    ready: () => true,
    store: store as Store,
  };
}
