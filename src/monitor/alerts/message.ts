/** What an alert says, before it takes the format of a channel: in words, and as JSON. Pure. */
import { parseBaseUrl } from '../../base-url.ts';
import type { Location } from '../../check.ts';
import { printable } from '../../printable.ts';
import { cutText } from '../../report/cut.ts';
import { factLines, locationText } from '../../report/facts.ts';
import { frameLines } from '../../report/plain-findings.ts';
import type { Language, Texts } from '../../texts.ts';
import { incidentDocument, rtoOf, type IncidentDocument } from '../incident/document.ts';
import type { Incident, IncidentFinding } from '../incident/incident.ts';
import type { IncidentVerdict, MonitoredSite } from '../settings.ts';
import type { Alert, AlertEvent } from './alert.ts';
import { durationIn, timeOf } from './times.ts';
import type { AlertsWords } from '../../generated/locales/alerts.ts';

/** An alert in words. Every string is printable: one line, nothing in it that moves, colours or reorders. */
export interface Message {
  readonly key: string;
  readonly event: AlertEvent;
  readonly language: Language;
  readonly site: { readonly id: string; readonly title: string; readonly url: string | null };
  readonly incident: Incident;
  /** Of a recovery: the verdict of another incident that is still open at the site; `null`: none. */
  readonly goesOn: IncidentVerdict | null;
  readonly isTest: boolean;
  /** What happened to which site, as the first line. */
  readonly subject: string;
  /** Sentences, with code in backticks, the most important ones first. */
  readonly lines: readonly string[];
  /** Times and names, each as `label: value`. */
  readonly facts: readonly { readonly label: string; readonly value: string }[];
  /** What fails now, most severe first; empty once it is over. */
  readonly findings: readonly MessageFinding[];
  /** How many findings are left out; `null`: none. */
  readonly more: string | null;
  /** Address of the status page; `null`: unknown. */
  readonly page: string | null;
  readonly words: AlertsWords;
}

/** A finding in words. */
export interface MessageFinding {
  readonly check: string;
  readonly code: string;
  /** The check's title. */
  readonly title: string;
  /** With code in backticks. */
  readonly problem: string;
  /** With code in backticks; empty if none is known. */
  readonly fix: string;
  /** What the site sent and where: untrusted, printable, short. */
  readonly evidence: readonly string[];
  /** The lines around the fault with a caret under it; empty if there are none. */
  readonly excerpt: readonly string[];
}

/** What a message depends on besides the alert. */
export interface MessageContext {
  /** `null`: it was removed from the configuration. */
  readonly site: MonitoredSite | null;
  readonly words: AlertsWords;
  /** With the texts of the site's own checks. */
  readonly texts: Texts;
  /** ms since 1970. */
  readonly now: number;
  /** Address of the status page; `null`: unknown. */
  readonly page: string | null;
}

const MOST_FINDINGS = 8;
const MOST_EVIDENCE = 4;
const LONGEST_EVIDENCE = 200;
const LONGEST_NAME = 100;
const MOST_NAMES = 12;

/** Puts an alert into words. */
export function messageOf(alert: Alert, context: MessageContext): Message {
  const message = incidentMessage(alert, context);
  if (alert.notice === undefined) return message;
  const { subject, problem, fix } = context.words.notices[alert.notice];
  const facts = message.facts.filter(({ label }) => label === context.words.labels.detected);
  const finding = {
    check: 'monitor',
    code: `database-${alert.notice}`,
    title: subject,
    problem,
    fix,
    evidence: [],
    excerpt: [],
  };
  return { ...message, subject, lines: [], facts, findings: [finding] };
}

