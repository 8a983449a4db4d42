import { describe, expect, it } from 'vitest';
import { LANGUAGES } from '../texts.ts';
import { wordsIn, type Words } from './words.ts';

/** Every sentence, with values that stand out. */
function sentences(words: Words): readonly string[] {
  const { status, check, target, time, findings, skipped, seen, also } = words;
  const counts = [0, 1, 2, 25].flatMap((count) => [0, 1, 2, 25].map((other) => ({ findings: count, checks: other })));
  return [
    status,
    check,
    target,
    time,
    findings,
    skipped,
    seen,
    also,
    ...[true, false].map((isFresh) => words.fresh(isFresh)),
    ...[1, 2, 25, 5_000].flatMap((count) => [words.more(count), words.cutLines(count)]),
    ...counts.flatMap((left) => ['report.json', null].map((whole) => words.leftOut({ ...left, whole }))),
  ];
}

describe.each(LANGUAGES.map((language) => ({ language })))('the words in $language', ({ language }) => {
  it.each(sentences(wordsIn(language)).map((sentence) => ({ sentence })))(
    'are well written: $sentence',
    ({ sentence }) => {
      expect(sentence).toMatch(/^\S.*\S$/u);
      expect(sentence).not.toMatch(/undefined|null|NaN|\[object| {2}|[şţŞŢ'"]/);
      expect(language === 'fr' && / [:;?!»]|« /.test(sentence)).toBe(false);
    },
  );

  it.each([
    { left: { findings: 12, checks: 0, whole: 'report.json' }, told: ['12', 'report.json'] },
    { left: { findings: 0, checks: 7, whole: null }, told: ['7', '--format json'] },
    { left: { findings: 12, checks: 7, whole: null }, told: ['12', '7'] },
  ])('tell what is left out: $told', ({ left, told }) => {
    expect(told.filter((part) => !wordsIn(language).leftOut(left).includes(part))).toEqual([]);
  });
});

describe('all languages', () => {
  it('have words of their own', () => {
    const [en = [], ro = [], fr = []] = LANGUAGES.map((language) => sentences(wordsIn(language)));
    expect([ro.length, fr.length]).toEqual([en.length, en.length]);
    const shared = en.filter((sentence, index) => [ro[index], fr[index]].includes(sentence));
    expect(shared).toEqual([]);
  });
});
