/**
 * Numbers and plurals in the languages of the texts, as `Intl` (CLDR) writes them. `Intl` itself takes longer to begin
 * with than a site takes to answer.
 */
import type { Language } from '../texts.ts';

/** What stands between thousands, and before decimals. */
const SIGNS: Readonly<Record<Language, readonly [group: string, decimal: string]>> = {
  en: [',', '.'],
  ro: ['.', ','],
  fr: ['\u202f', ','],
};

/** A finite number in the language's notation, with just so many decimals; halves are rounded away from zero. */
export function numberIn(language: Language, value: number, decimals = 0): string {
  const [group, decimal] = SIGNS[language];
  // Fifteen digits are what a decimal number keeps as a double: 0.015 is to be a half, as it is written.
  const units = Math.round(Number((Math.abs(value) * 10 ** decimals).toPrecision(15)));
  const digits = String(units).padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals).replaceAll(/\B(?=(?:\d{3})+$)/g, group);
  const sign = value < 0 ? '-' : '';
  return decimals === 0 ? `${sign}${whole}` : `${sign}${whole}${decimal}${digits.slice(-decimals)}`;
}

/** Whether French has the singular for so many. */
export function isOneInFrench(count: number): boolean {
  return count < 2;
}
