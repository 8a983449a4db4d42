/**
 * The pages of the documentation site that are made of the code and of documents of the repository, in each language.
 * Their prose is in templates, `pages/<language>/<path>`; `@{name}` there is a part that the code makes.
 */
import { parse } from 'yaml';
import { CHECKOUT, DOCVITALS } from '../../init/workflows.ts';
import { blocks, type Language } from '../../texts.ts';
import { BuildError, readSource } from '../output.ts';
import { checkPages, commonParts, indexParts } from './checks.ts';
import { apiParts } from './reference/api.ts';
import { cliParts, exitStatusParts } from './reference/cli.ts';
import { configurationParts } from './reference/configuration.ts';
import { code, prose, table, withoutDefault, type Parts } from './reference/markdown.ts';
import { metricsParts } from './reference/metrics.ts';
import { fieldTable, linksTo, type FieldOptions, type ObjectSchema } from './reference/objects.ts';
import { webhookParts } from './reference/webhook.ts';
import { wordsIn, type Words } from './reference/words.ts';

/** The largest page: agents read whole pages. */
const MOST_CHARACTERS = 45_000;

type Pages = ReadonlyMap<string, string>;

/** By the path of a page: what makes the parts of its template. */
const TEMPLATES: Readonly<Record<string, (words: Words, language: Language) => Parts | Promise<Parts>>> = {
  'checks/index.md': indexParts,
  'checks/common.md': commonParts,
  'reference/cli.md': cliParts,
  'reference/configuration.md': configurationParts,
  'reference/action.md': actionParts,
  'reference/json-report.md': reportParts,
  'reference/webhook.md': webhookParts,
  'reference/api.md': apiParts,
  'reference/metrics.md': metricsParts,
  'reference/exit-status.md': exitStatusParts,
};

/** The pages of a language by their path, such as `reference/cli.md`. Adds the texts of the catalogue to `used`. */
export async function generatedPages(language: Language, used = new Set<string>()): Promise<Pages> {
  const words = wordsIn(language, used);
  const pages = new Map(await checkPages(language, words));
  for (const [path, make] of Object.entries(TEMPLATES)) {
    const template = await readSource(`src/build/site/pages/${language}/${path}`);
    const text = filledTemplate(path, template, await make(words, language));
    if (path.startsWith('reference/') && text.length > MOST_CHARACTERS) {
      throw new BuildError(`documentation (${language}): ${path} has ${text.length} characters`);
    }
    pages.set(path, text);
  }
  pages.set('architecture.md', await documentPage('ARCHITECTURE.md', words('Architecture'), language, words));
  pages.set('changelog.md', await documentPage('CHANGELOG.md', words('Changelog'), language, words));
  return pages;
}

function filledTemplate(path: string, template: string, parts: Parts): string {
  return template.replaceAll(/@\{(\w+)\}/g, (_, name: string) => {
    const part = parts[name];
    if (part === undefined) throw new BuildError(`documentation: ${path} has no part "${name}"`);
    return part;
  });
}

const REPOSITORY = 'https://github.com/docvitals/docvitals/blob/main/';

/** A document of the repository, which is written in English only. */
async function documentPage(file: string, title: string, language: Language, words: Words): Promise<string> {
  const notice = language === 'en' ? '' : `\n\n> ${words('This page is available only in English.')}`;
  const text = (await readSource(file)).replace(/^# .*/, () => `# ${title}${notice}`);
  // Relative links lead to files of the repository.
  return text.replaceAll(/\]\((?![a-z]+:|#)([^)\s]+)\)/g, `](${REPOSITORY}$1)`);
}

interface Action {
  readonly description: string;
  readonly inputs: Readonly<Record<string, { readonly description: string; readonly default?: string }>>;
  readonly outputs: Readonly<Record<string, { readonly description: string }>>;
}

async function actionParts(words: Words): Promise<Parts> {
  const action = parse(await readSource('action.yml')) as Action;
  const inputs = Object.entries(action.inputs).map(([name, { description, default: value = '' }]) => {
    const { text, preset } = withoutDefault(words(description));
    return [code(name), prose(text), value === '' ? prose(preset) : code(value)];
  });
  const outputs = Object.entries(action.outputs).map(([name, { description }]) => [
    code(name),
    prose(words(description)),
  ]);
  return {
    description: prose(words(action.description)),
    checkout: CHECKOUT,
    docvitals: DOCVITALS,
    inputs: table([words('Input'), words('Description'), words('Default')], inputs),
    outputs: table([words('Output'), words('Description')], outputs),
  };
}

type ReportSchema = ObjectSchema & { readonly $defs: Readonly<Record<string, ObjectSchema>> };

export async function reportSchema(): Promise<ReportSchema> {
  return JSON.parse(await readSource('src/report/report.schema.json')) as ReportSchema;
}

async function reportParts(words: Words): Promise<Parts> {
  const schema = await reportSchema();
  const named = Object.entries(schema.$defs).filter(([, { properties }]) => properties !== undefined);
  const objects: readonly (readonly [string, ObjectSchema])[] = [['report', schema], ...named];
  const options: FieldOptions = {
    words,
    definitions: schema.$defs,
    links: linksTo(objects),
    describe: (_path, { description = '' }) => description,
  };
  const sections = objects.map(([name, object]) =>
    blocks([`## ${code(name)}`, prose(words(object.description ?? '')), fieldTable(object, options)]),
  );
  return { objects: blocks(sections) };
}
