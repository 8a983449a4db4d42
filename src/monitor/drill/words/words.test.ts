import { describe, expect, it } from 'vitest';
import { LANGUAGES } from '../../../texts.ts';
import { loadDrillWords } from './load.ts';
import type { DrillWords } from './words.ts';

/** Every sentence by its name, with values that stand out. */
function sentences({ fixes, ...words }: DrillWords): Record<string, string> {
  const flat = (prefix: string, value: unknown): [string, string][] => {
    if (typeof value === 'string') return [[prefix, value]];
    if (typeof value === 'function') {
      return [[prefix, (value as (...of: string[]) => string)('<one>', '<two>', '<three>')]];
    }
    return Object.entries(Object(value) as object).flatMap(([key, inner]) => flat(`${prefix}.${key}`, inner));
  };
  const { 'not-healthy': toldByTheReport, ...told } = fixes;
  expect(toldByTheReport).toBe('');
  return {
    ...Object.fromEntries(flat('', { ...words, fixes: told, place: '', notes: { ...words.notes, uncommitted: '' } })),
    noCommit: words.title('<one>', null),
    ...Object.fromEntries([1, 2, 20, 100, 101].map((count) => [`files ${count}`, words.notes.uncommitted(count)])),
  };
}

const EVERY = await Promise.all(LANGUAGES.map(async (language) => sentences(await loadDrillWords(language))));
const [en = {}, ro = {}, fr = {}] = EVERY;
const names = Object.keys(en).filter((name) => en[name] !== '');

describe('what a drill says', () => {
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

  it.each([
    [1, /^1 fișier din /],
    [2, /^2 fișiere din /],
    [20, /^20 de fișiere din /],
    [101, /^101 fișiere din /],
    [120, /^120 de fișiere din /],
  ])('%i files are counted as Romanian does', async (count, wanted) => {
    expect((await loadDrillWords('ro')).notes.uncommitted(count)).toMatch(wanted);
  });
});
