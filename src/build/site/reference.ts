/** The reference pages of the documentation site: made from the code, in each language. */
import type { Language } from '../../texts.ts';
import { BuildError } from '../output.ts';
import { actionPage } from './reference/action.ts';
import { apiPage } from './reference/api.ts';
import { cliPage } from './reference/cli.ts';
import { configurationPage } from './reference/configuration.ts';
import { exitStatusPage } from './reference/exit-status.ts';
import { jsonReportPage } from './reference/json-report.ts';
import { MOST_CHARACTERS } from './reference/markdown.ts';
import { metricsPage } from './reference/metrics.ts';
import { webhookPage } from './reference/webhook.ts';
import { wordsIn, type Recorded } from './reference/words.ts';

/** The pages of a language by their path, such as `reference/cli.md`. @throws BuildError for texts without translation. */
export async function referencePages(language: Language): Promise<ReadonlyMap<string, string>> {
  const { pages, missing } = await recordedPages(language);
  const mistakes = [
    ...[...missing].map((text) => `no entry in src/build/site/reference/texts: ${text}`),
    ...[...pages].flatMap(([path, { length }]) =>
      length > MOST_CHARACTERS ? [`${path} has ${length} characters; at most ${MOST_CHARACTERS}`] : [],
    ),
  ];
  if (mistakes.length > 0) throw new BuildError(`reference (${language}):\n${mistakes.join('\n')}`);
  return pages;
}

/** The pages with the texts that they use, whatever is missing. */
export async function recordedPages(
  language: Language,
): Promise<Recorded & { readonly pages: ReadonlyMap<string, string> }> {
  const recorded = wordsIn(language);
  const { words } = recorded;
  const named: ReadonlyMap<string, string | Promise<string>> = new Map([
    ['cli.md', cliPage(language, words)],
    ['configuration.md', configurationPage(words)],
    ['action.md', actionPage(words)],
    ['json-report.md', jsonReportPage(words)],
    ['webhook.md', webhookPage(language, words)],
    ['api.md', apiPage(language, words)],
    ['metrics.md', metricsPage(words)],
    ['exit-status.md', exitStatusPage(language, words)],
  ] as readonly (readonly [string, string | Promise<string>])[]);
  const pages = await Promise.all([...named].map(async ([file, text]) => [`reference/${file}`, await text] as const));
  return { ...recorded, pages: new Map(pages) };
}
