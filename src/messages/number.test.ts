import { describe, expect, it } from 'vitest';
import { LANGUAGES } from '../texts.ts';
import { isOneInFrench, numberIn } from './number.ts';

const NUMBERS = [0, 1, 9, 10, 99, 100, 999, 1000, 1001, 9999, 10_000, 123_456, 999_999, 1_000_000, 1_234_567_890];

describe.each(LANGUAGES)('numbers in %s', (language) => {
  it.each([0, 1, 2])('are as Intl writes them, with %i decimals', (decimals) => {
    const format = new Intl.NumberFormat(language, {
      minimumFractionDigits: decimals,
      maximumFractionDigits: decimals,
    });
    // Every time up to two seconds, and some longer ones.
    const values = [
      ...Array.from({ length: 2001 }, (_, ms) => ms / 1000),
      ...NUMBERS,
      ...NUMBERS.map((one) => one / 8),
    ];
    expect(values.map((value) => numberIn(language, value, decimals))).toEqual(
      values.map((value) => format.format(value)),
    );
  });

  it('has the same sign below nothing', () => {
    expect(numberIn(language, -1234.5, 1)).toBe(
      new Intl.NumberFormat(language, { minimumFractionDigits: 1 }).format(-1234.5),
    );
  });
});

it('has the plural where French has it', () => {
  const plural = new Intl.PluralRules('fr');
  for (let count = 0; count < 1000; count++) expect(isOneInFrench(count)).toBe(plural.select(count) === 'one');
});
