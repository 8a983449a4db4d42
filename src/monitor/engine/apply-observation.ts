import type { Core } from './core.ts';
import type { Observation, Incident, IncidentEvent, Transition } from '../incident/incident.ts';
import { recoveryOf } from '../incident/document.ts';
import { openIncidents, rootCause, withIncidents } from '../incident/state.ts';
import { transitionOf } from '../incident/transition.ts';
import type { Log } from '../log/write.ts';
import type { RunCommit, CheckRecord, RunRecord } from '../store/store.ts';
import { compact, type WatchedSite } from './watched-site.ts';
import type { CheckResult, Finding } from '../../check.ts';

/**
 * Takes up what was seen of a site: its state, what happened, whom to tell; all of it is written in one piece. `ticks`:
 * how many moments of the schedule the run stands for.
 */
export function applyObservation(
  core: Core,
  watched: WatchedSite,
  observation: Observation,
  ticks: number,
): Transition {
  const { report, scope, isProbeSide } = observation;
  const transition = withRootCause(core, watched, transitionOf(watched.state, observation, watched.policy));
  const { state, events } = transition;
  const results = isProbeSide ? [] : report.checks.map(compact);
  const run = recordOf(watched.site.id, observation, ticks);
  const incidents = events.flatMap((event) => ('incident' in event ? [event.incident] : []));
  const outbox = core.book.plan(events);
  // Nothing is known before all of it is: what a defect of ours stops here is seen again by the next run.
  watched.state = state;
  for (const result of results) watched.results.set(result.id, result);
  if (!isProbeSide && scope === 'five') watched.report = report;
  core.writer.add(withOwed(watched, { run, state, incidents, outbox }));
  for (const event of events) logEvent(core.options.log, event);
  return transition;
}

/** A run, with what its site owes the database from before. */
function withOwed(watched: WatchedSite, commit: RunCommit): RunCommit {
  const { owed } = watched;
  if (owed === null) return commit;
  watched.owed = null;
  const { incidents, outbox } = commit;
  return {
    ...commit,
    incidents: [...owed.incidents, ...incidents],
    outbox: {
      add: [...owed.outbox.add, ...outbox.add],
      cancel: [...owed.outbox.cancel, ...outbox.cancel],
    },
  };
}

/** An incident that opens may be another site's as well. */
function withRootCause(core: Core, watched: WatchedSite, transition: Transition): Transition {
  const opened = transition.events.find(({ kind }) => kind === 'opened');
  if (opened?.kind !== 'opened') return transition;
  const others = [...core.watched.values()].flatMap(({ site, url, state }) => {
    return site.id === watched.site.id ? [] : openIncidents(state).map((incident) => ({ incident, url }));
  });
  const sameAs = rootCause({ incident: opened.incident, url: watched.url }, others);
  if (sameAs === null) return transition;
  const marked = (incident: Incident): Incident =>
    incident.id === opened.incident.id ? { ...incident, sameAs } : incident;
  const { state, events } = transition;
  return {
    ...transition,
    state: withIncidents(state, marked),
    events: events.map((event) => ('incident' in event ? { ...event, incident: marked(event.incident) } : event)),
  };
}

function logEvent(log: Log, event: IncidentEvent): void {
  if (event.kind === 'suspected' || event.kind === 'dismissed') {
    log('info', `failure-${event.kind}`, { site: event.site });
    return;
  }
  const { incident, kind } = event;
  const { durationMs, objectiveMet } = recoveryOf(incident);
  log(kind === 'recovered' ? 'info' : 'warn', `incident-${kind}`, {
    site: incident.site,
    incident: incident.id,
    verdict: incident.verdict,
    checks: incident.checks,
    codes: incident.codes,
    ...(kind === 'recovered' ? { durationMs, objectiveMs: incident.objectiveMs, objectiveMet } : {}),
    ...(incident.sameAs === null ? {} : { sameAs: incident.sameAs }),
    ...(incident.deploy === null ? {} : { deploy: incident.deploy.version }),
    ...(incident.flapping ? { flapping: true } : {}),
  });
}

/** Codes that are kept of a check. */
const MOST_RULES = 8;

const RANKS: Readonly<Record<Finding['severity'], number>> = { error: 0, unknown: 1, warning: 2, skip: 3, info: 4 };

/** A run as it is kept; `ticks`: how many moments of the schedule it stands for. */
export function recordOf(site: string, observation: Observation, ticks: number): RunRecord {
  const { report, scope, startedAt, endedAt, maintenance, isProbeSide } = observation;
  return {
    site,
    scope,
    startedAt,
    durationMs: Math.max(0, endedAt - startedAt),
    verdict: isProbeSide ? 'unknown' : report.verdict,
    maintenance,
    ticks,
    checks: report.checks.map((result) => checkRecord(result, isProbeSide)),
  };
}

function checkRecord(
  { id, status, findings, httpStatus, attempts, timings }: CheckResult,
  probeSide: boolean,
): CheckRecord {
  return {
    id,
    // What was seen while it was us says nothing of the site.
    status: probeSide && status === 'fail' ? 'unknown' : status,
    codes: rulesOf(findings),
    httpStatus,
    durationMs: attempts === 0 ? null : timings.totalMs,
  };
}

/** What is no mere hint, gravest first, each once. */
function rulesOf(findings: readonly Finding[]): readonly string[] {
  const reported = findings
    .filter(({ severity }) => severity !== 'info')
    .toSorted((a, b) => RANKS[a.severity] - RANKS[b.severity]);
  return [...new Set(reported.map(({ rule }) => rule))].slice(0, MOST_RULES);
}
