import { describe, expect, it } from 'vitest';
import type { Waited } from '../check.ts';
import { NOTHING_STALE } from '../report/stale.ts';
import { LANGUAGES, type Language } from '../texts.ts';
import { loadMessages } from './load.ts';
import { minutes, toNext, waitTime, type StaleFacts, type WaitingMessages } from './messages.ts';

const ALL: StaleFacts = {
  files: ['<one>'],
  pages: 3,
  others: 20,
  isMissing: false,
  isCommit: true,
  expected: '<two>',
  found: '<three>',
  unchanged: true,
  both: null,
};
const WAITED: Waited = {
  forMs: 300_000,
  elapsedMs: 42_000,
  rounds: 7,
  by: 'source',
  firstNewMs: 31_000,
  allNewMs: 38_000,
  allGreenMs: 42_000,
};
const AT = { round: 4, elapsedMs: 42_000, forMs: 300_000, pauseMs: 8_000 };

const sentences = (words: WaitingMessages): [name: string, sentence: string, values: readonly string[]][] => [
  ['starting', words.starting(), []],
  ['no answer', words.noAnswer('<one>'), ['<one>']],
  ['429', words.refused(429), ['429']],
  ['403', words.refused(403), ['403']],
  ['old', words.old(ALL), ['<one>', '3', '20', '<three>']],
  ['old, of nothing known', words.old(NOTHING_STALE), []],
  ['not there yet', words.old({ ...ALL, isMissing: true }), ['<one>', '3', '20', '<three>']],
  ['one not there yet', words.old({ ...NOTHING_STALE, files: ['<one>'], isMissing: true }), ['<one>']],
  ['partly old', words.partlyOld(ALL), ['<one>', '3', '20', '<three>']],
  ['not known', words.notKnown(['<one>', '<two>']), ['<one>', '<two>']],
  ['not well', words.notWell(['<one>', '<two>']), ['<one>', '<two>']],
  ['looking on', words.lookingOn(), []],
  ['good', words.good(1, 2), ['1', '2']],
  ['whole', words.whole(), []],
  ['time up', words.timeUp(), []],
  ['line', words.line('<one>', AT), ['<one>', '4', '0:42', '5:00', '8\u00a0s']],
  ['line of a round', words.line('<one>', { ...AT, pauseMs: null }), ['<one>', '4', '0:42', '5:00']],
  ['stale', words.stale(ALL), ['<one>', '3', '20', '<two>', '<three>']],
  ['stale, files that are missing', words.stale({ ...ALL, isMissing: true }), ['<one>', '3', '20', '<two>', '<three>']],
  ['stale, one file', words.stale({ ...NOTHING_STALE, files: ['<one>'] }), ['<one>']],
  ['stale, a version that is not told', words.stale({ ...NOTHING_STALE, expected: '<two>' }), ['<two>']],
  ['stale, of nothing known', words.stale(NOTHING_STALE), []],
  ['stale, in turn', words.stale({ ...ALL, both: 'in-turn' }), ['<one>', '3', '20', '<two>', '<three>']],
  ['stale, at once', words.stale({ ...ALL, both: 'at-once' }), ['<one>', '3', '20', '<two>', '<three>']],
  ['stopped', words.unfinished(ALL, 'stopped'), ['<one>', '3', '20', '<three>']],
  ['stopped, of nothing known', words.unfinished(NOTHING_STALE, 'stopped'), []],
  ['time up, not all looked at', words.unfinished(ALL, 'time-up'), ['<one>', '3', '20', '<three>']],
  ['clocks', words.clocks(WAITED), ['31\u00a0s', '38\u00a0s', '42\u00a0s']],
  ['clocks of a healthy site', words.clocks({ ...WAITED, by: 'health' }), ['31\u00a0s', '38\u00a0s', '42\u00a0s']],
  ['live already', words.clocks({ ...WAITED, alreadyLive: true }), ['7', '42\u00a0s']],
  ['healthy already', words.clocks({ ...WAITED, by: 'health', alreadyLive: true }), ['7', '42\u00a0s']],
  ['clocks in vain', words.clocks({ ...WAITED, allNewMs: null, allGreenMs: null }), ['31\u00a0s', '42\u00a0s', '7']],
  [
    'clocks wholly in vain',
    words.clocks({ ...WAITED, firstNewMs: null, allNewMs: null, allGreenMs: null }),
    ['42\u00a0s', '7'],
  ],
];

/** Cedillas in Romanian; in French, plain spaces before double punctuation, and plain apostrophes. */
const WRONG_LETTERS: Readonly<Record<Language, RegExp>> = { en: /\p{C}/u, ro: /[şţŞŢ]/, fr: / [:;?!»]|« |'/ };

const EVERY = await Promise.all(
  LANGUAGES.map(async (language) => ({ language, words: (await loadMessages(language)).waiting })),
);

describe.each(EVERY)('a waiting in $language', ({ language, words }) => {
  it.each(sentences(words))('%s is one line with all its values', (_, sentence, values) => {
    expect(sentence).toMatch(/^\S.*\S$/u);
    expect(sentence).not.toMatch(/undefined|null|NaN|\[object| {2}/);
    for (const value of values) expect(sentence).toContain(value);
    expect(sentence).not.toMatch(WRONG_LETTERS[language]);
  });

  it('says different things differently', () => {
    const all = sentences(words).map(([, sentence]) => sentence);
    expect(new Set(all).size).toBe(all.length);
  });
});

it('each language has words of its own', () => {
  const [en = [], ro = [], fr = []] = EVERY.map(({ words }) => sentences(words).map(([, sentence]) => sentence));
  expect(en.filter((sentence, index) => sentence === ro[index] || sentence === fr[index])).toEqual([]);
});

describe('Romanian counts', () => {
  it.each([
    [1, '1 pagină'],
    [3, '3 pagini'],
    [20, '20 de pagini'],
    [101, '101 pagini'],
  ])('%i', async (pages, words) => {
    const { waiting } = await loadMessages('ro');
    expect(waiting.stale({ ...NOTHING_STALE, files: ['config.json'], pages })).toContain(words);
  });
});

describe('times', () => {
  it.each([
    [0, '0:00'],
    [42_900, '0:42'],
    [300_000, '5:00'],
    [3_725_000, '62:05'],
    [-5, '0:00'],
  ])('%i ms is %s', (ms, text) => {
    expect(minutes(ms)).toBe(text);
  });

  it.each([
    [840, 'en', '0.8\u00a0s'],
    [9_949, 'fr', '9,9\u00a0s'],
    [42_400, 'en', '42\u00a0s'],
    [59_700, 'en', '1\u00a0min 00\u00a0s'],
    [303_000, 'ro', '5\u00a0min 03\u00a0s'],
  ] as const)('%i ms in %s is %j', (ms, language, text) => {
    expect(waitTime(ms, language)).toBe(text);
  });

  it.each([
    [1, 1],
    [1200, 1],
    [7_600, 8],
  ])('%i ms to the next round are %i s', (ms, seconds) => {
    expect(toNext(ms)).toBe(seconds);
  });
});
