import { printable } from '../../printable.ts';
import type { Style } from '../../report/terminal.ts';
import { countedWords, startLabel } from '../alerts/message.ts';
import { rtoOf } from '../incident/document.ts';
import type { Incident } from '../incident/incident.ts';
import type { Messages } from '../../locales/messages.ts';
import { durationIn, timeOf } from '../alerts/times.ts';
import type { AlertsWords } from '../../generated/locales/alerts.ts';
import type { HistoryWords } from '../../generated/locales/history.ts';

export interface IncidentsContext {
  readonly words: HistoryWords;
  readonly alertWords: AlertsWords;
  readonly messages: Messages;
  readonly style: Style;
  readonly now: number;
}

/** A paragraph for each, its four clocks among it. */
export function prettyIncidents(incidents: readonly Incident[], context: IncidentsContext): string {
  return incidents.map((incident) => `${paragraph(incident, context).join('\n')}\n`).join('\n');
}

function paragraph(incident: Incident, context: IncidentsContext): string[] {
  const { words, alertWords, messages, style } = context;
  const { labels } = alertWords;
  const { site, id, verdict, startedAt, notifiedAt, recoveredAt, checks, codes, flapping, deploy, sameAs } = incident;
  const colour = recoveredAt === null ? style.bad : style.quiet;
  // The time, and how long that was after the beginning.
  const clock = (ms: number): string =>
    `${timeOf(ms)} (${words.after(durationIn(Math.max(0, ms - startedAt), alertWords))})`;
  // One that shares its cause with another is reported with that.
  const unnotified = sameAs === null ? words.nobodyNotified : words.notifiedWith(printable(sameAs));
  const facts: readonly (readonly [name: string, value: string])[] = [
    [startLabel(incident, alertWords), timeOf(startedAt)],
    [labels.detected, clock(incident.detectedAt)],
    [labels.notified, notifiedAt === null ? unnotified : clock(notifiedAt)],
    ...(recoveredAt === null ? [] : [[labels.recovered, clock(recoveredAt)] as const]),
    [labels.checks, printable(checks.join(', '))],
    [labels.codes, printable(codes.join(', '))],
  ];
  const width = Math.max(...facts.map(([name]) => name.length));
  return [
    `${colour(`● ${messages.verdicts[verdict]}`)}  ${style.strong(printable(site))}  ${outcome(incident, context)}`,
    ...facts.map(([name, value]) => `  ${style.quiet(name.padEnd(width))}  ${value}`),
    ...(deploy === null ? [] : [`  ${deployLine(deploy, alertWords)}`]),
    ...(flapping ? [`  ${alertWords.flapping}`] : []),
    `  ${style.quiet(printable(id))}`,
  ];
}

/** `recovered in 41 s, objective 60 s: met` */
function outcome(incident: Incident, { words, alertWords, style, now }: IncidentsContext): string {
  const rto = durationIn(incident.objectiveMs, alertWords);
  const { elapsedMs, isWithin } = rtoOf(incident, now);
  const duration = countedWords(incident, alertWords)(durationIn(elapsedMs, alertWords));
  if (incident.recoveredAt === null) return `${words.open(duration)}, ${alertWords.objective(rto, !isWithin)}`;
  return (isWithin ? style.good : style.bad)(alertWords.recovered(duration, rto, isWithin));
}

function deployLine({ version, before, seenAt }: NonNullable<Incident['deploy']>, words: AlertsWords): string {
  return words.deploy(printable(version), before === null ? null : printable(before), timeOf(seenAt));
}
