/** A site and its incident: what the examples of notifications are made from. */
import { DEFAULT_CONFIG } from '../../../config/config.ts';
import type { Incident } from '../../../monitor/incident/incident.ts';
import { DEFAULT_WATCHING, type MonitoredSite } from '../../../monitor/settings.ts';

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
