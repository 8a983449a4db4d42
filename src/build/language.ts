/** What the build demands of each text: a mistake in one language is found without knowing that language. */
import type { Token } from '@messageformat/parser';
import type { Language } from '../locales/language.ts';

/** Letters that look right and are wrong. */
const LETTERS: Readonly<Record<Language, readonly [pattern: RegExp, mistake: string] | null>> = {
  en: null,
  ro: [/[\u015E\u015F\u0162\u0163]/, 'a letter with a cedilla: write ș and ț with a comma below'],
  fr: [/\p{L}'\p{L}/u, 'a straight apostrophe: write ’'],
};

const SPACES: Readonly<Record<Language, RegExp>> = {
  en: / {2}|\u00A0[:;?!]/,
  ro: / {2}|\u00A0[:;?!]/,
  fr: /\w [:;?!»]|« /,
};

/** Common words that neither Romanian nor French has. */
const ENGLISH = /\b(?:the|and|with|which|this|from|cannot|must)\b/i;

const CODE = /^( *)(```+)[^]*?\n\1\2$|`[^`]*`|\]\([^)]*\)/gm;

/** What is wrong with the words of a text, in prose or Markdown; `null`: nothing that the build knows of. */
export function mistakeIn(language: Language, text: string): string | null {
  const prose = text.replaceAll(CODE, '`');
  const [pattern, mistake] = LETTERS[language] ?? [];
  if (pattern?.test(prose) === true) return mistake ?? null;
  const [english] = (language === 'en' ? null : ENGLISH.exec(prose)) ?? [];
  return english === undefined ? null : `English is left in it ("${english}")`;
}

/**
 * The same for a message, which also has to use the values of the English one, and the plurals and spaces of its
 * language: French has no-break spaces beside punctuation.
 */
export function messageMistake(language: Language, tokens: readonly Token[], english: readonly Token[]): string | null {
  const { text, names, plurals } = partsOf(tokens);
  const missing = [...partsOf(english).names].find((name) => !names.has(name));
  if (missing !== undefined) return `the value {${missing}} of the English message is missing`;
  const lacking = ['one', 'other'].find((name) => plurals.some((cases) => !hasCase(cases, name)));
  if (lacking !== undefined) return `a plural has no case "${lacking}"`;
  return SPACES[language].test(text) ? 'a wrong space' : mistakeIn(language, text);
}

/** Exact numbers may take the place of `one`, but where a language has more cases than two. */
const hasCase = (cases: readonly string[], name: string): boolean =>
  cases.includes(name) || (name === 'one' && !cases.includes('few'));

/** The words of a message, the names of its values, and the cases of its plurals. */
function partsOf(tokens: readonly Token[]) {
  const parts = { text: '', names: new Set<string>(), plurals: [] as string[][] };
  const read = (inner: readonly Token[]): void => {
    for (const token of inner) {
      if (token.type === 'content') parts.text += token.value;
      else if (token.type === 'octothorpe') parts.text += '#';
      else {
        parts.names.add(token.arg);
        parts.text += '{}';
      }
      if (!('cases' in token)) continue;
      if (token.type === 'plural') parts.plurals.push(token.cases.map(({ key }) => key));
      for (const { tokens: ofCase } of token.cases) {
        parts.text += '\n';
        read(ofCase);
      }
      parts.text += '\n';
    }
  };
  read(tokens);
  return parts;
}
