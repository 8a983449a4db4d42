/** A site's uptime as bars and its response times as a plot, each with the same as a table. */
import { checks } from '../../../checks/index.ts';
import { markup, type Markup, verbatim } from '../../report/html/markup.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../core/time.ts';
import type { Bucket, RunRecord } from '../store/store.ts';
import { type PageContext, quiet } from './page.ts';
import { badShareOf, hasData, kindOfPeriod, knownRuns, type Period, type Uptime, uptimeOf } from './uptime.ts';

export function tableOf(
  kind: string,
  caption: string,
  heads: readonly string[],
  rows: readonly { readonly tone?: string; readonly cells: readonly (Markup | string)[] }[],
): Markup {
  const lines = rows.map(({ tone, cells: [head = '', ...cells] }) => {
    const tag = tone === undefined ? markup`<tr>` : markup`<tr class="${tone}">`;
    return markup`${tag}<th scope="row">${head}</th>${cells.map((cell) => markup`<td>${cell}</td>`)}</tr>\n`;
  });
  return markup`<table class="${kind}"><caption class="unseen">${caption}</caption><thead><tr>${heads.map((head) => markup`<th scope="col">${head}</th>`)}</tr></thead><tbody>
${lines}</tbody></table>`;
}

/* Uptime: the higher the dark part of a bar, the longer the site had a fault. */

const STEP = 8;
const WIDTH = 5.5;
const HEIGHT = 40;
/** The least height of a bad part, so that a minute of a day is seen. */
const LEAST_BAD = 12;
const GAP = 2;
const STUB = 4;

type Part = readonly [fill: ReturnType<typeof kindOfPeriod>, y: number, height: number];

function partsOf(period: Period): readonly Part[] {
  const kind = kindOfPeriod(period);
  if (kind === 'healthy' || kind === 'maintenance') return [[kind, 0, HEIGHT]];
  if (kind === 'none') return [[kind, HEIGHT - STUB, STUB]];
  if (kind === 'unknown') return [[kind, HEIGHT / 2, HEIGHT / 2]];
  const bad = Math.round(Math.max(LEAST_BAD, badShareOf(period) * HEIGHT));
  const well = HEIGHT - bad - GAP;
  const worst: Part = [kind, HEIGHT - bad, bad];
  return well <= 0 ? [worst] : [['healthy', 0, well], worst];
}

/** All bars as one drawing; a shape for each filling, so that it stays small. `titles`: what is shown to who points at it. */
function drawn({ unit, periods }: Uptime, titles: readonly Markup[], context: PageContext): Markup | null {
  if (!hasData(periods)) return null;
  const parts = periods.flatMap((period, index) =>
    partsOf(period).map(([fill, y, height]) => ({ fill, shape: rectangle(index * STEP + 1, y, WIDTH, height) })),
  );
  const shapes = [...Map.groupBy(parts, ({ fill }) => fill)].map(
    ([fill, all]) => markup`<path class="${fill}" d="${verbatim(all.map(({ shape }) => shape).join(''))}"/>`,
  );
  const label = context.words.bars[unit].label(periods.length, shareOf(periods, context), periods.filter(isBad).length);
  return markup`<svg class="bars" role="img" aria-label="${label}" viewBox="0 0 ${periods.length * STEP} ${HEIGHT}" preserveAspectRatio="none">${titles}${shapes}</svg>`;
}

const rectangle = (x: number, y: number, width: number, height: number): string =>
  `M${x} ${y}h${width}v${height}h-${width}z`;

/** The bars with a title for each period, and a table of faults. `isFaulty`: there is one now, which may not be counted yet. */
export function uptimeFigure(uptime: Uptime, isFaulty: boolean, context: PageContext): Markup {
  const { words } = context;
  const titles = uptime.periods.map((period, index) => {
    const title = `${nameOf(period, uptime, context)}: ${periodText(period, context)}`;
    return markup`<rect class="reach" x="${index * STEP}" width="${STEP}" height="${HEIGHT}"><title>${title}</title></rect>`;
  });
  return markup`${drawn(uptime, titles, context)}
${barsCaption(uptime, context)}
<p class="legend">${words.bars[uptime.unit].legend} ${words.upLegend}</p>
${faultsTable(uptime, isFaulty, context)}`;
}

