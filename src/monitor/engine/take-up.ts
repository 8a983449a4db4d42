import type { Core } from './core.ts';
import type { Observation, Incident, IncidentEvent, Transition } from '../incident/incident.ts';
import { recoveryOf } from '../incident/document.ts';
import { openIncidents } from '../incident/open.ts';
import { rootCause } from '../incident/root-cause.ts';
import { transit } from '../incident/transit.ts';
import type { Log } from '../log/log.ts';
import type { RoundCommit } from '../store/store.ts';
import { recordOf } from './record.ts';
import { compact, type Watched } from './watched.ts';

/**
 * Takes up what was seen of a site: its state, what happened, whom to tell; all of it is written in one piece. `ticks`:
 * how many moments of the schedule the round stands for.
 */
export function takeUp(core: Core, watched: Watched, observation: Observation, ticks: number): Transition {
  const { report, scope, ours } = observation;
  const transition = withRootCause(core, watched, transit(watched.state, observation, watched.policy));
  const { state, events } = transition;
  const results = ours ? [] : report.checks.map(compact);
  const round = recordOf(watched.site.id, observation, ticks);
  const incidents = events.flatMap((event) => ('incident' in event ? [event.incident] : []));
  const outbox = core.book.plan(events);
  // Nothing is known before all of it is: what a defect of ours stops here is seen anew by the next round.
  watched.state = state;
  for (const result of results) watched.results.set(result.id, result);
  if (!ours && scope === 'five') watched.report = report;
  core.writer.add(withOwed(watched, { round, state, incidents, outbox }));
  for (const event of events) tell(core.options.log, event);
  return transition;
}

/** A round, with what its site owes the database from before. */
function withOwed(watched: Watched, commit: RoundCommit): RoundCommit {
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
function withRootCause(core: Core, watched: Watched, transition: Transition): Transition {
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
    state: { ...state, incident: state.incident === null ? null : marked(state.incident) },
    events: events.map((event) => ('incident' in event ? { ...event, incident: marked(event.incident) } : event)),
  };
}

function tell(log: Log, event: IncidentEvent): void {
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
