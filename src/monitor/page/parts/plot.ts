/** Response times as a drawing, with the same as a table. */
import { markup, verbatim, type Markup } from '../../../report/html/markup.ts';
import { niceCeiling, responseSummary, type Point, type Response } from '../response.ts';
import type { PageContext } from '../page-context.ts';
import { timeTag } from '../times.ts';

/** In units of the drawing, which is stretched to the width that there is. */
const WIDTH = 720;
const HEIGHT = 160;
const LINES = 4;
/** Where marks stand below the drawing, as shares of its width. */
const MARKS = [0, 0.25, 0.5, 0.75, 1] as const;

/** The drawing, what is to be known of it in a sentence, and a table by hour. */
export function responseFigure(response: Response, hours: readonly Point[], context: PageContext): Markup {
  const { words, times, messages } = context;
  const summary = responseSummary(response.points);
  if (summary === null) return markup`<p class="quiet">${words.noResponse}</p>`;
  const { slowest } = summary;
  const text = words.responseSummary(
    messages.milliseconds(summary.meanMs),
    messages.milliseconds(slowest.maxMs ?? 0),
    times.clock(slowest.at),
  );
  return markup`<figure class="response">
<figcaption>${text}</figcaption>
${drawing(response, text, context)}
${keysOf(response.points, context)}
${hoursTable(hours, response, context)}
</figure>`;
}

/** The axes are text beside the drawing, so that they keep their size however wide it is. */
function drawing(response: Response, label: string, { words, times, messages }: PageContext): Markup {
  const top = niceCeiling(Math.max(...response.points.map(({ p95Ms, meanMs }) => Math.max(p95Ms ?? 0, meanMs ?? 0))));
  const x = (at: number): number => rounded(((at - response.from) / (response.to - response.from)) * WIDTH);
  const y = (ms: number): number => rounded(HEIGHT - (Math.min(ms, top) / top) * HEIGHT);
  const grid = Array.from({ length: LINES + 1 }, (_, line) => `M0 ${(line * HEIGHT) / LINES}h${WIDTH}`).join('');
  const marks = MARKS.map((share) => response.from + share * (response.to - response.from));
  const scale = [top, top / 2, 0].map((ms) => markup`<span>${messages.milliseconds(ms)}</span>`);
  return markup`<div class="plot">
<div class="scale" aria-hidden="true">${scale}</div>
<svg role="img" aria-label="${words.response[response.span]}: ${label}" viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none">
<path class="grid" d="${verbatim(grid)}"/>
${spans(response, 'maintenance', x)}${spans(response, 'degraded', x)}${spans(response, 'down', x)}
<path class="p95" d="${verbatim(areaOf(response, x, y))}"/>
<path class="mean" d="${verbatim(lineOf(response, x, y))}"/>
</svg>
<div class="marks" aria-hidden="true">${marks.map((at) => markup`<span>${times.clock(at)}</span>`)}</div>
</div>`;
}

const rounded = (value: number): number => Math.round(value * 10) / 10;

/** Where the site was not well, or was worked on: the whole height, with a bar at its foot. */
function spans(
  { points, stepMs, from }: Response,
  kind: 'maintenance' | 'degraded' | 'down',
  x: (at: number) => number,
): Markup {
  const shown = points.filter(({ bad, isMaintenance }) => (kind === 'maintenance' ? isMaintenance : bad === kind));
  if (shown.length === 0) return markup``;
  const width = x(from + stepMs) - x(from);
  const wide = shown.map(({ at }) => `M${x(at)} 0h${rounded(width)}v${HEIGHT}h-${rounded(width)}z`).join('');
  const foot = shown.map(({ at }) => `M${x(at)} ${HEIGHT - 5}h${rounded(width)}v5h-${rounded(width)}z`).join('');
  return markup`<path class="span ${kind}" d="${verbatim(wide)}"/><path class="foot ${kind}" d="${verbatim(foot)}"/>`;
}

/** Runs of points that follow each other; where nothing came there is a gap. */
function runsOf({ points, stepMs }: Response): readonly (readonly Point[])[] {
  const runs: Point[][] = [];
  let before: Point | undefined;
  for (const point of points) {
    if (point.meanMs === null) continue;
    if (before !== undefined && point.at - before.at <= 2 * stepMs) runs.at(-1)?.push(point);
    else runs.push([point]);
    before = point;
  }
  return runs;
}

type Scale = (value: number) => number;

function lineOf(response: Response, x: Scale, y: Scale): string {
  return runsOf(response)
    .map((run) => {
      const line = run.map((point) => `${x(point.at + response.stepMs / 2)} ${y(point.meanMs ?? 0)}`);
      // A point alone is a line of no length, which run ends make a dot of.
      return `M${line.join('L')}${run.length === 1 ? 'h.1' : ''}`;
    })
    .join('');
}

function areaOf(response: Response, x: Scale, y: Scale): string {
  return runsOf(response)
    .filter((run) => run.length > 1)
    .map((run) => {
      const high = run.map((point) => `${x(point.at + response.stepMs / 2)} ${y(point.p95Ms ?? point.meanMs ?? 0)}`);
      const low = run.toReversed().map((point) => `${x(point.at + response.stepMs / 2)} ${y(point.meanMs ?? 0)}`);
      return `M${[...high, ...low].join('L')}z`;
    })
    .join('');
}

function keysOf(points: readonly Point[], { words }: PageContext): Markup {
  const keys = [
    'mean' as const,
    'p95' as const,
    ...(points.some(({ bad }) => bad !== null) ? ['bad' as const] : []),
    ...(points.some(({ isMaintenance }) => isMaintenance) ? ['maintenance' as const] : []),
  ];
  return markup`<ul class="keys">${keys.map((key) => markup`<li class="${key}">${words.responseKeys[key]}</li>`)}</ul>`;
}

function hoursTable(hours: readonly Point[], { span }: Response, { words, times, messages }: PageContext): Markup {
  const ms = (value: number | null): string => (value === null ? '–' : messages.milliseconds(value));
  const rows = hours.toReversed().map(
    ({ at, meanMs, p95Ms, maxMs }) =>
      markup`<tr><th scope="row">${timeTag(at, times.clock(at))}</th><td>${ms(meanMs)}</td><td>${ms(p95Ms)}</td><td>${ms(maxMs)}</td></tr>
`,
  );
  const heads = [words.hour, words.responseKeys.mean, words.responseKeys.p95, words.slowest];
  return markup`<details><summary>${words.byHour}</summary>
<table class="numbers"><caption class="unseen">${words.response[span]}</caption><thead><tr>${heads.map((head) => markup`<th scope="col">${head}</th>`)}</tr></thead><tbody>
${rows}</tbody></table></details>`;
}
