/** What is wrong with a configuration, in words: one sentence for each kind of mistake. */
import { configWords } from '../generated/locales/config.ts';
import { configValuesWords } from '../generated/locales/config-values.ts';
import { printable } from '../text/printable.ts';
import type { Language } from '../locales/language.ts';
import type { ConfigProblem, Expected } from './problem.ts';

/**
 * A mistake as one line: `docvitals.yaml:3:12: limits.timeout: expected a duration such as 10s, got "10 seconds"`.
 * Control characters and bidirectional marks are escaped. An address that was given instead of a file loses its userinfo.
 */
export function renderProblem({ file, line, column, key, expected, got }: ConfigProblem, language: Language): string {
  const location = line === null ? file : `${file}:${line}:${column ?? 1}`;
  const sentence = configWords(language)[expected.kind] as string | ((params: Expected) => string);
  const wrong = typeof sentence === 'string' ? sentence : sentence(expected);
  const words = configValuesWords(language);
  const instead = got === undefined ? '' : words.got(got.kind === 'value' ? got.text : words[got.kind]);
  const rendered = `${location}: ${key === '' ? '' : `${key}: `}${wrong}${instead}`;
  // After control characters are escaped: white space would end the userinfo.
  return printable(rendered).replaceAll(/\/\/[^/\s]*@/g, '//');
}
