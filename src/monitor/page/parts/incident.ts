/** An incident: what it is about, its four clocks, what fails and what to do. */
import { factsOf, factText, placeOf, type Fact } from '../../../report/facts.ts';
import { cutText } from '../../../report/cut.ts';
import { frameLines } from '../../../report/plain-findings.ts';
import { markup, verbatim, type Markup } from '../../../report/html/markup.ts';
import { proseOf } from '../../../report/html/prose.ts';
import { signOf, type Tone } from '../../../report/html/signs.ts';
import { objectiveOf } from '../../incident/document.ts';
import type { Incident, IncidentFinding } from '../../incident/incident.ts';
import type { IncidentVerdict, MonitoredSite } from '../../settings.ts';
import type { FindingText, Language, Texts } from '../../../texts.ts';
import type { SiteRow, StatusData } from '../data.ts';
import type { Telling } from '../telling.ts';
import { timeTag } from '../times.ts';

/** Findings that are told; more than that is for the report. */
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
export const toneOf = (told: Told): Tone => TONES[conditionOf(told)];

function conditionOf({ incident, isUnstable }: Told): Condition {
  if (incident.recoveredAt !== null) return 'recovered';
  return isUnstable ? 'unstable' : incident.verdict;
}

/** An incident and the site that it is about; `null`: that is not watched any more. */
export interface Told {
  readonly incident: Incident;
  readonly site: MonitoredSite | null;
  /** The site works at times: that is what is said of its incident, too. */
  readonly isUnstable: boolean;
}

/** With the sites that they are about. */
export function toldOf(incidents: readonly Incident[], { rows }: Pick<StatusData, 'rows'>): readonly Told[] {
  const known = new Map(rows.map((row) => [row.site.id, row]));
  return incidents.map((incident) => toldAt(incident, known.get(incident.site) ?? null));
}

/** An incident of a site; `null`: that is not watched any more. */
export function toldAt(incident: Incident, row: SiteRow | null): Told {
  const isCurrent = row?.incident?.id === incident.id;
  return { incident, site: row?.site ?? null, isUnstable: isCurrent && row.standing.verdict === 'unstable' };
}

/** `Docs: down` */
export function titleOf({ incident, site }: Told, { words }: Telling): string {
  return words.incidentTitles[incident.verdict](site?.title ?? incident.site);
}

/** The same as a heading: `Docs: unstable`, `Docs: down, recovered` */
export function headingOf(told: Told, telling: Telling): string {
  const { words } = telling;
  const condition = conditionOf(told);
  if (condition === 'recovered') return words.recovered(titleOf(told, telling));
  return words.incidentTitles[condition](told.site?.title ?? told.incident.site);
}

/** The titles of the checks that failed. */
export function checkTitles({ incident, site }: Told, telling: Telling): string {
  const texts = telling.texts(site);
  return incident.checks.map((id) => texts.check(id)?.title ?? id).join(', ');
}

/** Whether it was over within the objective, in words. */
export function objectiveText(incident: Incident, { words, times, now }: Telling): string {
  const objective = times.length(incident.objectiveMs);
  const { elapsedMs, isWithin } = objectiveOf(incident, now);
  const length = times.length(elapsedMs);
  const duration = incident.objectiveFrom === 'detected' ? words.fromDetection(length) : length;
  if (incident.recoveredAt !== null)
    return isWithin ? words.met(duration, objective) : words.missed(duration, objective);
  return isWithin ? words.openWithin(duration, objective) : words.openBeyond(duration, objective);
}

/** An open incident at length, below a heading that leads to its page. */
export function openIncident(told: Told, telling: Telling): Markup {
  const { incident } = told;
  const id = `_${incident.id}`;
  const href = telling.to({ kind: 'incident', id: incident.id });
  const tone = toneOf(told);
  return markup`<article class="incident ${tone}" aria-labelledby="${id}">
<h3 id="${id}">${signOf(tone, 20)} <a href="${href}">${headingOf(told, telling)}</a></h3>
<p class="quiet">${checkTitles(told, telling)}</p>
${clocksOf(incident, telling)}
${notesOf(told, telling)}
${findingsOf(incident.findings, told.site, telling)}
</article>
`;
}

