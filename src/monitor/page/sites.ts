/** The overview of all sites, and the page of one. */
import { htmlWords } from '../../generated/locales/html.ts';
import { cutText } from '../../report/cut.ts';
import { capital, section, iconOf, type Tone } from '../../report/html/frame.ts';
import { linkTo, markup, type Markup, verbatim } from '../../report/html/markup.ts';
import { countFindings } from '../incident/findings.ts';
import { isOutage } from '../incident/state.ts';
import type { SiteLocation } from '../locations.ts';
import { KIND_TONE, WORST_FIRST } from '../site-state.ts';
import { responseTime } from '../store/store.ts';
import { barsOrNote, keysOf, responseFigure, tableOf, topOf, uptimeFigure } from './charts.ts';
import { MOST_WITH_BARS, type OverviewData, type SiteData, type SiteRow } from './data.ts';
import { findingsOf, openIncident, pastList, shownIncidentOf, shownIncidentsOf } from './incident.ts';
import { backLink, banner, headlineOf, type Page, type PageContext, quiet, statusWords, toneTag } from './page.ts';
import { DAYS, uptimeOf } from './uptime.ts';

const FEWEST_WITH_GROUPS = 9;
const MOST_IN_ONE_COLUMN = 6;
const MOST_IN_FULL = 3;
const MOST_NAMED = 12;

export function overviewPage(data: OverviewData, context: PageContext): Page {
  const headline = headlineOf(data, context);
  return {
    title: headline,
    tone: KIND_TONE[data.kind],
    isLive: true,
    body: markup`${banner(data.kind, headline, countsOf(data, context), data, context)}
${section('now', context.words.incidentsNow, openIncidents(data, context))}
${maintenanceSection(data.maintenance, true, context)}
${data.rows.length === 0 ? null : sitesSection(data, context)}
${pastSection(data, context)}`,
  };
}

function countsOf({ counts }: OverviewData, { words }: PageContext): Markup {
  const items = [...counts].map(([kind, count]) => {
    const tone = KIND_TONE[kind];
    return markup`<li class="${tone}">${iconOf(tone)} ${words.counted[kind](count)}</li>`;
  });
  return items.length < 2 ? markup`` : markup`<ul class="counts">${items}</ul>`;
}

function openIncidents(data: OverviewData, context: PageContext): Markup | null {
  const open = data.rows
    .flatMap((row) => row.incidents.map((incident) => shownIncidentOf(incident, row, context)))
    // One cause is shown once; outages come first, and what began last.
    .toSorted(
      (one, other) =>
        Number(one.incident.sameAs !== null) - Number(other.incident.sameAs !== null) ||
        Number(isOutage(other.incident)) - Number(isOutage(one.incident)) ||
        other.incident.startedAt - one.incident.startedAt,
    );
  if (open.length === 0) return null;
  const full = open.filter(({ incident }, index) => index < MOST_IN_FULL && incident.sameAs === null);
  const rest = open.slice(full.length);
  const left = rest.length - MOST_NAMED;
  return markup`${full.map((incident) => openIncident(incident, context))}
${rest.length === 0 ? null : pastList(rest.slice(0, MOST_NAMED), context)}
${left <= 0 ? null : markup`<p class="more"><a href="${context.to('history/')}">${context.words.leftOut(left)}</a></p>`}`;
}

const MOST_WINDOWS = 12;
const LONGEST_REASON = 500;

/** Current and coming maintenance. `isNamed`: whether the site has to be named. */
function maintenanceSection(all: OverviewData['maintenance'], isNamed: boolean, context: PageContext): Markup | null {
  const { words, times, now } = context;
  if (all.length === 0) return null;
  const items = all.slice(0, MOST_WINDOWS).map(({ site, from, to, reason }) => {
    const name = isNamed ? markup`${siteLink(site, context)} · ` : null;
    const state = from <= now ? markup`<strong>${words.goesOn}</strong> · ` : null;
    const window = markup`${times.tag(from)} – ${times.tag(to)}`;
    const why = reason ? quiet(cutText(reason, LONGEST_REASON)) : null;
    return markup`<li class="note">${iconOf('note')} <div><p>${state}${name}${window}</p>${why}</div></li>\n`;
  });
  const left = all.length - items.length;
  return section(
    'maintenance',
    words.maintenance,
    markup`<ul class="windows">${items}</ul>
${left > 0 ? quiet(words.leftOut(left)) : null}`,
  );
}

/** What is over, of all sites or of one: the incidents of the last days, and where all of them are. */
function pastSection(data: Pick<OverviewData, 'past' | 'rows'>, context: PageContext): Markup | null {
  const { words, to } = context;
  const { past } = data;
  const none = quiet(past === null ? words.unreadable : words.noIncidents(DAYS));
  return section(
    'past',
    words.pastIncidents,
    markup`${past?.length ? pastList(shownIncidentsOf(past, data, context), context) : none}
<p class="more"><a href="${to('history/')}">${words.allIncidents}</a></p>`,
  );
}

