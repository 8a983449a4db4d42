import { describe, expect, it } from 'vitest';
import { LANGUAGES } from '../../../texts.ts';
import { loadStoreWords } from './load.ts';
import type { StoreWords } from './words.ts';

/** Every sentence by its name, with values that stand out. */
function sentences(words: StoreWords): Record<string, string> {
  const owner = { pid: 4711, host: '<host>', since: '<since>' };
  return {
    ...Object.fromEntries(Object.entries(words.problems).map(([name, tell]) => [name, tell('<file>', '<detail>')])),
    locked: words.locked('<file>', owner),
    'locked by nobody knows whom': words.locked('<file>', null),
  };
}

const [en = {}, ro = {}, fr = {}] = await Promise.all(
  LANGUAGES.map(async (language) => sentences(await loadStoreWords(language))),
);

describe('what is said of databases', () => {
  it.each(Object.keys(en))('%s is said in every language, each in its own words', (name) => {
    const said = [en[name], ro[name], fr[name]];
    expect(new Set(said).size).toBe(3);
    const values = (text = ''): string[] => (text.match(/<\w+>/g) ?? []).toSorted();
    expect([values(ro[name]), values(fr[name])]).toEqual([values(en[name]), values(en[name])]);
    for (const sentence of said) expect(sentence).toMatch(/^<file>.*[^ ]$/);
  });

  it.each(Object.keys(en))('%s has the letters of its language', (name) => {
    expect(ro[name]).not.toMatch(/[şţŞŢ]/);
    expect(fr[name]).not.toMatch(/ [:;?!»]|« |'/);
  });
});
