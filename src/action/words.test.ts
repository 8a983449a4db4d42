import { describe, expect, it } from 'vitest';
import type { RestProblem } from '../github/rest.ts';
import { LANGUAGES } from '../texts.ts';
import { actionWords, type ActionWords } from './words.ts';

/** Every sentence, by name, with values that stand out. */
function sentences(words: ActionWords): [name: string, sentence: string][] {
  return [
    ...Object.entries(words).flatMap(([name, value]): [string, string][] => {
      if (typeof value === 'string') return [[name, value]];
      if (name === 'issueChanged' || name === 'refused') return [];
      return [[name, (value as (...values: unknown[]) => string)('<one>', '<two>', '<three>')]];
    }),
    ['notDeployed of nothing', words.notDeployed('')],
    ['issueChanged', words.issueChanged(['a/b', 'c/d'], ['e/f'])],
    ...(['comment', 'issue'] as const).flatMap((what) =>
      (['unauthorized', 'forbidden', 'invalid', 'rate-limited', 'unreachable'] as const).map(
        (problem): [string, string] => [
          `refused ${what} ${problem}`,
          words.refused(what, problem, 'issues: write', '403 no'),
        ],
      ),
    ),
    ...(['degraded', 'down', 'stale'] as const).map((verdict): [string, string] => [
      `issueTitle ${verdict}`,
      words.issueTitle('<site>', verdict),
    ]),
  ];
}

const EVERY = await Promise.all(LANGUAGES.map(async (language) => ({ language, words: actionWords(language) })));
const [EN = [], RO = [], FR = []] = EVERY.map(({ words }) => sentences(words));

describe('the words of the Action', () => {
  it.each(EVERY)('in $language have all their values', ({ words }) => {
    for (const [, sentence] of sentences(words)) {
      expect(sentence).toMatch(/^\S[^]*\S$/u);
      expect(sentence).not.toMatch(/undefined|null|NaN|\[object| {2}/);
    }
    // Trying again would be of no use.
    const refused = (problem: RestProblem): string => words.refused('comment', problem, 'issues: write', '410 Gone');
    expect([refused('gone'), refused('redirected')]).toEqual([refused('invalid'), refused('invalid')]);
    expect(words.notDeployed('')).not.toContain('success');
    expect(words.badChoice('<one>', '<two>', '<three>')).toMatch(/<one>.*<two>.*<three>/);
    expect(words.refused('issue', 'forbidden', 'issues: write', '403 no')).toMatch(/403 no.*issues: write/);
  });

  it('are other words in each language', () => {
    const shared = EN.filter(([, sentence], index) => new Set([sentence, RO[index]?.[1], FR[index]?.[1]]).size < 3);
    expect(shared).toEqual([]);
  });

  it('in Romanian have commas below, not cedillas', () => {
    expect(RO.filter(([, sentence]) => /[şţŞŢ]/.test(sentence))).toEqual([]);
  });

  it('in French have a no-break space before double punctuation, and the typographic apostrophe', () => {
    // What is code (`permissions: { … }`) and an address have none.
    const prose = FR.map(([, sentence]) => sentence.replaceAll(/`[^`]*`|https:\S*/g, ''));
    expect(prose.filter((sentence) => / [:;?!»]|« |\w:|'/.test(sentence))).toEqual([]);
  });
});
