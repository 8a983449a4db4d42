import { Parser } from 'htmlparser2';
import { cssUrls, type CssUrl } from './css-urls.ts';
import { moduleImports } from './module-imports.ts';
import { LONGEST_ADDRESS, srcsetUrls } from './urls.ts';

/** Named like the `rel` of their links. `preload` is fetched early and perhaps never used. */
const KINDS_OF_LINKS = ['manifest', 'modulepreload', 'preload'] as const;

export type ResourceKind = (typeof KINDS_OF_LINKS)[number] | CssUrl['kind'] | 'script' | 'icon' | 'media' | 'frame';

export type HtmlResource = ReturnType<typeof resourceOf>;

export type HtmlResources = ReturnType<typeof htmlResources>;

const MOST = 2_000;
/** All addresses together, each with the base that it is resolved against (UTF-16 code units): resolving takes time that grows with them. */
const MOST_ADDRESSES = 1024 * 1024;
/** Longest part of a module in the page that is checked: its imports come first (UTF-16 code units). */
const LONGEST_MODULE = 1024 * 1024;

/** In order. Nothing from comments, `<template>`, `<noscript>`, and no value with a placeholder. Linear. */
export function htmlResources(html: string) {
  const resources: HtmlResource[] = [];
  const policies: string[] = [];
  /** No `<!doctype html>`: browsers are lenient with types of styles. */
  let quirks = true;
  /** The total length of inline scripts (UTF-16 code units): a page may hold its engine. */
  let inlineScript = 0;
  let base: string | null = null;
  let inert = 0;
  let addresses = 0;
  /** The open `<style>` or inline script, and its text so far. */
  let inline: Inline | null = null;

  const isFull = (): boolean => resources.length >= MOST || addresses >= MOST_ADDRESSES;
  const add = (kind: ResourceKind, written: string, offset: number, attributes: Attributes): void => {
    const url = written.trim();
    if (url === '' || url.length > LONGEST_ADDRESS || /\{\{|\$\{|<%|\[\[/.test(url) || isFull()) return;
    if (!url.startsWith('data:')) addresses += url.length + (base?.length ?? 0);
    resources.push(resourceOf(kind, url, offset, base, attributes));
  };
  const addStyle = (css: string, offset: number): void => {
    for (const { url, kind, fallback } of cssUrls(css)) if (fallback !== true) add(kind, url, offset, {});
  };
  const addElement = (name: string, attributes: Attributes, offset: number): void => {
    inline ??= inlineOf(name, attributes, offset);
    const { style, href = null, content = '' } = attributes;
    if (name === 'base') base ??= href !== null && href.trim().length <= LONGEST_ADDRESS ? href.trim() : null;
    else if (name === 'meta' && attributes['http-equiv']?.trim().toLowerCase() === 'content-security-policy') {
      policies.push(content);
    } else for (const [kind, url] of targetsOf(name, attributes)) add(kind, url, offset, attributes);
    if (style !== undefined && /(?:url|image-set)\(/i.test(style)) addStyle(style, offset);
  };
  const addInline = ({ element, module, offset, text }: Inline): void => {
    if (element === 'style') addStyle(text, offset);
    else inlineScript += text.length;
    if (!module) return;
    const imports = moduleImports(text.slice(0, LONGEST_MODULE)).first;
    for (const url of imports) add('script', url, offset, { type: 'module' });
  };
  const reader: ElementReader = {
    instruction(name) {
      if (name === '!doctype') quirks = false;
    },
    open(name, attributes, offset) {
      if (INERT.has(name)) inert++;
      if (inert === 0) addElement(name, attributes, offset);
      return !isFull();
    },
    text(text) {
      if (inline !== null) inline.text += text;
    },
    close(name) {
      if (INERT.has(name)) inert = Math.max(0, inert - 1);
      if (name === inline?.element) {
        addInline(inline);
        inline = null;
      }
      return !isFull();
    },
  };
  /** `false`: the page was not read to its end, because it has too many resources or nests too deep. */
  const whole = readElements(html, reader);
  return { resources, policies, quirks, inlineScript, whole };
}

/** `base`: the first `<base href>` before it, as written; longer ones than `LONGEST_ADDRESS` are left out, as are such URLs. */
function resourceOf(kind: ResourceKind, url: string, offset: number, base: string | null, attributes: Attributes) {
  const isScript = kind === 'script';
  return {
    kind,
    /** Entities are decoded. */
    url,
    /** Of the element's `<` in the text (UTF-16 code units). */
    offset,
    base,
    module: isScript && typeOf(attributes) === 'module',
    nomodule: isScript && attributes['nomodule'] !== undefined,
    async: isScript && attributes['async'] !== undefined,
    integrity: attributes['integrity'] ?? null,
    /** `null`: no CORS request; `''` counts as `anonymous`. */
    crossorigin: attributes['crossorigin'] ?? null,
  };
}

/** Elements whose content is not part of the page while scripts run. */
const INERT: ReadonlySet<string> = new Set(['template', 'noscript']);

type Inline = NonNullable<ReturnType<typeof inlineOf>>;

function inlineOf(name: string, attributes: Attributes, offset: number) {
  const type = typeOf(attributes);
  const isScript = name === 'script' && attributes['src'] === undefined && runs(type);
  if (name !== 'style' && !isScript) return null;
  return { element: name, module: isScript && type === 'module', offset, text: '' };
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

export function targetsOf(name: string, attributes: Attributes) {
  return Object.entries(kindsOf(name, attributes)).flatMap(([attribute, kind]) => {
    const value = attributes[attribute];
    if (value === undefined) return [];
    return (attribute === 'srcset' ? srcsetUrls(value) : [value.trim()]).map((url) => [kind, url] as const);
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
  return KINDS_OF_LINKS.find((kind) => rel.has(kind)) ?? null;
}

export type Attributes = Readonly<Record<string, string>>;

/** The events of a text. Elements without a closing tag end as well. */
export interface ElementReader {
  /** `offset` and `end`: where the tag begins, and what follows it, in the text (UTF-16 code units). */
  open(name: string, attributes: Attributes, offset: number, end: number): boolean;
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
      const isWanted = reader.open(name, values, parser.startIndex, parser.endIndex + 1);
      if (!isWanted || depth >= DEEPEST) stop();
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
  }
  parser.end();
  return goesOn;
}

const NOT_SHOWN: ReadonlySet<string> = new Set(['head', 'noscript', 'script', 'style', 'template', 'title']);

/** How many characters of a page visitors can read without its scripts, white space apart. */
export function visibleLength(html: string): number {
  let hidden = 0;
  let length = 0;
  readElements(html, {
    open(name) {
      if (NOT_SHOWN.has(name)) hidden++;
      return true;
    },
    close(name) {
      if (NOT_SHOWN.has(name)) hidden--;
      return true;
    },
    text(text) {
      if (hidden === 0) length += text.replaceAll(/\s+/g, '').length;
    },
  });
  return length;
}
