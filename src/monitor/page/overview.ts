import { cutText } from '../../report/cut.ts';
import { section, iconOf } from '../../report/html/frame.ts';
import { markup, type Markup, verbatim } from '../../report/html/markup.ts';
import { isOutage } from '../incident/state.ts';
import { KIND_TONE, WORST_FIRST } from '../site-state.ts';
import { barsOrNote } from './charts.ts';
import { type PageContext, timeTag } from './context.ts';
import { MOST_WITH_BARS, type OverviewData, type SiteRow } from './data.ts';
import { banner, headlineOf, type Page, quiet, statusWords, toneTag } from './frame.ts';
import { openIncident, pastList, shownIncidentOf, shownIncidentsOf } from './incident.ts';
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
export function maintenanceSection(
  all: OverviewData['maintenance'],
  isNamed: boolean,
  context: PageContext,
): Markup | null {
  const { words, times, now, to: linkTo } = context;
  if (all.length === 0) return null;
  const items = all.slice(0, MOST_WINDOWS).map(({ site, from, to, reason }) => {
    const name = isNamed ? markup`<a href="${linkTo(`sites/${site.id}/`)}">${site.title}</a> · ` : null;
    const state = from <= now ? markup`<strong>${words.goesOn}</strong> · ` : null;
    const window = markup`${timeTag(from, times.short(from))} – ${timeTag(to, times.short(to))}`;
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
export function pastSection(data: Pick<OverviewData, 'past' | 'rows'>, context: PageContext): Markup | null {
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
    return markup`<li class="card"><div class="line"><${tag}>${siteLink(row, context)}</${tag}>${toneTag(tone, word)}</div>
${note === null ? null : quiet(note)}
${barsOrNote(data.uptimes.get(row.site.id) ?? null, context)}</li>\n`;
  });
  return markup`<ul class="sites${data.rows.length > MOST_IN_ONE_COLUMN ? ' dense' : ''}">${items}</ul>`;
}

function siteLink({ site }: SiteRow, { to }: PageContext): Markup {
  return markup`<a href="${to(`sites/${site.id}/`)}">${site.title}</a>`;
}

function compactList(rows: readonly SiteRow[], { days }: OverviewData, context: PageContext): Markup {
  const order = ({ status }: SiteRow): number => WORST_FIRST.indexOf(status.kind);
  const items = rows
    .toSorted((one, other) => order(one) - order(other))
    .map((row) => {
      const { tone, word } = statusWords(row, context);
      const up = uptimeOf(days.get(row.site.id) ?? []);
      const share = up === null ? null : markup`<span class="share">${context.times.percent(up)}</span>`;
      return markup`<li>${toneTag(tone, word)} ${siteLink(row, context)}${share}</li>\n`;
    });
  return markup`<ul class="compact">${items}</ul>`;
}
