/**
 * `npm run docs`: writes the documentation site into `dist/site`, or into the folder that is named. It is `docs/`, the
 * engine from its package, and pages that are made of the code and of documents of the repository. Their prose is in
 * templates, `pages/<language>/<path>`; `@{name}` there is a part that the code makes. For a deployment:
 * `npm run docs -- --url https://docvitals.github.io/docvitals/`.
 */
import { cp, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { Nodes } from 'mdast';
import remarkParse from 'remark-parse';
import { unified } from 'unified';
import { parse } from 'yaml';
import { CHECKOUT, DOCVITALS } from '../../init/workflows.ts';
import { processMetrics } from '../../monitor/server/metrics.ts';
import { LANGUAGES, type Language } from '../../texts.ts';
import { BuildError, readSource, ROOT } from '../output.ts';
import { checkPages, commonParts, indexParts } from './checks.ts';
import { cliParts, exitStatusParts } from './reference/cli.ts';
import { apiParts, configurationParts, reportParts, webhookParts } from './reference/json-schema.ts';
import {
  code,
  ownMetrics,
  prose,
  table,
  withoutDefault,
  wordsIn,
  type Parts,
  type Words,
} from './reference/markdown.ts';

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
    pages.set(name, filledTemplate(name, template, await make(words, language)));
  }
  pages.set('architecture.md', await documentPage('ARCHITECTURE.md', words('Architecture'), language, words));
  pages.set('changelog.md', await documentPage('CHANGELOG.md', words('Changelog'), language, words));
  return pages;
}

function filledTemplate(page: string, template: string, parts: Parts): string {
  return template.replaceAll(/@\{(\w+)\}/g, (_, name: string) => {
    const part = parts[name];
    if (part === undefined) throw new BuildError(`documentation: ${page} has no part "${name}"`);
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
