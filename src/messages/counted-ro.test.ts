import { expect, it } from 'vitest';
import { counted } from './counted-ro.ts';

it.each([
  [0, '0 pagini'],
  [1, '1 pagină'],
  [2, '2 pagini'],
  [19, '19 pagini'],
  [20, '20 de pagini'],
  [100, '100 de pagini'],
  [101, '101 pagini'],
  [120, '120 de pagini'],
])('%i: %s', (count, words) => {
  expect(counted(count, 'pagină', 'pagini')).toBe(words);
});

it('takes the number as it is written', () => {
  expect(counted(1500, 'pagină', 'pagini', '1.500')).toBe('1.500 de pagini');
});

it('follows the rules of CLDR', () => {
  const plural = new Intl.PluralRules('ro');
  const WORDS = { one: 'pagină', few: 'pagini', other: 'de pagini' } as Readonly<Record<string, string>>;
  for (let count = 0; count < 1000; count++) {
    expect(counted(count, 'pagină', 'pagini')).toBe(`${count} ${WORDS[plural.select(count)]}`);
  }
});
