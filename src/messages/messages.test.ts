import { describe, expect, it } from 'vitest';
import type { BaseUrlProblem } from '../base-url.ts';
import { LANGUAGES, type Language } from '../texts.ts';
import { loadMessages } from './load.ts';
import { seconds, wholeMilliseconds, type Counts, type Messages } from './messages.ts';

const COUNTS: Counts = { pass: 0, warn: 0, fail: 0, skip: 0, unknown: 0 };
const PROBLEMS: readonly BaseUrlProblem[] = ['file', 'scheme', 'no-scheme', 'no-host', 'invalid'];

const VERSION_FROM_PROBLEMS = ['path', 'path-outside', 'pointer', 'regex'] as const;
/** Those whose values are no texts. */
const SPECIAL = new Set(['summary', 'baseUrl', 'badVersionFrom', 'sameCause', 'progress', 'milliseconds']);

/** Every sentence of the interface, by name, with values that stand out. */
function sentences(messages: Messages): [name: string, sentence: string][] {
  const { statuses, verdicts } = messages;
  const filled = Object.entries(messages).flatMap(([name, value]): [string, string][] => {
    if (typeof value === 'string') return [[name, value]];
    if (typeof value !== 'function' || SPECIAL.has(name)) return [];
    return [[name, (value as (...values: unknown[]) => string)('<one>', '<two>', '<three>', '<four>')]];
  });
  return [
    ...filled,
    ...Object.entries({ ...statuses, ...verdicts }),
    ...PROBLEMS.map((problem): [string, string] => [`baseUrl ${problem}`, messages.baseUrl(problem, '<one>')]),
    ...VERSION_FROM_PROBLEMS.map((problem): [string, string] => [
      `badVersionFrom ${problem}`,
      messages.badVersionFrom('<one>', '<two>', problem),
    ]),
    ['sameCause', messages.sameCause(5)],
    ['progress', messages.progress(['<one>', '<two>'], 1500)],
    ['summary', messages.summary('degraded', { ...COUNTS, pass: 1, warn: 2, fail: 1, skip: 1 }, 310)],
  ];
}

const EVERY = await Promise.all(
  LANGUAGES.map(async (language) => ({ language, messages: await loadMessages(language) })),
);

describe.each(EVERY)('messages in $language', ({ messages }) => {
  const all = sentences(messages);

  it.each(all)('%s is one line with all its values', (_, sentence) => {
    expect(sentence).toMatch(/^\S.*\S$/u);
    expect(sentence).not.toMatch(/undefined|null|NaN|\[object| {2}/);
  });

  it('names what was given in every usage error', () => {
    expect(messages.unknownCheck('<one>', '<two>', '<three>', '<four>')).toMatch(/<one>.*<two>.*<four>.*<three>/);
    expect(messages.unknownCheck('<one>', '<two>', '<three>', null)).toMatch(/<one>.*<two>.*<three>/);
    expect(messages.unknownOption('<one>', '<two>')).toMatch(/<one>.*<two>/);
  });
});

describe('the letters of each language', () => {
  const spoken = (wanted: Language): [name: string, sentence: string][] =>
    EVERY.flatMap(({ language, messages }) => (language === wanted ? sentences(messages) : []));

  it.each(spoken('ro'))('Romanian: %s has commas below, not cedillas', (_, sentence) => {
    expect(sentence).not.toMatch(/[şţŞŢ]/);
  });

  it.each(spoken('fr'))('French: %s has a no-break space before double punctuation', (_, sentence) => {
    // In `« Nom: valeur »` the colon is that of a header.
    expect(sentence.replace(/Nom: /, '')).not.toMatch(/ [:;?!»]|« |[^\s\d]«/);
  });
});

describe('all languages', () => {
  it('say the same things, each in its own words', () => {
    const [en = [], ro = [], fr = []] = EVERY.map(({ messages }) => sentences(messages));
    const names = en.map(([name]) => name);
    expect([ro.map(([name]) => name), fr.map(([name]) => name)]).toEqual([names, names]);
    const shared = names.filter((_, index) => new Set([en, ro, fr].map((one) => one[index]?.[1])).size < 3);
    // The colon is the same in English and in Romanian, "omis" in Romanian and in French.
    expect(shared).toEqual(['verdictLine', 'skip']);
  });
});

const PLURALS: readonly { language: Language; counts: Partial<Counts>; matches: RegExp }[] = [
  { language: 'en', counts: { pass: 1 }, matches: /^1 check passed / },
  { language: 'en', counts: { pass: 5 }, matches: /^5 checks passed / },
  { language: 'en', counts: { fail: 1, pass: 4 }, matches: /^1 of 5 checks / },
  { language: 'en', counts: { fail: 2, unknown: 7, skip: 5 }, matches: /^2 of 14 checks failed, 7 could.*, 5 .*\(/ },
  { language: 'en', counts: { fail: 2, pass: 1 }, matches: /^2 of 3 checks failed \(/ },
  { language: 'ro', counts: { pass: 1 }, matches: /^1 verificare reușită / },
  { language: 'ro', counts: { pass: 2 }, matches: /^2 verificări reușite / },
  { language: 'ro', counts: { pass: 19 }, matches: /^19 verificări / },
  { language: 'ro', counts: { pass: 20 }, matches: /^20 de verificări / },
  { language: 'ro', counts: { pass: 100 }, matches: /^100 de verificări / },
  { language: 'ro', counts: { pass: 101 }, matches: /^101 verificări / },
  { language: 'ro', counts: { fail: 1, pass: 19 }, matches: /^1 din 20 de verificări a / },
  { language: 'ro', counts: { fail: 2, pass: 3 }, matches: /^2 din 5 verificări au / },
  { language: 'ro', counts: { fail: 2, unknown: 1 }, matches: /eșuat, 1 nu a putut / },
  { language: 'ro', counts: { fail: 2, unknown: 7 }, matches: /eșuat, 7 nu au putut / },
  { language: 'fr', counts: { pass: 1 }, matches: /^1 vérification réussie / },
  { language: 'fr', counts: { pass: 2 }, matches: /^2 vérifications réussies / },
  { language: 'fr', counts: { fail: 1, pass: 4 }, matches: /^1 vérification sur 5 / },
  { language: 'fr', counts: { fail: 2, unknown: 7 }, matches: /échec, 7 sans résultat \(/ },
];

describe('plural forms', () => {
  it.each(PLURALS)('$language: $counts', async ({ language, counts, matches }) => {
    const messages = await loadMessages(language);
    const verdict = (counts.fail ?? 0) > 0 ? 'degraded' : 'healthy';
    expect(messages.summary(verdict, { ...COUNTS, ...counts }, 100)).toMatch(matches);
  });
});

describe('numbers', () => {
  it.each([
    { language: 'en', short: '0.31\u00a0s', long: '12.3\u00a0s', thousands: /^1,234\u00a0ms$/ },
    { language: 'ro', short: '0,31\u00a0s', long: '12,3\u00a0s', thousands: /^1\.234\u00a0ms$/ },
    { language: 'fr', short: '0,31\u00a0s', long: '12,3\u00a0s', thousands: /^1[\u202f\u00a0]234\u00a0ms$/ },
  ] as const)('in $language', ({ language, short, long, thousands }) => {
    expect([seconds(310, language), seconds(12_345, language)]).toEqual([short, long]);
    expect(wholeMilliseconds(1234, language)).toMatch(thousands);
  });
});
