import { describe, expect, it } from 'vitest';
import { random } from '../../test/generator/random.ts';
import { resolveLink, plainLink } from './link.ts';

const ROOT = new URL('https://docs.example/');
const BASE = new URL('https://docs.example/up/');

/** The same link with white space around it, which means nothing, but is not plain. */
const slowly = (written: string, from: string, base = BASE) => resolveLink(` ${written} `, from, base);

describe('a plain link', () => {
  it.each([
    ['a.md', 'index.md', 'a.md', null],
    ['./a.md', 'guide/b.md', 'guide/a.md', null],
    ['../a.md', 'guide/b.md', 'a.md', null],
    ['../.././a.md', 'x/y/b.md', 'a.md', null],
    ['../part-3/page-151.md#details', 'part-2/page-1.md', 'part-3/page-151.md', 'details'],
    ['a.md#', 'b.md', 'a.md', ''],
    ['v1.2/A_b~c.MARKDOWN#x.y', 'b.md', 'v1.2/A_b~c.MARKDOWN', 'x.y'],
  ])('%s from %s', (written, from, path, anchor) => {
    const link = { kind: 'page', path, url: `https://docs.example/up/${path}`, anchor };
    expect(plainLink(written, from, BASE)).toEqual(link);
    expect(slowly(written, from)).toEqual(link);
  });

  it.each([
    ['/a.md', 'b.md'],
    ['../a.md', 'b.md'],
    ['guide/', 'b.md'],
    ['a.png', 'b.md'],
    ['a', 'b.md'],
    ['#a', 'b.md'],
    ['.hidden.md', 'b.md'],
    ['a/../b.md', 'b.md'],
    ['a%20b.md', 'b.md'],
    ['ă.md', 'b.md'],
    ['a.md?x', 'b.md'],
    ['a.md#/b.md', 'b.md'],
    ['a.md', 'ă/b.md'],
    ['a.md', 'a//b.md'],
    ['a\\b.md', 'b.md'],
    ['c:a.md', 'b.md'],
  ])('is not %s from %s', (written, from) => {
    expect(plainLink(written, from, BASE)).toBeNull();
  });

  it('begins at the root where that is the base', () => {
    const link = { kind: 'page', path: 'a/b.md', url: 'https://docs.example/a/b.md', anchor: null };
    expect(plainLink('/a/b.md', 'guide/c.md', ROOT)).toEqual(link);
    expect(slowly('/a/b.md', 'guide/c.md', ROOT)).toEqual(link);
  });

  it('leads where random links lead', () => {
    const numbers = random('plain links');
    const PARTS = [
      'a',
      'B-1',
      '.',
      '..',
      '/',
      '/',
      'md',
      '.md',
      '.MD',
      '#',
      'x.y',
      '~',
      '%41',
      'ă',
      ':',
      '?',
      'index',
      '',
    ];
    const text = (most: number): string =>
      Array.from({ length: numbers.int(most) }, () => numbers.pick(PARTS)).join('');
    let plain = 0;
    for (let run = 0; run < 20_000; run++) {
      const written = numbers.chance(0.5) ? text(8) : `${numbers.pick(['', '../', './', '/'])}${text(3)}.md`;
      const from = numbers.pick(['index.md', 'a/b.md', 'a/B/c.md', 'ă/x.md', text(5)]);
      const base = numbers.pick([ROOT, BASE]);
      const link = plainLink(written, from, base);
      const reported = { written, from, link };
      expect(reported).toEqual(link === null ? reported : { ...reported, link: slowly(written, from, base) });
      plain += link === null ? 0 : 1;
    }
    expect(plain).toBeGreaterThan(1_000);
  });
});
