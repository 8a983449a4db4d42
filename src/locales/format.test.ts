import { describe, expect, it } from 'vitest';
import { LANGUAGES, type Language } from './language.ts';
import { durationOf, list, numberIn, pick, pluralOf, seconds } from './format.ts';

describe('numbers, plurals and lists', () => {
  it('agree with Intl', () => {
    for (const language of LANGUAGES) {
      const rules = new Intl.PluralRules(language);
      for (const count of [0, 1, 2, 3, 11, 19, 20, 21, 100, 101, 119, 120, 1000, 1_234_567]) {
        const expected = rules.select(count) === 'many' ? 'other' : rules.select(count);
        expect([count, pluralOf(language, count)[1]]).toEqual([count, expected]);
        const locale = language === 'ro' ? 'de' : language;
        expect(numberIn(language, count)).toBe(new Intl.NumberFormat(locale).format(count));
      }
      expect(list(language, ['a', 'b', 'c'])).toBe(
        new Intl.ListFormat(language).format(['a', 'b', 'c']).replace(', and', ' and'),
      );
    }
    expect(['en', 'ro'].map((language) => seconds(language as Language, 310))).toEqual(['0.31\u00A0s', '0,31\u00A0s']);
  });

  it('choose a case by number, name or none', () => {
    expect(pick(pluralOf('en', 0), { '=0': 'none', one: 'one', other: 'many' })).toBe('none');
    expect(pick(null, { none: 'no', other: 'yes' })).toBe('no');
    expect(pick('in-turn', { in_turn: 'turn', other: 'else' })).toBe('turn');
  });
});

describe('durationOf', () => {
  it.each([
    [0, '0.00 s'],
    [999, '1.00 s'],
    [1_000, '1.0 s'],
    [59_499, '59.5 s'],
    [59_500, '1 min'],
    [60_000, '1 min'],
    [61_400, '1 min 1 s'],
    [843_000, '14 min 3 s'],
    [3_599_000, '59 min 59 s'],
    [3_600_000, '1 h'],
    [7_500_000, '2 h 5 min'],
    [86_370_000, '24 h'],
  ])('%d ms are %s', (ms, expected) => {
    expect(durationOf(ms, 'en').replaceAll('\u00A0', ' ')).toBe(expected);
  });

  it('keeps a number and its unit on one line', () => {
    expect(durationOf(843_000, 'ro')).toBe('14\u00A0min 3\u00A0s');
  });
});
