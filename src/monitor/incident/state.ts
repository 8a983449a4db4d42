import type { SiteState } from './incident.ts';

/** What is known of a site that was never looked at. */
export function emptyState(): SiteState {
  return {
    form: 1,
    lastGoodAt: null,
    lastFullGoodAt: null,
    lastAt: null,
    lastFullAt: null,
    checks: {},
    suspicion: null,
    fullSuspicion: null,
    badAt: null,
    blips: [],
    incident: null,
    good: null,
    maintainedUntil: null,
    changes: [],
    deploy: null,
    version: null,
    contents: {},
    verdict: 'unknown',
  };
}
