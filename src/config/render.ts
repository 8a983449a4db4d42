import { printable } from '../printable.ts';
import type { Language } from '../texts.ts';
import { SENTENCES } from './messages.ts';
import type { ConfigProblem, Expected, Got } from './problem.ts';

const GOT: Readonly<Record<Language, (text: string) => string>> = {
  en: (text) => `, got ${text}`,
  ro: (text) => `, dar este ${text}`,
  fr: (text) => `, reçu\u00a0: ${text}`,
};

const KINDS: Readonly<Record<Language, Readonly<Record<Exclude<Got['kind'], 'value'>, string>>>> = {
  en: { list: 'a list', mapping: 'a mapping', nothing: 'nothing' },
  ro: { list: 'o listă', mapping: 'o mapare', nothing: 'nimic' },
  fr: { list: 'une liste', mapping: 'un dictionnaire', nothing: 'rien' },
};

/**
 * A mistake as one line: `docvitals.yaml:3:12: limits.timeout: expected a duration such as 10s, got "10 seconds"`.
 * Whatever could break the line or move the reader's eye (controls, bidirectional marks) is escaped.
 */
export function renderProblem(problem: ConfigProblem, language: Language): string {
  const place = problem.line === null ? problem.file : `${problem.file}:${problem.line}:${problem.column ?? 1}`;
  const key = problem.key === '' ? '' : `${problem.key}: `;
  return printable(`${place}: ${key}${sentence(problem.expected, language)}${instead(problem.got, language)}`);
}

function sentence(expected: Expected, language: Language): string {
  // The table pairs every kind with the parameters of that kind, which the type of a lookup cannot say.
  const tell = SENTENCES[expected.kind][language] as (params: Expected) => string;
  return tell(expected);
}

function instead(got: Got | undefined, language: Language): string {
  if (got === undefined) return '';
  return GOT[language](got.kind === 'value' ? got.text : KINDS[language][got.kind]);
}
