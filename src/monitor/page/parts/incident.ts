/** An incident: what it is about, its four clocks, what fails and what to do. */
import { factsOf, factText, locationText, type Fact } from '../../../report/facts.ts';
import { cutText } from '../../../report/cut.ts';
import { frameLines } from '../../../report/plain-findings.ts';
import { markup, verbatim, type Markup } from '../../../report/html/markup.ts';
import { proseOf } from '../../../report/html/prose.ts';
import { iconOf, type Tone } from '../../../report/html/icons.ts';
import { rtoOf } from '../../incident/document.ts';
import type { Incident, IncidentFinding } from '../../incident/incident.ts';
import type { IncidentVerdict, MonitoredSite } from '../../settings.ts';
import type { FindingText, Language, Texts } from '../../../texts.ts';
import type { SiteRow, StatusData } from '../data.ts';
import type { PageContext } from '../page-context.ts';
import { timeTag } from '../times.ts';

/** Findings that are reported; more than that is for the report. */
const MOST_FINDINGS = 12;
const LONGEST_FACT = 300;
const MOST_FACTS = 6;

/** What an incident is now: how the site is, as far as it is about that, or that it is over. */
type Condition = IncidentVerdict | 'unstable' | 'recovered';

const TONES: Readonly<Record<Condition, Tone>> = {
  down: 'fail',
  unstable: 'warn',
  degraded: 'warn',
  stale: 'stale',
  recovered: 'pass',
};

/** The sign and the colour of an incident. */
export const toneOf = (shown: ShownIncident): Tone => TONES[conditionOf(shown)];

function conditionOf({ incident, isUnstable }: ShownIncident): Condition {
  if (incident.recoveredAt !== null) return 'recovered';
  return isUnstable ? 'unstable' : incident.verdict;
}

/** An incident and the site that it is about; `null`: that is not watched any more. */
export interface ShownIncident {
  readonly incident: Incident;
  readonly site: MonitoredSite | null;
  /** The site works at times: that is what is said of its incident, too. */
  readonly isUnstable: boolean;
}

/** With the sites that they are about. */
export function shownIncidentsOf(
  incidents: readonly Incident[],
  { rows }: Pick<StatusData, 'rows'>,
): readonly ShownIncident[] {
  const known = new Map(rows.map((row) => [row.site.id, row]));
  return incidents.map((incident) => shownIncidentOf(incident, known.get(incident.site) ?? null));
}

/** An incident of a site; `null`: that is not watched any more. */
export function shownIncidentOf(incident: Incident, row: SiteRow | null): ShownIncident {
  const isCurrent = row?.incident?.id === incident.id;
  return { incident, site: row?.site ?? null, isUnstable: isCurrent && row.status.verdict === 'unstable' };
}

/** `Docs: down` */
export function titleOf({ incident, site }: ShownIncident, { words }: PageContext): string {
  return words.incidentTitles[incident.verdict](site?.title ?? incident.site);
}

/** The same as a heading: `Docs: unstable`, `Docs: down, recovered` */
export function headingOf(shown: ShownIncident, context: PageContext): string {
  const { words } = context;
  const condition = conditionOf(shown);
  if (condition === 'recovered') return words.recovered(titleOf(shown, context));
  return words.incidentTitles[condition](shown.site?.title ?? shown.incident.site);
}

/** The titles of the checks that failed. */
export function checkTitles({ incident, site }: ShownIncident, context: PageContext): string {
  const texts = context.texts(site);
  return incident.checks.map((id) => texts.check(id)?.title ?? id).join(', ');
}

/** Whether it was over within the objective, in words. */
export function rtoText(incident: Incident, { words, times, now }: PageContext): string {
  const rto = times.length(incident.objectiveMs);
  const { elapsedMs, isWithin } = rtoOf(incident, now);
  const length = times.length(elapsedMs);
  const duration = incident.objectiveFrom === 'detected' ? words.fromDetection(length) : length;
  if (incident.recoveredAt !== null) return isWithin ? words.met(duration, rto) : words.missed(duration, rto);
  return isWithin ? words.openWithin(duration, rto) : words.openBeyond(duration, rto);
}

