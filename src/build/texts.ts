/**
 * Packs `checks/<id>/<language>.md` into `dist/texts/<language>.json`, so that the command reads no Markdown when it
 * starts, and one language only.
 */
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import type { Nodes, RootContent } from 'mdast';
import remarkParse from 'remark-parse';
import { unified } from 'unified';
import { ENGINE_NAMES } from '../engines/engine.ts';
import { HOST_PRODUCTS_OF } from '../host-product.ts';
import { englishName, LANGUAGES, type FindingText, type Page } from '../texts.ts';
import { BuildError, readSource, ROOT, together, writeOutput } from './output.ts';

/** Reads every page of every language and writes one JSON file a language. */
export async function buildTexts(): Promise<void> {
  const entries = await readdir(path.join(ROOT, 'checks'), { withFileTypes: true });
  const ids = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  const readFolder = async (id: string, language: string) => {
    const file = `checks/${id}/${language}.md`;
    return [id, readPage(await readSource(file), { file, degraded: id !== 'common' })] as const;
  };
  await together(
    LANGUAGES.map(async (language) => {
      const pages = await together(ids.toSorted().map((id) => readFolder(id, language)));
      await writeOutput(`dist/texts/${language}.json`, JSON.stringify(Object.fromEntries(pages)));
    }),
  );
}

/** The H1 or an H2 of a page and what follows, up to the next. */
interface Section {
  readonly heading: string;
  readonly line: number;
  readonly nodes: readonly RootContent[];
  readonly paragraphs: readonly string[];
}

/** Names that the items of a fix may begin with. */
const HOSTS: ReadonlySet<string> = new Set([
  ...Object.values(HOST_PRODUCTS_OF).flat(),
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
    codes: codesOf(sections, source, fail),
  };
}

function codesOf(sections: readonly Section[], source: string, fail: (line: number, message: string) => never) {
  const codes: Record<string, FindingText> = {};
  for (const section of sections) {
    const { heading, line } = section;
    const text = findingIn(section, source, (message) => fail(line, message));
    if (Object.hasOwn(codes, heading)) fail(line, `section "${heading}" comes twice`);
    codes[heading] = text;
  }
  return codes;
}

function findingIn({ heading, nodes, paragraphs }: Section, source: string, fail: (message: string) => never) {
  const isCode = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(heading) && heading !== 'degraded';
  if (!isCode) fail(`"${heading}" is not a finding code in kebab-case`);
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
