import { describe, expect, it } from 'vitest';
import { srcsetUrls } from './srcset.ts';

const LONG = 9_000_000;

describe('srcsetUrls', () => {
  it.each([
    { name: 'one', srcset: 'a.png', is: ['a.png'] },
    { name: 'densities', srcset: 'a.png 1x, b.png 2x', is: ['a.png', 'b.png'] },
    { name: 'widths and line ends', srcset: '\n a.png 400w,\n b.png 800w\n', is: ['a.png', 'b.png'] },
    { name: 'commas in a URL', srcset: 'c,d.png 2x, e.png', is: ['c,d.png', 'e.png'] },
    { name: 'a comma behind a URL', srcset: 'a.png, b.png', is: ['a.png', 'b.png'] },
    { name: 'data', srcset: 'data:image/png;base64,AA== 1x, b.png 2x', is: ['data:image/png;base64,AA==', 'b.png'] },
    { name: 'brackets', srcset: 'a.png calc(1x, 2), b.png', is: ['a.png', 'b.png'] },
    { name: 'only commas', srcset: ' , ,', is: [] },
    { name: 'nothing', srcset: '', is: [] },
  ])('$name: $is', ({ srcset, is }) => {
    expect(srcsetUrls(srcset)).toEqual(is);
  });

  it.each([
    { name: 'one URL', srcset: 'a'.repeat(LONG), length: 0 },
    { name: 'a long URL after another', srcset: `b.png 1x, ${'a'.repeat(LONG)}`, length: 1 },
    { name: 'commas', srcset: ','.repeat(LONG), length: 0 },
    { name: 'white space', srcset: ' '.repeat(LONG), length: 0 },
    { name: 'descriptors', srcset: `a.png ${'x '.repeat(LONG / 2)}`, length: 1 },
    { name: 'open brackets', srcset: `a.png ${'('.repeat(LONG)}`, length: 1 },
    { name: 'URLs', srcset: 'a 1x,'.repeat(LONG / 5), length: 2000 },
  ])('bounded: $name', ({ srcset, length }) => {
    expect(srcsetUrls(srcset)).toHaveLength(length);
  });
});
