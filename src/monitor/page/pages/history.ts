/** All incidents of the last months, by month. */
import { markup, type Markup } from '../../../report/html/markup.ts';
import { type HistoryData, MOST_IN_HISTORY } from '../data.ts';
import { overallKind, type Page } from '../parts/frame.ts';
import { pastList, shownIncidentsOf } from '../parts/incident.ts';
import { capital } from '../parts/kinds.ts';
import { KIND_TONE } from '../../site-state.ts';
import type { PageContext } from '../page-context.ts';
import { DAYS } from '../uptime.ts';

/** The page. */
export function historyPage(data: HistoryData, context: PageContext): Page {
  const { words } = context;
  const { incidents } = data;
  return {
    title: words.allIncidents,
    tone: KIND_TONE[overallKind(data)],
    body: markup`<nav class="back" aria-label="${words.allSites}"><a href="${context.to({ kind: 'overview' })}">← ${words.allSites}</a></nav>
<h1 class="plain">${words.allIncidents}</h1>
${incidents === null ? markup`<p class="quiet">${words.unreadable}</p>` : null}
${incidents?.length === 0 ? markup`<p class="quiet">${words.noIncidents(DAYS)}</p>` : null}
${incidents === null ? null : monthsOf(data, context)}
${incidents?.length === MOST_IN_HISTORY ? markup`<p class="quiet">${words.mostTold(MOST_IN_HISTORY)}</p>` : null}`,
  };
}

function monthsOf(data: HistoryData, context: PageContext): readonly Markup[] {
  const format = new Intl.DateTimeFormat(context.language, { month: 'long', year: 'numeric', timeZone: 'UTC' });
  const months = Map.groupBy(shownIncidentsOf(data.incidents ?? [], data), ({ incident }) =>
    capital(format.format(incident.detectedAt), context),
  );
  return [...months].map(
    ([month, all], index) => markup`<section aria-labelledby="_month-${index}">
<h2 id="_month-${index}">${month}</h2>
${pastList(all, context)}
</section>
`,
  );
}
