/** The page of one site. */
import { linkTo } from '../../../report/html/links.ts';
import { markup, type Markup } from '../../../report/html/markup.ts';
import type { SiteData } from '../data.ts';
import { banner } from '../parts/banner.ts';
import { checksTable, findingsSection } from '../parts/checks.ts';
import { roundsTable } from '../parts/rounds.ts';
import { barsCaption, barsWithTitles, faultsTable } from '../parts/uptime.ts';
import type { Page } from '../parts/frame.ts';
import { openIncident, toldAt } from '../parts/incident.ts';
import { kindWord, meaningOf, standingNote } from '../parts/kinds.ts';
import { maintenanceSection } from '../parts/maintenance.ts';
import { pastSection } from '../parts/past.ts';
import { responseFigure } from '../parts/plot.ts';
import { KIND_TONE } from '../../site-state.ts';
import type { Telling } from '../telling.ts';

/** The page. `isOnly`: there is no other site, so that this is the first page. */
export function sitePage(data: SiteData, isOnly: boolean, telling: Telling): Page {
  const { row } = data;
  const { kind } = row.standing;
  const { words } = telling;
  const headline = words.headlines[kind].one(row.site.title);
  const back = isOnly
    ? null
    : markup`<nav class="back" aria-label="${words.allSites}"><a href="${telling.to({ kind: 'overview' })}">← ${words.allSites}</a></nav>`;
  return {
    title: isOnly ? headline : `${kindWord(kind, telling)}: ${row.site.title}`,
    tone: KIND_TONE[kind],
    isLive: true,
    body: markup`${back}
${banner(kind, markup`${headline}`, aboutSite(data, telling), { ...data, asOf: row.standing.at }, telling)}
${openSection(data, telling)}
${maintenanceSection(data.maintenance, false, telling)}
${uptimeSection(data, telling)}
${responseSection(data, telling)}
<section aria-labelledby="_checks">
<h2 id="_checks">${words.checks}</h2>
${checksTable(row, telling)}
</section>
${findingsSection(row, telling)}
${pastSection(data, telling)}`,
  };
}

/** What it means, what else is to be said, and where the site is. */
function aboutSite({ row }: SiteData, telling: Telling): Markup {
  const note = standingNote(row, telling);
  const meaning = row.standing.isSilent
    ? null
    : markup`<p class="meaning">${meaningOf(row.standing.kind, telling)}</p>`;
  const tags = row.site.tags.map((tag) => markup`<li>${tag}</li>`);
  return markup`${meaning}${note === null ? null : markup`<p class="meaning">${note}</p>`}
<p>${linkTo(row.url, row.url, markup`<bdi>${row.url}</bdi>`, 'site')}</p>
${tags.length === 0 ? null : markup`<ul class="tags">${tags}</ul>`}`;
}

function openSection(data: SiteData, telling: Telling): Markup | null {
  const { incidents } = data.row;
  if (incidents.length === 0) return null;
  return markup`<section aria-labelledby="_now">
<h2 id="_now">${telling.words.incidentsNow}</h2>
${incidents.map((incident) => openIncident(toldAt(incident, data.row), telling))}
</section>`;
}

function uptimeSection({ uptime, row, rounds }: SiteData, telling: Telling): Markup {
  const { words } = telling;
  const isFaulty = row.incident !== null || row.standing.last !== 'healthy';
  const content =
    uptime === null
      ? markup`<p class="quiet">${words.unreadable}</p>`
      : markup`${barsWithTitles(uptime, telling)}
${barsCaption(uptime, telling)}
<p class="legend">${words.bars[uptime.unit].legend} ${words.upLegend}</p>
${faultsTable(uptime, isFaulty, telling)}
${rounds.length === 0 ? null : roundsTable(rounds, telling)}`;
  return markup`<section aria-labelledby="_uptime">
<h2 id="_uptime">${words.uptime}</h2>
<div class="card">${content}</div>
</section>`;
}

function responseSection({ response, hours }: SiteData, telling: Telling): Markup {
  const { words } = telling;
  const content =
    response === null
      ? markup`<p class="quiet">${words.unreadable}</p>`
      : responseFigure(response, hours ?? [], telling);
  return markup`<section aria-labelledby="_response">
<h2 id="_response">${words.response[response?.span ?? 'day']}</h2>
<div class="card">${content}</div>
</section>`;
}
