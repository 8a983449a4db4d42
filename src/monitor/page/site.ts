import { htmlWords } from '../../generated/locales/html.ts';
import { capital, section, iconOf, type Tone } from '../../report/html/frame.ts';
import { linkTo, markup, type Markup, verbatim } from '../../report/html/markup.ts';
import { KIND_TONE } from '../site-state.ts';
import { responseTime } from '../store/store.ts';
import { barsOrNote, keysOf, responseFigure, tableOf, topOf, uptimeFigure } from './charts.ts';
import { type PageContext, timeTag } from './context.ts';
import type { SiteData, SiteRow } from './data.ts';
import { backLink, banner, type Page, quiet, statusWords, toneTag } from './frame.ts';
import { findingsOf, openIncident, shownIncidentOf } from './incident.ts';
import { maintenanceSection, pastSection } from './overview.ts';
import type { SiteLocation } from '../locations.ts';

/** The page of a site; instead of an overview where it is the only one. */
export function sitePage(data: SiteData, context: PageContext): Page {
  const { row } = data;
  const isOnly = context.page === '';
  const { site, status, incidents } = row;
  const { words } = context;
  const headline = words.headlines[status.kind].one(site.title);
  const open = incidents.map((incident) => openIncident(shownIncidentOf(incident, row, context), context));
  const { response, headings } = data;
  const cards = locationCards(data, context);
  const plot = response === null ? quiet(words.unreadable) : responseFigure(response, context);
  return {
    title: isOnly ? headline : `${statusWords(row, context).word}: ${site.title}`,
    tone: KIND_TONE[status.kind],
    isLive: true,
    body: markup`${isOnly ? null : backLink(context)}
${banner(status.kind, headline, aboutSite(row, context), { ...data, asOf: status.at }, context)}
${section('now', words.incidentsNow, open)}
${maintenanceSection(data.maintenance, false, context)}
${section('uptime', words.uptime, markup`<div class="card">${uptimeCard(data, context)}</div>`)}
${section('response', words.response[response?.span ?? 'day'], markup`<div class="card">${plot}</div>`)}
${headings === null ? null : section('headings', words.response.pages, markup`<div class="card">${responseFigure(headings, context)}</div>`)}
${cards && [section('locations', words.locations.title, cards), verbatim('\n')]}${section('checks', words.checks, checksTable(data, context))}
${section('findings', words.findings, findingCards(row, context))}
${pastSection(data, context)}`,
  };
}

function aboutSite(row: SiteRow, context: PageContext): Markup {
  const { site, status, url } = row;
  const { wholeNote } = statusWords(row, context);
  const meanings = { ...htmlWords(context.language).meanings, ...context.words.meanings };
  const meaning = status.isSilent ? null : markup`<p class="meaning">${meanings[status.kind]}</p>`;
  const tags = site.tags.map((tag) => markup`<li>${tag}</li>`);
  return markup`${meaning}${wholeNote === null ? null : markup`<p class="meaning">${wholeNote}</p>`}
<p>${linkTo(url, url, markup`<bdi>${url}</bdi>`, 'site')}</p>
${tags.length === 0 ? null : markup`<ul class="tags">${tags}</ul>`}`;
}

