import { Parser } from 'htmlparser2';
import { type CssUrl, cssUrls } from './css-urls.ts';
import { moduleImports } from './module-imports.ts';
import { LONGEST_ADDRESS, srcsetUrls } from './urls.ts';
import { takeTurns } from '../concurrency.ts';

/** `preload` is fetched early and perhaps never used. */
export type ResourceKind =
  | 'script'
  | 'style'
  | 'icon'
  | 'manifest'
  | 'modulepreload'
  | 'preload'
  | 'image'
  | 'font'
  | 'media'
  | 'frame';

export interface HtmlResource {
  readonly kind: ResourceKind;
  /** Entities are decoded. */
  readonly url: string;
  /** Of the element's `<` in the text (UTF-16 code units). */
  readonly offset: number;
  /** The first `<base href>` before it, as written; longer ones than `LONGEST_ADDRESS` are left out, as are such URLs. */
  readonly base: string | null;
  readonly module: boolean;
  readonly nomodule: boolean;
  readonly async: boolean;
  readonly integrity: string | null;
  /** `null`: no CORS request; `''` counts as `anonymous`. */
  readonly crossorigin: string | null;
}

export interface HtmlResources {
  readonly resources: readonly HtmlResource[];
  readonly policies: readonly string[];
  /** No `<!doctype html>`: browsers are lenient with types of styles. */
  readonly quirks: boolean;
  /** The total length of inline scripts (UTF-16 code units): a page may hold its engine. */
  readonly inlineScript: number;
  /** `false`: the page was not read to its end, because it has too many resources or nests too deep. */
  readonly whole: boolean;
}

const MOST = 2_000;
/** All addresses together, each with the base that it is resolved against (UTF-16 code units): resolving takes time that grows with them. */
const MOST_ADDRESSES = 1024 * 1024;
/** Longest part of a module in the page that is checked: its imports come first (UTF-16 code units). */
const LONGEST_MODULE = 1024 * 1024;

/** In order. Nothing from comments, `<template>`, `<noscript>`, and no value with a placeholder. Linear. */
export async function htmlResources(html: string): Promise<HtmlResources> {
  const reader = new Reader();
  const whole = await readElementsInTurns(html, reader);
  const { resources, policies, quirks, inlineScript } = reader;
  return { resources, policies, quirks, inlineScript, whole };
}

/** Elements whose content is not part of the page while scripts run. */
const INERT: ReadonlySet<string> = new Set(['template', 'noscript']);

interface Inline {
  readonly element: 'style' | 'script';
  readonly module: boolean;
  readonly offset: number;
  text: string;
}

function inlineOf(name: string, attributes: Attributes, offset: number): Inline | null {
  if (name === 'style') return { element: name, module: false, offset, text: '' };
  const type = typeOf(attributes);
  if (name !== 'script' || attributes['src'] !== undefined || !runs(type)) return null;
  return { element: name, module: type === 'module', offset, text: '' };
}

class Reader implements ElementReader, Omit<HtmlResources, 'whole'> {
  readonly resources: HtmlResource[] = [];
  readonly policies: string[] = [];
  quirks = true;
  inlineScript = 0;
  #base: string | null = null;
  #inert = 0;
  #addresses = 0;
  #inline: Inline | null = null;

