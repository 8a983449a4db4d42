/** A small picture of lines over logarithmic axes, as SVG, for light and dark. */
import { FIGURES, type Figure } from './measure.ts';

export interface Chart {
  readonly title: string;
  /** The same in words. */
  readonly description: string;
  /** What the horizontal axis counts. */
  readonly what: string;
  readonly steps: readonly number[];
  readonly figure: Figure;
  readonly lines: readonly {
    readonly name: string;
    /** Above 0. */
    readonly points: readonly { readonly at: number; readonly value: number }[];
  }[];
}

const THREE = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 });
export const number = (value: number): string => THREE.format(value);

/** With its unit. */
export function quantity(value: number, figure: Figure): string {
  if (Number.isNaN(value)) return '–';
  const { unit } = FIGURES[figure];
  if (unit === 'ms' && value >= 1000) return `${number(value / 1000)} s`;
  return unit === '' ? number(value) : `${number(value)} ${unit}`;
}

/** Two fit beside each other on a page, one on a phone. */
const [WIDTH, HEIGHT] = [410, 300];
const [LEFT, RIGHT, TOP, BOTTOM] = [78, 376, 72, 244];
/** About as much as a letter of a name takes, and what is between two names. */
const [LETTER, GAP] = [6.4, 20];

/** Its own background: a page may be dark where the browser prefers light. Colours have a contrast of at least 4.5. */
const STYLE = `svg { --card: #fff; --edge: #d1d9e0; --ink: #1f2328; --soft: #59636e; --grid: #e6eaef;
  --c0: #0969da; --c1: #bc4c00; --c2: #8250df; --c3: #1a7f37; --c4: #bf3989;
  font: 11px system-ui, -apple-system, "Segoe UI", "Noto Sans", Helvetica, Arial, sans-serif; }
@media (prefers-color-scheme: dark) {
  svg { --card: #0d1117; --edge: #3d444d; --ink: #f0f6fc; --soft: #9198a1; --grid: #21262d;
    --c0: #58a6ff; --c1: #f0883e; --c2: #bc8cff; --c3: #3fb950; --c4: #f778ba; } }
.card { fill: var(--card); stroke: var(--edge); } .title { fill: var(--ink); font-size: 14px; font-weight: 600; }
.tick { fill: var(--soft); } .grid { stroke: var(--grid); } .line { fill: none; stroke-width: 2; } .name { font-weight: 600; }
`;

const positionOn = (low: number, high: number, from: number, to: number) => (value: number) =>
  Math.round(
    10 * (low === high ? (from + to) / 2 : from + (Math.log(value / low) / Math.log(high / low)) * (to - from)),
  ) / 10;

/** 1, 2, 5, 10 … around the values; if there are many, decades only. */
function ticksOf(values: readonly number[]): readonly number[] {
  const [min, max] = [Math.min(...values), Math.max(...values)];
  const first = Math.floor(Math.log10(min)) - 1;
  const powers = Array.from({ length: Math.ceil(Math.log10(max)) - first + 2 }, (_, index) => first + index);
  const rungs = powers.flatMap((power) => [1, 2, 5].map((digit) => Number(`${digit}e${power}`)));
  const among = rungs.slice(
    rungs.findLastIndex((rung) => rung < min),
    rungs.findIndex((rung) => rung > max) + 1,
  );
  return among.length <= 6 ? among : among.filter((rung, index) => index % (among.length - 1) === 0 || isDecade(rung));
}

const isDecade = (value: number): boolean => Number.isInteger(Math.log10(value));

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

export function drawChart({ title, description, what, steps, figure, lines }: Chart): string {
  const ticks = ticksOf(lines.flatMap(({ points }) => points.map(({ value }) => value)));
  const x = positionOn(steps[0] ?? 1, steps.at(-1) ?? 1, LEFT + 12, RIGHT);
  const y = positionOn(ticks[0] ?? 1, ticks.at(-1) ?? 1, BOTTOM, TOP);
  const across = ticks.map(
    (tick) =>
      `<path class="grid" d="M${LEFT} ${y(tick)}H${RIGHT}"/><text class="tick" x="${LEFT - 8}" y="${y(tick) + 4}" text-anchor="end">${quantity(tick, figure)}</text>`,
  );
  const below = steps.map(
    (step) => `<text class="tick" x="${x(step)}" y="${BOTTOM + 19}" text-anchor="middle">${number(step)}</text>`,
  );
  let nameX = 16;
  const drawn = lines.map(({ name, points }, index) => {
    const color = `var(--c${index % 5})`;
    const places = points.map(({ at, value }) => [x(at), y(value)] as const);
    const line = places.map((place) => place.join(' ')).join('L');
    const marks = places.map(([cx, cy]) => `<circle cx="${cx}" cy="${cy}" r="3" fill="${color}"/>`).join('');
    const label = `<text class="name" x="${nameX.toFixed(0)}" y="50" fill="${color}">${escaped(name)}</text>`;
    nameX += name.length * LETTER + GAP;
    return `${label}<path class="line" stroke="${color}" d="M${line}"/>${marks}`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-labelledby="title desc">
<title id="title">${escaped(title)}</title>
<desc id="desc">${escaped(description)}</desc>
<style>
${STYLE}</style>
<rect class="card" x="0.5" y="0.5" width="${WIDTH - 1}" height="${HEIGHT - 1}" rx="6"/>
<text class="title" x="16" y="28">${escaped(title)}</text>
${[...across, ...below, ...drawn].join('\n')}
<text class="tick" x="${(LEFT + RIGHT) / 2}" y="${BOTTOM + 40}" text-anchor="middle">${escaped(what)}</text>
</svg>
`;
}