function uptimeCard({ uptime, row, runs }: SiteData, context: PageContext): Markup {
  if (uptime === null) return quiet(context.words.unreadable);
  const isFaulty = row.incident !== null || row.status.last !== 'healthy';
  return markup`${uptimeFigure(uptime, isFaulty, context)}
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

function checksTable(data: SiteData, context: PageContext): Markup {
  const { row, locations } = data;
  const hasLocations = locations.length > 0;
  const { words, messages, times, language } = context;
  const checks = Object.entries(row.state?.checks ?? {});
  if (checks.length === 0) return quiet(words.noChecks);
  const texts = context.texts(row.site);
  const rows = checks.flatMap(([id, { status, at }]) => {
    const { found, incident } = foundBy(id, row);
    const word = capital(messages.statuses[status], language);
    const link = markup`<a href="#_${incident ?? `findings-${id}`}">${word}</a>`;
    const result = resultOf(status, found.length > 0 ? link : word);
    const title = texts.check(id)?.title ?? id;
    const cells = [title, result, ...(hasLocations ? [''] : []), timeTag(at, times.short(at))];
    return [{ tone: status, cells }, ...locationRows(id, title, data, context)];
  });
  const heads = [words.check, words.result, ...(hasLocations ? [words.responseTime] : []), words.lookedAt];
  return tableOf(hasLocations ? 'checks located' : 'checks', words.checks, heads, rows);
}

/** Findings with their fixes, by check; those that an open incident shows are left out. */
function findingCards(row: SiteRow, context: PageContext): readonly Markup[] {
  return Object.keys(row.state?.checks ?? {}).flatMap((id) => {
    const { found, incident } = foundBy(id, row);
    const list = incident === null ? findingsOf(found, context.texts(row.site), context) : null;
    return list === null ? [] : [markup`<div class="card" id="_findings-${id}">${list}</div>\n`];
  });
}

/** What a check found, and the open incident that shows it; `null`: none does. */
function foundBy(id: string, { incidents, state }: SiteRow) {
  const { findings = [], warnings = [] } = state?.checks[id] ?? {};
  const shown = incidents.find((incident) => incident.findings.some(({ check }) => check === id));
  return { found: [...findings, ...warnings], incident: findings.length === 0 ? null : (shown?.id ?? null) };
}

export function notFoundPage({ words, to }: PageContext): Page {
  return {
    title: words.notFound,
    tone: 'skip',
    body: markup`<h1 class="plain">${words.notFound}</h1>
<p>${words.notFoundHint} <a href="${to('')}">${words.allSites}</a></p>`,
  };
}

/* What each location sees of a site: its uptime and response times, and the results of each check. */

/** Why nothing is known of a site from a location; `null`: something is. */
function silenceOf({ status, isSilent }: SiteLocation, probeSide = status?.probeSide ?? null) {
  if (status === null) return 'never';
  if (isSilent) return 'silent';
  if (probeSide === null) return null;
  return probeSide === 'no-network' ? 'cutOff' : 'ownProblem';
}

function locationCards({ locations }: SiteData, context: PageContext): Markup | null {
  const { words, messages, times, language } = context;
  if (locations.length === 0) return null;
  const { notes } = words.locations;
  const points = locations.flatMap(({ response }) => response?.points ?? []);
  const top = topOf(points);
  const cards = locations.map((location) => {
    const { title, uptime, response, verdict, status } = location;
    const silence = silenceOf(location);
    const tone: Tone = silence === null ? KIND_TONE[verdict] : 'unknown';
    const word = silence === null ? messages.verdicts[verdict] : words.locations[silence];
    const note = silence === 'silent' ? notes.silent(times.instant(status?.at ?? 0)) : silence && notes[silence];
    return markup`<li class="card"><div class="line"><h3>${title}</h3>${toneTag(tone, capital(word, language))}</div>
${note === null ? null : quiet(note)}
${barsOrNote(uptime, context)}
${response === null ? null : responseFigure(response, context, top)}</li>
`;
  });
  return markup`<p class="legend">${words.locations.about}</p>
<ul class="locations">${cards}</ul>
${points.length === 0 ? null : keysOf(points, context)}`;
}

function locationRows(check: string, title: string, { locations }: SiteData, context: PageContext) {
  const { words, messages, times, language } = context;
  return locations.flatMap((location) => {
    const found = location.status?.checks.get(check);
    if (found === undefined) return [];
    const { status, at, responseMs, probeSide } = found;
    const silence = silenceOf(location, probeSide);
    const tone: Tone = silence === null ? status : 'unknown';
    const word = silence === null ? messages.statuses[status] : words.locations[silence];
    const name = markup`<span class="unseen">${title}: </span>${location.title}`;
    const time = responseMs === null ? '–' : messages.milliseconds(responseMs);
    const cells = [name, resultOf(tone, capital(word, language)), time, timeTag(at, times.short(at))];
    return [{ tone: `${tone} from`, cells }];
  });
}

function resultOf(tone: Tone, word: Markup | string): Markup {
  return markup`<span class="result">${iconOf(tone)} <span class="word">${word}</span></span>`;
}
