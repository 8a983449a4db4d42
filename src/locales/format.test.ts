import { describe, expect, it } from 'vitest';
import { LANGUAGES, type Language } from '../texts.ts';
import { list, numberIn, pick, pluralOf, seconds } from './format.ts';

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
