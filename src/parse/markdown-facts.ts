/** CommonMark with GFM's tables and bare URLs, of which engines make links. Pure and synchronous. */
import GithubSlugger from 'github-slugger';
import MarkdownIt, { type Env, type StateInline, type Token } from 'markdown-it';
import { Parser } from 'htmlparser2';
import { type Prepared, hasHtmlContent } from './markdown-text.ts';
import type { EngineLink, MarkdownFacts, MarkdownHeading, MarkdownLink } from './markdown.ts';
import { positionsOf, type Position } from './position.ts';
import { targetsOf } from './html-links.ts';
import { bareUrls, isLeftOpen } from './urls.ts';

const BARE_URL = 'bare_url';

const DEEPEST = 100;

const markdown = new MarkdownIt({ html: true, maxNesting: DEEPEST });
// Addresses stay as they are written.
markdown.normalizeLink = (url) => url;
markdown.validateLink = () => true;
// Blocks are read one by one: the tokens of a long text would take much memory.
markdown.core.ruler.enableOnly(['normalize', 'block', 'strip_references']);
markdown.inline.ruler.before('linkify', BARE_URL, readBareUrl);
// markdown-it knows the lines of blocks only. `map` of a token within a block holds its offset in the block's text.
markdown.inline.State = class extends markdown.inline.State {
  override push(type: string, tag: string, nesting: -1 | 0 | 1): Token {
    const token = super.push(type, tag, nesting);
    token.map = [this.pos, this.pos];
    return token;
  }
};

const LONGEST_URL = 2000;

/** An inline rule, tried at each colon: takes a URL in running text. */
function readBareUrl(state: StateInline, silent: boolean): boolean {
  const { src, pos, posMax } = state;
  if (src.charCodeAt(pos) !== 0x3a || !src.startsWith('//', pos + 1) || state.linkLevel > 0) return false;
  const scheme = /https?$/i.exec(src.slice(Math.max(0, pos - 5), pos))?.[0] ?? '';
  const start = pos - scheme.length;
  if (scheme === '' || /[\da-z]/i.test(src.charAt(start - 1))) return false;
  const [url] = bareUrls(src.slice(start, Math.min(posMax, start + LONGEST_URL)), 1);
  if (url === undefined || !src.startsWith(url, start) || isLeftOpen(src, start, start + url.length)) return false;
  if (!silent) {
    state.pending = state.pending.slice(0, -scheme.length);
    state.pos = start;
    state.push(BARE_URL, '', 0).content = url;
  }
  state.pos = start + url.length;
  return true;
}

/** Linear but for hostile texts, which the caller has to bound. */
export function readFacts({ text, whole, moreContent }: Prepared): MarkdownFacts {
  const reader = new FactsReader(text);
  for (const token of markdown.parse(text, reader.env)) reader.read(token);
  const { links, headings, ids, code, tables, hasContent, isTooDeep } = reader;
  const engineLinks = [...reader.looseLinks, ...engineLinksOf(text)];
  return {
    ok: true,
    // Of a text that was not read whole nothing is known for certain, so it is never called empty.
    hasContent: hasContent || moreContent || isTooDeep,
    whole: whole && !isTooDeep,
    links,
    ...(engineLinks.length === 0 ? {} : { engineLinks }),
    headings,
    ids,
    code,
    tables,
  };
}

