/** Incidents: what each is about, its four times, what fails and how to fix it; the page of one, and the page of all. */
import { cutText } from '../../report/cut.ts';
import { type Fact, factsOf, factText } from '../../report/facts.ts';
import { capital, frameOf, iconOf, section } from '../../report/html/frame.ts';
import { markup, type Markup, proseOf } from '../../report/html/markup.ts';
import { shownLocation } from '../../report/location.ts';
import type { Language } from '../../locales/language.ts';
import type { Texts } from '../../report/texts.ts';
import { rtoOf, seenFrom, ruleName } from '../incident/document.ts';
import type { Incident, IncidentFinding } from '../incident/incident.ts';
import { KIND_TONE } from '../site-state.ts';
import { type HistoryData, type IncidentData, MOST_IN_HISTORY, type SiteRow, type StatusData } from './data.ts';
import { asOfLine, backLink, type Page, type PageContext, quiet } from './page.ts';
import { DAYS } from './uptime.ts';

const MOST_FINDINGS = 12;
const LONGEST_FACT = 300;
const MOST_FACTS = 6;

export type ShownIncident = ReturnType<typeof shownIncidentOf>;

export function shownIncidentsOf(all: readonly Incident[], { rows }: Pick<StatusData, 'rows'>, context: PageContext) {
  const known = new Map(rows.map((row) => [row.site.id, row]));
  return all.map((incident) => shownIncidentOf(incident, known.get(incident.site) ?? null, context));
}

/** `row`: its site, where that is still watched. */
export function shownIncidentOf(incident: Incident, row: SiteRow | null, context: PageContext) {
  const { incidentTitles, recovered } = context.words;
  const texts = context.texts(row?.site ?? null);
  const name = row?.site.title ?? incident.site;
  const title = incidentTitles[incident.verdict](name);
  // The site works at times: its current incident says so, too.
  const isUnstable = row?.incident?.id === incident.id && row.status.verdict === 'unstable';
  const verdict = isUnstable ? 'unstable' : incident.verdict;
  const isOver = incident.recoveredAt !== null;
  return {
    incident,
    texts,
    name,
    title,
    heading: isOver ? recovered(title) : incidentTitles[verdict](name),
    tone: isOver ? ('pass' as const) : KIND_TONE[verdict],
    /** The titles of its checks. */
    checks: incident.checks.map((id) => texts.title(id)).join(', '),
    rto: rtoText(incident, context),
  };
}

export function rtoText(incident: Incident, { words, times, now }: PageContext): string {
  const rto = times.length(incident.recoveryTimeObjectiveMs);
  const { elapsedMs, isWithin } = rtoOf(incident, now);
  const duration = times.length(elapsedMs);
  if (incident.recoveredAt !== null) return isWithin ? words.met(duration, rto) : words.missed(duration, rto);
  return isWithin ? words.openWithin(duration, rto) : words.openBeyond(duration, rto);
}

export function openIncident(shown: ShownIncident, context: PageContext): Markup {
  const { incident, tone, heading } = shown;
  const id = `_${incident.id}`;
  const href = context.to(`incidents/${incident.id}/`);
  return markup`<article class="incident ${tone}" aria-labelledby="${id}">
<h3 id="${id}">${iconOf(tone, 20)} <a href="${href}">${heading}</a></h3>
${summaryOf(shown, context)}
${findingsIn(shown, context)}
</article>
`;
}

function summaryOf(shown: ShownIncident, context: PageContext): Markup {
  return markup`${quiet(shown.checks)}
${clocksOf(shown, context)}
${notesOf(shown, context)}`;
}

export function pastList(all: readonly ShownIncident[], { times, to }: PageContext): Markup {
  const items = all.map(({ incident: { id, startedAt }, tone, heading, checks, rto }) => {
    const link = markup`<a href="${to(`incidents/${id}/`)}">${heading}</a>`;
    return markup`<li><h3>${iconOf(tone)} ${link}</h3>${quiet(checks)}
<p>${times.tag(startedAt)} · ${rto}</p></li>
`;
  });
  return markup`<ul class="past card">${items}</ul>`;
}

