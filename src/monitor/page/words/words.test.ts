import { describe, expect, it } from 'vitest';
import { LANGUAGES } from '../../../texts.ts';
import { loadPageWords } from './load.ts';

const COUNTS = [1, 2, 20, 101, 1000];

/** Every sentence by its name: with names instead of texts, and with counts instead of numbers. */
function sentences(words: object): Record<string, string> {
  const flat = (name: string, value: unknown): [string, string][] => {
    if (typeof value === 'string') return [[name, value]];
    if (typeof value !== 'function') {
      return Object.entries(Object(value) as object).flatMap(([key, inner]) => flat(`${name}.${key}`, inner));
    }
    const say = value as (...given: unknown[]) => string;
    if (NAMED.test(name)) return [[name, say('<one>', '<two>', '<three>')]];
    if (BARS.test(name)) return COUNTS.map((count) => [`${name} ${count}`, say(count, '<two>', count - 1)]);
    return COUNTS.map((count) => [`${name} ${count}`, say(count, count + 1)]);
  };
  return Object.fromEntries(flat('', words));
}

/** Those that take names, durations and times. */
const NAMED =
  /^\.(?:headlines\.\w+\.one|silent|up|responseSummary|incidentTitles\.\w+|later|fromDetection|recovered|met|missed|openWithin|openBeyond|said|feedRecovered)$/;
const BARS = /^\.bars\.\w+\.label$/;

const EVERY = await Promise.all(LANGUAGES.map(async (language) => sentences(await loadPageWords(language))));
const [en = {}, ro = {}, fr = {}] = EVERY;
const names = Object.keys(en);

/** What is the same word in two of the languages. */
const SHARED =
  /^\.(?:status|kinds\.maintenance|site|sites|check|badge|maintenance|responseKeys\.maintenance|up|bars|badRounds|leftOut|later|headlines\.\w+\.one)\b/;

describe('what the status page says', () => {
  it('is said in every language', () => {
    expect([Object.keys(ro), Object.keys(fr)]).toEqual([names, names]);
    expect(names.filter((name) => en[name] === ro[name] && ro[name] === fr[name] && !SHARED.test(name))).toEqual([]);
  });

  it.each(names)('%s is one line', (name) => {
    for (const sentence of [en[name], ro[name], fr[name]]) {
      expect(sentence).toMatch(/^\S.*\S$/);
      expect(sentence).not.toMatch(/undefined|null|NaN| {2}|<three>.*<three>/);
    }
  });

  it.each(names)('%s names what it is about', (name) => {
    const values = (text = ''): string[] => [...new Set(text.match(/<\w+>/g))].toSorted();
    expect([values(ro[name]), values(fr[name])]).toEqual([values(en[name]), values(en[name])]);
  });

  it.each(names)('%s has the letters of its language', (name) => {
    expect(ro[name]).not.toMatch(/[şţŞŢ]/);
    expect(fr[name]).not.toMatch(/[^\u00a0][:;?!»]|«[^\u00a0]|'/);
  });
});
