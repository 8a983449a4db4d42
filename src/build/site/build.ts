/**
 * `npm run docs`: writes the documentation site into `dist/site`, or into the folder that is named. It is `docs/`, the
 * engine from its package, the schemas that the build makes, and pages that are made of the code and of documents of the
 * repository. Their prose is in templates, `pages/<language>/<path>`; `@{name}` there is a part that the code makes. For a
 * deployment: `npm run docs -- --url https://docvitals.github.io/docvitals/`.
 */
import { cp, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { Nodes } from 'mdast';
import remarkParse from 'remark-parse';
import { unified } from 'unified';
import { parse } from 'yaml';
import { checks } from '../../../checks/index.ts';
import { OWN_RULES } from '../../../checks/own/check.ts';
import { CHECKOUT, DOCVITALS } from '../../init/workflows.ts';
import { messagesIn } from '../../locales/messages.ts';
import { processMetrics } from '../../monitor/server/metrics.ts';
import { declarationOf, declaredText, explanationOf, verifyCommand } from '../../report/rule-explanation.ts';
import type { ExplainedRule, RuledCheck, ExplanationPart } from '../../report/rule-explanation.ts';
import { LANGUAGES, type Language } from '../../locales/language.ts';
import { blocks, firstSentence, loadTexts, type Texts } from '../../report/texts.ts';
import { REPOSITORY } from '../../core/version.ts';
import { BuildError, readSource, ROOT } from '../output.ts';
import { cliParts, exitStatusParts } from './reference/cli.ts';
import { apiParts, configurationParts, reportParts, webhookParts } from './reference/json-schema.ts';
import { code, ownMetrics, prose, table, withoutDefault, wordsIn } from './reference/markdown.ts';
import type { Parts, Words } from './reference/markdown.ts';

/** What a browser loads of docsify, by its name in the folder `vendor` of the site. */
const VENDOR: Readonly<Record<string, string>> = {
  'docsify.min.js': 'dist/docsify.min.js',
  'search.min.js': 'dist/plugins/search.min.js',
  'core.min.css': 'dist/themes/core.min.css',
  'core-dark.min.css': 'dist/themes/addons/core-dark.min.css',
  LICENSE: 'LICENSE',
};

/**
 * Replaces `target` with the site; until it is complete, what was there before stays. `url`: where it will be, for links
 * that agents can follow from a copy of a page; without it the site works at any address.
 */
export async function buildSite(target: string, url: URL | null = null): Promise<void> {
  const part = `${target}.${process.pid}.part`;
  await rm(part, { recursive: true, force: true });
  await cp(path.join(ROOT, 'docs'), part, { recursive: true });
  for (const [name, file] of Object.entries(VENDOR)) {
    await cp(path.join(ROOT, 'node_modules/docsify', file), path.join(part, 'vendor', name));
  }
  for (const language of LANGUAGES) {
    for (const [name, text] of await generatedPages(language)) {
      const file = path.join(part, language === 'en' ? '' : language, name);
      await mkdir(path.dirname(file), { recursive: true });
      await writeFile(file, text);
    }
  }
  await cp(path.join(ROOT, 'dist/schema'), path.join(part, 'schema'), { recursive: true });
  await completePages(part, url);
  await rm(target, { recursive: true, force: true });
  await mkdir(path.dirname(target), { recursive: true });
  await rename(part, target);
}

async function completePages(folder: string, url: URL | null): Promise<void> {
  const names = await readdir(folder, { recursive: true });
  const pages = names
    .map((name) => name.replaceAll(path.sep, '/'))
    .filter((name) => name === 'llms.txt' || (name.endsWith('.md') && !/(?:^|\/)navigation\.md$/.test(name)));
  for (const page of pages) {
    const file = path.join(folder, page);
    const text = await readFile(file, 'utf8');
    const linked = url === null ? text : withAbsoluteLinks(text, new URL(page, url));
    await writeFile(file, page === 'llms.txt' ? linked : withIndex(page, linked));
  }
}

/* Pages that are made of the code. */

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
export async function generatedPages(
  language: Language,
  used = new Set<string>(),
): Promise<ReadonlyMap<string, string>> {
  const words = wordsIn(language, used);
  const pages = new Map(await checkPages(language, words));
  for (const [name, make] of Object.entries(TEMPLATES)) {
    const template = await readSource(`src/build/site/pages/${language}/${name}`);
    const parts = await make(words, language);
    const partOf = (_: string, part: string): string => {
      if (parts[part] === undefined) throw new BuildError(`documentation: ${name} has no part "${part}"`);
      return parts[part];
    };
    pages.set(name, template.replaceAll(/@\{(\w+)\}/g, partOf));
  }
  pages.set('architecture.md', await documentPage('ARCHITECTURE.md', words('Architecture'), language, words));
  pages.set('changelog.md', await documentPage('CHANGELOG.md', words('Changelog'), language, words));
  return pages;
}

/** A document of the repository, which is written in English only. */
async function documentPage(file: string, title: string, language: Language, words: Words): Promise<string> {
  const notice = language === 'en' ? '' : `\n\n> ${words('This page is available only in English.')}`;
  const text = (await readSource(file)).replace(/^# .*/, () => `# ${title}${notice}`);
  // Relative links lead to files of the repository.
  return text.replaceAll(/\]\((?![a-z]+:|#)([^)\s]+)\)/g, `](https://github.com/${REPOSITORY}/blob/main/$1)`);
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

function metricsParts(words: Words): Parts {
  const own = Object.entries(ownMetrics).map(([name, metric]) => ({ ...metric, name }));
  // Their labels differ between versions of Node.
  const ofProcess = processMetrics()
    .getMetricsAsArray()
    .map(({ name, type, help }) => ({ section: 'process', name, type: String(type), labels: [], en: help }));
  const head = [words('Metric'), words('Type'), words('Labels'), words('Description')];
  const sections = Map.groupBy([...own, ...ofProcess], ({ section }) => section);
  const tables = [...sections].map(([section, metrics]) => {
    const rows = metrics.map(({ name, type = 'gauge', labels = [], en }) => {
      return [code(name), type, labels.map(code).join(', '), prose(words(en))];
    });
    return [section, table(head, rows)];
  });
  return Object.fromEntries(tables) as Parts;
}

/*
 * A page for each check, from the texts that `docvitals explain` prints. Reports link to a rule's section by its name, so
 * a section's heading is the rule in every language, and nothing else on the page is a heading of that level.
 */

/** `own`: every check that a user declares. */
const OWN: RuledCheck = { id: 'own', rules: OWN_RULES };

async function checkPages(language: Language, words: Words): Promise<ReadonlyMap<string, string>> {
  const texts = await loadTexts(language);
  return new Map([...checks, OWN].map((check) => [`checks/${check.id}.md`, checkPage(check, texts, words)]));
}

/** The checks of each kind as a table, for the index of their pages. */
async function indexParts(words: Words, language: Language): Promise<Parts> {
  const texts = await loadTexts(language);
  const tableFor = (ids: readonly string[]): string => {
    const rows = ids.map((id) => {
      const { title = id, expected = '' } = texts.check(id) ?? {};
      return [`[${title}](${id}.md)`, firstSentence(expected)];
    });
    return table([words('Check'), words('What it expects')], rows);
  };
  const [core, full] = [false, true].map((isFull) =>
    tableFor(checks.filter((check) => (check.full ?? false) === isFull).map(({ id }) => id)),
  );
  return { core: core ?? '', full: full ?? '', shared: tableFor(['common', 'own']) };
}

/** The rules that all checks share, once; a check's own page names them and links here. */
async function commonParts(_words: Words, language: Language): Promise<Parts> {
  const texts = await loadTexts(language);
  const { title = '', expected = '' } = texts.check('common') ?? {};
  const sections = headingsOf(texts.page('common') ?? '').flatMap((rule) => {
    const first = reportersOf(rule).find(({ id }) => !texts.isOwn(id, rule));
    return first === undefined ? [] : [ruleSection({ check: first, rule, reportedBy: [] }, texts, ON_COMMON)];
  });
  return { title, expected, rules: sections.join('\n\n') };
}

/** The rules of a check: those of its own in a table, then each with its section; those that all checks share are on one page. */
function checkPage(check: RuledCheck, texts: Texts, words: Words): string {
  const { title = check.id, expected, degraded, more } = texts.check(check.id) ?? {};
  const messages = messagesIn(texts.language);
  const headings = new Set(headingsOf(texts.page(check.id) ?? ''));
  const own = Object.keys(check.rules).filter((rule) => headings.has(rule));
  const rows = own.map((rule) => [
    `[\`${rule}\`](#${rule})`,
    declaredText(declarationOf(check, rule), messages.explain),
    prose(firstSentence(texts.finding(check.id, rule)?.problem ?? '')),
  ]);
  const section = (rule: string): string =>
    ruleSection({ check, rule, reportedBy: reportersOf(rule).map(({ id }) => id) }, texts, ON_CHECK);
  const { title: common = 'common' } = texts.check('common') ?? {};
  const alone =
    check === OWN
      ? [
          words(
            'Rules of the checks that you declare in `docvitals.yaml`. In a report, the id of your check replaces `own`.',
          ),
        ]
      : [words('To run this check alone:'), `\`\`\`sh\n${verifyCommand(check)}\n\`\`\``];
  const source = blocks([
    `# ${title}`,
    expected,
    rows.length === 0 ? undefined : table([words('Rule'), words('Severity or outcome'), words('Finding')], rows),
    `${words('For the rules that all checks share, see')} [${common}](common.md).`,
    more,
    degraded === undefined ? undefined : `${messages.documentedAction} ${degraded}`,
    ...alone,
    ...own.map(section),
  ]);
  return `${source}\n`;
}

/** What the top of a page has said for all its sections. */
const ON_CHECK: readonly ExplanationPart['kind'][] = ['expects', 'verify'];
const ON_COMMON: readonly ExplanationPart['kind'][] = [...ON_CHECK, 'turnOff'];

function ruleSection(explained: ExplainedRule, texts: Texts, onTop: readonly ExplanationPart['kind'][]): string {
  const { rule } = explained;
  const parts = explanationOf(explained, texts, messagesIn(texts.language))
    .filter(({ kind }) => !onTop.includes(kind))
    .map(({ title, source }) => (title === undefined ? source : `**${title}**\n\n${source}`));
  return blocks([`## ${rule}`, ...parts]);
}

const reportersOf = (rule: string): readonly RuledCheck[] =>
  [...checks, OWN].filter(({ rules }) => Object.hasOwn(rules, rule));

const headingsOf = (source: string): readonly string[] =>
  [...source.matchAll(/^## ([a-z][a-z\d-]*)$/gm)].map(([, rule = '']) => rule);

/* What agents need in pages that they read one at a time: where the index is, and links that lead somewhere from anywhere. */

/** Names the index of all pages below the heading of a page, for readers of its source only. `page`: below the site. */
export function withIndex(page: string, text: string): string {
  const up = '../'.repeat(page.split('/').length - 1) || './';
  return text.replace(/^# .*\n/, (heading) => `${heading}\n<!-- Index of all pages: ${up}llms.txt -->\n`);
}

/** Makes the relative links of a Markdown text absolute. `address`: of the text. */
export function withAbsoluteLinks(text: string, address: URL): string {
  let linked = '';
  let end = 0;
  const walk = (node: Nodes): void => {
    if (node.type === 'image' || node.type === 'definition') replace(node.url, node.position?.start.offset ?? 0);
    if (!('children' in node)) return;
    for (const child of node.children) walk(child);
    // Its target is behind its text.
    if (node.type !== 'link') return;
    replace(node.url, node.children.at(-1)?.position?.end.offset ?? node.position?.start.offset ?? 0);
  };
  const replace = (url: string, start: number): void => {
    const at = text.indexOf(url, start);
    if (at < end || /^(?:[a-z][a-z\d+.-]*:|#|\/)/i.test(url)) return;
    linked += text.slice(end, at) + new URL(url, address).href;
    end = at + url.length;
  };
  walk(unified().use(remarkParse).parse(text));
  return linked + text.slice(end);
}

if (import.meta.main) {
  const { values, positionals } = parseArgs({ options: { url: { type: 'string' } }, allowPositionals: true });
  const target = path.resolve(positionals[0] ?? path.join(ROOT, 'dist/site'));
  await buildSite(target, values.url === undefined ? null : new URL(values.url));
  console.log(`wrote the documentation to ${path.relative(process.cwd(), target) || '.'}`);
}
