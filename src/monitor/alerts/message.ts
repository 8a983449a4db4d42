/** What an alert says, before it takes the form of a channel. Pure. */
import { parseBaseUrl } from '../../base-url.ts';
import { printable } from '../../printable.ts';
import { cutText } from '../../report/cut.ts';
import { factLines, locationText } from '../../report/facts.ts';
import { frameLines } from '../../report/plain-findings.ts';
import type { Language, Texts } from '../../texts.ts';
import { rtoOf } from '../incident/document.ts';
import type { Incident, IncidentFinding } from '../incident/incident.ts';
import type { IncidentVerdict, MonitoredSite } from '../settings.ts';
import type { AlertEvent } from './outbox.ts';
import type { Alert } from './send.ts';
import { durationIn, timeOf } from './words/time.ts';
import type { AlertWords } from './words/words.ts';

/** An alert in words. Every string is printable: one line, nothing in it that moves, colours or reorders. */
export interface Message {
  readonly key: string;
  readonly event: AlertEvent;
  readonly language: Language;
  readonly site: { readonly id: string; readonly title: string; readonly url: string | null };
  readonly incident: Incident;
  /** Of an end: what the site is all the same; `null`: nothing. */
  readonly goesOn: IncidentVerdict | null;
  readonly isTest: boolean;
  /** What happened to which site, as the first line. */
  readonly subject: string;
  /** Sentences of ours with code in backticks, the most important ones first. */
  readonly lines: readonly string[];
  /** Clocks and names, each as `label: value`. */
  readonly facts: readonly { readonly label: string; readonly value: string }[];
  /** What fails now, gravest first; empty once it is over. */
  readonly findings: readonly ToldFinding[];
  /** How many findings are not told. */
  readonly more: string | null;
  /** Where the status page is; `null`: not known. */
  readonly page: string | null;
  readonly words: AlertWords;
}

/** A finding in words. */
export interface ToldFinding {
  readonly check: string;
  readonly code: string;
  /** The check's title. */
  readonly title: string;
  /** Ours, with code in backticks. */
  readonly problem: string;
  /** What to do; ours, with code in backticks. Empty where nothing is known. */
  readonly fix: string;
  /** What the site sent and where: untrusted, printable, short. */
  readonly seen: readonly string[];
  /** The lines around the fault with a caret under it; empty where there are none. */
  readonly frame: readonly string[];
}

/** Whom and how it is told. */
export interface Telling {
  /** `null`: it is not in the configuration any more. */
  readonly site: MonitoredSite | null;
  readonly words: AlertWords;
  /** With those of the site's own checks. */
  readonly texts: Texts;
  /** ms since 1970. */
  readonly now: number;
  /** The status page's address; `null`: not known. */
  readonly page: string | null;
}

const MOST_FINDINGS = 8;
const MOST_SEEN = 4;
const LONGEST_SEEN = 200;
const LONGEST_NAME = 100;
const MOST_NAMES = 12;

/** Puts an alert into words. */
export function messageOf(alert: Alert, telling: Telling): Message {
  const message = incidentMessage(alert, telling);
  if (alert.notice === undefined) return message;
  const { subject, problem, fix } = telling.words.notices[alert.notice];
  const facts = message.facts.filter(({ label }) => label === telling.words.labels.detected);
  const finding = {
    check: 'monitor',
    code: `database-${alert.notice}`,
    title: subject,
    problem,
    fix,
    seen: [],
    frame: [],
  };
  return { ...message, subject, lines: [], facts, findings: [finding] };
}

