/** A small picture of lines over logarithmic axes, as SVG: for light and dark, wide and narrow, eyes and screen readers. */
import type { Figure } from '../measure.ts';
import { spreadOut } from './labels.ts';
import { number, quantity } from './quantity.ts';
import { stepScale, valueScale } from './scale.ts';
import { STYLE } from './style.ts';

export interface ChartLine {
  readonly name: string;
  readonly isPeer: boolean;
  /** From the left on; what is not above 0 is left out. */
  readonly points: readonly { readonly at: number; readonly value: number }[];
}

export interface Chart {
  readonly title: string;
  /** The same in words. */
  readonly description: string;
  /** What the axis from left to right counts. */
  readonly what: string;
  readonly steps: readonly number[];
  readonly figure: Figure;
  readonly lines: readonly ChartLine[];
}

/** Two fit beside each other on a page, one on a phone. */
const [WIDTH, HEIGHT] = [410, 300];
const [LEFT, TOP, BOTTOM] = [66, 52, 244];
/** From the end of a line to its name, and about as much as a letter takes. */
const [GAP, LETTER] = [20, 7.2];
/** From one row of text to the next. */
const ROW = 14;
const MOST_COLORS = 5;

interface Drawn {
  readonly name: string;
  readonly style: string;
  readonly places: readonly (readonly [x: number, y: number])[];
  /** At its end. */
  readonly value: string;
  readonly isShort: boolean;
}

/** The picture. Always the same for the same chart. */
export function drawChart({ title, description, what, steps, figure, lines }: Chart): string {
  const longest = Math.max(...lines.map(({ name }) => name.length));
  const right = Math.round(WIDTH - GAP - longest * LETTER - 10);
  const values = lines.flatMap(({ points }) => points.map(({ value }) => value).filter((value) => value > 0));
  const [across, up] = [stepScale(steps), valueScale(values)];
  const xOf = (at: number): number => rounded(LEFT + 12 + across.at(at) * (right - LEFT - 12));
  const yOf = (value: number): number => rounded(BOTTOM - up.at(value) * (BOTTOM - TOP));
  const drawn = lines.flatMap(({ name, isPeer, points }, index): Drawn[] => {
    const seen = points.filter(({ value }) => value > 0);
    const last = seen.at(-1);
    if (last === undefined) return [];
    return [
      {
        name,
        style: isPeer ? 'peer' : `c${index % MOST_COLORS}`,
        places: seen.map(({ at, value }) => [xOf(at), yOf(value)]),
        value: quantity(last.value, figure),
        isShort: last.at !== steps.at(-1),
      },
    ];
  });
  const grid = up.ticks.map(
    (tick) =>
      `<path class="grid" d="M${LEFT} ${yOf(tick)}H${right}"/><text class="tick" x="${LEFT - 8}" y="${yOf(tick) + 4}" text-anchor="end">${quantity(tick, figure)}</text>`,
  );
  const feet = across.ticks.map(
    (tick) =>
      `<path class="foot" d="M${xOf(tick)} ${BOTTOM}v4"/><text class="tick" x="${xOf(tick)}" y="${BOTTOM + 19}" text-anchor="middle">${number(tick)}</text>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-labelledby="title desc">
<title id="title">${escaped(title)}</title>
<desc id="desc">${escaped(description)}</desc>
<style>
${STYLE}</style>
<rect class="card" x="0.5" y="0.5" width="${WIDTH - 1}" height="${HEIGHT - 1}" rx="6"/>
<text class="title" x="16" y="28">${escaped(title)}</text>
${[...grid, ...feet].join('\n')}
<path class="axis" d="M${LEFT} ${BOTTOM}H${right}"/>
<text class="tick" x="${rounded((LEFT + 12 + right) / 2)}" y="${BOTTOM + 40}" text-anchor="middle">${escaped(what)}</text>
${drawn.map(lineOf).join('\n')}
${namesOf(drawn, right).join('\n')}
</svg>
`;
}

function lineOf({ style, places }: Drawn): string {
  const line = places.map(([x, y]) => `${x} ${y}`).join('L');
  const marks = places.map(([x, y]) => `<circle cx="${x}" cy="${y}" r="3"/>`).join('');
  return `<g class="${style}"><path class="line" d="M${line}"/>${marks}</g>`;
}

/** Beside the ends of the lines, apart from each other; above the end of one that ends early, where there is room. */
function namesOf(drawn: readonly Drawn[], right: number): string[] {
  const whole = drawn.filter(({ isShort }) => !isShort);
  const ends = whole.map(({ places }) => places.at(-1)?.[1] ?? TOP);
  const heights = spreadOut(ends, { apart: 2 * ROW + 3, low: TOP + 8, high: BOTTOM - 16 });
  const isMoved = (index: number): boolean => Math.abs((ends[index] ?? 0) - (heights[index] ?? 0)) >= 4;
  const besideX = right + (whole.some((_, index) => isMoved(index)) ? GAP : 10);
  const beside = whole.map(({ name, style, value }, index) => {
    const [end = TOP, y = TOP] = [ends[index], heights[index]];
    const lead = isMoved(index) ? `<path class="lead" d="M${right + 5} ${end}L${right + GAP - 4} ${y}"/>` : '';
    return `<g class="${style}">${lead}<text class="name" x="${besideX}" y="${y + 1}">${escaped(name)}</text><text class="value" x="${besideX}" y="${y + 1 + ROW}">${escaped(value)}</text></g>`;
  });
  const above = drawn
    .filter(({ isShort }) => isShort)
    .map(({ name, style, value, places }) => {
      const [x, y] = places.at(-1) ?? [LEFT, TOP];
      const isHigh = y - ROW * 2 < TOP - ROW;
      const place = isHigh ? { x: x + 10, y: y + 4, anchor: 'start' } : { x, y: y - 10 - ROW, anchor: 'middle' };
      const text = (kind: string, row: number, words: string): string =>
        `<text class="${kind}" x="${place.x}" y="${place.y + row * ROW}" text-anchor="${place.anchor}">${escaped(words)}</text>`;
      return `<g class="${style}">${text('name', 0, name)}${text('value', 1, value)}</g>`;
    });
  return [...beside, ...above];
}

const rounded = (value: number): number => Math.round(value * 10) / 10;

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

const escaped = (text: string): string => text.replaceAll(/[&<>"]/g, (sign) => ENTITIES[sign] ?? sign);
