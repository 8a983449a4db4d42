/** Makes the texts that are printed: the words of the interface, and the pages of the checks. */
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { parse as parseMessage, type Token } from '@messageformat/parser';
import type { Nodes, RootContent } from 'mdast';
import remarkParse from 'remark-parse';
import { unified } from 'unified';
import { parse } from 'yaml';
import { ENGINE_NAMES } from '../engines/engine.ts';
import type { HostProduct } from '../site/host-product.ts';
import { LANGUAGES, type Language } from '../locales/language.ts';
import { englishName, type FindingText, type Page } from '../report/texts.ts';
import { messageMistake, mistakeIn } from './language.ts';
import { BuildError, readSource, ROOT, together, writeOutput } from './output.ts';

type Tree = { readonly [key: string]: string | null | readonly string[] | Tree };

const TYPES: Readonly<Record<string, string>> = {
  number: 'number',
  seconds: 'number',
  join: 'readonly string[]',
  list: 'readonly string[]',
};

/**
 * Compiles the words of the interface: `src/locales/<language>.yaml` → `src/generated/locales/<part>.ts`, one module for
 * each top-level key, with a function that returns that part's words in one language.
 *
 * A key is a name, or a name with its parameters: `written(count)`, `unknown-key({name, nearest})`. A message is in ICU
 * MessageFormat (https://unicode-org.github.io/icu/userguide/format_parse/messages/) with these formats:
 * `{n, number}` (grouped digits), `{ms, seconds}`, `{items, join}` (a, b), `{items, list}` (a and b). In `select`, `none`
 * matches `null`, `undefined` and the empty text, and `_` in the name of a case for `-`.
 */
export async function buildLocales(): Promise<void> {
  const trees = await Promise.all(
    LANGUAGES.map(async (language) => parse(await readSource(`src/locales/${language}.yaml`)) as Tree),
  );
  const [english = {}] = trees;
  const mistakes = trees.flatMap((tree, index) => differences(LANGUAGES[index] ?? 'en', english, tree));
  if (mistakes.length > 0) throw new BuildError(`locales:\n${mistakes.join('\n')}`);
  await Promise.all([...Object.keys(english).map((part) => writePart(part, trees)), writeHelp()]);
}

/** The help of the commands: by its English text, in the other languages. */
async function writeHelp(): Promise<void> {
  const entries = parse(await readSource('src/locales/help.yaml')) as readonly Readonly<Record<Language, string>>[];
  for (const entry of entries) {
    for (const language of LANGUAGES) demandLanguage(language, entry[language], `help.yaml: ${entry.en}`);
  }
  const texts = (language: Language) => Object.fromEntries(entries.map((entry) => [entry.en, entry[language]]));
  const code = JSON.stringify({ ro: texts('ro'), fr: texts('fr') }, null, 2);
  await writeOutput('src/generated/locales/help.ts', `export const help = ${code};\n`);
}

/** @throws BuildError where a text is wrong in its language */
function demandLanguage(language: Language, text: string, where: string): void {
  const mistake = mistakeIn(language, text);
  if (mistake !== null) throw new BuildError(`${where}: ${language}: ${mistake}`);
}

async function writePart(part: string, trees: readonly Tree[]): Promise<void> {
  const name = part.replaceAll(/-./g, (match) => match.slice(1).toUpperCase());
  const type = `${name[0]?.toUpperCase()}${name.slice(1)}Words`;
  const parts = trees.map((tree) => tree[part] as Tree);
  const code = LANGUAGES.map((language) => {
    const object = objectCode(parts, language, `${language}.yaml: ${part}`);
    return `const ${language}${language === 'en' ? '' : `: ${type}`} = ${object};`;
  });
  await writeOutput(
    `src/generated/locales/${part}.ts`,
    `import * as format from '../../locales/format.ts';

export type ${type} = typeof en;
${code.join('\n')}

/** The words of one language. */
export const ${name}Words = (language: format.Language): ${type} => ({ en, ro, fr })[language];
`,
  );
}

const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Keys that one language has and the other has not. */
function differences(language: Language, english: Tree, other: Tree, at = ''): string[] {
  return [...new Set([...Object.keys(english), ...Object.keys(other)])].flatMap((key) => {
    const [one, two] = [english[key], other[key]];
    if (one === undefined || two === undefined) {
      return [`${one === undefined ? 'en' : language}.yaml: ${at}${key} is missing`];
    }
    if (isTree(one) && isTree(two)) return differences(language, one, two, `${at}${key}.`);
    if (isTree(one) !== isTree(two)) return [`${language}.yaml: ${at}${key} has another shape than in en.yaml`];
    return mistakesOf(language, messagesIn(one), messagesIn(two)).map(
      (found) => `${language}.yaml: ${at}${key}: ${found}`,
    );
  });
}

