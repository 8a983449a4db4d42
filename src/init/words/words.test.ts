import { describe, expect, it } from 'vitest';
import { LANGUAGES } from '../../texts.ts';
import { loadInitWords } from './load.ts';
import type { InitWords } from './words.ts';

/** Every sentence by its name, with values that stand out. */
function sentences(words: InitWords): Record<string, string> {
  const flat = (prefix: string, value: unknown): [string, string][] => {
    if (typeof value === 'string') return [[prefix, value]];
    if (typeof value === 'function') return [[prefix, (value as (...of: string[]) => string)('<one>', '<two>')]];
    return Object.entries(Object(value) as object).flatMap(([key, inner]) => flat(`${prefix}.${key}`, inner));
  };
  return {
    ...Object.fromEntries(flat('', { ...words, written: '' })),
    noSite: words.foundSite(null, null),
    noEngine: words.foundSite('<one>', null),
    noHost: words.foundHost(null, ''),
    noRemote: words.foundRepository(null, '<two>'),
    noForge: words.command(null),
    noOrigin: words.address('<one>', null),
    noBase: words.deployedFolder('<one>', null),
    ...Object.fromEntries([1, 2, 20, 100].map((count) => [`written ${count}`, words.written(count)])),
  };
}

const EVERY = await Promise.all(LANGUAGES.map(async (language) => sentences(await loadInitWords(language))));
const [en = {}, ro = {}, fr = {}] = EVERY;
const names = Object.keys(en).filter((name) => name !== '.written');

describe('what init says', () => {
  it('is said in every language, each in its own words', () => {
    expect([Object.keys(ro), Object.keys(fr)]).toEqual([Object.keys(en), Object.keys(en)]);
    expect(names.filter((name) => new Set([en[name], ro[name], fr[name]]).size < 3)).toEqual([]);
  });

  it.each(names)('%s is one line', (name) => {
    for (const sentence of [en[name], ro[name], fr[name]]) {
      expect(sentence).toMatch(/^\S.*\S$/);
      expect(sentence).not.toMatch(/undefined|null|NaN| {2}/);
    }
  });

  it.each(names)('%s names what it is about', (name) => {
    const values = (text = ''): string[] => (text.match(/<\w+>/g) ?? []).toSorted();
    expect([values(ro[name]), values(fr[name])]).toEqual([values(en[name]), values(en[name])]);
  });

  it.each(names)('%s has the letters of its language', (name) => {
    expect(ro[name]).not.toMatch(/[şţŞŢ]/);
    expect(fr[name]).not.toMatch(/ [:;?!»]|« |'/);
  });
});
