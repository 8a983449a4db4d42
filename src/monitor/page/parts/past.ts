/** What is over: the incidents of the last days, and where all of them are told. */
import { markup, type Markup } from '../../../report/html/markup.ts';
import type { OverviewData } from '../data.ts';
import type { PageContext } from '../page-context.ts';
import { DAYS } from '../uptime.ts';
import { pastList, shownIncidentsOf } from './incident.ts';

/** The section, of all sites or of one. */
export function pastSection(data: Pick<OverviewData, 'past' | 'rows'>, context: PageContext): Markup {
  const { words } = context;
  const { past } = data;
  return markup`<section aria-labelledby="_past">
<h2 id="_past">${words.pastIncidents}</h2>
${past === null ? markup`<p class="quiet">${words.unreadable}</p>` : null}
${past?.length === 0 ? markup`<p class="quiet">${words.noIncidents(DAYS)}</p>` : null}
${past === null || past.length === 0 ? null : pastList(shownIncidentsOf(past, data), context)}
<p class="more"><a href="${context.to({ kind: 'history' })}">${words.allIncidents}</a></p>
</section>`;
}
