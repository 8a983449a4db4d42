import { describe, expect, it } from 'vitest';
import type { Json } from '../answer.ts';
import { localeFolder, localeFolders } from './settings.ts';

describe('localeFolder', () => {
  it.each<readonly [prefix: Json, folder: string | null]>([
    [null, ''],
    ['', ''],
    [' ', ''],
    ['/', ''],
    ['.', ''],
    ['./', ''],
    ['#/', ''],
    ['#!/', ''],
    ['ro', 'ro'],
    [' ro ', 'ro'],
    ['/ro/', 'ro'],
    ['./ro/', 'ro'],
    ['#/ro', 'ro'],
    ['#!/ro/', 'ro'],
    ['/#/ro', 'ro'],
    ['docs/ro', 'docs/ro'],
    ['română', 'română'],
    ['../ro', null],
    ['docs/../ro', null],
    ['docs/./ro', null],
    ['docs//ro', null],
    ['..', null],
    [String.raw`docs\ro`, null],
    ['https://ro.docs.example', null],
    ['?lang=ro', null],
    ['x'.repeat(201), null],
    [7, null],
    [['ro'], null],
  ])('%j: %j', (prefix, folder) => {
    expect(localeFolder(prefix)).toBe(folder);
  });
});

describe('localeFolders', () => {
  it.each<{ name: string; configuration: Readonly<Record<string, Json>>; is: readonly string[] }>([
    { name: 'none', configuration: {}, is: [] },
    { name: 'no list', configuration: { locales: 'fr' }, is: [] },
    { name: 'nonsense', configuration: { locales: [null, 1, 'fr', {}, [], { prefix: 7 }, { prefix: '' }] }, is: [] },
    { name: 'a way up', configuration: { locales: [{ prefix: '../x' }, { prefix: '#/ro' }] }, is: ['ro'] },
    { name: 'the same twice', configuration: { locales: [{ prefix: 'ro' }, { prefix: '/ro/' }] }, is: ['ro'] },
    {
      name: 'several',
      configuration: { locales: [{ prefix: '' }, { prefix: '/fr/' }, { prefix: './ro' }, { prefix: 'a/b' }] },
      is: ['fr', 'ro', 'a/b'],
    },
  ])('$name: $is', ({ configuration, is }) => {
    expect(localeFolders(configuration)).toEqual(is);
  });

  it('is bounded', () => {
    const locales = Array.from({ length: 1000 }, (_, at) => ({ prefix: `p${at}` }));
    expect(localeFolders({ locales })).toHaveLength(100);
  });
});
