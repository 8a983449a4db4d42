/**
 * Packs `checks/<id>/<language>.md` into `dist/texts/<language>.json`, so that the command reads no Markdown when it
 * starts, and one language only.
 */
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import type { Heading, Paragraph, Root, RootContent } from 'mdast';
import remarkParse from 'remark-parse';
import { unified } from 'unified';
import { HOST_PRODUCTS } from '../host-product.ts';
import { ENGINE_NAMES } from '../engines/engine.ts';
import { englishName, LANGUAGES, packed, type Page, type FindingText } from '../texts.ts';
import { BuildError, readSource, ROOT, writeOutput } from './output.ts';

/** Reads every page of every language and writes one JSON file a language. Returns the files it wrote into `dist`. */
export async function buildTexts(): Promise<string[]> {
  const entries = await readdir(path.join(ROOT, 'checks'), { withFileTypes: true });
  const folders = entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .toSorted();
  const mistakes: string[] = [];
  const read = await Promise.all(
    LANGUAGES.map(async (language) => {
      const pages = await Promise.all(folders.map((id) => readFolder(id, language, mistakes)));
      return pages.flatMap((page) => (page ? [page] : []));
    }),
  );
  mistakes.push(...differentHosts(read));
  if (mistakes.length > 0) throw new BuildError(`texts:\n${mistakes.toSorted().join('\n')}`);
  return Promise.all(
    LANGUAGES.map((language, at) => writeOutput(`dist/texts/${language}.json`, packed(read[at] ?? []))),
  );
}

/** Rules whose fixes have items for other hosts in a translation than in English. */
function differentHosts([english = [], ...others]: readonly (readonly (readonly [string, Page])[])[]): string[] {
  const namesOf = (text: FindingText | undefined): string =>
    Object.keys(text?.hosts ?? {})
      .map(englishName)
      .join(', ');
  return others.flatMap((pages, at) =>
    english.flatMap(([id, page]) => {
      const translated = pages.find(([other]) => other === id)?.[1];
      return Object.entries(page.codes)
        .filter(([rule, text]) => translated && namesOf(text) !== namesOf(translated.codes[rule]))
        .map(([rule]) => `checks/${id}/${LANGUAGES[at + 1]}.md: "${rule}" has items for other hosts than in English`);
    }),
  );
}

async function readFolder(id: string, language: string, mistakes: string[]): Promise<[string, Page] | undefined> {
  const file = `checks/${id}/${language}.md`;
  if (!existsSync(path.join(ROOT, file))) {
    mistakes.push(`${file}: missing; every folder of checks/ has its texts in ${LANGUAGES.join(', ')}`);
    return undefined;
  }
  try {
    return [id, readPage(await readSource(file), { degraded: id !== 'common' })];
  } catch (error) {
    if (!(error instanceof TextError)) throw error;
    mistakes.push(...error.mistakes.map(({ line, message }) => `${file}:${line}: ${message}`));
    return undefined;
  }
}

/*
 * One page of texts, from Markdown to the parts that reports print:
 * the H1 is the title, the first paragraph what is expected, `## degraded` the documented action, and each further
 * `## <rule>` a finding: its first paragraph the problem, its second the fix, which a list with one item for each kind of
 * host may follow (`- **nginx**: …`). Nothing comes before these, so that the page can be put together again from its parts.
 */

interface Mistake {
  /** From 1. */
  readonly line: number;
  readonly message: string;
}

/** The page is not of the form above; `mistakes` has all of them, in the order of the page. */
export class TextError extends Error {
  override readonly name = 'TextError';
  readonly mistakes: readonly Mistake[];

  constructor(mistakes: readonly Mistake[]) {
    super(mistakes.map(({ line, message }) => `${line}: ${message}`).join('\n'));
    this.mistakes = mistakes;
  }
}

interface Section {
  readonly heading: string;
  readonly line: number;
  /** The paragraphs that it begins with. */
  readonly paragraphs: readonly string[];
  /** The Markdown source of what follows the first `count` of its blocks; `undefined`: nothing does. */
  after(count: number): string | undefined;
  /** The items of the list that follows the fix, by the name of the host; `undefined`: no list. */
  hosts(): Readonly<Record<string, string>> | undefined;
}

/**
 * Reads one page.
 *
 * @param markdown the whole file
 * @param needs whether the page must have a `## degraded` section, or must not
 * @throws TextError naming each part that is missing
 */
