import { STYLE_OF, type Style } from '../../report/terminal.ts';
import { VERDICT_STATUS } from '../../core/verdict.ts';
import type { Texts } from '../../report/texts.ts';
import { table } from '../../text/width.ts';
import type { Status } from '../../core/check.ts';
import { printable } from '../../text/printable.ts';
import type { Language } from '../../locales/language.ts';
import { percentOf, uptimeOf } from '../page/uptime.ts';
import type { Bucket, CheckRecord, RunRecord } from '../store/store.ts';
import type { History } from './documents.ts';
import { timeOf } from '../../core/time.ts';
import { numberIn } from '../../locales/format.ts';
import { messagesIn } from '../../locales/messages.ts';
import { historyWords } from '../../generated/locales/history.ts';
import { durationIn } from '../alerts/message.ts';
import { rtoOf } from '../incident/document.ts';
import type { Incident } from '../incident/incident.ts';
import { alertsWords, type AlertsWords } from '../../generated/locales/alerts.ts';

type Context = ReturnType<typeof contextOf>;

function contextOf(language: Language, style: Style) {
  const messages = messagesIn(language);
  const percent = new Intl.NumberFormat(language, { style: 'percent', minimumFractionDigits: 2 });
  return { language, style, messages, percent, words: historyWords(language), alertWords: alertsWords(language) };
}

export function prettyHistory(history: History, language: Language, style: Style): string {
  const context = contextOf(language, style);
  const { words } = context;
  const { site, location = null } = history;
  const series = location === null ? site : `${site} (${location})`;
  if (history.entries.length === 0) return `${words.noHistory(printable(series))}\n`;
  const titles = (...names: readonly (keyof typeof words.columns)[]) =>
    names.map((name) => style.quiet(words.columns[name]));
  if (history.resolution === 'run') {
    const rows = history.entries.map((run) => runRow(run, context));
    return table([titles('time', 'verdict', 'duration', 'findings'), ...rows], [2]);
  }
  const isDay = history.resolution === 'day';
  const rows = history.entries.map((bucket) => bucketRow(bucket, isDay, context));
  return table([titles('time', 'up', 'rounds', 'mean', 'p95', 'slowest', 'verdict'), ...rows], [1, 2, 3, 4, 5]);
}

function bucketRow(bucket: Bucket, isDay: boolean, context: Context): string[] {
  const { style, language, messages, percent } = context;
  const share = uptimeOf([bucket]);
  return [
    timeOf(bucket.at).slice(0, isDay ? 10 : 16),
    style[STYLE_OF[worst(bucket)]](share === null ? '–' : percent.format(percentOf(share) / 100)),
    numberIn(language, bucket.runs),
    ...[bucket.meanMs, bucket.p95Ms, bucket.maxMs].map((ms) => (ms === null ? '–' : messages.milliseconds(ms))),
    countsOf(bucket, context),
  ];
}

function countsOf(bucket: Bucket, { messages, words, language }: Context): string {
  const verdicts = (['down', 'degraded', 'stale', 'unknown'] as const).map(
    (verdict) => [bucket[verdict], messages.verdicts[verdict]] as const,
  );
  return [...verdicts, [bucket.maintenance, words.maintenance] as const]
    .filter(([count]) => count > 0)
    .map(([count, name]) => `${name} ${numberIn(language, count)}`)
    .join(', ');
}

function worst({ healthy, degraded, down, stale }: Bucket): Status {
  if (down > 0) return 'fail';
  return degraded + stale > 0 || healthy === 0 ? 'warn' : 'pass';
}

function runRow(run: RunRecord, { style, messages, words }: Context): string[] {
  const { startedAt, verdict, scope, maintenance, durationMs, checks } = run;
  const notes = [...(scope === 'core' ? [] : [words.deepRuns[scope]]), ...(maintenance ? [words.maintenance] : [])];
  return [
    timeOf(startedAt).slice(0, 19),
    style[STYLE_OF[VERDICT_STATUS[verdict]]]([messages.verdicts[verdict], ...notes].join(', ')),
    messages.milliseconds(durationMs),
    checks.flatMap(findingsOf).join(' '),
  ];
}

/** `navigation/no-links`, as `docvitals explain` takes it. */
function findingsOf({ status, rules }: CheckRecord): string[] {
  if (status === 'pass') return [];
  return rules.map(printable);
}

/** `texts`: the titles of checks. */
export function prettyIncidents(incidents: readonly Incident[], now: number, texts: Texts, style: Style): string {
  const context = contextOf(texts.language, style);
  return incidents.map((incident) => `${paragraph(incident, now, texts, context).join('\n')}\n`).join('\n');
}

function paragraph(incident: Incident, now: number, texts: Texts, context: Context): string[] {
  const { words, alertWords, messages, style } = context;
  const { labels } = alertWords;
  const { site, id, verdict, startedAt, notifiedAt, recoveredAt, checks, rules, flapping, deploy, sameAs } = incident;
  const colour = recoveredAt === null ? style.bad : style.quiet;
  // The time, and how long that was after the beginning.
  const clock = (ms: number): string =>
    `${timeOf(ms)} (${words.after(durationIn(Math.max(0, ms - startedAt), alertWords))})`;
  // One that shares its cause with another is reported with that.
  const unnotified = sameAs === null ? words.nobodyNotified : words.notifiedWith(printable(sameAs));
  const facts: readonly (readonly [name: string, value: string])[] = [
    [alertWords.started[incident.startedBy ?? 'good-round'], timeOf(startedAt)],
    [labels.detected, clock(incident.detectedAt)],
    [labels.notified, notifiedAt === null ? unnotified : clock(notifiedAt)],
    ...(recoveredAt === null ? [] : [[labels.recovered, clock(recoveredAt)] as const]),
    [labels.checks, printable(checks.map((check) => texts.titled(check)).join(', '))],
    [labels.rules, printable(rules.join(', '))],
  ];
  const width = Math.max(...facts.map(([name]) => name.length));
  return [
    `${colour(`● ${messages.verdicts[verdict]}`)}  ${style.strong(printable(site))}  ${outcome(incident, now, context)}`,
    ...facts.map(([name, value]) => `  ${style.quiet(name.padEnd(width))}  ${value}`),
    ...(deploy === null ? [] : [`  ${deployLine(deploy, alertWords)}`]),
    ...(flapping ? [`  ${alertWords.flapping}`] : []),
    `  ${style.quiet(printable(id))}`,
  ];
}

/** `recovered in 41 s, objective 60 s: met` */
function outcome(incident: Incident, now: number, { words, alertWords, style }: Context): string {
  const rto = durationIn(incident.recoveryTimeObjectiveMs, alertWords);
  const { elapsedMs, isWithin } = rtoOf(incident, now);
  const duration = durationIn(elapsedMs, alertWords);
  if (incident.recoveredAt === null) return `${words.open(duration)}, ${alertWords.objective(rto, !isWithin)}`;
  return (isWithin ? style.good : style.bad)(alertWords.recovered(duration, rto, isWithin));
}

function deployLine({ version, before, seenAt }: NonNullable<Incident['deploy']>, words: AlertsWords): string {
  return words.deploy(printable(version), before === null ? null : printable(before), timeOf(seenAt));
}
