/** What is over: the incidents of the last days, and where all of them are reported. */
import { markup, type Markup, verbatim } from '../../../report/html/markup.ts';
import type { OverviewData } from '../data.ts';
import type { PageContext } from '../page-context.ts';
import {
  DAYS,
  badShareOf,
  hasData,
  kindOfPeriod,
  uptimeOf,
  type Period,
  type PeriodKind,
  type Uptime,
} from '../uptime.ts';
import { pastList, shownIncidentsOf } from './incident.ts';
import { timeTag } from '../times.ts';

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

/* A site's uptime as bars: the higher the dark part of one, the longer the site was not well. */

/** Of a bar, in units of the drawing, which is stretched to the width that there is. */
const STEP = 8;
const WIDTH = 5.5;
const HEIGHT = 40;
/** What a bad part has at least, so that a minute of a day is seen. */
const LEAST_BAD = 12;
const GAP = 2;
/** Of a period of which nothing is known. */
const STUB = 4;

/** A part of a bar: what it is filled with, from where down and how high. */
interface Part {
  readonly fill: PeriodKind;
  readonly y: number;
  readonly height: number;
}

function partsOf(period: Period): readonly Part[] {
  const kind = kindOfPeriod(period);
  if (kind === 'well' || kind === 'maintenance') return [{ fill: kind, y: 0, height: HEIGHT }];
  if (kind === 'none') return [{ fill: kind, y: HEIGHT - STUB, height: STUB }];
  if (kind === 'unknown') return [{ fill: kind, y: HEIGHT / 2, height: HEIGHT / 2 }];
  const bad = Math.round(Math.max(LEAST_BAD, badShareOf(period) * HEIGHT));
  const well = HEIGHT - bad - GAP;
  const worst = { fill: kind, y: HEIGHT - bad, height: bad };
  return well <= 0 ? [worst] : [{ fill: 'well', y: 0, height: well }, worst];
}

/** All bars as one drawing; a shape for each filling, so that it stays small. */
export function bars(uptime: Uptime, context: PageContext): Markup {
  const shapes = new Map<PeriodKind, string>();
  for (const [index, period] of uptime.periods.entries()) {
    for (const { fill, y, height } of partsOf(period)) {
      const shape = `M${index * STEP + 1} ${y}h${WIDTH}v${height}h-${WIDTH}z`;
      shapes.set(fill, (shapes.get(fill) ?? '') + shape);
    }
  }
  const paths = [...shapes].map(([fill, d]) => markup`<path class="${fill}" d="${verbatim(d)}"/>`);
  return drawn(uptime, markup`${paths}`, context);
}

/** The same with what each period was like, for whoever points at it. */
export function barsWithTitles(uptime: Uptime, context: PageContext): Markup {
  const groups = uptime.periods.map((period, index) => {
    const x = index * STEP;
    const parts = partsOf(period).map(
      ({ fill, y, height }) =>
        markup`<rect class="${fill}" x="${x + 1}" y="${y}" width="${WIDTH}" height="${height}"/>`,
    );
    return markup`<g><title>${nameOf(period, uptime, context)}: ${periodText(period, context)}</title><rect class="reach" x="${x}" width="${STEP}" height="${HEIGHT}"/>${parts}</g>`;
  });
  return drawn(uptime, markup`${groups}`, context);
}

function drawn({ unit, periods }: Uptime, content: Markup, context: PageContext): Markup {
  if (!hasData(periods)) return markup``;
  const label = context.words.bars[unit].label(periods.length, shareOf(periods, context), periods.filter(isBad).length);
  return markup`<svg class="bars" role="img" aria-label="${label}" viewBox="0 0 ${periods.length * STEP} ${HEIGHT}" preserveAspectRatio="none">${content}</svg>`;
}

const isBad = ({ down, degraded, stale }: Period): boolean => down + degraded + stale > 0;

function shareOf(periods: readonly Period[], { words, times }: PageContext): string {
  const up = uptimeOf(periods);
  return up === null ? words.noUptime : words.up(times.percent(up));
}

/** Below the bars: how far back they go, the share of all of them, the current one. */
export function barsCaption({ unit, periods }: Uptime, context: PageContext): Markup {
  const share = markup`<strong>${shareOf(periods, context)}</strong>`;
  if (!hasData(periods)) return markup`<p class="ends">${share}</p>`;
  const words = context.words.bars[unit];
  return markup`<p class="ends"><span>${words.ago(periods.length - 1)}</span>${share}<span>${words.now}</span></p>`;
}

/** `20 November 2026`, `20 Nov, 18:00:00 UTC` */
const nameOf = ({ at }: Period, { unit }: Uptime, { times }: PageContext): string =>
  unit === 'day' ? times.day(at) : times.short(at);

/** What a period was like: `99.86% up, 12 of 8,640 runs down`. */
function periodText(period: Period, { words, times }: PageContext): string {
  const kind = kindOfPeriod(period);
  if (kind === 'none' || kind === 'maintenance' || kind === 'unknown') return words.periodKinds[kind];
  const bad = (['down', 'degraded', 'stale'] as const).flatMap((name) =>
    period[name] === 0 ? [] : [words.badRounds[name](period[name], period.known)],
  );
  const up = words.up(times.percent(uptimeOf([period]) ?? 0));
  return [up, ...(bad.length === 0 ? [words.periodKinds.well] : bad)].join(', ');
}

/**
 * The periods in which the site had a fault, newest first, for those who cannot point at bars. `isFaulty`: it has one now,
 * which need not be counted yet.
 */
export function faultsTable(uptime: Uptime, isFaulty: boolean, context: PageContext): Markup | null {
  const words = context.words.bars[uptime.unit];
  const rows = uptime.periods
    .filter(isBad)
    .toReversed()
    .map((period) => {
      return markup`<tr><th scope="row">${timeTag(period.at, nameOf(period, uptime, context))}</th><td>${periodText(period, context)}</td></tr>
`;
    });
  if (rows.length === 0) {
    const isWell = !isFaulty && uptimeOf(uptime.periods) !== null;
    return isWell ? markup`<p class="quiet">${words.noFaults}</p>` : null;
  }
  return markup`<details><summary>${words.faults}</summary>
<table><caption class="unseen">${words.faults}</caption><thead><tr><th scope="col">${words.unit}</th><th scope="col">${context.words.uptime}</th></tr></thead><tbody>
${rows}</tbody></table></details>`;
}
