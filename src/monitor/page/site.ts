import { capital, section } from '../../report/html/frame.ts';
import { linkTo, markup, type Markup } from '../../report/html/markup.ts';
import type { IncidentFinding } from '../incident/incident.ts';
import { KIND_TONE } from '../site-state.ts';
import { responseTime } from '../store/store.ts';
import { barsCaption, barsWithTitles, faultsTable, responseFigure, tableOf } from './charts.ts';
import { timeTag, type PageContext } from './context.ts';
import type { SiteData, SiteRow } from './data.ts';
import { backLink, banner, quiet, type Page } from './frame.ts';
import { findingsOf, openIncident, shownIncidentOf } from './incident.ts';
import { failingNote, meaningOf, statusNote, statusWord } from './kinds.ts';
import { locationCards, locationRows, resultOf } from './locations.ts';
import { maintenanceSection, pastSection } from './overview.ts';

export const sitePage = (data: SiteData, context: PageContext): Page => pageOf(data, false, context);

export const onlySitePage = (data: SiteData, context: PageContext): Page => pageOf(data, true, context);

function pageOf(data: SiteData, isOnly: boolean, context: PageContext): Page {
  const { row } = data;
  const { site, status, incidents } = row;
  const { words } = context;
  const headline = words.headlines[status.kind].one(site.title);
  const open = incidents.map((incident) => openIncident(shownIncidentOf(incident, row), context));
  const { responses, headings } = data;
  const cards = locationCards(data, context);
  const plot = responses === null ? quiet(words.unreadable) : responseFigure(responses, context);
  return {
    title: isOnly ? headline : `${statusWord(row, context)}: ${site.title}`,
    tone: KIND_TONE[status.kind],
    isLive: true,
    body: markup`${isOnly ? null : backLink(context)}
${banner(status.kind, headline, aboutSite(row, context), { ...data, asOf: status.at }, context)}
${section('now', words.incidentsNow, open)}
${maintenanceSection(data.maintenance, false, context)}
${section('uptime', words.uptime, markup`<div class="card">${uptimeCard(data, context)}</div>`)}
${section('response', words.response[responses?.response.span ?? 'day'], markup`<div class="card">${plot}</div>`)}
${headings === null ? null : section('headings', words.response.pages, markup`<div class="card">${responseFigure(headings, context)}</div>`)}
${
  cards === null
    ? null
    : markup`${section('locations', words.locations.title, cards)}
`
}${section('checks', words.checks, checksTable(data, context))}
${section('findings', words.findings, findingCards(row, context))}
${pastSection(data, context)}`,
  };
}

function aboutSite(row: SiteRow, context: PageContext): Markup {
  const { site, status, url } = row;
  const note = statusNote(row, context) ?? failingNote(row, context);
  const meaning = status.isSilent ? null : markup`<p class="meaning">${meaningOf(status.kind, context)}</p>`;
  const tags = site.tags.map((tag) => markup`<li>${tag}</li>`);
  return markup`${meaning}${note === null ? null : markup`<p class="meaning">${note}</p>`}
<p>${linkTo(url, url, markup`<bdi>${url}</bdi>`, 'site')}</p>
${tags.length === 0 ? null : markup`<ul class="tags">${tags}</ul>`}`;
}

function uptimeCard({ uptime, row, runs }: SiteData, context: PageContext): Markup {
  const { words } = context;
  if (uptime === null) return quiet(words.unreadable);
  const isFaulty = row.incident !== null || row.status.last !== 'healthy';
  return markup`${barsWithTitles(uptime, context)}
${barsCaption(uptime, context)}
<p class="legend">${words.bars[uptime.unit].legend} ${words.upLegend}</p>
${faultsTable(uptime, isFaulty, context)}
${runs.length === 0 ? null : runsTable(runs, context)}`;
}

function runsTable(runs: SiteData['runs'], context: PageContext): Markup {
  const { words, messages, times, language } = context;
  const rows = runs.map((run) => {
    const { startedAt, verdict, scope } = run;
    const tone = KIND_TONE[verdict];
    const ms = responseTime(run);
    const time = ms === null ? '–' : messages.milliseconds(ms);
    const result = resultOf(tone, capital(messages.verdicts[verdict], language));
    const when = timeTag(startedAt, times.short(startedAt));
    return { tone, cells: [when, result, scope === 'five' ? time : words.deepRuns[scope]] };
  });
  const heads = [words.lookedAt, words.result, words.responseTime];
  return markup`<h3 class="table-title">${words.lastChecks}</h3>
${tableOf('last-checks', words.lastChecks, heads, rows)}`;
}

/** One row a check; what failed or warned leads to its findings. */
function checksTable(data: SiteData, context: PageContext): Markup {
  const { row, locations } = data;
  const hasLocations = locations.length > 0;
  const { words, messages, times, language } = context;
  const checks = Object.entries(row.state?.checks ?? {});
  if (checks.length === 0) return quiet(words.noChecks);
  const texts = context.texts(row.site);
  const rows = checks.flatMap(([id, { status, at }]) => {
    const incident = incidentOf(id, row);
    const anchor = incident ?? `findings-${id}`;
    const word = capital(messages.statuses[status], language);
    const hasFindings = incident !== null || foundBy(id, row).length > 0;
    const result = resultOf(status, hasFindings ? markup`<a href="#_${anchor}">${word}</a>` : word);
    const title = texts.check(id)?.title ?? id;
    const cells = [title, result, ...(hasLocations ? [''] : []), timeTag(at, times.short(at))];
    return [{ tone: status, cells }, ...locationRows(id, title, data, context)];
  });
  if (!hasLocations) return tableOf('checks', words.checks, [words.check, words.result, words.lookedAt], rows);
  const heads = [words.check, words.result, words.responseTime, words.lookedAt];
  return tableOf('checks located', words.checks, heads, rows);
}

/** Findings with their fixes, by check; those that an open incident shows are left out. */
function findingCards(row: SiteRow, context: PageContext): readonly Markup[] {
  return Object.keys(row.state?.checks ?? {}).flatMap((id) => {
    const list = incidentOf(id, row) === null ? findingsOf(foundBy(id, row), row.site, context) : null;
    return list === null ? [] : [markup`<div class="card" id="_findings-${id}">${list}</div>\n`];
  });
}

function foundBy(id: string, { state }: SiteRow): readonly IncidentFinding[] {
  const { findings = [], warnings = [] } = state?.checks[id] ?? {};
  return [...findings, ...warnings];
}

/** The open incident that shows what a check found. */
function incidentOf(id: string, { incidents, state }: SiteRow): string | null {
  if (state?.checks[id]?.findings.length === 0) return null;
  return incidents.find(({ findings }) => findings.some(({ check }) => check === id))?.id ?? null;
}

/** Instead of a site or an incident that does not exist. */
export function notFoundPage({ words, to }: PageContext): Page {
  return {
    title: words.notFound,
    tone: 'skip',
    body: markup`<h1 class="plain">${words.notFound}</h1>
<p>${words.notFoundHint} <a href="${to({ kind: 'overview' })}">${words.allSites}</a></p>`,
  };
}