function clocksOf({ incident, rto }: ShownIncident, context: PageContext): Markup {
  const { words, times } = context;
  const { startedAt, startedBy = 'good-round', detectedAt, notifiedAt, recoveredAt, sameAs } = incident;
  const isOver = recoveredAt !== null;
  const unnotified = sameAs === null ? words.nobodyNotified : words.notifiedWith;
  const clocks = [
    ['started', startedAt, ''],
    ['detected', detectedAt, ''],
    ['notified', notifiedAt, isOver ? unnotified : words.notYet],
    ['recovered', recoveredAt, words.notYet],
  ] as const;
  const cells = clocks.map(([name, at, otherwise]) => {
    if (at === null) return markup`<div class="open"><dt>${words.clocks[name]}</dt><dd>${otherwise}</dd></div>`;
    const note = name === 'started' ? words.startedNotes[startedBy] : words.later(times.length(at - startedAt));
    return markup`<div><dt>${words.clocks[name]}</dt><dd>${times.tag(at)}</dd><dd class="note">${note}</dd></div>`;
  });
  const inTime = isOver ? 'pass' : 'stale';
  const tone = rtoOf(incident, context.now).isWithin ? inTime : 'fail';
  return markup`<dl class="clocks">${cells}</dl>
<p class="objective ${tone}">${iconOf(tone)} ${rto}</p>`;
}

/** The locations that see it, a deployment that is suspected, flapping, a cause that another incident has, too. */
function notesOf({ incident }: ShownIncident, { words, times, to, namesOf }: PageContext): Markup | null {
  const { deploy, flapping, sameAs } = incident;
  const code = (version: string): Markup => markup`<code>${cutText(version, LONGEST_FACT)}</code>`;
  const before = typeof deploy?.before === 'string' ? markup` (${words.deployBefore} ${code(deploy.before)})` : null;
  const from = seenFrom(incident.findings);
  const notes = [
    from.length === 0 ? null : markup`<strong>${words.locations.seenFrom}</strong> ${namesOf(from)}`,
    deploy &&
      markup`<strong>${words.deploy}</strong> ${code(deploy.version)}${before}, ${words.deploySeen} ${times.tag(deploy.seenAt)}`,
    flapping ? words.flapping : null,
    sameAs && markup`${words.sameAs} <a href="${to(`incidents/${sameAs}/`)}">${sameAs}</a>`,
  ].filter((note) => note !== null);
  return notes.length === 0 ? null : markup`<ul class="notes">${notes.map((note) => markup`<li>${note}</li>`)}</ul>`;
}

/** The findings of an incident, without the locations where the incident names the same ones. */
function findingsIn({ incident: { findings }, texts }: ShownIncident, context: PageContext): Markup | null {
  const all = seenFrom(findings).join(', ');
  const shown = findings.map((finding) => {
    const { seenFrom: from, ...rest } = finding.evidence;
    return from === all ? { ...finding, evidence: rest } : finding;
  });
  return findingsOf(shown, texts, context);
}

/** What failed and how to fix it. Findings with the same words are one cause that several checks saw, and shown once. */
export function findingsOf(all: readonly IncidentFinding[], texts: Texts, context: PageContext): Markup | null {
  const groups = Map.groupBy(all.slice(0, MOST_FINDINGS), ({ check, rule }) => {
    const name = ruleName(rule);
    const { problem, fix } = texts.finding(check, name) ?? {};
    return JSON.stringify([name, problem, fix]);
  });
  if (groups.size === 0) return null;
  return markup`<ul class="findings">${[...groups.values()].map((group) => groupItem(group, texts, context))}</ul>`;
}

function groupItem(findings: readonly IncidentFinding[], texts: Texts, context: PageContext): Markup {
  const { messages, details } = context;
  const names = new Set(findings.map(({ check }) => texts.title(check)));
  const rules = new Set(findings.map(({ rule }) => rule));
  const [{ check, rule: first } = { check: '', rule: '' }] = findings;
  const text = texts.finding(check, ruleName(first));
  const head = markup`<p><strong>${[...names].join(', ')}</strong> ${[...rules].map((rule) => markup`<code class="code">${rule}</code> `)}</p>
<p>${text === undefined ? first : proseOf(text.problem)}</p>`;
  if (!details) return markup`<li>${head}</li>\n`;
  const locations = findings.flatMap(({ location }) => (location === null ? [] : [shownLocation(location)]));
  const items = [
    ...locations.map((location) => markup`<li><code dir="ltr">${cutText(location, LONGEST_FACT)}</code></li>`),
    ...factsOfAll(findings, context).map((fact) => factItem(fact, texts.language)),
  ];
  const facts = [...new Map(items.map((item) => [item.html, item])).values()].slice(
    0,
    Math.max(MOST_FACTS, 2 * findings.length),
  );
  const fix = text?.fix ? markup`<p class="fix"><strong>${messages.fix}</strong> ${proseOf(text.fix)}</p>` : null;
  return markup`<li>${head}${fix}
${facts.length === 0 ? null : markup`<ul class="facts">${facts}</ul>`}${findings.map(frameOf)}</li>
`;
}

