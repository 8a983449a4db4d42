import type { SiteState } from './incident.ts';

/** What is known of a site that was never looked at. */
export function emptyState(): SiteState {
  return {
    form: 1,
    lastGoodAt: null,
    lastFullGoodAt: null,
    lastUpAt: null,
    lastFullUpAt: null,
    lastAt: null,
    lastFullAt: null,
    checks: {},
    suspicion: null,
    fullSuspicion: null,
    badAt: null,
    blips: [],
    incident: null,
    suspended: null,
    good: null,
    suspendedGood: null,
    maintainedUntil: null,
    changes: [],
    outageChanges: [],
    deploy: null,
    version: null,
    contents: {},
    verdict: 'unknown',
  };
}
