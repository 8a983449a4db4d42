import { describe, expect, it } from 'vitest';
import { judgedBy, toolWanted } from '../../reports/tools.ts';
import { drawChart, type Chart } from './chart.ts';

const CHART: Chart = {
  title: 'A <whole> site & "all"',
  description: 'Ours & theirs',
  what: 'pages',
  steps: [1, 10, 100, 1000],
  figure: 'wallMs',
  lines: [
    {
      name: 'a<b',
      isPeer: false,
      points: [120, 150, 900, 9000].map((value, index) => ({ at: 10 ** index, value })),
    },
    {
      name: 'peer',
      isPeer: true,
      points: [
        { at: 1, value: 300 },
        { at: 10, value: 0 },
        { at: 100, value: 2000 },
      ],
    },
  ],
};
const svg = drawChart(CHART);

/** What is written there, by its class. */
const texts = (drawn: string, kind: string): string[] =>
  [...drawn.matchAll(new RegExp(`<text class="${kind}"[^>]*>([^<]*)</text>`, 'g'))].flatMap(([, text]) => text ?? []);

/** Where the points of a line are. */
const places = (drawn: string, style: string): number[][] => {
  const [line = ''] = new RegExp(`<g class="${style}"><path class="line".*`).exec(drawn) ?? [];
  return [...line.matchAll(/cx="([\d.]+)" cy="([\d.]+)"/g)].map(([, x, y]) => [Number(x), Number(y)]);
};

describe('a picture', () => {
  it('says what it shows to those who do not see it', () => {
    expect(svg).toMatch(
      /^<svg [^>]*role="img" aria-labelledby="title desc">\n<title id="title">A &lt;whole&gt; site &amp; /,
    );
    expect(svg).toContain('<desc id="desc">Ours &amp; theirs</desc>');
  });

  it.runIf(toolWanted('xmllint', '--version'))('is XML, whatever is in it', () => {
    expect(judgedBy('xmllint', ['--noout', '--nonet', '-'], svg).said).toBe('');
  });

  it('is one for light and one for dark', () => {
    expect(svg).toMatch(/@media \(prefers-color-scheme: dark\)/);
  });

  it('names its axes, with units', () => {
    expect(texts(svg, 'tick')).toEqual(['100 ms', '1 s', '10 s', '1', '10', '100', '1,000', 'pages']);
  });

  it('names its lines where they end, with the value there', () => {
    expect([texts(svg, 'name'), texts(svg, 'value')]).toEqual([
      ['a&lt;b', 'peer'],
      ['9 s', '2 s'],
    ]);
  });

  it('goes from left to right, and up', () => {
    const ours = places(svg, 'c0');
    expect(ours).toHaveLength(4);
    for (const [index, [x = NaN, y = NaN]] of ours.slice(1).entries()) {
      expect(x).toBeGreaterThan(ours[index]?.[0] ?? Infinity);
      expect(y).toBeLessThan(ours[index]?.[1] ?? -Infinity);
    }
  });

  it('leaves out what was not measured', () => {
    const [theirs, ours] = [places(svg, 'peer'), places(svg, 'c0')];
    expect(theirs.map(([x]) => x)).toEqual([ours[0]?.[0], ours[2]?.[0]]);
  });

  it('keeps names apart, and within its edges', () => {
    const lines = ['export', 'history', 'status page', '/metrics', 'commit'].map((name, index) => ({
      name,
      isPeer: false,
      points: [{ at: 1, value: 100 + index }],
    }));
    const drawn = drawChart({ ...CHART, steps: [1], lines });
    const heights = [...drawn.matchAll(/class="name" x="[\d.]+" y="([\d.]+)"/g)].map(([, y]) => Number(y));
    const sorted = heights.toSorted((a, b) => a - b);
    expect(sorted).toHaveLength(5);
    for (const [index, y] of sorted.slice(1).entries()) expect(y - (sorted[index] ?? 0)).toBeGreaterThanOrEqual(30);
    expect([(sorted[0] ?? 0) > 40, (sorted.at(-1) ?? 300) < 260]).toEqual([true, true]);
  });

  it.each([
    ['above its end', 3000, 'middle'],
    ['beside it where that would be in the title', 49_000, 'start'],
  ])('names a line that ends early %s', (_, value, anchor) => {
    const early = { name: 'early', isPeer: true, points: [{ at: 10, value }] };
    const drawn = drawChart({ ...CHART, lines: [...CHART.lines.slice(0, 1), early] });
    const [, y = '0', found] = /class="name" x="[\d.]+" y="([\d.]+)" text-anchor="(\w+)">early/.exec(drawn) ?? [];
    expect([found, Number(y) > 40]).toEqual([anchor, true]);
  });

  it('is the same for the same', () => {
    expect(drawChart(CHART)).toBe(svg);
  });
});