/** The facts of one check; of several checks with one cause, those that all of them have. */
function factsOfAll(findings: readonly IncidentFinding[], { language, namesOf }: PageContext): readonly Fact[] {
  const facts = findings.map((finding) => {
    const from = seenFrom([finding]);
    const named = from.length === 0 ? {} : { seenFrom: namesOf(from) };
    return factsOf({ ...finding.evidence, ...named }, language);
  });
  if (new Set(findings.map(({ check }) => check)).size === 1) return facts.flat();
  const [first = [], ...others] = facts.map((all) => new Map(all.map((fact) => [factText(fact, language), fact])));
  return [...first].flatMap(([text, fact]) => (others.every((all) => all.has(text)) ? [fact] : []));
}

function factItem({ label, value, isWords }: Fact, language: Language): Markup {
  const shown = cutText(value, LONGEST_FACT);
  const text = isWords ? markup`${shown}` : markup`<code dir="ltr">${shown}</code>`;
  return markup`<li>${factText({ label, value: '' }, language)}${text}</li>`;
}

/** The page as it was, and as it became; both in the size in which the browser showed them. */
function picturesOf({ pictures, incident: { id } }: IncidentData, { words, times, link }: PageContext): Markup | null {
  const figures = pictures.map(({ incident, route, at }) => {
    const name = incident === null ? 'good' : 'bad';
    const source = link(`incidents/${id}/${name}.jpg`);
    const caption = words.pictures[name];
    return markup`<figure><img src="${source}" alt="${caption}" width="1280" height="800" loading="lazy">
<figcaption><strong>${caption}</strong> <code>${cutText(route || '/', LONGEST_FACT)}</code> ${times.tag(at)}</figcaption></figure>`;
  });
  return figures.length === 0 ? null : markup`<h2>${words.pictures.title}</h2><div class="pictures">${figures}</div>`;
}

export function incidentPage(data: IncidentData, context: PageContext): Page {
  const { incident, row } = data;
  const { words } = context;
  const shown = shownIncidentOf(incident, row, context);
  const { tone, heading: title } = shown;
  const isOpen = incident.recoveredAt === null;
  const back = row === null ? backLink(context) : backLink(context, `sites/${row.site.id}/`, row.site.title);
  const found = findingsIn(shown, context);
  return {
    title,
    tone,
    isLive: isOpen,
    body: markup`${back}
<article class="incident ${tone}">
<h1>${iconOf(tone, 28)} ${title}</h1>
${summaryOf(shown, context)}
${found === null ? null : markup`<h2>${isOpen ? words.whatFails : words.whatFailed}</h2>${found}`}
${picturesOf(data, context)}
${isOpen ? asOfLine(data, context) : null}
</article>`,
  };
}

export function historyPage(data: HistoryData, context: PageContext): Page {
  const { words, language } = context;
  const { incidents } = data;
  const format = new Intl.DateTimeFormat(language, { month: 'long', year: 'numeric', timeZone: 'UTC' });
  const months = Map.groupBy(shownIncidentsOf(incidents ?? [], data, context), ({ incident }) =>
    capital(format.format(incident.detectedAt), language),
  );
  const sections = [...months].map(([month, all], index) => section(`month-${index}`, month, pastList(all, context)));
  return {
    title: words.allIncidents,
    tone: KIND_TONE[data.kind],
    body: markup`${backLink(context)}
<h1 class="plain">${words.allIncidents}</h1>
${incidents === null ? quiet(words.unreadable) : null}
${incidents?.length === 0 ? quiet(words.noIncidents(DAYS)) : null}${sections}

${incidents?.length === MOST_IN_HISTORY ? quiet(words.mostTold(MOST_IN_HISTORY)) : null}`,
  };
}
