/** What each location sees of a site, for the pages, the API and the metrics. */
import type { Status, Verdict } from '../core/check.ts';
import type { ProbeSideReason } from './connectivity/connectivity.ts';
import type { SiteState } from './incident/state.ts';
import type { Location, MonitoredSite, MonitorSettings } from './settings.ts';
import { isSilentSince } from './site-state.ts';
import { checkResponseTime, responseTime, type RunRecord } from './store/store.ts';

/** A site as one location saw it last. Times are ms since 1970, durations ms. */
export interface LocationStatus {
  readonly at: number;
  readonly verdict: Verdict;
  readonly probeSide: ProbeSideReason | null;
  readonly responseMs: number | null;
  readonly checks: ReadonlyMap<string, CheckAtLocation>;
}

interface CheckAtLocation extends Pick<LocationStatus, 'at' | 'probeSide' | 'responseMs'> {
  readonly status: Status;
}

/** What is known of a location after another run of it. A run of other checks does not change its verdict. */
export function locationStatusAfter(
  known: LocationStatus | undefined,
  run: RunRecord,
  probeSide: ProbeSideReason | null,
): LocationStatus {
  const at = run.startedAt + Math.round(run.durationMs);
  const checks = new Map(known?.checks);
  for (const check of run.checks) {
    checks.set(check.id, { at, status: check.status, probeSide, responseMs: checkResponseTime(check) });
  }
  if (known !== undefined && run.scope !== 'core') return { ...known, checks };
  return { at, verdict: run.verdict, probeSide, responseMs: responseTime(run), checks };
}

export type SiteLocation = ReturnType<typeof siteLocations>[number];

/** The locations that check a site, in the order of the configuration; empty: there is only this machine. */
export function locationsOf({ locations: chosen }: MonitoredSite, all: readonly Location[]): readonly Location[] {
  return chosen === undefined ? all : all.filter(({ id }) => chosen.includes(id));
}

export function siteLocations(
  { site, locations }: { readonly site: MonitoredSite; readonly locations?: ReadonlyMap<string, LocationStatus> },
  settings: Pick<MonitorSettings, 'locations'>,
  now: number,
) {
  return locationsOf(site, settings.locations).map((location) => {
    const status = locations?.get(location.id) ?? null;
    const isSilent = status !== null && isSilentSince(site, status.at, now);
    const verdict: Verdict = status === null || isSilent ? 'unknown' : status.verdict;
    return { ...location, status, isSilent, verdict };
  });
}

/** The titles of locations; those that are not configured any more keep their ids. */
export function titlesOf(ids: readonly string[], all: readonly Location[]): readonly string[] {
  return ids.map((id) => all.find((location) => location.id === id)?.title ?? id);
}

/** Locations from which a site fails, too few for an incident, and which is not in another one. */
export const failingFrom = (state: SiteState | null): readonly string[] => state?.failingFrom ?? [];