  get #isFull(): boolean {
    return this.resources.length >= MOST || this.#addresses >= MOST_ADDRESSES;
  }

  instruction(name: string): void {
    if (name === '!doctype') this.quirks = false;
  }

  open(name: string, attributes: Attributes, offset: number): boolean {
    if (INERT.has(name)) this.#inert++;
    if (this.#inert === 0) this.#element(name, attributes, offset);
    return !this.#isFull;
  }

  #element(name: string, attributes: Attributes, offset: number): void {
    this.#inline ??= inlineOf(name, attributes, offset);
    const { style, href, content } = attributes;
    if (name === 'base') this.#setBase(href?.trim() ?? null);
    else if (name === 'meta' && attributes['http-equiv']?.trim().toLowerCase() === 'content-security-policy') {
      this.policies.push(content ?? '');
    } else for (const [kind, url] of targetsOf(name, attributes)) this.#add(kind, url, offset, attributes);
    if (style !== undefined && /(?:url|image-set)\(/i.test(style)) this.#css(cssUrls(style), offset);
  }

  text(text: string): void {
    if (this.#inline !== null) this.#inline.text += text;
  }

  close(name: string): boolean {
    if (INERT.has(name)) this.#inert = Math.max(0, this.#inert - 1);
    if (name === this.#inline?.element) this.#endInline(this.#inline);
    return !this.#isFull;
  }

  #endInline({ element, module, offset, text }: Inline): void {
    this.#inline = null;
    if (element === 'style') this.#css(cssUrls(text), offset);
    else this.inlineScript += text.length;
    if (!module) return;
    const imports = moduleImports(text.slice(0, LONGEST_MODULE)).first;
    for (const url of imports) this.#add('script', url, offset, { type: 'module' });
  }

  /** Only the first counts. An address that is too long names nothing that could be requested. */
  #setBase(href: string | null): void {
    if (href !== null && href.length <= LONGEST_ADDRESS) this.#base ??= href;
  }

  #css(urls: readonly CssUrl[], offset: number): void {
    for (const { url, kind, fallback } of urls) if (fallback !== true) this.#add(kind, url, offset, {});
  }

  #add(kind: ResourceKind, written: string, offset: number, attributes: Attributes): void {
    const url = written.trim();
    if (url === '' || url.length > LONGEST_ADDRESS || /\{\{|\$\{|<%|\[\[/.test(url) || this.#isFull) return;
    if (!url.startsWith('data:')) this.#addresses += url.length + (this.#base?.length ?? 0);
    const script = kind === 'script';
    this.resources.push({
      kind,
      url,
      offset,
      base: this.#base,
      module: script && typeOf(attributes) === 'module',
      nomodule: script && attributes['nomodule'] !== undefined,
      async: script && attributes['async'] !== undefined,
      integrity: attributes['integrity'] ?? null,
      crossorigin: attributes['crossorigin'] ?? null,
    });
  }
}

const TARGETS: Readonly<Record<string, Readonly<Record<string, ResourceKind>>>> = {
  img: { src: 'image', srcset: 'image' },
  source: { src: 'media', srcset: 'image' },
  video: { src: 'media', poster: 'image' },
  audio: { src: 'media' },
  embed: { src: 'media' },
  object: { data: 'media' },
  iframe: { src: 'frame' },
};

function targetsOf(name: string, attributes: Attributes): readonly (readonly [kind: ResourceKind, url: string])[] {
  return Object.entries(kindsOf(name, attributes)).flatMap(([attribute, kind]) => {
    const value = attributes[attribute] ?? '';
    return (attribute === 'srcset' ? srcsetUrls(value) : [value]).map((url) => [kind, url] as const);
  });
}

function kindsOf(name: string, attributes: Attributes): Readonly<Record<string, ResourceKind>> {
  const type = typeOf(attributes);
  if (name === 'script') return runs(type) ? { src: 'script' } : {};
  if (name === 'input') return type === 'image' ? { src: 'image' } : {};
  const link = name === 'link' ? linkKind(attributes) : null;
  if (link !== null) return { href: link };
  return Object.hasOwn(TARGETS, name) ? (TARGETS[name] ?? {}) : {};
}

const typeOf = (attributes: Attributes): string => (attributes['type'] ?? '').trim().toLowerCase();

function runs(type: string): boolean {
  return (
    type === '' || type === 'module' || /^(?:application|text)\/(?:x-)?(?:javascript|ecmascript|jscript)/.test(type)
  );
}

/** `null`: it only points somewhere. */
function linkKind(attributes: Attributes): ResourceKind | null {
  const rel = new Set((attributes['rel'] ?? '').toLowerCase().split(/\s+/));
  if (rel.has('stylesheet')) return attributes['disabled'] === undefined && !rel.has('alternate') ? 'style' : null;
  if (rel.has('icon') || rel.has('apple-touch-icon') || rel.has('mask-icon')) return 'icon';
  return (['manifest', 'modulepreload', 'preload'] as const).find((kind) => rel.has(kind)) ?? null;
}

export type Attributes = Readonly<Record<string, string>>;

/** The events of a text. Elements without a closing tag end as well. */
export interface ElementReader {
  open(name: string, attributes: Attributes, offset: number): boolean;
  /** `false`: nothing more is wanted. */
  close(name: string): boolean;
  /** Entities are decoded. */
  text?(text: string): void;
  /** In lower case, `!doctype` among them. */
  instruction?(name: string): void;
}

/** Deepest nesting; the parser takes time that grows with it. */
const DEEPEST = 500;
const PIECE = 32 * 1024;
/** Most attributes of one element: the parser takes memory for each, and time that grows with them. */
const MOST_ATTRIBUTES = 10_000;
/** Piece length times depth, summed: each closing tag is searched for among all open elements. */
const MOST_WORK = 1_000_000_000;

/** `false`: not to the end, because the reader wants no more or it takes too much. */
export function readElements(html: string, reader: ElementReader): boolean {
  const pieces = readPieces(html, reader);
  let piece = pieces.next();
  while (piece.done !== true) piece = pieces.next();
  return piece.value;
}

/** The same for a long text, in pieces: other work of this process runs in between. */
async function readElementsInTurns(html: string, reader: ElementReader): Promise<boolean> {
  const pieces = readPieces(html, reader);
  let piece = pieces.next();
  for (; piece.done !== true; piece = pieces.next()) await takeTurns();
  return piece.value;
}

function* readPieces(html: string, reader: ElementReader): Generator<undefined, boolean> {
  let goesOn = true;
  let depth = 0;
  let deepest = 0;
  let attributes = 0;
  const stop = (): void => {
    goesOn = false;
    parser.pause();
  };
  const parser = new Parser({
    onprocessinginstruction: (name) => reader.instruction?.(name.toLowerCase()),
    onattribute: () => {
      if (++attributes > MOST_ATTRIBUTES) stop();
    },
    onopentag: (name, values) => {
      attributes = 0;
      deepest = Math.max(deepest, ++depth);
      if (!reader.open(name, values, parser.startIndex) || depth >= DEEPEST) stop();
    },
    ontext: (text) => reader.text?.(text),
    onclosetag: (name) => {
      depth--;
      if (goesOn && !reader.close(name)) stop();
    },
  });
  let work = 0;
  for (let at = 0; at < html.length; at += PIECE) {
    if (!goesOn) break;
    const piece = html.slice(at, at + PIECE);
    deepest = depth;
    parser.write(piece);
    work += piece.length * (deepest + 1);
    if (work > MOST_WORK) stop();
    yield;
  }
  parser.end();
  return goesOn;
}