const isBad = (period: Period): boolean => badShareOf(period) > 0;

function shareOf(periods: readonly Period[], { words, times }: PageContext): string {
  const up = uptimeOf(periods);
  return up === null ? words.noUptime : words.up(times.percent(up));
}

/** The bars with their caption, or that they cannot be drawn. */
export function barsOrNote(uptime: Uptime | null, context: PageContext): Markup {
  if (uptime === null) return quiet(context.words.unreadable);
  return markup`${drawn(uptime, [], context)}${barsCaption(uptime, context)}`;
}

function barsCaption({ unit, periods }: Uptime, context: PageContext): Markup {
  const share = markup`<strong>${shareOf(periods, context)}</strong>`;
  if (!hasData(periods)) return markup`<p class="ends">${share}</p>`;
  const words = context.words.bars[unit];
  return markup`<p class="ends"><span>${words.ago(periods.length - 1)}</span>${share}<span>${words.now}</span></p>`;
}

const nameOf = ({ at }: Period, { unit }: Uptime, { times }: PageContext): string =>
  unit === 'day' ? times.day(at) : times.short(at);

/** What a period was like: `99.86% up, 12 of 8,640 runs down`. */
function periodText(period: Period, { words, times }: PageContext): string {
  const kind = kindOfPeriod(period);
  if (kind === 'none' || kind === 'maintenance' || kind === 'unknown') return words.periodKinds[kind];
  const bad = (['down', 'degraded', 'stale'] as const).flatMap((name) =>
    period[name] === 0 ? [] : [words.badRounds[name](period[name], knownRuns(period))],
  );
  const up = words.up(times.percent(uptimeOf([period]) ?? 0));
  return [up, ...(bad.length === 0 ? [words.periodKinds.well] : bad)].join(', ');
}

/** The periods in which the site had a fault, newest first, for those who cannot point at bars. */
function faultsTable(uptime: Uptime, isFaulty: boolean, context: PageContext): Markup | null {
  const words = context.words.bars[uptime.unit];
  const rows = uptime.periods
    .filter(isBad)
    .toReversed()
    .map((period) => ({
      cells: [context.times.tag(period.at, nameOf(period, uptime, context)), periodText(period, context)],
    }));
  if (rows.length === 0) return !isFaulty && uptimeOf(uptime.periods) !== null ? quiet(words.noFaults) : null;
  return markup`<details><summary>${words.faults}</summary>
${tableOf('faults', words.faults, [words.unit, context.words.uptime], rows)}</details>`;
}

/* Response times of a day or an hour, in points. */

const SPANS = {
  hour: { lengthMs: HOUR_MS, stepMs: MINUTE_MS },
  day: { lengthMs: DAY_MS, stepMs: 10 * MINUTE_MS },
  pages: { lengthMs: DAY_MS, stepMs: 30 * MINUTE_MS },
} as const;

export type Span = keyof typeof SPANS;

export type Point = ReturnType<typeof pointOf>;

export type Response = ReturnType<typeof responseOf>;

/** Where a span that ends now begins, so that points begin at whole steps. */
export function responseFrom(now: number, span: Span): number {
  const { lengthMs, stepMs } = SPANS[span];
  return Math.ceil((now - lengthMs) / stepMs) * stepMs;
}

type Timed = Pick<Bucket, 'at' | 'runs' | 'meanMs' | 'maxMs' | 'p95Ms' | 'down' | 'degraded' | 'maintenance'>;

const RENDERING = checks.find(({ role }) => role === 'browser')?.id;

export function headingsOf(runs: readonly RunRecord[]): readonly Timed[] {
  return runs.map(({ startedAt, verdict, maintenance, checks: records }) => {
    const ms = records.find(({ id }) => id === RENDERING)?.durationMs ?? null;
    const times = { meanMs: ms, maxMs: ms, p95Ms: ms };
    const counts = { down: Number(verdict === 'down'), degraded: Number(verdict === 'degraded') };
    return { at: startedAt, runs: 1, ...times, ...counts, maintenance: Number(maintenance) };
  });
}

