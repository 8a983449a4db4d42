/** What holds of every message of the interface, in each language. */
import { readFileSync } from 'node:fs';
import { parse, type Token } from '@messageformat/parser';
import { describe, expect, it } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { LANGUAGES, type Language } from '../texts.ts';
import { list, numberIn, pick, pluralOf, seconds } from './format.ts';

type Tree = { readonly [key: string]: string | null | readonly string[] | Tree };

function messagesOf(tree: Tree, path = ''): [key: string, message: string][] {
  return Object.entries(tree).flatMap(([key, value]): [string, string][] => {
    if (typeof value === 'string') return [[path + key, value]];
    if (Array.isArray(value)) return value.map((item, index) => [`${path}${key}[${index}]`, String(item)]);
    return value === null ? [] : messagesOf(value as Tree, `${path}${key}.`);
  });
}

const CATALOGUES = Object.fromEntries(
  LANGUAGES.map((language) => {
    const text = readFileSync(new URL(`${language}.yaml`, import.meta.url), 'utf8');
    return [language, messagesOf(parseYaml(text) as Tree)];
  }),
) as Record<Language, [string, string][]>;

/** The parameters of a message, and the cases of its plurals. */
function partsOf(tokens: readonly Token[]): { names: string[]; plurals: string[][] } {
  const parts = tokens.map((token) => {
    if (token.type === 'content' || token.type === 'octothorpe') return { names: [], plurals: [] };
    if (token.type === 'argument' || token.type === 'function') return { names: [token.arg], plurals: [] };
    const inner = token.cases.map(({ tokens: of }) => partsOf(of));
    const own = token.type === 'plural' ? [token.cases.map(({ key }) => key)] : [];
    return {
      names: [token.arg, ...inner.flatMap(({ names }) => names)],
      plurals: [...own, ...inner.flatMap(({ plurals }) => plurals)],
    };
  });
  return {
    names: [...new Set(parts.flatMap(({ names }) => names))].toSorted(),
    plurals: parts.flatMap((p) => p.plurals),
  };
}

const failing = (language: Language, isWrong: (message: string, key: string) => boolean): string[] =>
  CATALOGUES[language].flatMap(([key, message]) => (isWrong(message, key) ? [`${key}: ${message}`] : []));

/** Words of the glossary's right-hand column: what is never said to users. */
const FORBIDDEN: Record<Language, RegExp> = {
  en: /\b(rounds?|looks?|looked|anew|mend\w*|tells?|told|somebody|nobody|goes on|in place of|is no (?!longer|terminal)|are none|not well)\b/i,
  ro: /\b(legătur\w*|rund\w*|sănăto\w*|căzut\w*|dosar\w*)\b|[şţŞŢ]/i,
  fr: /\b(tours?|sains?|hors service|vérifications?|MiB|KiB)\b/i,
};

describe.each(LANGUAGES.map((language) => ({ language })))('the messages in $language', ({ language }) => {
  it('fill in the same values as in English', () => {
    const english = new Map(CATALOGUES.en.map(([key, message]) => [key, partsOf(parse(message)).names]));
    expect(
      failing(language, (message, key) => {
        const names = partsOf(parse(message)).names;
        return (english.get(key) ?? []).join() !== names.join();
      }),
    ).toEqual([]);
  });

  it('have every plural that the language has', () => {
    const needed = language === 'ro' ? ['one', 'few', 'other'] : ['one', 'other'];
    const isWrong = (keys: string[]): boolean =>
      !keys.includes('other') || (keys.includes('few') && needed.some((key) => !keys.includes(key)));
    expect(failing(language, (message) => partsOf(parse(message)).plurals.some(isWrong))).toEqual([]);
  });

  it('use the words of the glossary', () => {
    expect(failing(language, (message) => FORBIDDEN[language].test(message.replaceAll(/\{\w+/g, '')))).toEqual([]);
  });

  it('have the spaces of the language', () => {
    const wrong = language === 'fr' ? /\w [:;?!»]|« / : / {2}|\u00A0[:;?!]/;
    expect(failing(language, (message) => wrong.test(message))).toEqual([]);
  });
});

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