const messagesIn = (value: Tree[string] | undefined): readonly string[] => {
  if (Array.isArray(value)) return value.map(String);
  return typeof value === 'string' ? [value] : [];
};

function mistakesOf(language: Language, english: readonly string[], messages: readonly string[]): readonly string[] {
  return messages.flatMap((message, index) => {
    const [tokens, model] = [message, english[index] ?? ''].map((text) => tokensOf(text, language));
    return messageMistake(language, tokens ?? [], model ?? []) ?? [];
  });
}

/** The code of an object; `trees`: it in all languages. */
function objectCode(trees: readonly Tree[], language: Language, at: string): string {
  const index = LANGUAGES.indexOf(language);
  const members = Object.keys(trees[index] ?? {}).map((key) => {
    const values = trees.map((tree) => tree[key]);
    const value = values[index];
    const [, name = key, parameters] = /^(.*?)\((.*)\)$/s.exec(key) ?? [];
    const where = `${at}.${key}`;
    const text = (message: string): string => codeOf(tokensOf(message, where), language);
    if (value === null) return `${JSON.stringify(name)}: null`;
    if (isTree(value)) return `${JSON.stringify(name)}: ${objectCode(values as Tree[], language, where)}`;
    if (Array.isArray(value)) return `${JSON.stringify(name)}: [${value.map(text).join(', ')}] as readonly string[]`;
    const all = values.map((message) => typesIn(tokensOf(typeof message === 'string' ? message : '', where)));
    const list = parametersOf(parameters, all, all[index] ?? new Map(), where);
    return `${JSON.stringify(name)}: ${list === null ? '' : `${list}: string => `}${text(typeof value === 'string' ? value : '')}`;
  });
  return `{\n${members.join(',\n')}\n}`;
}

/** The list of parameters as code; `null`: the message has none. `all`: the types that each language gives them. */
function parametersOf(declared: string | undefined, all: readonly Types[], used: Types, where: string): string | null {
  const names: readonly string[] = declared?.match(/\w+/g) ?? [];
  const unknown = [...used.keys()].filter((name) => !names.includes(name));
  if (unknown.length > 0) throw new BuildError(`locales: ${where}: not declared in the key: ${unknown.join(', ')}`);
  if (declared === undefined) return null;
  const typeOf = (name: string): string =>
    ORDER.find((type) => all.some((types) => types.get(name) === type)) ?? 'unknown';
  if (!declared.startsWith('{')) {
    return `(${names.map((name) => `${used.has(name) ? '' : '_'}${name}: ${typeOf(name)}`).join(', ')})`;
  }
  const fields = names.map((name) => `readonly ${name}${typeOf(name) === 'format.Value' ? '?' : ''}: ${typeOf(name)}`);
  return `({ ${names.filter((name) => used.has(name)).join(', ')} }: { ${fields.join('; ')} })`;
}

function tokensOf(message: string, where: string): readonly Token[] {
  try {
    return parseMessage(message);
  } catch (error) {
    throw new BuildError(`locales: ${where}: ${String(error).split('\n', 1)[0]} in ${message}`);
  }
}

type Types = Map<string, string>;

/** A parameter that is used in several ways has the first of these types. */
const ORDER = ['number', 'readonly string[]', 'format.Value', 'string | number'];

/** The types of the parameters, from how they are used. */
function typesIn(tokens: readonly Token[], types: Types = new Map()): Types {
  const use = (name: string, type: string): void => {
    const known = types.get(name);
    if (known === undefined || ORDER.indexOf(type) < ORDER.indexOf(known)) types.set(name, type);
  };
  for (const token of tokens) {
    if (token.type === 'argument') use(token.arg, 'string | number');
    else if (token.type === 'function') use(token.arg, TYPES[token.key] ?? 'string | number');
    else if (token.type === 'plural' || token.type === 'select' || token.type === 'selectordinal') {
      use(token.arg, token.type === 'select' ? 'format.Value' : 'number');
      for (const { tokens: inner } of token.cases) typesIn(inner, types);
    }
  }
  return types;
}

