/** The page of one incident. */
import { markup } from '../../../report/html/markup.ts';
import { iconOf } from '../../../report/html/icons.ts';
import type { IncidentData } from '../data.ts';
import { asOfLine, type Page } from '../parts/frame.ts';
import { checkTitles, clocksOf, findingsOf, headingOf, notesOf, shownIncidentOf, toneOf } from '../parts/incident.ts';
import type { PageContext } from '../page-context.ts';

/** The page. */
export function incidentPage(data: IncidentData, context: PageContext): Page {
  const { incident, row } = data;
  const { words } = context;
  const reported = shownIncidentOf(incident, row);
  const tone = toneOf(reported);
  const isOpen = incident.recoveredAt === null;
  const title = headingOf(reported, context);
  const back =
    row === null
      ? markup`<a href="${context.to({ kind: 'overview' })}">← ${words.allSites}</a>`
      : markup`<a href="${context.to({ kind: 'site', id: row.site.id })}">← ${row.site.title}</a>`;
  const found = findingsOf(incident.findings, reported.site, context);
  return {
    title,
    tone,
    isLive: isOpen,
    body: markup`<nav class="back" aria-label="${words.allSites}">${back}</nav>
<article class="incident ${tone}">
<h1>${iconOf(tone, 28)} ${title}</h1>
<p class="quiet">${checkTitles(reported, context)}</p>
${clocksOf(incident, context)}
${notesOf(reported, context)}
${found === null ? null : markup`<h2>${isOpen ? words.whatFails : words.whatFailed}</h2>${found}`}
${isOpen ? asOfLine(data, context) : null}
</article>`,
  };
}
