/** The first page: all sites at a glance. */
import { markup, type Markup } from '../../../report/html/markup.ts';
import { iconOf } from '../../../report/html/icons.ts';
import { isOutage } from '../../incident/state.ts';
import { MOST_WITH_BARS, type OverviewData, type SiteRow } from '../data.ts';
import { banner, headlineOf, overallKind, type Page } from '../parts/frame.ts';
import { bars, barsCaption, pastSection } from '../parts/past.ts';
import { openIncident, pastList, shownIncidentOf } from '../parts/incident.ts';
import { kindTag, statusNote } from '../parts/kinds.ts';
import { maintenanceSection } from '../parts/maintenance.ts';
import { WORST_FIRST, KIND_TONE } from '../../site-state.ts';
import type { PageContext } from '../page-context.ts';
import { uptimeOf } from '../uptime.ts';

/** With fewer sites, tags make no groups. */
const FEWEST_WITH_GROUPS = 9;
/** With more sites they stand in two columns, where there is room. */
const MOST_IN_ONE_COLUMN = 6;
/** Incidents that are shown in detail, and those that are named. */
const MOST_AT_LENGTH = 3;
const MOST_NAMED = 12;

/** The page. */
export function overviewPage(data: OverviewData, context: PageContext): Page {
  const headline = headlineOf(data, context);
  const kind = overallKind(data);
  return {
    title: headline,
    tone: KIND_TONE[kind],
    isLive: true,
    body: markup`${banner(kind, markup`${headline}`, countsOf(data, context), data, context)}
${openSection(data, context)}
${maintenanceSection(data.maintenance, true, context)}
${sitesSection(data, context)}
${pastSection(data, context)}`,
  };
}

/** How many sites stand how, where they do not all stand alike. */
function countsOf({ counts }: OverviewData, { words }: PageContext): Markup {
  if (counts.size < 2) return markup``;
  const items = [...counts].map(([kind, count]) => {
    const tone = KIND_TONE[kind];
    return markup`<li class="${tone}">${iconOf(tone)} ${words.counted[kind](count)}</li>`;
  });
  return markup`<ul class="counts">${items}</ul>`;
}

function openSection(data: OverviewData, context: PageContext): Markup | null {
  const { words } = context;
  const open = data.rows
    .flatMap((row) => row.incidents.map((incident) => shownIncidentOf(incident, row)))
    // One cause is reported once; outages come first, and what began last.
    .toSorted(
      (one, other) =>
        Number(one.incident.sameAs !== null) - Number(other.incident.sameAs !== null) ||
        Number(isOutage(other.incident)) - Number(isOutage(one.incident)) ||
        other.incident.startedAt - one.incident.startedAt,
    );
  if (open.length === 0) return null;
  const long = open.filter(({ incident }, index) => index < MOST_AT_LENGTH && incident.sameAs === null);
  const rest = open.slice(long.length);
  const left = rest.length - MOST_NAMED;
  return markup`<section aria-labelledby="_now">
<h2 id="_now">${words.incidentsNow}</h2>
${long.map((reported) => openIncident(reported, context))}
${rest.length === 0 ? null : pastList(rest.slice(0, MOST_NAMED), context)}
${left <= 0 ? null : markup`<p class="more"><a href="${context.to({ kind: 'history' })}">${words.leftOut(left)}</a></p>`}
</section>`;
}

function sitesSection(data: OverviewData, context: PageContext): Markup | null {
  const { words } = context;
  if (data.rows.length === 0) return null;
  const isCompact = data.rows.length > MOST_WITH_BARS;
  const groups = groupsOf(data.rows);
  const list = (rows: readonly SiteRow[], level: 3 | 4): Markup =>
    isCompact ? compactList(rows, data, context) : barsList(rows, level, data, context);
  const content =
    groups.length === 1
      ? list(data.rows, 3)
      : groups.map(({ tag, rows }, index) => {
          const id = `_group-${index}`;
          return markup`<section class="group" aria-labelledby="${id}"><h3 id="${id}">${tag ?? words.otherSites} <span class="quiet">${context.times.number(rows.length)}</span></h3>
${list(rows, 4)}</section>
`;
        });
  return markup`<section aria-labelledby="_sites">
<h2 id="_sites">${words.sites}</h2>
<p class="legend">${legendOf(data, context)}${words.upLegend}</p>
${content}
</section>`;
}

/** How bars are to be read, where there are some, and all are of one length. */
function legendOf({ uptimes }: OverviewData, { words }: PageContext): string | null {
  const [unit, ...others] = new Set([...uptimes.values()].map((uptime) => uptime.unit));
  if (unit === undefined) return null;
  return `${others.length === 0 ? words.bars[unit].legend : words.barsLegend} `;
}

interface SiteGroup {
  /** `null`: the sites without a tag. */
  readonly tag: string | null;
  readonly rows: readonly SiteRow[];
}

/** Sites by their first tag, in the order in which tags come; those without one last. One group where they are few. */
function groupsOf(rows: readonly SiteRow[]): readonly SiteGroup[] {
  if (rows.length < FEWEST_WITH_GROUPS) return [{ tag: null, rows }];
  const groups = Map.groupBy(rows, ({ site }) => site.tags[0] ?? null);
  const tagged = [...groups].flatMap(([tag, of]) => (tag === null ? [] : [{ tag, rows: of }]));
  const rest = groups.get(null);
  return rest === undefined ? tagged : [...tagged, { tag: null, rows: rest }];
}

function barsList(rows: readonly SiteRow[], level: 3 | 4, data: OverviewData, context: PageContext): Markup {
  const { words } = context;
  const items = rows.map((row) => {
    const uptime = data.uptimes.get(row.site.id);
    const link = markup`<a href="${context.to({ kind: 'site', id: row.site.id })}">${row.site.title}</a>`;
    const heading = level === 3 ? markup`<h3>${link}</h3>` : markup`<h4>${link}</h4>`;
    const note = statusNote(row, context);
    return markup`<li class="card"><div class="line">${heading}${kindTag(row.status.kind, context)}</div>
${note === null ? null : markup`<p class="quiet">${note}</p>`}
${uptime === undefined ? markup`<p class="quiet">${words.unreadable}</p>` : markup`${bars(uptime, context)}${barsCaption(uptime, context)}`}</li>
`;
  });
  return markup`<ul class="sites${data.rows.length > MOST_IN_ONE_COLUMN ? ' dense' : ''}">${items}</ul>`;
}

/** One line a site, those that are not well first. */
function compactList(rows: readonly SiteRow[], data: OverviewData, context: PageContext): Markup {
  const { times } = context;
  const order = (row: SiteRow): number => WORST_FIRST.indexOf(row.status.kind);
  const items = rows
    .toSorted((one, other) => order(one) - order(other))
    .map((row) => {
      const days = data.days.get(row.site.id);
      const up = days === undefined ? null : uptimeOf(days);
      const share = up === null ? null : markup`<span class="share">${times.percent(up)}</span>`;
      return markup`<li>${kindTag(row.status.kind, context)} <a href="${context.to({ kind: 'site', id: row.site.id })}">${row.site.title}</a>${share}</li>
`;
    });
  return markup`<ul class="compact">${items}</ul>`;
}