export function responseOf(buckets: readonly Timed[], now: number, span: Span) {
  const { lengthMs, stepMs } = SPANS[span];
  const from = responseFrom(now, span);
  const inSpan = buckets.filter(({ at }) => at >= from);
  const points = grouped(inSpan, from, stepMs);
  return { span, stepMs, from, to: from + lengthMs, points, hours: grouped(buckets, 0, HOUR_MS) };
}

function grouped(buckets: readonly Timed[], from: number, stepMs: number): readonly Point[] {
  const groups = Map.groupBy(buckets, ({ at }) => from + Math.floor((at - from) / stepMs) * stepMs);
  return [...groups].toSorted(([one], [other]) => one - other).map(([at, group]) => pointOf(at, group));
}

function pointOf(at: number, group: readonly Timed[]) {
  const timed = group.filter(({ meanMs }) => meanMs !== null);
  const has = (name: 'down' | 'degraded' | 'maintenance'): boolean => group.some((one) => one[name] > 0);
  const degraded = has('degraded') ? 'degraded' : null;
  return {
    at,
    /** `null`: nothing was requested, or nothing came. */
    meanMs: meanOf(timed.map(({ meanMs, runs }) => [meanMs ?? 0, runs])),
    maxMs: largest(timed.map(({ maxMs }) => maxMs)),
    // Percentiles do not add up: the worst minute represents all.
    p95Ms: largest(timed.map(({ p95Ms }) => p95Ms)),
    /** The site was not healthy in at least one run, and how badly. */
    bad: has('down') ? 'down' : degraded,
    isMaintenance: has('maintenance'),
    runs: group.reduce((sum, bucket) => sum + bucket.runs, 0),
  };
}

function meanOf(weighted: readonly (readonly [value: number, weight: number])[]): number | null {
  const weights = weighted.reduce((sum, [, weight]) => sum + weight, 0);
  return weights === 0 ? null : weighted.reduce((sum, [value, weight]) => sum + value * weight, 0) / weights;
}

function largest(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : Math.max(...known);
}

export function responseSummary(points: readonly Point[]) {
  const timed = points.filter(({ meanMs, runs }) => meanMs !== null && runs > 0);
  const meanMs = meanOf(timed.map((point) => [point.meanMs ?? 0, point.runs]));
  const [slowest] = timed.toSorted((one, other) => (other.maxMs ?? 0) - (one.maxMs ?? 0));
  return meanMs === null || slowest === undefined ? null : { meanMs, slowest };
}

/** The least of 1, 2 and 5 with zeros that is not below a value: where an axis ends. */
export function niceCeiling(value: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(value, 1)));
  return [1, 2, 5, 10].map((factor) => factor * power).find((candidate) => candidate >= value) ?? 10 * power;
}

/* Their drawing. */

const PLOT_WIDTH = 720;
const PLOT_HEIGHT = 160;
/** Where the axes have marks and lines. */
const MARKS = [0, 0.25, 0.5, 0.75, 1] as const;

export const topOf = (points: readonly Point[]): number =>
  niceCeiling(Math.max(0, ...points.map(({ p95Ms, meanMs }) => Math.max(p95Ms ?? 0, meanMs ?? 0))));

/** The drawing, a sentence about it, and a table by hour. `sharedTop`: the scale of several plots, with keys of their own. */
export function responseFigure(response: Response, context: PageContext, sharedTop: number | null = null): Markup {
  const { words, times, messages } = context;
  const summary = responseSummary(response.points);
  if (summary === null) return quiet(words.noResponse);
  const { meanMs, slowest } = summary;
  const text = words.responseSummary(
    messages.milliseconds(meanMs),
    messages.milliseconds(slowest.maxMs ?? 0),
    times.clock(slowest.at),
  );
  return markup`<figure class="response">
<figcaption>${text}</figcaption>
${plot(response, text, sharedTop ?? topOf(response.points), context)}
${sharedTop === null ? keysOf(response.points, context) : null}
${hoursTable(response, context)}
</figure>`;
}

