import { bySeverity } from '../../core/verdict.ts';
import type { Core, Observed } from './core.ts';
import type { Observation, Incident, IncidentEvent } from '../incident/incident.ts';
import { recoveryOf } from '../incident/document.ts';
import {
  currentIncident,
  openIncidents,
  rootCause,
  sharingWith,
  withIncidents,
  type SiteState,
} from '../incident/state.ts';
import { refusalId, type Notification } from '../alerts/alert.ts';
import { HOLD_MS } from '../alerts/plan.ts';
import { transitionOf, withLocations } from '../incident/transition.ts';
import { locationStatusAfter } from '../locations.ts';
import { mergeEntries } from '../store/journal.ts';
import { MOST_RULES, seriesOf, type CheckRecord, type Entry, type Picture, type RunRecord } from '../store/store.ts';
import type { LocationResult } from './local-probe.ts';
import { compact, withoutPictures, type WatchedSite } from './watched-site.ts';
import type { CheckResult, Report, Verdict } from '../../core/check.ts';
import type { Finding } from '../../core/finding.ts';

/**
 * Applies an observation to the state of its site, and plans alerts. Returns what is to be written of it, in one piece.
 * `ticks`: how many moments of the schedule the run covers.
 */
export function applyObservation(core: Core, watched: WatchedSite, observation: Observed, ticks: number) {
  const { report, scope, probeSide, locations = [], settles } = observation;
  const causeOf = (incident: Incident): string | null => rootCauseIn(core, watched, incident);
  const transition = transitionOf(watched.state, observation, watched.policy, causeOf);
  const { state, events, suspicion } = transition;
  const { id } = watched.site;
  const results = probeSide === null ? report.checks.map((result) => withoutPictures(compact(result))) : [];
  const run = recordOf(id, observation, ticks);
  announceRefusal(core, watched, state);
  const joined = joinGroup(core, watched, events, observation.endedAt);
  const planned = core.alerts.plan(events, holdOf(core, watched, events));
  const pictures = picturesOf(observation, state, id);
  const ended = refusalEnded(core, watched, state);
  // Only now, with everything computed: what a bug stops before this is observed again by the next run.
  watched.state = state;
  for (const result of results) watched.results.set(result.id, result);
  if (probeSide === null && scope === 'core') watched.report = report;
  if (scope === 'core') countRun(watched, '', run.verdict);
  const entry: Entry = mergeEntries([
    joined,
    {
      runs: [run, ...locations.map((result) => noteLocation(watched, result, run))],
      states: new Map([[id, state]]),
      incidents: events.map(({ incident }) => incident),
      notifications: [...planned, ...ended],
      pictures,
      settles,
    },
  ]);
  for (const event of events) announce(core, event);
  if (suspicion !== null) core.options.log('info', `failure-${suspicion}`, { site: id });
  return { transition, entry };
}

/** That the host refused the monitor is not notified any more when it does not. */
function refusalEnded(core: Core, { site, state: before }: WatchedSite, after: SiteState): readonly Notification[] {
  const was = before?.refusal ?? null;
  return was === null || after.refusal?.since === was.since ? [] : core.alerts.close(refusalId(site.id, was));
}

function countRun({ runCounts }: WatchedSite, location: string, verdict: Verdict): void {
  const known = runCounts.get(location);
  runCounts.set(location, { ...known, [verdict]: (known?.[verdict] ?? 0) + 1 });
}

/** Notes what one location saw, and returns the run as it is kept of it. */
function noteLocation(watched: WatchedSite, { location, report, probeSide }: LocationResult, run: RunRecord) {
  const { durationMs, verdict } = report;
  const record = { ...run, site: seriesOf(run.site, location), durationMs, ...shownBy(report, verdict, probeSide) };
  if (run.scope === 'core') countRun(watched, location, record.verdict);
  watched.locations.set(location, locationStatusAfter(watched.locations.get(location), record, probeSide));
  return record;
}

/** Pages of a run whose good pictures are kept, and the largest picture. */
const MOST_GOOD = 10;
const MOST_BYTES = 200_000;

/** What a run in the browser shows of pages: the good ones, and the first bad one while an incident is open. */
function picturesOf({ report, endedAt: at }: Observation, state: SiteState, site: string): readonly Picture[] {
  const incident = currentIncident(state);
  const pages = report.checks.flatMap(({ rendered = [] }) => rendered);
  const pictures = pages.flatMap(({ route, isOk, screenshot: bytes }) => {
    if (bytes === null || bytes.length > MOST_BYTES || (!isOk && incident === null)) return [];
    return [{ site, incident: isOk ? null : (incident?.id ?? null), route, at, bytes }];
  });
  const isGood = (picture: Picture): boolean => picture.incident === null;
  return [...pictures.filter(isGood).slice(0, MOST_GOOD), ...pictures.filter((one) => !isGood(one)).slice(0, 1)];
}

/** The incident of another site with the root cause of one that opens; `null`: none. */
function rootCauseIn(core: Core, { url }: WatchedSite, incident: Incident): string | null {
  const { open, suspects } = othersThan(core, incident);
  return rootCause({ incident, url }, open, suspects);
}

