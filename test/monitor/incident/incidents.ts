/** Incidents for tests of what is told of them. */
import type { Incident } from '../../../src/monitor/incident/incident.ts';

/** An open incident of a site whose bundle is refused; whatever is not told. */
export function incidentOf(rest: Partial<Incident> = {}): Incident {
  return {
    id: 'docs-20261120T180000123',
    site: 'docs',
    verdict: 'down',
    checks: ['bundle'],
    rules: ['bundle/refused'],
    startedAt: Date.parse('2026-11-20T17:59:50Z'),
    detectedAt: Date.parse('2026-11-20T18:00:00.123Z'),
    notifiedAt: null,
    recoveredAt: null,
    recoveryTimeObjectiveMs: 60_000,
    findings: [{ check: 'bundle', rule: 'bundle/refused', evidence: {}, location: null }],
    deploy: null,
    flapping: false,
    sameAs: null,
    ...rest,
  };
}
