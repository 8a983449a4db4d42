import { describe, expect, it } from 'vitest';
import { LANGUAGES, type Language } from '../../texts.ts';
import { durationOf } from './durations.ts';
import { wordsIn, type Words } from './words.ts';

/** Every word by its name, with values that stand out. */
function sentences(words: Words): [name: string, sentence: string][] {
  return Object.entries(words).flatMap(([name, value]: [string, unknown]): [string, string][] => {
    if (typeof value === 'string') return [[name, value]];
    if (name === 'waited') return [[name, words.waited('<one>', '<two>', 3)]];
    if (typeof value === 'function') return [[name, (value as (count: number) => string)(25)]];
    return Object.entries(value as Record<string, string>).map(([key, word]) => [`${name} ${key}`, word]);
  });
}

/** The same in each language, because they are names or written alike. */
const ALIKE = new Set(['dns', 'tls', 'total', 'version', 'attempts', 'cut']);

describe.each(LANGUAGES)('the words of the page in %s', (language) => {
  it.each(sentences(wordsIn(language)))('%s is one line', (_, sentence) => {
    expect(sentence).toMatch(/^\S.*\S$/u);
    expect(sentence).not.toMatch(/undefined|null|NaN|\[object| {2}/);
  });
});

describe('the letters of each language', () => {
  it.each(sentences(wordsIn('ro')))('Romanian: %s has commas below, not cedillas', (_, sentence) => {
    expect(sentence).not.toMatch(/[şţŞŢ]/);
  });

  it.each(sentences(wordsIn('fr')))('French: %s has a no-break space before double punctuation', (_, sentence) => {
    expect(sentence).not.toMatch(/ [:;?!»]|« |[^\s\d]«|'/);
  });
});

it('says the same in all languages, each in its own words', () => {
  const [en = [], ro = [], fr = []] = LANGUAGES.map((language) => sentences(wordsIn(language)));
  expect([ro.map(([name]) => name), fr.map(([name]) => name)]).toEqual(Array(2).fill(en.map(([name]) => name)));
  const alike = en.filter(([, sentence], index) => ro[index]?.[1] === sentence || fr[index]?.[1] === sentence);
  expect(alike.map(([name]) => name).filter((name) => !ALIKE.has(name))).toEqual([]);
});

describe('plural forms', () => {
  const ROWS: readonly { language: Language; count: number; requests: RegExp }[] = [
    { language: 'en', count: 1, requests: /^1 request$/ },
    { language: 'en', count: 1234, requests: /^1,234 requests$/ },
    { language: 'ro', count: 1, requests: /^1 cerere$/ },
    { language: 'ro', count: 19, requests: /^19 cereri$/ },
    { language: 'ro', count: 20, requests: /^20 de cereri$/ },
    { language: 'ro', count: 101, requests: /^101 cereri$/ },
    { language: 'fr', count: 1, requests: /^1 requête$/ },
    { language: 'fr', count: 1234, requests: /^1[\u202f\u00a0]234 requêtes$/ },
  ];
  it.each(ROWS)('$language: $count', ({ language, count, requests }) => {
    expect(wordsIn(language).requests(count)).toMatch(requests);
  });
});

describe('durations', () => {
  it.each([
    { ms: 0, language: 'en', written: '0.00\u00a0s' },
    { ms: 310, language: 'fr', written: '0,31\u00a0s' },
    { ms: 59_400, language: 'en', written: '59.4\u00a0s' },
    { ms: 59_600, language: 'en', written: '1\u00a0min' },
    { ms: 61_000, language: 'ro', written: '1\u00a0min 1\u00a0s' },
    { ms: 300_000, language: 'fr', written: '5\u00a0min' },
    { ms: 3_599_600, language: 'en', written: '1\u00a0h' },
    { ms: 7_500_000, language: 'en', written: '2\u00a0h 5\u00a0min' },
    { ms: 86_400_000, language: 'en', written: '24\u00a0h' },
  ] as const)('$ms ms in $language', ({ ms, language, written }) => {
    expect(durationOf(ms, language)).toBe(written);
  });
});