function incidentMessage(alert: Alert, context: MessageContext): Message {
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
    site: { id: incident.site, title, url: shownUrl(site) },
    incident,
    goesOn,
    isTest: alert.test === true,
    subject: alert.test === true ? `${words.test} ${subject}` : subject,
    lines: linesOf(alert, context),
    facts: factsAbout(incident, words),
    findings: findings.slice(0, MOST_FINDINGS).map((finding) => findingIn(finding, texts)),
    more: findings.length > MOST_FINDINGS ? words.more(findings.length - MOST_FINDINGS) : null,
    page: page === null ? null : page.replace(/\/*$/, '/'),
    words,
  };
}

/** The URL of the site without credentials. */
function shownUrl(site: Pick<MonitoredSite, 'url'> | null): string | null {
  const parsed = site === null ? null : parseBaseUrl(site.url);
  return parsed?.ok === true ? parsed.base.href : null;
}

function linesOf(
  { event, incident, goesOn, alsoSites, test }: Alert,
  { words, now }: MessageContext,
): readonly string[] {
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

/** `recovered in 41 s, recovery time objective 60 s: met` */
function objectiveLine(incident: Incident, now: number, words: AlertsWords): string {
  const { objectiveMs, recoveredAt } = incident;
  const { elapsedMs, isWithin } = rtoOf(incident, now);
  const counted = countedWords(incident, words);
  const objective = durationIn(objectiveMs, words);
  if (recoveredAt === null) return words.objective(counted(objective), !isWithin);
  // Rounded to the same second, a miss would read like a hit.
  const isClose = Math.abs(elapsedMs - objectiveMs) < 1_000;
  return words.recovered(counted(durationIn(elapsedMs, words, isClose)), objective, isWithin);
}

/** Adds to a duration when it begins, if that is not the start of the incident. */
export function countedWords({ objectiveFrom }: Incident, words: AlertsWords): (duration: string) => string {
  return (duration) => (objectiveFrom === 'detected' ? words.fromDetection(duration) : duration);
}

function factsAbout(incident: Incident, words: AlertsWords): Message['facts'] {
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

/** What the start of an incident is. */
export function startLabel({ startedBy }: Incident, { labels }: AlertsWords): string {
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

/** What the site sent, within a sentence: as code, in which no channel looks for markup. */
function quoted(name: string): string {
  return `\`${shortName(name).replaceAll('`', 'ˋ')}\``;
}

function shortName(name: string): string {
  return cutText(printable(name), LONGEST_NAME);
}

function findingIn(finding: IncidentFinding, texts: Texts): MessageFinding {
  const { check, code, evidence, location } = finding;
  const text = texts.finding(check, code);
  const facts = factLines(evidence, texts.language);
  const lines = [...(location === null ? [] : [locationText(location)]), ...facts];
  return {
    check: shortName(check),
    code: shortName(code),
    title: printable(texts.check(check)?.title ?? check),
    problem: printable(text?.problem ?? `${shortName(check)}/${shortName(code)}`),
    fix: (text?.fix ?? '').split('\n').map(printable).join('\n'),
    evidence: lines.slice(0, MOST_EVIDENCE).map((line) => cutText(line, LONGEST_EVIDENCE)),
    excerpt: frameLines(finding),
  };
}

/** The body of a webhook, and the standard input of a command: receivers rely on exactly these keys. */
export interface AlertDocument {
  /** The same as in `Idempotency-Key`: stable when the alert is sent again. */
  readonly id: string;
  readonly event: AlertEvent;
  /** Only in a test of a route. */
  readonly test?: true;
  /** `url` without credentials; `null` if the site was removed from the configuration. */
  readonly site: { readonly id: string; readonly url: string | null };
  readonly incident: IncidentDocument;
  /** What fails; of an incident that is over, what failed last. `problem` and `fix` are Markdown with no markup but code. */
  readonly findings: readonly {
    readonly check: string;
    readonly code: string;
    readonly problem: string;
    readonly fix: string;
    /** `line` and `column` count from 1; `null`: the fault has no location in a text. */
    readonly location: Location | null;
    /** The lines around it, with a caret under the fault. */
    readonly excerpt: string | null;
  }[];
  readonly language: Language;
}

const MOST_DOCUMENT_FINDINGS = 50;

/** The alert as JSON. */
export function alertDocument({ key, event, site, incident, findings, isTest }: Message, texts: Texts): AlertDocument {
  return {
    id: key,
    event,
    ...(isTest ? { test: true } : {}),
    site: { id: site.id, url: site.url },
    incident: incidentDocument(incident),
    findings: incident.findings.slice(0, MOST_DOCUMENT_FINDINGS).map((finding) => {
      const { check, code, location } = finding;
      const frame = frameLines(finding);
      const text = texts.finding(check, code) ?? findings.find((one) => one.check === check && one.code === code);
      return {
        check,
        code,
        problem: text?.problem ?? `${check}/${code}`,
        fix: text?.fix ?? '',
        location,
        excerpt: frame.length === 0 ? null : frame.join('\n'),
      };
    }),
    language: texts.language,
  };
}

/** How urgent an alert is, for services that have colours, signs or priorities. */
export type Tone = 'critical' | 'warning' | 'notice' | 'good';

export function toneOf({ event, incident, goesOn }: Pick<Message, 'event' | 'incident' | 'goesOn'>): Tone {
  const verdict = event === 'recovered' ? goesOn : incident.verdict;
  if (verdict === null) return 'good';
  if (verdict === 'down') return 'critical';
  return verdict === 'degraded' ? 'warning' : 'notice';
}

/** The message as plain text, with an empty line between its parts. */
export function plainLines(message: Message): readonly string[] {
  const { lines, findings, more, facts, site, page, words } = message;
  const { labels, colon } = words;
  return [
    ...lines,
    '',
    ...findings.flatMap(({ check, code, title, problem, fix, evidence, excerpt }) => [
      `${title} (${check}/${code})`,
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

/** The pages that an alert links to. */
export function linksOf({
  site,
  page,
  words: { labels },
}: Message): readonly { readonly label: string; readonly url: string }[] {
  return [
    ...(site.url === null ? [] : [{ label: labels.openSite, url: site.url }]),
    ...(page === null ? [] : [{ label: labels.statusPage, url: page }]),
  ];
}

/** The texts that there is room for, with one character between them. */
export function fitting(texts: readonly string[], most: number): readonly string[] {
  let left = most;
  return texts.filter((text) => (left -= text.length + 1) >= 0);
}
