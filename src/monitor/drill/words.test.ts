import { describe, expect, it } from 'vitest';
import { areSaidInEveryLanguage } from '../../../test/words.ts';
import { LANGUAGES } from '../../texts.ts';
import { DRILL_WORDS, type DrillWords } from './words.ts';

/** Every sentence by its name, with recognisable values. */
function sentences(words: DrillWords): Record<string, string> {
  const flat = (prefix: string, value: unknown): [string, string][] => {
    if (typeof value === 'string') return [[prefix, value]];
    if (typeof value === 'function') {
      return [[prefix, (value as (...of: string[]) => string)('<one>', '<two>', '<three>')]];
    }
    return Object.entries(Object(value) as object).flatMap(([key, inner]) => flat(`${prefix}.${key}`, inner));
  };
  return {
    ...Object.fromEntries(flat('', { ...words, notes: { ...words.notes, uncommitted: null } })),
    noCommit: words.title('<one>', null),
    ...Object.fromEntries([1, 2, 20, 100, 101].map((count) => [`files ${count}`, words.notes.uncommitted(count)])),
  };
}

describe('the words of a drill', () => {
  areSaidInEveryLanguage(LANGUAGES.map((language) => sentences(DRILL_WORDS[language])));

  it.each([
    [1, /^1 fișier din /],
    [2, /^2 fișiere din /],
    [20, /^20 de fișiere din /],
    [101, /^101 fișiere din /],
    [120, /^120 de fișiere din /],
  ])('%i files are counted as in Romanian', (count, wanted) => {
    expect(DRILL_WORDS.ro.notes.uncommitted(count)).toMatch(wanted);
  });
});
