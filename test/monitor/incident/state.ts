/** Parts of states for tests. */
import type { Incident } from '../../../src/monitor/incident/incident.ts';
import { emptyState, isOutage, type SiteState } from '../../../src/monitor/incident/state.ts';

/** These incidents are open. */
export function openState(...incidents: readonly (Incident | null)[]): Pick<SiteState, 'outage' | 'degradation'> {
  const open = incidents.filter((incident) => incident !== null);
  const { outage, degradation } = emptyState();
  return {
    outage: { ...outage, incident: open.find(isOutage) ?? null },
    degradation: { ...degradation, incident: open.find((incident) => !isOutage(incident)) ?? null },
  };
}

/** The core checks ran last at `at`, and passed last at `goodAt`. */
export function checkedAt(at: number, goodAt: number | null = at, upAt = goodAt): Pick<SiteState, 'scopes'> {
  const { five, ...others } = emptyState().scopes;
  return { scopes: { five: { ...five, at, goodAt, upAt }, ...others } };
}

/** A state as version 0.1 stored it. */
export function formOne({ scopes: { five, full }, outage, degradation, deployments, ...state }: SiteState) {
  const isDown = outage.incident !== null;
  const [current, other] = isDown ? [outage, degradation] : [degradation, null];
  return {
    ...state,
    form: 1 as const,
    lastAt: five.at,
    lastFullAt: full.at,
    lastGoodAt: five.goodAt,
    lastFullGoodAt: full.goodAt,
    lastUpAt: five.upAt,
    lastFullUpAt: full.upAt,
    badAt: five.badAt,
    suspicion: five.suspicion,
    fullSuspicion: full.suspicion,
    incident: current.incident,
    good: current.good,
    suspended: other?.incident ?? null,
    suspendedGood: other?.good ?? null,
    changes: degradation.changes,
    outageChanges: outage.changes,
    deploy: deployments.live,
    version: deployments.version,
    contents: deployments.contents,
  };
}