/** An open incident at length, below a heading that leads to its page. */
export function openIncident(shown: ShownIncident, context: PageContext): Markup {
  const { incident } = shown;
  const id = `_${incident.id}`;
  const href = context.to({ kind: 'incident', id: incident.id });
  const tone = toneOf(shown);
  return markup`<article class="incident ${tone}" aria-labelledby="${id}">
<h3 id="${id}">${iconOf(tone, 20)} <a href="${href}">${headingOf(shown, context)}</a></h3>
<p class="quiet">${checkTitles(shown, context)}</p>
${clocksOf(incident, context)}
${notesOf(shown, context)}
${findingsOf(incident.findings, shown.site, context)}
</article>
`;
}

/** Incidents, one a row. */
export function pastList(all: readonly ShownIncident[], context: PageContext, level: 'h3' | 'h4' = 'h3'): Markup {
  const { times } = context;
  const items = all.map((shown) => {
    const { incident } = shown;
    const href = context.to({ kind: 'incident', id: incident.id });
    const link = markup`${iconOf(toneOf(shown))} <a href="${href}">${headingOf(shown, context)}</a>`;
    return markup`<li>${level === 'h3' ? markup`<h3>${link}</h3>` : markup`<h4>${link}</h4>`}<p class="quiet">${checkTitles(shown, context)}</p>
<p>${timeTag(incident.startedAt, times.short(incident.startedAt))} · ${rtoText(incident, context)}</p></li>
`;
  });
  return markup`<ul class="past">${items}</ul>`;
}

/** The four clocks, with how long after the first one each is, and what came of the objective. */
export function clocksOf(incident: Incident, context: PageContext): Markup {
  const { words, times } = context;
  const { startedAt, startedBy = 'good-round', detectedAt, notifiedAt, recoveredAt, sameAs } = incident;
  const isOver = recoveredAt !== null;
  const clocks: readonly (readonly ['started' | 'detected' | 'notified' | 'recovered', number | null, string])[] = [
    ['started', startedAt, words.startedNotes[startedBy]],
    ['detected', detectedAt, words.later(times.length(detectedAt - startedAt))],
    ['notified', notifiedAt, notifiedAt === null ? '' : words.later(times.length(notifiedAt - startedAt))],
    ['recovered', recoveredAt, recoveredAt === null ? '' : words.later(times.length(recoveredAt - startedAt))],
  ];
  const cells = clocks.map(([name, at, note]) => {
    const unnotified = sameAs === null ? words.nobodyNotified : words.notifiedWith;
    const nothing = name === 'notified' && isOver ? unnotified : words.notYet;
    const value = at === null ? markup`${nothing}` : timeTag(at, times.short(at));
    return markup`<div${at === null ? markup` class="open"` : null}><dt>${words.clocks[name]}</dt><dd>${value}</dd>${note === '' ? null : markup`<dd class="note">${note}</dd>`}</div>`;
  });
  const { isWithin } = rtoOf(incident, context.now);
  const inTime = isOver ? 'pass' : 'stale';
  const tone = isWithin ? inTime : 'fail';
  return markup`<dl class="clocks">${cells}</dl>
<p class="objective ${tone}">${iconOf(tone)} ${rtoText(incident, context)}</p>`;
}

/** A deploy that is suspected, flapping, a cause that is another incident's. */
export function notesOf({ incident }: ShownIncident, context: PageContext): Markup | null {
  const { words, times } = context;
  const { deploy, flapping, sameAs } = incident;
  const notes = [
    ...(deploy === null
      ? []
      : [
          markup`<strong>${words.deploy}</strong> <code>${cutText(deploy.version, LONGEST_FACT)}</code>${
            deploy.before === null
              ? null
              : markup` (${words.deployBefore} <code>${cutText(deploy.before, LONGEST_FACT)}</code>)`
          }, ${words.deploySeen} ${timeTag(deploy.seenAt, times.short(deploy.seenAt))}`,
        ]),
    ...(flapping ? [markup`${words.flapping}`] : []),
    ...(sameAs === null
      ? []
      : [markup`${words.sameAs} <a href="${context.to({ kind: 'incident', id: sameAs })}">${sameAs}</a>`]),
  ];
  return notes.length === 0 ? null : markup`<ul class="notes">${notes.map((note) => markup`<li>${note}</li>`)}</ul>`;
}