function sitesSection(data: OverviewData, context: PageContext): Markup | null {
  const { words, times } = context;
  const { rows, uptimes } = data;
  const list = (shown: readonly SiteRow[], heading: 'h3' | 'h4'): Markup =>
    rows.length > MOST_WITH_BARS ? compactList(shown, data, context) : barsList(shown, heading, data, context);
  // Sites by their first tag, in the order in which tags come; those without one last. One group where they are few.
  const byTag = Map.groupBy(rows, ({ site }) => (rows.length < FEWEST_WITH_GROUPS ? null : (site.tags[0] ?? null)));
  const groups = [...byTag].toSorted(([one], [other]) => Number(one === null) - Number(other === null));
  const lists = groups.map(([tag, shown], index) => {
    const id = `_group-${index}`;
    return markup`<section class="group" aria-labelledby="${id}"><h3 id="${id}">${tag ?? words.otherSites} <span class="quiet">${times.number(shown.length)}</span></h3>
${list(shown, 'h4')}</section>\n`;
  });
  const [unit, ...others] = new Set([...uptimes.values()].flatMap((uptime) => uptime?.unit ?? []));
  const legend = others.length > 0 ? words.barsLegend : unit && words.bars[unit].legend;
  return section(
    'sites',
    words.sites,
    markup`<p class="legend">${legend === undefined ? null : `${legend} `}${words.upLegend}</p>
${lists.length === 1 ? list(rows, 'h3') : lists}`,
  );
}

function barsList(rows: readonly SiteRow[], heading: 'h3' | 'h4', data: OverviewData, context: PageContext): Markup {
  const items = rows.map((row) => {
    const { tone, word, note } = statusWords(row, context);
    const tag = verbatim(heading);
    return markup`<li class="card"><div class="line"><${tag}>${siteLink(row.site, context)}</${tag}>${toneTag(tone, word)}</div>
${note === null ? null : quiet(note)}${findingsLink(row, context)}
${barsOrNote(data.uptimes.get(row.site.id) ?? null, context)}</li>\n`;
  });
  return markup`<ul class="sites${data.rows.length > MOST_IN_ONE_COLUMN ? ' dense' : ''}">${items}</ul>`;
}

function findingsLink({ state, site }: SiteRow, { words, to }: PageContext): Markup | null {
  const count = state === null ? 0 : countFindings(state);
  return count === 0
    ? null
    : markup`<p class="more"><a href="${to(`sites/${site.id}/`)}#_findings">${words.siteFindings(count)}</a></p>`;
}

const siteLink = ({ id, title }: SiteRow['site'], { to }: PageContext): Markup =>
  markup`<a href="${to(`sites/${id}/`)}">${title}</a>`;

function compactList(rows: readonly SiteRow[], { days }: OverviewData, context: PageContext): Markup {
  const order = ({ status }: SiteRow): number => WORST_FIRST.indexOf(status.kind);
  const items = rows
    .toSorted((one, other) => order(one) - order(other))
    .map((row) => {
      const { tone, word } = statusWords(row, context);
      const up = uptimeOf(days.get(row.site.id) ?? []);
      const share = up === null ? null : markup`<span class="share">${context.times.percent(up)}</span>`;
      return markup`<li>${toneTag(tone, word)} ${siteLink(row.site, context)}${share}</li>\n`;
    });
  return markup`<ul class="compact">${items}</ul>`;
}

/* The page of one site. */

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
${section('findings', words.findings, findingsSection(row, context))}
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
    const time = times.response(responseTime(run));
    const result = toneTag(tone, capital(messages.verdicts[verdict], language), 'result');
    const when = times.tag(startedAt);
    return { tone, cells: [when, result, scope === 'core' ? time : words.deepRuns[scope]] };
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
    const result = toneTag(status, found.length > 0 ? link : word, 'result');
    const cells = [texts.title(id), result, ...(hasLocations ? [''] : []), times.tag(at)];
    return [{ tone: status, cells }, ...locationRows(id, texts.title(id), data, context)];
  });
  const heads = [words.check, words.result, ...(hasLocations ? [words.responseTime] : []), words.lookedAt];
  return tableOf(hasLocations ? 'checks located' : 'checks', words.checks, heads, rows);
}

/** What was found beside the open incidents; first how many errors no incident is about, and since when. */
function findingsSection(row: SiteRow, context: PageContext): readonly Markup[] {
  const { words, times } = context;
  const count = row.state === null ? 0 : countFindings(row.state);
  const newest = Math.max(...row.findings.map(({ since }) => since));
  const note =
    count === 0 || row.findings.length === 0 ? [] : [quiet(words.findingsNote(count, times.instant(newest)))];
  return [...note, ...findingCards(row, context)];
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
function foundBy(id: string, { incidents, state, findings: listed }: SiteRow) {
  const { findings: known = [], warnings = [] } = state?.checks[id] ?? {};
  const ofCheck = listed.filter(({ check }) => check === id);
  // Of what no incident is about, more is known than the first findings of each rule.
  const findings = ofCheck.length > known.length ? ofCheck : known;
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
    const cells = [name, toneTag(tone, capital(word, language), 'result'), times.response(responseMs), times.tag(at)];
    return [{ tone: `${tone} from`, cells }];
  });
}
