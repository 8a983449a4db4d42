/** Whether a rehearsal came to what its script says: a list of what did not, empty when all is well. */
import type { IncidentDocument } from '../../../src/monitor/incident/document.ts';
import type { Outcome, Played } from './rehearse.ts';

/** How long a run may take on a busy machine, in ms. */
const RUN_MS = 2000;

/** Everything that is not as it should be, in words. Clocks are held against what was done, and not against a limit. */
export function mistakesOf(outcome: Outcome): readonly string[] {
  const wanted = outcome.played.filter(({ act }) => act.expected !== null);
  if (wanted.length !== outcome.incidents.length) {
    const told = outcome.incidents.map(({ id, rules }) => `${id} ${rules.join(',')}`);
    return [`${wanted.length} incidents were expected, there are ${outcome.incidents.length}: ${told.join('; ')}`];
  }
  return [
    ...wanted.flatMap((played, index) => {
      const incident = outcome.incidents[index];
      return incident === undefined ? [] : [...incidentMistakes(played, incident), ...alertMistakes(incident, outcome)];
    }),
    ...(outcome.status === 0 ? [] : [`the monitor ended with ${outcome.status}`]),
    ...['docvitals_check_status', 'docvitals_site_info'].flatMap((name) =>
      outcome.metrics.includes(name) ? [] : [`no metric begins with ${name}`],
    ),
    ...outcome.incidents.flatMap(({ id }) => (outcome.page.includes(id) ? [] : [`the page does not tell ${id}`])),
  ];
}

function incidentMistakes({ act, beganAt, mendedAt }: Played, incident: IncidentDocument): readonly string[] {
  const time = (text: string | null): number => (text === null ? NaN : Date.parse(text));
  const started = time(incident.startedAt);
  const detected = time(incident.detectedAt);
  const recovered = time(incident.recoveredAt);
  const duration = recovered - started;
  const rows: readonly (readonly [string, boolean])[] = [
    [`verdict ${incident.verdict}`, incident.verdict === act.expected?.verdict],
    [`checks ${incident.checks.join(',')}`, same(incident.checks, act.expected?.checks)],
    [`rules ${incident.rules.join(',')}`, same(incident.rules, act.expected?.rules)],
    // An incident begins when the last good run ended, which may have read the file before it was replaced.
    ['it began while all was well', started <= beganAt + RUN_MS],
    ['it was detected after that', detected >= beganAt && started <= detected],
    ['it was told after that', time(incident.notifiedAt) >= detected],
    ['it recovered after the fault was mended', recovered >= mendedAt],
    [`duration ${incident.durationMs}`, incident.durationMs === duration],
    [
      `objective ${incident.recoveryTimeObjectiveMet}`,
      incident.recoveryTimeObjectiveMet === duration <= incident.recoveryTimeObjectiveMs,
    ],
  ];
  return rows.flatMap(([what, holds]) => (holds ? [] : [`${act.name}: not so: ${what}`]));
}

function same(told: readonly string[], wanted: readonly string[] = []): boolean {
  return told.toSorted().join(' ') === wanted.toSorted().join(' ');
}

/** One `opened`, then one `recovered`, however often they were sent; every copy with the same key. */
function alertMistakes({ id }: IncidentDocument, { received }: Outcome): readonly string[] {
  const about = received.filter(({ body }) => body.incident.id === id);
  const keys = new Map(about.map(({ key, body }) => [key, body.event]));
  const events = [...keys.values()].filter((event) => event !== 'reminder');
  const hasFix = about.every(({ body }) => body.event === 'recovered' || body.findings.every(({ fix }) => fix !== ''));
  return [
    ...(events.join(' ') === 'opened recovered' ? [] : [`${id}: told ${events.join(' ') || 'nothing'}`]),
    ...(hasFix ? [] : [`${id}: a finding has no fix`]),
  ];
}
