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
  const { core, ...others } = emptyState().scopes;
  return { scopes: { core: { ...core, at, goodAt, upAt }, ...others } };
}
