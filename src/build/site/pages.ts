/** The pages of the documentation site that are made from the code and from documents of the repository, in each language. */
import type { Language } from '../../texts.ts';
import { BuildError } from '../output.ts';
import { checkPages } from './checks.ts';
import { documentPages } from './documents.ts';
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

type Pages = ReadonlyMap<string, string>;

/** The pages of a language by their path, such as `reference/cli.md`. @throws BuildError for texts without translation. */
export async function generatedPages(language: Language): Promise<Pages> {
  const { pages, missing } = await recordedPages(language);
  const mistakes = [
    ...[...missing].map((text) => `no entry in src/build/site/reference/texts: ${text}`),
    ...[...pages].flatMap(([path, { length }]) =>
      path.startsWith('reference/') && length > MOST_CHARACTERS
        ? [`${path} has ${length} characters; at most ${MOST_CHARACTERS}`]
        : [],
    ),
  ];
  if (mistakes.length > 0) throw new BuildError(`documentation (${language}):\n${mistakes.join('\n')}`);
  return pages;
}

/** The pages with the texts that they use, whatever is missing. */
export async function recordedPages(language: Language): Promise<Recorded & { readonly pages: Pages }> {
  const recorded = wordsIn(language);
  const { words } = recorded;
  const reference: Readonly<Record<string, string | Promise<string>>> = {
    cli: cliPage(language, words),
    configuration: configurationPage(words),
    action: actionPage(words),
    'json-report': jsonReportPage(words),
    webhook: webhookPage(language, words),
    api: apiPage(language, words),
    metrics: metricsPage(words),
    'exit-status': exitStatusPage(language, words),
  };
  const pages = new Map([...(await checkPages(language, words)), ...(await documentPages(language, words))]);
  for (const [name, text] of Object.entries(reference)) pages.set(`reference/${name}.md`, await text);
  return { ...recorded, pages };
}
