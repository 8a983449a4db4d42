/** The page of one site. */
import { linkTo } from '../../../report/html/links.ts';
import { markup, type Markup } from '../../../report/html/markup.ts';
import type { SiteData } from '../data.ts';
import { banner, type Page } from '../parts/frame.ts';
import { checksTable, findingsSection } from '../parts/checks.ts';
import { runsTable } from '../parts/runs.ts';
import { barsCaption, barsWithTitles, faultsTable, pastSection } from '../parts/past.ts';
import { openIncident, shownIncidentOf } from '../parts/incident.ts';
import { kindWord, meaningOf, statusNote } from '../parts/kinds.ts';
import { maintenanceSection } from '../parts/maintenance.ts';
import { responseFigure } from '../parts/plot.ts';
import { KIND_TONE } from '../../site-state.ts';
import type { PageContext } from '../page-context.ts';

/** The page. `isOnly`: there is no other site, so that this is the first page. */
export function sitePage(data: SiteData, isOnly: boolean, context: PageContext): Page {
  const { row } = data;
  const { kind } = row.status;
  const { words } = context;
  const headline = words.headlines[kind].one(row.site.title);
  const back = isOnly
    ? null
    : markup`<nav class="back" aria-label="${words.allSites}"><a href="${context.to({ kind: 'overview' })}">← ${words.allSites}</a></nav>`;
  return {
    title: isOnly ? headline : `${kindWord(kind, context)}: ${row.site.title}`,
    tone: KIND_TONE[kind],
    isLive: true,
    body: markup`${back}
${banner(kind, markup`${headline}`, aboutSite(data, context), { ...data, asOf: row.status.at }, context)}
${openSection(data, context)}
${maintenanceSection(data.maintenance, false, context)}
${uptimeSection(data, context)}
${responseSection(data, context)}
<section aria-labelledby="_checks">
<h2 id="_checks">${words.checks}</h2>
${checksTable(row, context)}
</section>
${findingsSection(row, context)}
${pastSection(data, context)}`,
  };
}

/** What it means, what else is to be said, and where the site is. */
function aboutSite({ row }: SiteData, context: PageContext): Markup {
  const note = statusNote(row, context);
  const meaning = row.status.isSilent ? null : markup`<p class="meaning">${meaningOf(row.status.kind, context)}</p>`;
  const tags = row.site.tags.map((tag) => markup`<li>${tag}</li>`);
  return markup`${meaning}${note === null ? null : markup`<p class="meaning">${note}</p>`}
<p>${linkTo(row.url, row.url, markup`<bdi>${row.url}</bdi>`, 'site')}</p>
${tags.length === 0 ? null : markup`<ul class="tags">${tags}</ul>`}`;
}

function openSection(data: SiteData, context: PageContext): Markup | null {
  const { incidents } = data.row;
  if (incidents.length === 0) return null;
  return markup`<section aria-labelledby="_now">
<h2 id="_now">${context.words.incidentsNow}</h2>
${incidents.map((incident) => openIncident(shownIncidentOf(incident, data.row), context))}
</section>`;
}

function uptimeSection({ uptime, row, runs }: SiteData, context: PageContext): Markup {
  const { words } = context;
  const isFaulty = row.incident !== null || row.status.last !== 'healthy';
  const content =
    uptime === null
      ? markup`<p class="quiet">${words.unreadable}</p>`
      : markup`${barsWithTitles(uptime, context)}
${barsCaption(uptime, context)}
<p class="legend">${words.bars[uptime.unit].legend} ${words.upLegend}</p>
${faultsTable(uptime, isFaulty, context)}
${runs.length === 0 ? null : runsTable(runs, context)}`;
  return markup`<section aria-labelledby="_uptime">
<h2 id="_uptime">${words.uptime}</h2>
<div class="card">${content}</div>
</section>`;
}

function responseSection({ response, hours }: SiteData, context: PageContext): Markup {
  const { words } = context;
  const content =
    response === null
      ? markup`<p class="quiet">${words.unreadable}</p>`
      : responseFigure(response, hours ?? [], context);
  return markup`<section aria-labelledby="_response">
<h2 id="_response">${words.response[response?.span ?? 'day']}</h2>
<div class="card">${content}</div>
</section>`;
}
