/** What an alert says, before it takes the format of a channel: in words, and as JSON. Pure. */
import { baseHref } from '../../core/base-url.ts';
import { printable } from '../../text/printable.ts';
import { cutText } from '../../report/cut.ts';
import { factLines } from '../../report/facts.ts';
import { shownLocation } from '../../report/location.ts';
import { frameLines } from '../../report/terminal.ts';
import { withHost, type Texts } from '../../report/texts.ts';
import { DAY_MS, HOUR_MS, iso, MINUTE_MS, SECOND_MS, timeOf } from '../../core/time.ts';
import { incidentDocument, rtoOf, ruleName } from '../incident/document.ts';
import type { Incident, IncidentFinding } from '../incident/incident.ts';
import type { MonitoredSite } from '../settings.ts';
import type { Alert, SiteFinding } from './alert.ts';
import type { AlertsWords } from '../../generated/locales/alerts.ts';

/** An alert in words. Every string is printable: one line, nothing in it that moves, colours or reorders. */
export type Message = ReturnType<typeof incidentMessage>;

export interface MessageContext {
  /** `null`: it was removed from the configuration. */
  readonly site: MonitoredSite | null;
  readonly words: AlertsWords;
  /** With the texts of the site's own checks. */
  readonly texts: Texts;
  readonly now: number;
  readonly page: string | null;
}

const MOST_FINDINGS = 8;
const MOST_NEW_FINDINGS = 20;
const MOST_EVIDENCE = 4;
const LONGEST_EVIDENCE = 200;
const LONGEST_NAME = 100;
const MOST_NAMES = 12;
const MOST_IN_SUBJECT = 4;

export function messageOf(alert: Alert, context: MessageContext): Message {
  const { notice, refusedBy, newFindings } = alert;
  const texts = refusedBy === undefined ? context.texts : withHost(context.texts, refusedBy);
  const message = incidentMessage(alert, { ...context, texts });
  if (notice === undefined) return message;
  const facts = message.facts.filter(({ label }) => label === context.words.labels.detected);
  if (newFindings !== undefined)
    return { ...message, ...listOf(newFindings, { ...context, texts }), facts, newFindings };
  if (notice === 'refused') {
    const { subject: about, meaning } = context.words.notices.refused;
    const title = cutText(printable(refusedBy?.title ?? ''), LONGEST_NAME);
    return { ...message, subject: about(title), lines: [meaning], facts };
  }
  if (notice === 'findings') return message;
  const { subject, problem, fix } = context.words.notices[notice];
  const finding = { rule: `monitor/database-${notice}`, title: subject, problem, fix, evidence: [], excerpt: [] };
  return { ...message, subject, lines: [], facts, findings: [finding] };
}

/** The list of new findings. With several sites, each finding names its own. */
function listOf(all: readonly SiteFinding[], { words, texts }: MessageContext) {
  const titles = [...new Set(all.map(({ site }) => cutText(printable(site.title), LONGEST_NAME)))];
  const shown = titles.length > MOST_IN_SUBJECT ? [...titles.slice(0, MOST_IN_SUBJECT), '…'] : titles;
  const findings = all.slice(0, MOST_NEW_FINDINGS).map(({ site, finding }) => {
    const inWords = findingIn(finding, texts);
    if (titles.length === 1) return inWords;
    return { ...inWords, title: `${cutText(printable(site.title), LONGEST_NAME)}${words.colon}${inWords.title}` };
  });
  const { subject, meaning } = words.notices.findings;
  return {
    subject: subject(all.length, shown),
    lines: [meaning],
    findings,
    more: all.length > findings.length ? words.more(all.length - findings.length) : null,
  };
}

