import { describe, expect, it } from 'vitest';
import { areSaidInEveryLanguage } from '../../../test/words.ts';
import { LANGUAGES } from '../../texts.ts';
import { storeWords } from './words.ts';
import type { StoreWords } from './words.ts';

/** Every sentence by its name, with values that stand out. */
function sentences(words: StoreWords): Record<string, string> {
  const owner = { pid: 4711, host: '<host>', since: '<since>' };
  return {
    ...Object.fromEntries(Object.entries(words.problems).map(([name, report]) => [name, report('<file>', '<detail>')])),
    locked: words.locked('<file>', owner),
    'locked by nobody knows whom': words.locked('<file>', null),
  };
}

const EVERY = await Promise.all(LANGUAGES.map(async (language) => sentences(storeWords(language))));

describe('what is said of databases', () => {
  areSaidInEveryLanguage(EVERY);

  it.each(EVERY.flatMap((said) => Object.values(said)))('%s begins with the file', (sentence) => {
    expect(sentence).toMatch(/^<file>/);
  });
});