/** Findings that are reported with the same words: one cause that several checks saw. */
interface Group {
  readonly text: FindingText | undefined;
  readonly findings: IncidentFinding[];
}

/** What failed and what to do: the same words once, with all that they are about. */
export function findingsOf(
  all: readonly IncidentFinding[],
  site: MonitoredSite | null,
  context: PageContext,
): Markup | null {
  const texts = context.texts(site);
  const groups = new Map<string, Group>();
  for (const finding of all.slice(0, MOST_FINDINGS)) {
    const text = texts.finding(finding.check, finding.code);
    const key = JSON.stringify([finding.code, text?.problem, text?.fix]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { text, findings: [finding] });
    else group.findings.push(finding);
  }
  if (groups.size === 0) return null;
  return markup`<ul class="findings">${[...groups.values()].map((group) => groupItem(group, texts, context))}</ul>`;
}

function groupItem({ text, findings }: Group, texts: Texts, { messages, details }: PageContext): Markup {
  const names = findings.map(({ check }) => texts.check(check)?.title ?? check);
  const rules = findings.map(({ check, code }) => `${check}/${code}`);
  const locations = findings.flatMap(({ location }) => (location === null ? [] : [locationText(location)]));
  const facts = factsOfAll(findings, texts.language);
  const items = [
    ...locations.map((location) => markup`<li><code dir="ltr">${cutText(location, LONGEST_FACT)}</code></li>`),
    ...facts.map((fact) => factItem(fact, texts.language)),
  ];
  const shown = [...new Map(items.map((item) => [item.html, item])).values()].slice(0, MOST_FACTS);
  const fix =
    text === undefined || text.fix === '' || !details
      ? null
      : markup`<p class="fix"><strong>${messages.fix}</strong> ${proseOf(text.fix)}</p>`;
  return markup`<li><p><strong>${[...new Set(names)].join(', ')}</strong> ${[...new Set(rules)].map((rule) => markup`<code class="code">${rule}</code> `)}</p>
<p>${text === undefined ? (findings[0]?.code ?? null) : proseOf(text.problem)}</p>${fix}
${shown.length === 0 || !details ? null : markup`<ul class="facts">${shown}</ul>`}${details ? findings.map(frameOf) : null}</li>
`;
}

/** The facts of one check; of several checks with one cause, those that all of them have. */
function factsOfAll(findings: readonly IncidentFinding[], language: Language): readonly Fact[] {
  const facts = findings.map(({ evidence }) => factsOf(evidence, language));
  if (new Set(findings.map(({ check }) => check)).size === 1) return facts.flat();
  const [first = [], ...others] = facts.map((all) => new Map(all.map((fact) => [factText(fact, language), fact])));
  return [...first].flatMap(([text, fact]) => (others.every((all) => all.has(text)) ? [fact] : []));
}

/** The lines around a fault, with a caret under it. */
function frameOf(finding: IncidentFinding): Markup | null {
  const lines = frameLines(finding);
  // Text that is put into markup keeps no line breaks.
  const broken = lines.map((line) => markup`${line}${verbatim('\n')}`);
  return lines.length === 0 ? null : markup`<pre class="frame" dir="ltr">${broken}</pre>`;
}

/** A fact behind a finding, with its label. */
function factItem({ label, value, isWords }: Fact, language: Language): Markup {
  const shown = cutText(value, LONGEST_FACT);
  const text = isWords ? markup`${shown}` : markup`<code dir="ltr">${shown}</code>`;
  return label === null
    ? markup`<li>${text}</li>`
    : markup`<li>${factText({ label, value: '' }, language)}${text}</li>`;
}