/** Incidents, one a row. */
export function pastList(all: readonly Told[], telling: Telling, level: 'h3' | 'h4' = 'h3'): Markup {
  const { times } = telling;
  const items = all.map((told) => {
    const { incident } = told;
    const href = telling.to({ kind: 'incident', id: incident.id });
    const link = markup`${signOf(toneOf(told))} <a href="${href}">${headingOf(told, telling)}</a>`;
    return markup`<li>${level === 'h3' ? markup`<h3>${link}</h3>` : markup`<h4>${link}</h4>`}<p class="quiet">${checkTitles(told, telling)}</p>
<p>${timeTag(incident.startedAt, times.short(incident.startedAt))} · ${objectiveText(incident, telling)}</p></li>
`;
  });
  return markup`<ul class="past">${items}</ul>`;
}

/** The four clocks, with how long after the first one each is, and what came of the objective. */
export function clocksOf(incident: Incident, telling: Telling): Markup {
  const { words, times } = telling;
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
  const { isWithin } = objectiveOf(incident, telling.now);
  const inTime = isOver ? 'pass' : 'stale';
  const tone = isWithin ? inTime : 'fail';
  return markup`<dl class="clocks">${cells}</dl>
<p class="objective ${tone}">${signOf(tone)} ${objectiveText(incident, telling)}</p>`;
}

/** A deploy that is suspected, flapping, a cause that is another incident's. */
export function notesOf({ incident }: Told, telling: Telling): Markup | null {
  const { words, times } = telling;
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
      : [markup`${words.sameAs} <a href="${telling.to({ kind: 'incident', id: sameAs })}">${sameAs}</a>`]),
  ];
  return notes.length === 0 ? null : markup`<ul class="notes">${notes.map((note) => markup`<li>${note}</li>`)}</ul>`;
}

/** Findings that are told with the same words: one cause that several checks saw. */
interface Group {
  readonly text: FindingText | undefined;
  readonly findings: IncidentFinding[];
}

/** What failed and what to do: the same words once, with all that they are about. */
export function findingsOf(
  all: readonly IncidentFinding[],
  site: MonitoredSite | null,
  telling: Telling,
): Markup | null {
  const texts = telling.texts(site);
  const groups = new Map<string, Group>();
  for (const finding of all.slice(0, MOST_FINDINGS)) {
    const text = texts.finding(finding.check, finding.code);
    const key = JSON.stringify([finding.code, text?.problem, text?.fix]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { text, findings: [finding] });
    else group.findings.push(finding);
  }
  if (groups.size === 0) return null;
  return markup`<ul class="findings">${[...groups.values()].map((group) => groupItem(group, texts, telling))}</ul>`;
}

function groupItem({ text, findings }: Group, texts: Texts, { messages, details }: Telling): Markup {
  const names = findings.map(({ check }) => texts.check(check)?.title ?? check);
  const codes = findings.map(({ check, code }) => `${check}/${code}`);
  const places = findings.flatMap(({ location }) => (location === null ? [] : [placeOf(location)]));
  const facts = findings.flatMap(({ evidence }) => factsOf(evidence, texts.language));
  const items = [
    ...places.map((place) => markup`<li><code dir="ltr">${cutText(place, LONGEST_FACT)}</code></li>`),
    ...facts.map((fact) => factItem(fact, texts.language)),
  ];
  const shown = [...new Map(items.map((item) => [item.html, item])).values()].slice(0, MOST_FACTS);
  const fix =
    text === undefined || text.fix === '' || !details
      ? null
      : markup`<p class="fix"><strong>${messages.fix}</strong> ${proseOf(text.fix)}</p>`;
  return markup`<li><p><strong>${[...new Set(names)].join(', ')}</strong> ${[...new Set(codes)].map((code) => markup`<code class="code">${code}</code> `)}</p>
<p>${text === undefined ? (findings[0]?.code ?? null) : proseOf(text.problem)}</p>${fix}
${shown.length === 0 || !details ? null : markup`<ul class="facts">${shown}</ul>`}${details ? findings.map(frameOf) : null}</li>
`;
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
