import { describe, expect, it } from 'vitest';
import type { Grown, Growth } from './growth.ts';
import { partOf, picturesOf } from './part.ts';

const growth: Growth = {
  id: 'growth/x',
  what: 'pages',
  panels: [
    {
      id: 'growth/x-wall',
      title: 'Time',
      short: 'wall',
      figure: 'wallMs',
      lines: [{ name: 'a' }, { name: 'b', isPeer: true }],
    },
    { id: 'growth/x-size', title: 'Size', short: 'size', figure: 'sizeMB', lines: [{ name: 'a' }] },
  ],
  needs: [],
  pairs: 3,
  measure: () => Promise.reject(new Error('not measured here')),
};
const grown: Grown = {
  date: '2026-01-01',
  runs: 3,
  environment: { cpu: 'Z80', cores: 1, system: 'CP/M', node: '24.0.0', peers: { b: '1.0' } },
  points: [
    { at: 1, costs: { a: { wallMs: 12.34, sizeMB: 0.5 }, b: { wallMs: 80 } } },
    { at: 1000, costs: { a: { wallMs: 4321, sizeMB: 5 } } },
  ],
};

describe('what the documents show of a growth', () => {
  const part = partOf(growth, grown);

  it('has the numbers in a table', () => {
    expect(part.split('\n').filter((line) => line.startsWith('|'))).toEqual([
      '| pages | wall, a | wall, b | size, a |',
      '| ---: | ---: | ---: | ---: |',
      '| 1 | 12.3 ms | 80 ms | 0.5 MB |',
      '| 1,000 | 4.32 s | – | 5 MB |',
    ]);
  });

  it('has its pictures, with what they show in words', () => {
    expect(part.match(/!\[.*/g)).toEqual([
      '![Time. By the number of pages. a: 12.3 ms at 1, 4.32 s at 1,000; b: 80 ms at 1.](growth/x-wall.svg)',
      '![Size. By the number of pages. a: 0.5 MB at 1, 5 MB at 1,000.](growth/x-size.svg)',
    ]);
    expect([...picturesOf(growth, grown).keys()]).toEqual(['growth/x-wall', 'growth/x-size']);
  });

  it('says when and where it was measured', () => {
    expect(part).toContain(
      'Measured on 2026-01-01, 3 times, of which these are the medians: 1 cores of Z80, CP/M, Node 24.0.0, b 1.0.',
    );
  });

  it('draws each line through its points', () => {
    const [wall = '', size = ''] = picturesOf(growth, grown).values();
    expect([wall, size].map((svg) => svg.match(/<circle /g)?.length)).toEqual([3, 2]);
  });
});
