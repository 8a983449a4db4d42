/** What is wrong with a configuration, in words: one sentence for each kind of mistake. */
import { configWords, type ConfigWords } from '../generated/locales/config.ts';
import { configValuesWords } from '../generated/locales/config-values.ts';
import { printable } from '../printable.ts';
import type { Language } from '../texts.ts';
import type { ConfigProblem } from './problem.ts';

type ParamsOf<Sentence> = Sentence extends (params: infer Params) => string ? Params : unknown;

/** A kind of mistake with its parameters. */
export type Expected = {
  readonly [Kind in keyof ConfigWords]: { readonly kind: Kind } & ParamsOf<ConfigWords[Kind]>;
}[keyof ConfigWords];

/**
 * A mistake as one line: `docvitals.yaml:3:12: limits.timeout: expected a duration such as 10s, got "10 seconds"`.
 * Control characters and bidirectional marks are escaped.
 */
export function renderProblem({ file, line, column, key, expected, got }: ConfigProblem, language: Language): string {
  const location = line === null ? file : `${file}:${line}:${column ?? 1}`;
  const sentence = configWords(language)[expected.kind] as string | ((params: Expected) => string);
  const wrong = typeof sentence === 'string' ? sentence : sentence(expected);
  const words = configValuesWords(language);
  const instead = got === undefined ? '' : words.got(got.kind === 'value' ? got.text : words[got.kind]);
  return printable(`${location}: ${key === '' ? '' : `${key}: `}${wrong}${instead}`);
}