/** The axes are text beside the drawing, so that they keep their size however wide it is. */
function plot(response: Response, label: string, top: number, { words, times, messages }: PageContext): Markup {
  const { points, from, to, stepMs, span } = response;
  const x = (at: number): number => rounded(((at - from) / (to - from)) * PLOT_WIDTH);
  const y = (ms: number): number => rounded(PLOT_HEIGHT - (Math.min(ms, top) / top) * PLOT_HEIGHT);
  const at = (point: Point, ms: number | null): string => `${x(point.at + stepMs / 2)} ${y(ms ?? 0)}`;
  const grid = MARKS.map((share) => `M0 ${share * PLOT_HEIGHT}h${PLOT_WIDTH}`);
  const runs = runsOf(response);
  const lines = runs.map((run) => {
    const line = run.map((point) => at(point, point.meanMs)).join('L');
    // A single point is a line without length, which round ends make a dot.
    return `M${line}${run.length === 1 ? 'h.1' : ''}`;
  });
  const areas = runs
    .filter((run) => run.length > 1)
    .map((run) => {
      const high = run.map((point) => at(point, point.p95Ms ?? point.meanMs));
      const low = run.toReversed().map((point) => at(point, point.meanMs));
      return `M${[...high, ...low].join('L')}z`;
    });
  const width = rounded(x(from + stepMs) - x(from));
  // Where the site had a fault, or was worked on: the whole height, with a bar at its foot.
  const spans = (['maintenance', 'degraded', 'down'] as const).map((kind) => {
    const shown = points.filter(({ bad, isMaintenance }) => (kind === 'maintenance' ? isMaintenance : bad === kind));
    if (shown.length === 0) return null;
    const bars = (height: number): Markup =>
      verbatim(shown.map((point) => rectangle(x(point.at), PLOT_HEIGHT - height, width, height)).join(''));
    return markup`<path class="span ${kind}" d="${bars(PLOT_HEIGHT)}"/><path class="foot ${kind}" d="${bars(5)}"/>`;
  });
  const scale = [top, top / 2, 0].map((ms) => markup`<span>${messages.milliseconds(ms)}</span>`);
  const marks = MARKS.map((share) => markup`<span>${times.clock(from + share * (to - from))}</span>`);
  return markup`<div class="plot">
<div class="scale" aria-hidden="true">${scale}</div>
<svg role="img" aria-label="${words.response[span]}: ${label}" viewBox="0 0 ${PLOT_WIDTH} ${PLOT_HEIGHT}" preserveAspectRatio="none">
<path class="grid" d="${verbatim(grid.join(''))}"/>
${spans}
<path class="p95" d="${verbatim(areas.join(''))}"/>
<path class="mean" d="${verbatim(lines.join(''))}"/>
</svg>
<div class="marks" aria-hidden="true">${marks}</div>
</div>`;
}

const rounded = (value: number): number => Math.round(value * 10) / 10;

/** Points that follow each other; where nothing was received there is a gap. */
function runsOf({ points, stepMs }: Response): readonly (readonly Point[])[] {
  const runs: Point[][] = [];
  for (const point of points) {
    if (point.meanMs === null) continue;
    const last = runs.at(-1)?.at(-1);
    if (last !== undefined && point.at - last.at <= 2 * stepMs) runs.at(-1)?.push(point);
    else runs.push([point]);
  }
  return runs;
}

export function keysOf(points: readonly Point[], { words }: PageContext): Markup {
  const keys = (['mean', 'p95', 'bad', 'maintenance'] as const).filter((key) => {
    if (key === 'bad') return points.some(({ bad }) => bad !== null);
    return key !== 'maintenance' || points.some(({ isMaintenance }) => isMaintenance);
  });
  return markup`<ul class="keys">${keys.map((key) => markup`<li class="${key}">${words.responseKeys[key]}</li>`)}</ul>`;
}

function hoursTable({ hours, span }: Response, { words, times }: PageContext): Markup {
  const rows = hours.toReversed().map(({ at, meanMs, p95Ms, maxMs }) => ({
    cells: [times.tag(at, times.clock(at)), ...[meanMs, p95Ms, maxMs].map(times.response)],
  }));
  const heads = [words.hour, words.responseKeys.mean, words.responseKeys.p95, words.slowest];
  return markup`<details><summary>${words.byHour}</summary>
${tableOf('numbers', words.response[span], heads, rows)}</details>`;
}
