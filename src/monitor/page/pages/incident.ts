/** The page of one incident. */
import { markup } from '../../../report/html/markup.ts';
import { signOf } from '../../../report/html/signs.ts';
import type { IncidentData } from '../data.ts';
import { asOfLine, type Page } from '../parts/frame.ts';
import { checkTitles, clocksOf, findingsOf, headingOf, notesOf, toldAt, toneOf } from '../parts/incident.ts';
import type { Telling } from '../telling.ts';

/** The page. */
export function incidentPage(data: IncidentData, telling: Telling): Page {
  const { incident, row } = data;
  const { words } = telling;
  const told = toldAt(incident, row);
  const tone = toneOf(told);
  const isOpen = incident.recoveredAt === null;
  const title = headingOf(told, telling);
  const back =
    row === null
      ? markup`<a href="${telling.to({ kind: 'overview' })}">← ${words.allSites}</a>`
      : markup`<a href="${telling.to({ kind: 'site', id: row.site.id })}">← ${row.site.title}</a>`;
  const found = findingsOf(incident.findings, told.site, telling);
  return {
    title,
    tone,
    isLive: isOpen,
    body: markup`<nav class="back" aria-label="${words.allSites}">${back}</nav>
<article class="incident ${tone}">
<h1>${signOf(tone, 28)} ${title}</h1>
<p class="quiet">${checkTitles(told, telling)}</p>
${clocksOf(incident, telling)}
${notesOf(told, telling)}
${found === null ? null : markup`<h2>${isOpen ? words.whatFails : words.whatFailed}</h2>${found}`}
${isOpen ? asOfLine(data, telling) : null}
</article>`,
  };
}
