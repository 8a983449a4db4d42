/** How numbers, plurals and lists are written, as in `Intl` (CLDR), which takes longer to start than a site to respond. */
import type { Language } from './language.ts';

export type { Language };

export type Value = string | number | boolean | null | undefined;

const SEPARATORS: Readonly<Record<Language, readonly [group: string, decimal: string]>> = {
  en: [',', '.'],
  ro: ['.', ','],
  fr: ['\u202f', ','],
};

const AND: Readonly<Record<Language, string>> = { en: 'and', ro: 'și', fr: 'et' };

/** With exactly so many decimals; halves are rounded away from zero. */
export function numberIn(language: Language, value: number, decimals = 0): string {
  const [group, decimal] = SEPARATORS[language];
  // Fifteen digits are what a double keeps: 0.015 is rounded as it is written.
  const units = Math.round(Number((Math.abs(value) * 10 ** decimals).toPrecision(15)));
  const digits = String(units).padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals).replaceAll(/\B(?=(?:\d{3})+$)/g, group);
  const sign = value < 0 ? '-' : '';
  return decimals === 0 ? `${sign}${whole}` : `${sign}${whole}${decimal}${digits.slice(-decimals)}`;
}

/** `0.31 s`: two digits under a second, one above. */
export function seconds(language: Language, ms: number): string {
  return `${numberIn(language, ms / 1000, ms < 1000 ? 2 : 1)}\u00a0s`;
}

/** `4.2 s`, `14 min 3 s`, `2 h 5 min`: units that are the same in every language. */
export function durationOf(ms: number, language: Language): string {
  const whole = Math.round(ms / 1000);
  if (whole < 60) return seconds(language, ms);
  const isHours = whole >= 3600;
  const units = isHours ? Math.round(whole / 60) : whole;
  const head = `${Math.floor(units / 60)}\u00a0${isHours ? 'h' : 'min'}`;
  const rest = units % 60;
  return rest === 0 ? head : `${head} ${rest}\u00a0${isHours ? 'min' : 's'}`;
}

export function join(_: Language, items: readonly string[]): string {
  return items.join(', ');
}

export function list(language: Language, items: readonly string[]): string {
  return items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} ${AND[language]} ${items.at(-1)}`;
}

/** The category of a whole number, and the number itself as an exact match (`=0`). */
export function pluralOf(language: Language, count: number): readonly string[] {
  return [`=${count}`, categoryOf(language, count)];
}

function categoryOf(language: Language, count: number): string {
  if (language === 'fr' ? count < 2 : count === 1) return 'one';
  return language === 'ro' && (count === 0 || (count % 100 > 0 && count % 100 < 20)) ? 'few' : 'other';
}

export function pick(key: Value | readonly string[], cases: Readonly<Record<string, string>>): string {
  const keys = Array.isArray(key) ? (key as readonly string[]) : [String(key ?? '').replaceAll('-', '_') || 'none'];
  for (const name of keys) if (Object.hasOwn(cases, name)) return cases[name] ?? '';
  return cases['other'] ?? '';
}