function incidentMessage(alert: Alert, telling: Telling): Message {
  const { key, event, incident, goesOn = null } = alert;
  const { site, words, texts, page } = telling;
  const title = cutText(printable(site?.title ?? incident.site), LONGEST_NAME);
  const findings = event === 'recovered' ? [] : incident.findings;
  const lasting = durationIn((incident.recoveredAt ?? telling.now) - incident.startedAt, words);
  const subject =
    goesOn === null ? words.subject(event, incident.verdict, title, lasting) : words.upAgain(goesOn, title, lasting);
  return {
    key,
    event,
    language: texts.language,
    site: { id: incident.site, title, url: shownUrl(site) },
    incident,
    goesOn,
    isTest: alert.test === true,
    subject: alert.test === true ? `${words.test} ${subject}` : subject,
    lines: linesOf(alert, telling),
    facts: factsAbout(incident, words),
    findings: findings.slice(0, MOST_FINDINGS).map((finding) => toldFinding(finding, texts)),
    more: findings.length > MOST_FINDINGS ? words.more(findings.length - MOST_FINDINGS) : null,
    page: page === null ? null : page.replace(/\/*$/, '/'),
    words,
  };
}

/** The site's address without what is secret in it. */
function shownUrl(site: Pick<MonitoredSite, 'url'> | null): string | null {
  const parsed = site === null ? null : parseBaseUrl(site.url);
  return parsed?.ok === true ? parsed.base.href : null;
}

function linesOf({ event, incident, goesOn, alsoSites, test }: Alert, { words, now }: Telling): readonly string[] {
  const { deploy } = incident;
  const meant = event === 'recovered' ? goesOn : incident.verdict;
  const others = alsoSites.slice(0, MOST_NAMES).map((name) => printable(name));
  return [
    ...(test === true ? [words.testNote] : []),
    ...(meant === undefined ? [] : [words.meaning[meant]]),
    objectiveLine(incident, now, words),
    ...(others.length === 0 ? [] : [words.also(alsoSites.length > MOST_NAMES ? [...others, '…'] : others)]),
    ...(deploy === null
      ? []
      : [
          words.deploy(
            quoted(deploy.version),
            deploy.before === null ? null : quoted(deploy.before),
            timeOf(deploy.seenAt),
          ),
        ]),
    ...(incident.flapping ? [words.flapping] : []),
  ];
}

/** `recovered in 41 s, objective 60 s: met` */
function objectiveLine(incident: Incident, now: number, words: AlertWords): string {
  const { objectiveMs, recoveredAt } = incident;
  const { elapsedMs, isWithin } = rtoOf(incident, now);
  const counted = countedWords(incident, words);
  const objective = durationIn(objectiveMs, words);
  if (recoveredAt === null) return words.objective(counted(objective), !isWithin);
  // Rounded to the same second, a miss would read like a hit.
  const isClose = Math.abs(elapsedMs - objectiveMs) < 1_000;
  return words.recovered(counted(durationIn(elapsedMs, words, isClose)), objective, isWithin);
}

/** Writes from when on a duration counts, where that is not the start of the incident. */
export function countedWords({ objectiveFrom }: Incident, words: AlertWords): (duration: string) => string {
  return (duration) => (objectiveFrom === 'detected' ? words.fromDetection(duration) : duration);
}

function factsAbout(incident: Incident, words: AlertWords): Message['facts'] {
  const { labels } = words;
  const clocks = [
    [startLabel(incident, words), incident.startedAt],
    [labels.detected, incident.detectedAt],
    [labels.notified, incident.notifiedAt],
    [labels.recovered, incident.recoveredAt],
  ] as const;
  return [
    { label: labels.checks, value: names(incident.checks) },
    { label: labels.codes, value: names(incident.codes) },
    ...clocks.flatMap(([label, at]) => (at === null ? [] : [{ label, value: timeOf(at) }])),
    { label: labels.incident, value: printable(incident.id) },
  ];
}

/** What an incident's begin was. */
export function startLabel({ startedBy }: Incident, { labels }: AlertWords): string {
  if (startedBy === undefined) return labels.started;
  const others: Record<typeof startedBy, string> = {
    'maintenance-end': labels.maintained,
    'first-bad-round': labels.seenFirst,
    'up-round': labels.seenUp,
    'outage-end': labels.outageEnded,
  };
  return others[startedBy];
}

function names(all: readonly string[]): string {
  const shown = all.slice(0, MOST_NAMES).map(shortName);
  return [...shown, ...(all.length > MOST_NAMES ? [`… +${all.length - MOST_NAMES}`] : [])].join(', ');
}

/** What the site says of itself, within a sentence of ours: as code, in which no channel looks for markup. */
function quoted(name: string): string {
  return `\`${shortName(name).replaceAll('`', 'ˋ')}\``;
}

/** A line in which chats keep every space, so that a caret stays under its character. */
export const unbroken = (line: string): string => line.replaceAll(' ', '\u00a0');

function shortName(name: string): string {
  return cutText(printable(name), LONGEST_NAME);
}

function toldFinding(finding: IncidentFinding, texts: Texts): ToldFinding {
  const { check, code, evidence, location } = finding;
  const text = texts.finding(check, code);
  const facts = factLines(evidence, texts.language);
  const seen = [...(location === null ? [] : [locationText(location)]), ...facts];
  return {
    check: shortName(check),
    code: shortName(code),
    title: printable(texts.check(check)?.title ?? check),
    problem: printable(text?.problem ?? `${shortName(check)}/${shortName(code)}`),
    fix: printable(text?.fix ?? ''),
    seen: seen.slice(0, MOST_SEEN).map((fact) => cutText(fact, LONGEST_SEEN)),
    frame: frameLines(finding),
  };
}