function incidentMessage(alert: Alert, context: MessageContext) {
  const { key, event, incident, goesOn = null } = alert;
  const { site, words, texts, page } = context;
  const title = cutText(printable(site?.title ?? incident.site), LONGEST_NAME);
  const findings = event === 'recovered' ? [] : incident.findings;
  const lasting = durationIn((incident.recoveredAt ?? context.now) - incident.startedAt, words);
  const subject =
    goesOn === null ? words.subject(event, incident.verdict, title, lasting) : words.upAgain(goesOn, title, lasting);
  return {
    key,
    event,
    language: texts.language,
    site: { id: incident.site, title, url: baseHref(site?.url ?? null) },
    incident,
    /** Of a recovery: the verdict of another incident that is still open at the site; `null`: none. */
    goesOn,
    isTest: alert.test === true,
    /** New findings, which this is about instead of an incident; `null`: it is not. */
    newFindings: null as readonly SiteFinding[] | null,
    /** What happened to which site, as the first line. */
    subject: alert.test === true ? `${words.test} ${subject}` : subject,
    /** Sentences, with code in backticks, the most important ones first. */
    lines: linesOf(alert, context),
    facts: factsAbout(incident, words, texts),
    /** What fails now, most severe first; empty once it is over. */
    findings: findings.slice(0, MOST_FINDINGS).map((finding) => findingIn(finding, texts)),
    /** How many findings are left out; `null`: none. */
    more: findings.length > MOST_FINDINGS ? words.more(findings.length - MOST_FINDINGS) : null,
    /** Address of the status page; `null`: unknown. */
    page: page === null ? null : page.replace(/\/*$/, '/'),
    words,
  };
}

function linesOf({ event, incident, goesOn, alsoSites, test }: Alert, { words, now }: MessageContext): string[] {
  const { deploy, flapping } = incident;
  const meant = event === 'recovered' ? goesOn : incident.verdict;
  const others = alsoSites.slice(0, MOST_NAMES).map((name) => printable(name));
  const before = deploy?.before ?? null;
  return [
    test === true && words.testNote,
    meant !== undefined && words.meaning[meant],
    objectiveLine(incident, now, words),
    others.length > 0 && words.also(alsoSites.length > MOST_NAMES ? [...others, '…'] : others),
    deploy && words.deploy(quoted(deploy.version), before === null ? null : quoted(before), timeOf(deploy.seenAt)),
    flapping && words.flapping,
  ].filter((line) => typeof line === 'string');
}

/** `recovered in 41 s, recovery time objective 60 s: met` */
function objectiveLine(incident: Incident, now: number, words: AlertsWords): string {
  const { recoveryTimeObjectiveMs, recoveredAt } = incident;
  const { elapsedMs, isWithin } = rtoOf(incident, now);
  const objective = durationIn(recoveryTimeObjectiveMs, words);
  if (recoveredAt === null) return words.objective(objective, !isWithin);
  // Rounded to the same second, a miss would read like a hit.
  const isClose = Math.abs(elapsedMs - recoveryTimeObjectiveMs) < 1_000;
  return words.recovered(durationIn(elapsedMs, words, isClose), objective, isWithin);
}

const LENGTHS = { day: DAY_MS, hour: HOUR_MS, minute: MINUTE_MS, second: SECOND_MS };
/** A longer duration is written in two units. */
const SCALES = [
  ['day', 'hour'],
  ['hour', 'minute'],
  ['minute', 'second'],
] as const;

/**
 * A duration for people: `4.2 s`, `41 s`, `2 min 5 s`, `3 h 10 min`, `2 d 4 h`. Less than two minutes are seconds, so
 * that they compare with an objective of 60 s. `exact`: with tenths whatever their size.
 */
export function durationIn(ms: number, { units, decimal }: AlertsWords, exact = false): string {
  if (ms < 2 * MINUTE_MS) {
    const tenths = exact || ms < 10 * SECOND_MS;
    const seconds = tenths ? Math.round(ms / 100) / 10 : Math.round(ms / SECOND_MS);
    return `${String(seconds).replace('.', decimal)} ${units.second}`;
  }
  const [large, small] = SCALES.find(([unit]) => ms >= LENGTHS[unit]) ?? SCALES[2];
  const rest = Math.floor((ms % LENGTHS[large]) / LENGTHS[small]);
  return `${Math.floor(ms / LENGTHS[large])} ${units[large]}${rest === 0 ? '' : ` ${rest} ${units[small]}`}`;
}

function factsAbout(incident: Incident, words: AlertsWords, texts: Texts) {
  const { labels } = words;
  const clocks = [
    [words.started[incident.startedBy ?? 'good-round'], incident.startedAt],
    [labels.detected, incident.detectedAt],
    [labels.notified, incident.notifiedAt],
    [labels.recovered, incident.recoveredAt],
  ] as const;
  return [
    { label: labels.checks, value: names(incident.checks.map((id) => texts.titled(id))) },
    { label: labels.rules, value: names(incident.rules) },
    ...clocks.flatMap(([label, at]) => (at === null ? [] : [{ label, value: timeOf(at) }])),
    { label: labels.incident, value: printable(incident.id) },
  ];
}

function names(all: readonly string[]): string {
  const shown = all.slice(0, MOST_NAMES).map(shortName);
  return [...shown, ...(all.length > MOST_NAMES ? [`… +${all.length - MOST_NAMES}`] : [])].join(', ');
}

/** What the site sent, within a sentence: as code, in which no channel looks for markup. */
function quoted(name: string): string {
  return `\`${shortName(name).replaceAll('`', 'ˋ')}\``;
}

function shortName(name: string): string {
  return cutText(printable(name), LONGEST_NAME);
}

export type MessageFinding = ReturnType<typeof findingIn>;

function findingIn(finding: IncidentFinding, texts: Texts) {
  const { check, rule: id, evidence, location } = finding;
  const text = texts.finding(check, ruleName(id));
  const facts = factLines(evidence, texts.language);
  const lines = [...(location === null ? [] : [shownLocation(location)]), ...facts];
  const rule = shortName(id);
  return {
    /** `navigation/spa-fallback`. */
    rule,
    title: printable(texts.title(check)),
    /** Like the fix with code in backticks. */
    problem: printable(text?.problem ?? rule),
    /** Empty if none is known. */
    fix: (text?.fix ?? '').split('\n').map(printable).join('\n'),
    /** What the site sent and where: untrusted, printable, short. */
    evidence: lines.slice(0, MOST_EVIDENCE).map((line) => cutText(line, LONGEST_EVIDENCE)),
    /** The lines around the fault with a caret under it; empty if there are none. */
    excerpt: frameLines(finding),
  };
}

const MOST_DOCUMENT_FINDINGS = 50;

export type AlertDocument = ReturnType<typeof alertDocument>;

/** The keys of a finding. `problem` and `fix` are Markdown with no markup but code. */
function findingDocument(finding: IncidentFinding, { problem, fix }: Record<'problem' | 'fix', string>) {
  const { check, rule, location } = finding;
  return {
    check,
    rule,
    problem,
    fix,
    /** `line` and `column` count from 1; `null`: the fault has no location in a text. */
    location,
    /** The lines around it, with a caret under the fault. */
    excerpt: frameLines(finding).join('\n') || null,
  };
}

/** New findings, each with its site. */
function findingsDocument({ key, site, language }: Message, all: readonly SiteFinding[], texts: Texts) {
  return {
    id: key,
    event: 'findings' as const,
    site: { id: site.id, url: site.url },
    incident: null,
    findings: all.slice(0, MOST_DOCUMENT_FINDINGS).map(({ site: { id }, finding }) => {
      const { check, rule, evidence, since } = finding;
      const { problem = rule, fix = '' } = texts.finding(check, ruleName(rule)) ?? {};
      return { site: id, ...findingDocument(finding, { problem, fix }), evidence, since: iso(since) };
    }),
    language,
  };
}

/** The alert as JSON: the body of a webhook, and the standard input of a command. Receivers rely on exactly these keys. */
export function alertDocument(message: Message, texts: Texts) {
  const { key, event, site, incident, findings, isTest, newFindings } = message;
  if (newFindings !== null) return findingsDocument(message, newFindings, texts);
  return {
    /** The same as in `Idempotency-Key`: stable when the alert is sent again. */
    id: key,
    event,
    /** Only in a test of a route. */
    ...(isTest ? { test: true } : {}),
    /** `url` without credentials; `null` if the site was removed from the configuration. */
    site: { id: site.id, url: site.url },
    incident: incidentDocument(incident),
    /** What fails; of an incident that is over, what failed last. */
    findings: incident.findings.slice(0, MOST_DOCUMENT_FINDINGS).map((finding) => {
      const { check, rule } = finding;
      const text = texts.finding(check, ruleName(rule)) ?? findings.find((one) => one.rule === rule);
      return findingDocument(finding, { problem: text?.problem ?? rule, fix: text?.fix ?? '' });
    }),
    language: texts.language,
  };
}

/** The message as plain text, with an empty line between its parts. */
export function plainLines(message: Message): readonly string[] {
  const { lines, findings, more, facts, site, page, words } = message;
  const { labels, colon } = words;
  return [
    ...lines,
    '',
    ...findings.flatMap(({ rule, title, problem, fix, evidence, excerpt }) => [
      `${title} (${rule})`,
      problem,
      ...(fix === '' ? [] : [`${labels.fix}${colon}${fix}`]),
      ...[...evidence, ...excerpt].map((line) => `    ${line}`),
      '',
    ]),
    ...(more === null ? [] : [more, '']),
    ...facts.map(({ label, value }) => `${label}${colon}${value}`),
    ...(site.url === null ? [] : [`${labels.site}${colon}${site.url}`]),
    ...(page === null ? [] : [`${labels.statusPage}${colon}${page}`]),
  ];
}

export function linksOf({ site, page, words }: Message) {
  const links = [[words.labels.openSite, site.url] as const, [words.labels.statusPage, page] as const];
  return links.flatMap(([label, url]) => (url === null ? [] : [{ label, url }]));
}