/** The other sites' open incidents, and failures that are being confirmed. */
function othersThan({ watched: all }: Core, { site: id }: Incident) {
  const others = [...all.values()].filter(({ site }) => site.id !== id);
  const open = others.flatMap(({ state, url }) => openIncidents(state).map((incident) => ({ incident, url })));
  const suspects = others.flatMap(({ site, state, causes }) => {
    const { suspicion = null } = state?.scopes.core ?? {};
    return suspicion === null ? [] : [{ site: site.id, since: suspicion.since, causes }];
  });
  return { open, suspects };
}

/**
 * How long the first alert of an incident waits where another site fails alike, so that one alert names all. In a single run
 * it is shorter, for all sites are checked at the same time.
 */
const ONCE = { holdMs: 3_000, fewestSites: 3 } as const;

function holdOf(core: Core, { url }: WatchedSite, events: readonly IncidentEvent[]): number {
  const opened = events.find(({ kind }) => kind === 'opened')?.incident;
  if (opened === undefined || opened.sameAs !== null || (opened.causes ?? []).length === 0) return 0;
  if (core.isOnce) return core.watched.size >= ONCE.fewestSites ? ONCE.holdMs : 0;
  const { open, suspects } = othersThan(core, opened);
  return sharingWith({ incident: opened, url }, open, suspects).sites > 0 ? HOLD_MS : 0;
}

/** Incidents that opened before their group was large enough join it, unless a route was notified of them. */
function joinGroup(core: Core, { url }: WatchedSite, events: readonly IncidentEvent[], now: number): Entry {
  const opened = events.find(({ kind }) => kind === 'opened')?.incident;
  if (opened === undefined || opened.sameAs === null) return {};
  const { open, suspects } = othersThan(core, opened);
  const joining = sharingWith({ incident: opened, url }, open, suspects).incidents.map(({ incident }) => incident);
  return mergeEntries(
    joining.map((incident): Entry => {
      const other = core.watched.get(incident.site);
      if (incident.id === opened.sameAs || incident.sameAs !== null || !other?.state) return {};
      const joined = { ...incident, sameAs: opened.sameAs };
      const notifications = core.alerts.join(joined, now);
      if (notifications === null) return {};
      other.state = withIncidents(other.state, (one) => (one.id === joined.id ? joined : one));
      return { states: new Map([[incident.site, other.state]]), incidents: [joined], notifications };
    }),
  );
}

function announceRefusal({ options: { log } }: Core, { site, state: before }: WatchedSite, after: SiteState): void {
  const [was, is] = [before?.refusal ?? null, after.refusal ?? null];
  if (was === null && is !== null) {
    const { product = null, refusal = null, status = null } = is.evidence;
    log('warn', 'client-refused', { site: site.id, refusal, product, status });
  }
  if (was !== null && is === null) log('info', 'client-accepted', { site: site.id });
}

function announce({ options: { log }, incidentListeners }: Core, event: IncidentEvent): void {
  for (const listener of incidentListeners) listener(event);
  const { incident, kind } = event;
  const { durationMs, recoveryTimeObjectiveMet } = recoveryOf(incident);
  log(kind === 'recovered' ? 'info' : 'warn', `incident-${kind}`, {
    site: incident.site,
    incident: incident.id,
    verdict: incident.verdict,
    checks: incident.checks,
    rules: incident.rules,
    ...(kind === 'recovered'
      ? { durationMs, recoveryTimeObjectiveMs: incident.recoveryTimeObjectiveMs, recoveryTimeObjectiveMet }
      : {}),
    ...(incident.sameAs === null ? {} : { sameAs: incident.sameAs }),
    ...(incident.deploy === null ? {} : { deploy: incident.deploy.version }),
    ...(incident.flapping ? { flapping: true } : {}),
  });
}

/** A run as it is kept; `ticks`: how many moments of the schedule it covers. */
export function recordOf(site: string, observation: Observation, ticks: number): RunRecord {
  const { report, scope, startedAt, endedAt, maintenance, probeSide } = observation;
  return {
    site,
    scope,
    startedAt,
    durationMs: Math.max(0, endedAt - startedAt),
    maintenance,
    ticks,
    ...shownBy(report, withLocations(report.verdict, observation), probeSide),
  };
}

/** What was seen while it was us says nothing of the site. */
function shownBy({ checks }: Report, verdict: Verdict, probeSide: Observation['probeSide']) {
  return {
    verdict: probeSide === null ? verdict : ('unknown' as const),
    checks: checks.map((result) => checkRecord(result, probeSide !== null)),
  };
}

function checkRecord(
  { id, status, findings, httpStatus, attempts, timings, rendered }: CheckResult,
  probeSide: boolean,
): CheckRecord {
  return {
    id,
    status: probeSide && status === 'fail' ? 'unknown' : status,
    rules: rulesOf(id, findings),
    httpStatus,
    durationMs: rendered?.[0]?.headingMs ?? (attempts === 0 ? null : timings.totalMs),
  };
}

/** Everything beyond hints, gravest first, each once. */
function rulesOf(check: string, findings: readonly Finding[]): readonly string[] {
  const reported = findings.filter(({ severity }) => severity !== 'info').toSorted(bySeverity);
  return [...new Set(reported.map(({ rule }) => `${check}/${rule}`))].slice(0, MOST_RULES);
}