/** A message as a template literal; `counted`: the parameter of the plural around it. */
function codeOf(tokens: readonly Token[], language: Language, counted = ''): string {
  const parts = tokens.map((token) => {
    if (token.type === 'content') return token.value.replaceAll(/[\\`]|\$(?=\{)/g, String.raw`\$&`);
    if (token.type === 'octothorpe') return `\${format.numberIn('${language}', ${counted})}`;
    if (token.type === 'argument') return `\${${token.arg}}`;
    if (token.type === 'function') {
      return `\${format.${token.key === 'number' ? 'numberIn' : token.key}('${language}', ${token.arg})}`;
    }
    const isSelect = token.type === 'select';
    const cases = token.cases.map(
      ({ key, tokens: inner }) => `${JSON.stringify(key)}: ${codeOf(inner, language, isSelect ? counted : token.arg)}`,
    );
    return `\${format.pick(${isSelect ? token.arg : `format.pluralOf('${language}', ${token.arg})`}, { ${cases.join(', ')} })}`;
  });
  return `\`${parts.join('')}\``;
}

/**
 * Packs `checks/<id>/<language>.md` into `dist/texts/<language>.json`, so that the command reads no Markdown when it
 * starts, and one language only.
 */
export async function buildTexts(): Promise<void> {
  const entries = await readdir(path.join(ROOT, 'checks'), { withFileTypes: true });
  const ids = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  await together(
    LANGUAGES.map(async (language) => {
      const pages = await together(
        ids.toSorted().map(async (id) => {
          return [
            id,
            readPage(await pageSource(id, language), {
              file: `checks/${id}/${language}.md`,
              degraded: id !== 'common',
            }),
          ] as const;
        }),
      );
      await writeOutput(`dist/texts/${language}.json`, JSON.stringify(Object.fromEntries(pages)));
    }),
  );
}

/**
 * The Markdown of a page, with what is written once for several: `{common}` after the problem of a rule is the rest of its
 * section on the page that all checks share. In a list with the item `{purge}`, each host's item ends with how its cache is
 * purged (`checks/common/purge`).
 */
export async function pageSource(id: string, language: Language): Promise<string> {
  const [source = '', common = '', purge = ''] = await together(
    [id, 'common', 'common/purge'].map(async (name) => {
      const file = `checks/${name}/${language}.md`;
      const text = await readSource(file);
      demandLanguage(language, text, file);
      return text.replaceAll('\r\n', '\n');
    }),
  );
  return source
    .replaceAll(/^## (.+)\n\n.+\n\n\{common\}$/gm, (section, rule: string) =>
      section.replace('{common}', () => restOf(common, rule)),
    )
    .replaceAll(/((?:^- \*\*.*\n)*)^- \{purge\}$/gm, (_, items: string) => withPurge(items, purge));
}

/** What follows the problem in the section of a rule. */
function restOf(page: string, rule: string): string {
  const section = page.split(/^## /m).find((one) => one.startsWith(`${rule}\n`));
  if (section === undefined) throw new BuildError(`checks/common has no section "${rule}"`);
  return section.split('\n\n').slice(2).join('\n\n').trim();
}

/** The items of two lists, one for each host, in the order of `HOSTS`. */
function withPurge(items: string, purge: string): string {
  const byHost = new Map<string, string>();
  for (const [item, name = ''] of `${items}\n${purge}`.matchAll(/^- \*\*(.+?)\*\*.*$/gm)) {
    const own = byHost.get(name);
    byHost.set(name, own === undefined ? item : `${own}${item.slice(item.indexOf(':') + 1)}`);
  }
  const order = [...HOSTS];
  return [...byHost]
    .toSorted(([a], [b]) => order.indexOf(englishName(a)) - order.indexOf(englishName(b)))
    .map(([, item]) => item)
    .join('\n');
}

/** The H1 or an H2 of a page and what follows, up to the next. */
interface Section {
  readonly heading: string;
  readonly line: number;
  readonly nodes: readonly RootContent[];
  readonly paragraphs: readonly string[];
}

/** In the order of the items. */
const PRODUCTS: Readonly<Record<HostProduct, true>> = {
  nginx: true,
  Apache: true,
  Caddy: true,
  Vercel: true,
  Netlify: true,
  Cloudflare: true,
  'GitHub Pages': true,
  'S3 and CloudFront': true,
};

/** Names that the items of a fix may begin with. */
const HOSTS: ReadonlySet<string> = new Set([
  ...Object.keys(PRODUCTS),
  'Other hosts',
  ...Object.values(ENGINE_NAMES),
  'Other engines',
]);

/**
 * Reads one page: the H1 is the title, the first paragraph what is expected, `## degraded` the documented action, and
 * each further `## <rule>` a finding: its first paragraph the problem, its second the fix, which a list with one item for
 * each kind of host may follow (`- **nginx**: …`). Nothing comes before these, so that the page can be put together again
 * from its parts. `degraded`: whether the page must have that section, or must not.
 *
 * @throws BuildError naming the first mistake with its line
 */
export function readPage(
  markdown: string,
  { file = '', degraded }: { readonly file?: string; readonly degraded: boolean },
): Page {
  const source = markdown.replaceAll('\r\n', '\n');
  const fail = (line: number, message: string): never => {
    throw new BuildError(`${file}:${line}: ${message}`);
  };
  const [intro, ...sections] = split(source);
  if (intro === undefined || !source.startsWith('# ')) return fail(1, 'the page must begin with its title (`# Title`)');
  const [expected] = intro.paragraphs;
  if (expected === undefined) return fail(intro.line, 'no paragraph right after the title');
  const action = degraded ? sections.shift() : undefined;
  if (degraded && action?.heading !== 'degraded') return fail(1, 'no section "degraded" before the others');
  if (action !== undefined && (action.paragraphs.length !== 1 || action.nodes.length !== 1)) {
    return fail(action.line, 'section "degraded" must be one paragraph');
  }
  return {
    title: intro.heading,
    expected,
    ...moreOf(intro.nodes.slice(1), source),
    ...(action === undefined ? {} : { degraded: action.paragraphs[0] ?? '' }),
    rules: rulesOf(sections, source, fail),
  };
}

function rulesOf(sections: readonly Section[], source: string, fail: (line: number, message: string) => never) {
  const rules: Record<string, FindingText> = {};
  for (const section of sections) {
    const { heading, line } = section;
    const text = findingIn(section, source, (message) => fail(line, message));
    if (Object.hasOwn(rules, heading)) fail(line, `section "${heading}" comes twice`);
    rules[heading] = text;
  }
  return rules;
}

function findingIn({ heading, nodes, paragraphs }: Section, source: string, fail: (message: string) => never) {
  const isName = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(heading) && heading !== 'degraded';
  if (!isName) fail(`"${heading}" is not the name of a rule in kebab-case`);
  const [problem, fix] = paragraphs;
  if (problem === undefined || fix === undefined) {
    return fail(`section "${heading}" must begin with two paragraphs: the problem, then the fix`);
  }
  const hosts = paragraphs.length === 2 ? hostsIn(nodes[2], source) : {};
  const names = Object.keys(hosts);
  const unknown = names.find((name) => !HOSTS.has(englishName(name)));
  if (unknown !== undefined) fail(`"${unknown}" in section "${heading}" is no known host or engine`);
  const isListed = names.length > 0;
  return { problem, fix, ...(isListed && { hosts }), ...moreOf(nodes.slice(isListed ? 3 : 2), source) };
}

function split(source: string): readonly Section[] {
  const { children } = unified().use(remarkParse).parse(source);
  const starts = children.flatMap((node, index) => (node.type === 'heading' && node.depth <= 2 ? [index] : []));
  return starts.map((start, nth) => {
    const nodes = children.slice(start + 1, starts[nth + 1]);
    const other = nodes.findIndex(({ type }) => type !== 'paragraph');
    return {
      heading: textIn(children[start], source),
      line: children[start]?.position?.start.line ?? 1,
      nodes,
      paragraphs: nodes.slice(0, other === -1 ? undefined : other).map((node) => textIn(node, source)),
    };
  });
}

/** The items of a list in which each begins with a name in bold and a colon. */
function hostsIn(node: RootContent | undefined, source: string): Readonly<Record<string, string>> {
  if (node?.type !== 'list') return {};
  const items = node.children.map((item) => /^\*\*([^*]+)\*\*[\u00a0]?: ([^]+)$/.exec(textIn(item, source)));
  if (items.every((item) => item === null)) return {};
  return Object.fromEntries(items.map((item) => [item?.[1] ?? '?', item?.[2] ?? '']));
}

function moreOf(nodes: readonly RootContent[], source: string): { readonly more?: string } {
  return nodes.length === 0 ? {} : { more: sourceOf(nodes, source) };
}

/** The Markdown source of nodes that follow each other. */
function sourceOf(nodes: readonly Nodes[], source: string): string {
  return source.slice(nodes.at(0)?.position?.start.offset ?? 0, nodes.at(-1)?.position?.end.offset ?? 0);
}

/** What is in a node, on one line: a wrapped line is not a break in Markdown. No-break spaces stay. */
function textIn(node: Nodes | undefined, source: string): string {
  const children = node !== undefined && 'children' in node ? node.children : [];
  return sourceOf(children, source)
    .replaceAll(/[ \t]*\n[ \t]*/g, ' ')
    .trim();
}
