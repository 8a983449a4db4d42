/** Three readers of Markdown, made comparable: our own, remark-parse, and marked, which engines render with. */
import GithubSlugger from 'github-slugger';
import { Parser } from 'htmlparser2';
import { Marked } from 'marked';
import type { Nodes } from 'mdast';
import { readFacts } from '../../src/parse/markdown-facts.ts';
import { prepare } from '../../src/parse/markdown-text.ts';
import type { MarkdownLink } from '../../src/parse/markdown.ts';
import { srcsetUrls } from '../../src/parse/urls.ts';
import { nodesOf, readGfm } from '../reports/gfm.ts';

/** What a reader finds, each in the order of the text. */
export interface Found {
  readonly links: readonly string[];
  readonly images: readonly string[];
  /** Level and text. */
  readonly headings: readonly string[];
  /** The ids that GitHub gives the headings. */
  readonly anchors: readonly string[];
}

export const PARTS = ['links', 'images', 'headings', 'anchors'] as const;

/** The text as all of them get it: without a byte order mark, front matter blanked. */
export function textOf(file: string): string {
  return prepare(file.replace(/^\uFEFF/, ''), Infinity).text;
}

interface Title {
  readonly depth: number;
  readonly text: string;
}

/** An id of the author's own, which we read and others leave in the text; some engines do, too. */
const OWN_ID = /\s*(?:\{:?\s*#[^{}]+\}|\{docsify-[^{}]+\}|:id=\S+)$/;

function titled(titles: readonly Title[]): Pick<Found, 'headings' | 'anchors'> {
  const slugger = new GithubSlugger();
  const plain = titles.map(({ depth, text }) => ({
    depth,
    text: text
      .trim()
      .replace(OWN_ID, '')
      .replace(/\s*\n\s*/g, '\n'),
  }));
  return {
    headings: plain.map(({ depth, text }) => `${depth} ${text.replace(/\s+/g, ' ').slice(0, 150)}`),
    anchors: plain.map(({ text }) => slugger.slug(text)),
  };
}

/** With the links and headings of Markdown alone; each link with its line and column. */
export function ours(text: string): Found {
  const { links, headings } = readFacts(prepare(text, Infinity));
  const own = links.filter(({ line, column }) => !isHtml(text, line, column));
  const located = (kind: MarkdownLink['kind']): string[] =>
    own.filter((link) => link.kind === kind).map(({ url, line, column }) => `${line}:${column} ${url}`);
  return {
    links: located('link'),
    images: located('image'),
    ...titled(headings),
    anchors: headings.map(({ slug }) => slug),
  };
}

/** Whether a link stands in raw HTML. */
function isHtml(text: string, line: number, column: number): boolean {
  const rest = (text.split(/\r\n|\n|\r/, line).at(-1) ?? '').slice(column - 1);
  return /^<[a-z]+(?:[\s>]|$)/i.test(rest);
}

/** With all links and images that are rendered: of raw HTML and of URLs in running text as well. */
export function oursRendered(text: string): Found {
  const { links, headings } = readFacts(prepare(text, Infinity));
  const urls = (isImage: boolean): string[] =>
    links.filter(({ kind }) => (kind === 'image') === isImage).map(({ url }) => comparable(url));
  return {
    links: urls(false).filter((url) => !url.startsWith('mailto:')),
    images: urls(true),
    ...titled(headings),
    anchors: headings.map(({ slug }) => slug),
  };
}

export function byRemark(text: string): Found {
  const nodes = nodesOf(readGfm(text));
  const definitions = new Map<string, string>();
  for (const node of nodes) {
    if (node.type === 'definition' && !definitions.has(node.identifier)) definitions.set(node.identifier, node.url);
  }
  const located = (type: 'link' | 'image'): string[] =>
    nodes.flatMap((node) => {
      const url = node.type === type ? node.url : referred(node, type, definitions);
      const { line, column } = node.position?.start ?? {};
      return url === undefined ? [] : [`${line}:${column} ${url}`];
    });
  const titles = nodes.flatMap((node) => (node.type === 'heading' ? [{ depth: node.depth, text: textIn(node) }] : []));
  return { links: located('link'), images: located('image'), ...titled(titles) };
}

function referred(node: Nodes, type: 'link' | 'image', definitions: ReadonlyMap<string, string>): string | undefined {
  if (node.type !== `${type}Reference` || !('identifier' in node)) return undefined;
  // `[^1]` is a footnote to engines.
  return type === 'link' && node.identifier.startsWith('^') ? undefined : definitions.get(node.identifier);
}

function textIn(node: Nodes): string {
  if (node.type === 'image' || node.type === 'imageReference') return node.alt ?? '';
  if (node.type === 'break') return ' ';
  if ('children' in node) return node.children.map(textIn).join('');
  return node.type === 'text' || node.type === 'inlineCode' ? node.value : '';
}

const marked = new Marked({
  renderer: {
    // Marks the headings of Markdown among those of raw HTML.
    heading({ tokens, depth }) {
      return `<h${depth} data-markdown>${this.parser.parseInline(tokens)}</h${depth}>\n`;
    },
  },
});

/** What a browser shows of the HTML that marked makes. */
export function byMarked(text: string): Found {
  const found = { links: [] as string[], images: [] as string[] };
  const titles: { depth: number; text: string }[] = [];
  let heading: (typeof titles)[number] | null = null;
  let open: { at: number; href: string; text: string } | null = null;
  const parser = new Parser({
    onopentag(name, attributes) {
      const { href, alt = '' } = attributes;
      if (attributes['data-markdown'] !== undefined) titles.push((heading = { depth: Number(name[1]), text: '' }));
      if (name === 'a' && href !== undefined) {
        open = { at: found.links.length, href, text: '' };
        found.links.push(comparable(href.trim()));
      }
      if (name === 'img' && heading !== null) heading.text += alt;
      found.images.push(...sourcesOf(name, attributes).map(comparable));
    },
    ontext(part) {
      if (heading !== null) heading.text += part;
      if (open !== null) open.text += part;
    },
    onclosetag(name) {
      if (/^h\d$/.test(name)) heading = null;
      if (name !== 'a' || open === null) return;
      // `www.example.org` in running text: no check follows it.
      if (open.text.startsWith('www.') && open.href === `http://${open.text}`) found.links.splice(open.at, 1);
      open = null;
    },
  });
  parser.end(marked.parse(text, { async: false }));
  return { ...found, links: found.links.filter((url) => !url.startsWith('mailto:')), ...titled(titles) };
}

function sourcesOf(name: string, { src, srcset, poster }: Readonly<Record<string, string>>): readonly string[] {
  const sources = /^(?:img|source|video|audio)$/.test(name) && src !== undefined ? [src.trim()] : [];
  if (/^(?:img|source)$/.test(name) && srcset !== undefined) sources.push(...srcsetUrls(srcset));
  return name === 'video' && poster !== undefined ? [...sources, poster.trim()] : sources;
}

/** marked percent-encodes addresses. */
function comparable(url: string): string {
  try {
    return decodeURI(url);
  } catch {
    return url;
  }
}