/** MDwiki writes its commands as links: `[gimmick:disqus](name)`. */
const GIMMICK = /^\[gimmick:/i;

/** A link, an image, raw HTML, or an entity, which may be white space. */
const MAY_HOLD_LINK = /[[<&]|:\/\//;
const MAY_HOLD_MARKUP = /[[<&*_~`\\\n]|:\/\//;

class FactsReader {
  readonly links: MarkdownLink[] = [];
  readonly looseLinks: EngineLink[] = [];
  readonly headings: MarkdownHeading[] = [];
  readonly ids: string[] = [];
  readonly code: { readonly language: string | null; readonly line: number }[] = [];
  readonly tables: { columns: number; rows: number; readonly line: number }[] = [];
  hasContent = false;
  /** Whether something nests so deep that markdown-it leaves it out. */
  isTooDeep = false;
  readonly env: Env = {};
  readonly #lines: readonly string[];
  readonly #slugger = new GithubSlugger();
  #heading: Token | null = null;
  /** The current row, and where its next cell begins at the earliest. */
  #row = { line: 0, column: 0 };

  constructor(text: string) {
    this.#lines = text.split(/\r\n|\n|\r/);
  }

  read(token: Token): void {
    const { type } = token;
    const line = lineOf(token);
    const table = this.tables.at(-1) ?? { columns: 0, rows: 0 };
    this.isTooDeep ||= token.level >= DEEPEST - 1;
    if (type === 'heading_open') this.#heading = token;
    else if (type === 'heading_close') this.#heading = null;
    else if (type === 'table_open') this.tables.push({ columns: 0, rows: -1, line: line + 1 });
    else if (type === 'tr_open') {
      this.#row = { line, column: 0 };
      table.rows++;
    } else if (type === 'th_open') table.columns++;
    else if (type === 'inline') this.#readInline(token);
    else if (type === 'html_block') this.#readHtml(token.content, this.#placesOf(token), 0);
    else if (type === 'fence' || type === 'code_block') {
      this.hasContent = true;
      const [language = ''] = markdown.utils.unescapeAll(token.info).trim().split(/\s/, 1);
      this.code.push({ language: language === '' ? null : language, line: line + 1 });
    }
  }

  #readInline(block: Token): void {
    const { content, map } = block;
    const placeAt = map === null ? this.#placesInCell(content) : this.#placesOf(block);
    const heading = this.#heading;
    const children: Token[] = [];
    // Reading what is in a block takes longer than finding the blocks.
    const isPlain = !(heading === null ? MAY_HOLD_LINK : MAY_HOLD_MARKUP).test(content);
    if (isPlain) this.hasContent ||= content.trim() !== '';
    else markdown.inline.parse(content, markdown, this.env, children);
    if (heading !== null) this.#addHeading(heading, isPlain ? content.trim() : textOf(children), content);
    if (isPlain) return;
    for (const token of children) this.#readSpan(token, content, placeAt);
    for (const { offset, ...link } of looseLinks(content)) {
      if (!GIMMICK.test(content.slice(offset, offset + 10))) this.looseLinks.push({ ...link, ...placeAt(offset) });
    }
  }

  /** With the id that GitHub gives it, and the one that its author gave it. */
  #addHeading(heading: Token, shown: string, written: string): void {
    const whole = bounded(shown);
    const source = bounded(written);
    const [, braced, config] = OWN_ID.exec(source) ?? [];
    const id = braced ?? config;
    if (id !== undefined) this.ids.push(id);
    const title = id === undefined ? whole : whole.replace(OWN_ID, '').trim();
    const text = title.slice(0, LONGEST_HEADING);
    this.headings.push({
      depth: Number(heading.tag.slice(1)),
      text,
      line: lineOf(heading) + 1,
      slug: this.#slugger.slug(title),
      ...(source === text ? {} : { source: source.slice(0, LONGEST_HEADING) }),
    });
  }

  #readSpan(token: Token, block: string, placeAt: PlaceAt): void {
    const { type, content } = token;
    const at = token.map?.[0] ?? 0;
    if (type.startsWith('text')) this.hasContent ||= content.trim() !== '';
    else if (type === 'html_inline') this.#readHtml(content, placeAt, at);
    else if (token.nesting === 0) this.hasContent ||= !type.endsWith('break');
    if (type === BARE_URL) {
      this.links.push({ url: markdown.utils.unescapeAll(content), kind: 'bare', ...placeAt(at) });
    } else if (type === 'image') {
      this.links.push({ url: String(token.attrGet('src') ?? ''), kind: 'image', ...titleOf(token), ...placeAt(at) });
    } else if (type === 'link_open') this.#readLink(token, block, placeAt);
  }

  #readLink(token: Token, block: string, placeAt: PlaceAt): void {
    const at = token.map?.[0] ?? 0;
    const start = token.markup === 'autolink' ? at : at - 1;
    const url = String(token.attrGet('href') ?? '');
    const link = { url, kind: 'link', ...titleOf(token), ...placeAt(start) } as const;
    if (isFootnote(token)) this.looseLinks.push({ ...link, dialect: 'footnotes' });
    else if (!GIMMICK.test(block.slice(start, start + 10))) this.links.push(link);
  }

  #readHtml(html: string, placeAt: PlaceAt, from: number): void {
    this.hasContent ||= hasHtmlContent(html);
    if (!BARE_TAG.test(html)) readHtml(html, this, (offset) => placeAt(from + offset));
  }

  /** Each line of a block has lost what its containers put before it (`> `, indentation). */
  #placesOf(token: Token): PlaceAt {
    const { content, markup, type } = token;
    const first = lineOf(token);
    if (type === 'inline' && markup === '' && this.#heading?.markup.startsWith('#') === true) {
      const before = /^[^#]*#+[ \t]*/.exec(this.#lines[first] ?? '')?.[0].length ?? 0;
      return (offset) => ({ line: first + 1, column: before + offset + 1 });
    }
    const rows = content.split('\n');
    let [row, start] = [0, 0];
    return (offset) => {
      // Offsets of each kind of link come in order.
      if (offset < start) [row, start] = [0, 0];
      for (let end = start; (end += rows[row]?.length ?? 0) < offset && row < rows.length - 1; start = end) {
        row++;
        end++;
      }
      const lost = (this.#lines[first + row]?.trimEnd().length ?? 0) - (rows[row]?.trimEnd().length ?? 0);
      return { line: first + row + 1, column: Math.max(0, lost) + offset - start + 1 };
    };
  }

  /** In a cell, `\|` has become `|`. */
  #placesInCell(content: string): PlaceAt {
    const { line, column } = this.#row;
    const written = content.replaceAll('|', '\\|');
    const found = (this.#lines[line] ?? '').indexOf(written, column);
    const start = found === -1 ? column : found;
    this.#row = { line, column: start + written.length };
    return (offset) => {
      const escapes = content.slice(0, offset).split('|').length - 1;
      return { line: line + 1, column: start + offset + escapes + 1 };
    };
  }
}

/** From 0. */
const lineOf = ({ map }: Token): number => map?.[0] ?? 0;

function titleOf(token: Token): Pick<MarkdownLink, 'title'> {
  const title = String(token.attrGet('title') ?? '').slice(0, LONGEST_TITLE);
  return title === '' ? {} : { title };
}

/** `[^1]`, which most engines do not take for a link. */
function isFootnote({ meta }: Token): boolean {
  const { label = '' } = (meta ?? {}) as { readonly label?: string };
  return label.startsWith('^');
}

type PlaceAt = (offset: number) => Position;

function textOf(children: readonly Token[]): string {
  const parts = children.map(({ type, content, children: inner }) => {
    if (type === 'image') return textOf(inner ?? []);
    if (type === 'softbreak') return '\n';
    if (type === 'hardbreak') return ' ';
    return type === 'html_inline' ? '' : content;
  });
  return parts.join('').trim();
}

const LONGEST_TITLE = 200;
const LONGEST_HEADING = 200;
/** An id of the author's own after a heading: `{#id}` (Pandoc, kramdown) or `:id=id` (docsify), quoted or not. */
const OWN_ID = /[ \t]*(?:\{:?[ \t]*#([^\s{}]{1,200})[^{}]{0,200}\}|(?<=[\s"'])["']?:id=([^\s"'<>]{1,200})["']?)[ \t]*$/;
/** docsify leaves such a heading out of its sidebar. */
const IGNORED = /[ \t]*\{docsify-ignore(?:-all)?\}[ \t]*$/;
const LONGEST_SOURCE = 1000;
/** Without attributes. */
const BARE_TAG = /^<\/?[a-z][\da-z-]*\s*\/?>$/i;

const bounded = (written: string): string => written.slice(0, LONGEST_SOURCE).replace(IGNORED, '');

/** Targets, `id` and `name` attributes, texts of headings; nothing from comments and scripts. */
function readHtml(html: string, { links, ids }: Pick<FactsReader, 'links' | 'ids'>, placeAt: PlaceAt): void {
  let title: string | null = null;
  const parser = new Parser({
    onopentag(name, attributes) {
      if (/^h[1-6]$/.test(name)) title = '';
      for (const id of [attributes['id'], attributes['name']]) if (id !== undefined && id !== '') ids.push(id);
      const shown = targetsOf(name, attributes).filter(([kind]) => kind === 'image' || kind === 'media');
      const { href } = attributes;
      const urls = name === 'a' && href !== undefined ? [href.trim()] : shown.map(([, url]) => url);
      if (urls.length === 0) return;
      const at = placeAt(parser.startIndex);
      for (const url of urls) links.push({ url, kind: name === 'a' ? 'html' : 'image', raw: true, ...at });
    },
    ontext(data) {
      if (title !== null && title.length < LONGEST_HEADING) title += data;
    },
    onclosetag(name) {
      if (title === null || !/^h[1-6]$/.test(name)) return;
      const text = title.trim().slice(0, LONGEST_HEADING);
      if (text !== '') ids.push(text);
      title = null;
    },
  });
  parser.end(html);
}

/** Most of each dialect in a text, or in a block of it. */
const MOST_ENGINE_LINKS = 5_000;
/** Fenced code and code spans, where VertiWiki reads no wikilinks. */
const CODE = /```[^]*?```|~~~[^]*?~~~|(?<!`)(`+)(?!`)[^`]+(?<!`)\1(?!`)/g;

/** Links that engines find in whole texts, and CommonMark does not. Linear. */
function engineLinksOf(text: string): readonly EngineLink[] {
  const found = [...wikilinks(text).slice(0, MOST_ENGINE_LINKS), ...oddItems(text).slice(0, MOST_ENGINE_LINKS)];
  const offsets = found.map(({ offset }) => offset);
  const positions = positionsOf(text, offsets);
  return found.map(({ offset, ...link }) => ({ ...link, ...(positions.get(offset) ?? { line: 1, column: 1 }) }));
}

const WIKILINK = /\[\[([^\]\n|#]{1,500})(?:#([^\]\n|]{1,500}))?(?:\|[^\]\n]{1,500})?\]\]/g;

/** `[[page#section|label]]`. `.md` is appended as VertiWiki does (`src/plugins/wikilinks.ts`). */
function wikilinks(text: string) {
  if (!text.includes('[[')) return [];
  const plain = text.replace(CODE, (code) => code.replaceAll(/[^\r\n]/g, ' '));
  return [...plain.matchAll(WIKILINK)].flatMap(({ 1: target = '', 2: section = '', index: offset }) => {
    const page = target.trim();
    const isWhole = /\.(?:md|markdown|mdown)$|\?|^https?:\/\//i.test(page);
    const url = `${isWhole ? page : `${page}.md`}${section.trim() === '' ? '' : `#${section.trim()}`}`;
    return page === '' ? [] : [{ url, kind: 'link', dialect: 'wikilinks', offset } as const];
  });
}

const ITEM = /^[^\S\n]*[-*][^\S\n]+\[[^\]\n]{1,500}\]\(([^)\n]{1,1000})\)/gm;

/** Entries that VertiWiki's `parseNavigationMarkdown` reads otherwise than Markdown: the path ends at the first `)`. */
function oddItems(text: string) {
  if (!text.includes('](')) return [];
  return [...text.matchAll(ITEM)].flatMap(({ 0: whole, 1: inside = '', index }) => {
    const url = inside.trim();
    if (!/[\s<("']/.test(url)) return [];
    return [{ url, kind: 'link', dialect: 'items', offset: index + whole.indexOf('[') } as const];
  });
}

/** Marked before 2.0, which docsify 4 has, ends a target with an open parenthesis at the first `)`. */
const UNBALANCED = /(!?)\[([^[\]]{0,500})\]\(([^\s()<>]{0,500}\([^\s()<>]{0,500})\)(?!\S{0,500}\)|\s*[)"'(])/g;

/** `[label](target)` whose target may have a space in it. */
const LOOSE = /(!?)\[([^[\]]{0,500})\]\(([^()<>\n]{1,500})\)/g;

/**
 * Links that `marked` reads and CommonMark does not: `[a](my page.md)`, `[a](b.md "title" "title")`, `[a](b(c) d)`, and
 * `[a]("a title")`, whose title is its target.
 */
function looseLinks(block: string) {
  if (!block.includes('](')) return [];
  const plain = block.replace(CODE, (code) => ' '.repeat(code.length));
  const isEscaped = (index: number): boolean => block[index - 1] === '\\';
  const unbalanced = [...plain.matchAll(UNBALANCED)]
    .slice(0, MOST_ENGINE_LINKS)
    .flatMap(({ 1: mark, 3: url = '', index }) => {
      if (isEscaped(index)) return [];
      return [{ url, kind: mark === '!' ? 'image' : 'link', dialect: 'unbalanced', offset: index } as const];
    });
  const loose = [...plain.matchAll(LOOSE)].slice(0, MOST_ENGINE_LINKS).flatMap(({ 1: mark, 3: inside = '', index }) => {
    const [, target = '', titles = ''] = /^\s*([^"']*?)\s*((?:["'].*)?)$/s.exec(inside) ?? [];
    const [, title = ''] = /^(\S.*?)(?:\s+["'].*["'])?\s*$/s.exec(titles) ?? [];
    const url = target === '' ? title : target;
    const isOdd = /\s/.test(url) || (target !== '' && /^(["']).*\1\s*["'].*["']\s*$/s.test(titles));
    if (!isOdd || isEscaped(index)) return [];
    return [{ url, kind: mark === '!' ? 'image' : 'link', dialect: 'loose', offset: index } as const];
  });
  return [...unbalanced, ...loose];
}