export function readPage(markdown: string, needs: { readonly degraded: boolean }): Page {
  const source = markdown.replaceAll('\r\n', '\n');
  const [intro, ...sections] = split(unified().use(remarkParse).parse(source), source);
  if (!intro?.heading) throw new TextError([{ line: 1, message: 'the page must begin with its title (`# Title`)' }]);
  const mistakes: Mistake[] = [];
  const [expected = ''] = intro.paragraphs;
  if (expected === '') mistakes.push({ line: intro.line, message: 'no paragraph right after the title' });

  const action = sections.find(({ heading }) => heading === 'degraded');
  const message = action
    ? actionMistake(action, { wanted: needs.degraded, isFirst: action === sections[0] })
    : needs.degraded && 'no section "degraded"';
  if (message) mistakes.push({ line: action?.line ?? 1, message });

  const codes = readCodes(
    sections.filter((section) => section !== action),
    mistakes,
  );
  if (mistakes.length > 0) throw new TextError(mistakes.toSorted((a, b) => a.line - b.line));
  const [degraded] = action?.paragraphs ?? [];
  return {
    title: intro.heading,
    expected,
    ...moreOf(intro, 1),
    ...(degraded === undefined ? {} : { degraded }),
    codes,
  };
}

function actionMistake(
  action: Section,
  { wanted, isFirst }: { readonly wanted: boolean; readonly isFirst: boolean },
): string | undefined {
  if (!wanted) return 'a section "degraded" has no place here';
  if (action.paragraphs.length !== 1 || action.after(1) !== undefined)
    return 'section "degraded" must be one paragraph';
  return isFirst ? undefined : 'section "degraded" must be the first';
}

function moreOf(section: Section, paragraphs: number): { readonly more?: string } {
  const more = section.after(paragraphs);
  return more === undefined ? {} : { more };
}

/** The texts of each code's section; what is wrong with one is added to `mistakes`. */
function readCodes(sections: readonly Section[], mistakes: Mistake[]): Record<string, FindingText> {
  const codes: Record<string, FindingText> = {};
  for (const section of sections) {
    const { heading, line } = section;
    const [problem, fix] = section.paragraphs;
    if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(heading)) {
      mistakes.push({ line, message: `"${heading}" is not a finding code in kebab-case` });
    } else if (Object.hasOwn(codes, heading)) {
      mistakes.push({ line, message: `section "${heading}" comes twice` });
    } else if (problem === undefined || fix === undefined) {
      mistakes.push({
        line,
        message: `section "${heading}" must begin with two paragraphs: the problem, then the fix`,
      });
    } else {
      const hosts = section.hosts();
      const unknown = Object.keys(hosts ?? {}).filter((name) => !HOSTS.has(englishName(name)));
      for (const name of unknown)
        mistakes.push({ line, message: `"${name}" in section "${heading}" is no known host or engine` });
      codes[heading] = hosts ? { problem, fix, hosts, ...moreOf(section, 3) } : { problem, fix, ...moreOf(section, 2) };
    }
  }
  return codes;
}

/** Names that the items of a fix may begin with. */
const HOSTS: ReadonlySet<string> = new Set([
  ...HOST_PRODUCTS,
  'Other hosts',
  ...Object.values(ENGINE_NAMES),
  'Other engines',
]);

/** The items of a list in which each begins with a name in bold and a colon. */
function hostsIn(node: RootContent | undefined, source: string): Record<string, string> | undefined {
  if (node?.type !== 'list') return undefined;
  const items = node.children.map(
    (item) => /^\*\*([^*]+)\*\*[\u00a0]?: ([^]+)$/.exec(inline(item.children, source)) ?? undefined,
  );
  if (items.every((item) => item === undefined)) return undefined;
  return Object.fromEntries(items.map((item) => [item?.[1] ?? '?', item?.[2] ?? '']));
}

/** The page's sections, each from its H1 or H2 up to the next. Text before the first heading belongs to no section. */
function split(tree: Root, source: string): Section[] {
  const starts = tree.children.flatMap((node, index) => (node.type === 'heading' && node.depth <= 2 ? [index] : []));
  return starts.flatMap((start, nth) => {
    const [first, ...nodes] = tree.children.slice(start, starts[nth + 1]);
    const heading = first as Heading;
    const other = nodes.findIndex(({ type }) => type !== 'paragraph');
    const paragraphs = nodes.slice(0, other === -1 ? undefined : other) as Paragraph[];
    if ((heading.depth === 1) !== (nth === 0)) return [];
    return [
      {
        heading: inline(heading.children, source),
        line: heading.position?.start.line ?? 1,
        paragraphs: paragraphs.map(({ children }) => inline(children, source)),
        after: (count: number) => (nodes.length > count ? inside(nodes.slice(count), source) : undefined),
        hosts: () => (paragraphs.length === 2 ? hostsIn(nodes[2], source) : undefined),
      },
    ];
  });
}

/** The Markdown source of nodes that follow each other. */
function inside(nodes: readonly Pick<RootContent, 'position'>[], source: string): string {
  return source.slice(nodes.at(0)?.position?.start.offset ?? 0, nodes.at(-1)?.position?.end.offset ?? 0);
}

/** The same on one line: a wrapped line is not a break in Markdown. No-break spaces stay. */
function inline(nodes: readonly Pick<RootContent, 'position'>[], source: string): string {
  return inside(nodes, source)
    .replaceAll(/[ \t]*\n[ \t]*/g, ' ')
    .trim();
}
