/** A site's days as bars: the higher the dark part of one, the longer the site was not well. */
import { markup, verbatim, type Markup } from '../../../report/html/markup.ts';
import type { Telling } from '../telling.ts';
import { timeTag } from '../times.ts';
import { badShareOf, kindOfDay, uptimeOf, type Day, type DayKind } from '../uptime.ts';

/** Of a bar, in units of the drawing, which is stretched to the width that there is. */
const STEP = 8;
const WIDTH = 5.5;
const HEIGHT = 40;
/** What a bad part has at least, so that a minute of a day is seen. */
const LEAST_BAD = 12;
const GAP = 2;
/** Of a day of which nothing is known. */
const STUB = 4;

/** A part of a bar: what it is filled with, from where down and how high. */
interface Part {
  readonly fill: DayKind;
  readonly y: number;
  readonly height: number;
}

function partsOf(day: Day): readonly Part[] {
  const kind = kindOfDay(day);
  if (kind === 'well' || kind === 'maintenance') return [{ fill: kind, y: 0, height: HEIGHT }];
  if (kind === 'none') return [{ fill: kind, y: HEIGHT - STUB, height: STUB }];
  if (kind === 'unknown') return [{ fill: kind, y: HEIGHT / 2, height: HEIGHT / 2 }];
  const bad = Math.round(Math.max(LEAST_BAD, badShareOf(day) * HEIGHT));
  const well = HEIGHT - bad - GAP;
  const worst = { fill: kind, y: HEIGHT - bad, height: bad };
  return well <= 0 ? [worst] : [{ fill: 'well', y: 0, height: well }, worst];
}

/** All bars as one drawing; a shape for each filling, so that it stays small. */
export function bars(days: readonly Day[], telling: Telling): Markup {
  const shapes = new Map<DayKind, string>();
  for (const [index, day] of days.entries()) {
    for (const { fill, y, height } of partsOf(day)) {
      const shape = `M${index * STEP + 1} ${y}h${WIDTH}v${height}h-${WIDTH}z`;
      shapes.set(fill, (shapes.get(fill) ?? '') + shape);
    }
  }
  const paths = [...shapes].map(([fill, d]) => markup`<path class="${fill}" d="${verbatim(d)}"/>`);
  return drawn(days, markup`${paths}`, telling);
}

/** The same with what each day was like, for whoever points at it. */
export function barsWithTitles(days: readonly Day[], telling: Telling): Markup {
  const groups = days.map((day, index) => {
    const x = index * STEP;
    const parts = partsOf(day).map(
      ({ fill, y, height }) =>
        markup`<rect class="${fill}" x="${x + 1}" y="${y}" width="${WIDTH}" height="${height}"/>`,
    );
    return markup`<g><title>${telling.times.day(day.at)}: ${dayText(day, telling)}</title><rect class="reach" x="${x}" width="${STEP}" height="${HEIGHT}"/>${parts}</g>`;
  });
  return drawn(days, markup`${groups}`, telling);
}

function drawn(days: readonly Day[], content: Markup, telling: Telling): Markup {
  const { words, times } = telling;
  const up = uptimeOf(days);
  const bad = days.filter(isBad).length;
  const label = words.bars(days.length, up === null ? words.noUptime : words.up(times.percent(up)), bad);
  return markup`<svg class="bars" role="img" aria-label="${label}" viewBox="0 0 ${days.length * STEP} ${HEIGHT}" preserveAspectRatio="none">${content}</svg>`;
}

const isBad = (day: Day): boolean => day.down + day.degraded + day.stale > 0;

/** Below the bars: how far back they go, the share of all days, today. */
export function barsCaption(days: readonly Day[], { words, times }: Telling): Markup {
  const up = uptimeOf(days);
  const share = up === null ? words.noUptime : words.up(times.percent(up));
  return markup`<p class="ends"><span>${words.daysAgo(days.length - 1)}</span><strong>${share}</strong><span>${words.today}</span></p>`;
}

/** What a day was like: `99.86% up, 12 of 8,640 rounds down`. */
function dayText(day: Day, { words, times }: Telling): string {
  const kind = kindOfDay(day);
  if (kind === 'none' || kind === 'maintenance' || kind === 'unknown') return words.dayKinds[kind];
  const bad = (['down', 'degraded', 'stale'] as const).flatMap((name) =>
    day[name] === 0 ? [] : [words.badRounds[name](day[name], day.known)],
  );
  const up = words.up(times.percent(uptimeOf([day]) ?? 0));
  return [up, ...(bad.length === 0 ? [words.dayKinds.well] : bad)].join(', ');
}

/** The days on which the site was not well, newest first, for those who cannot point at bars. */
export function badDaysTable(days: readonly Day[], telling: Telling): Markup {
  const { words, times } = telling;
  const rows = days
    .filter(isBad)
    .toReversed()
    .map((day) => {
      return markup`<tr><th scope="row">${timeTag(day.at, times.day(day.at))}</th><td>${dayText(day, telling)}</td></tr>
`;
    });
  if (rows.length === 0) return markup`<p class="quiet">${words.noBadDays}</p>`;
  return markup`<details><summary>${words.byDay}</summary>
<table><caption class="unseen">${words.byDay}</caption><thead><tr><th scope="col">${words.day}</th><th scope="col">${words.uptime}</th></tr></thead><tbody>
${rows}</tbody></table></details>`;
}
