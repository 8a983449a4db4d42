import { describe, expect, it } from 'vitest';
import { areSaidInEveryLanguage } from '../../../../test/words.ts';
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
    ...Object.fromEntries(
      flat('', { ...words, fixes: told, notes: { ...words.notes, uncommitted: '' } }).filter(([, text]) => text !== ''),
    ),
    noCommit: words.title('<one>', null),
    ...Object.fromEntries([1, 2, 20, 100, 101].map((count) => [`files ${count}`, words.notes.uncommitted(count)])),
  };
}

const EVERY = await Promise.all(LANGUAGES.map(async (language) => sentences(await loadDrillWords(language))));

describe('what a drill says', () => {
  areSaidInEveryLanguage(EVERY);

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
