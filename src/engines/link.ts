/** Finds out where a link leads: to a page or file of the site, elsewhere, or nowhere. Pure. */
import { decoded, utf8 } from '../parse/urls.ts';
import { editDistance } from '../parse/edit-distance.ts';
import type { LinkedFrom } from '../crawl/frontier.ts';
import type { LinkPlace, WrittenLink } from './engine.ts';

export interface LinkTarget {
  /** Relative to the base, percent-decoded; `null`: beyond the base, on the same origin. */
  readonly path: string | null;
  readonly url: string;
}

interface SiteLink extends LinkTarget {
  readonly path: string;
  /** Files that the link means where none exists at `path`, the likeliest first. */
  readonly others?: readonly LinkTarget[];
  /** Set for a link that names `http` where the site has `https`. */
  readonly insecure?: true;
}

/** Where a link leads. URLs have neither userinfo nor query nor fragment; external ones keep the query. */
export type Link =
  | (SiteLink & { readonly kind: 'page'; readonly anchor: string | null })
  /** `embedded`: a Markdown file whose text is shown in the page. */
  | (SiteLink & { readonly kind: 'file'; readonly embedded?: true })
  /** `elsewhere`: on the site's own origin, beyond the base path. */
  | { readonly kind: 'external'; readonly url: string; readonly elsewhere: boolean }
  | { readonly kind: 'ignored' }
  | { readonly kind: 'mistake'; readonly rule: PathMistake | 'misspelled-scheme'; readonly written: string };

type PathMistake = 'encoded-dot' | 'backslash';

export interface LinkReading {
  /** Whether the engine adds `.md` to a path without extension, as docsify does. */
  readonly addsExtension?: boolean;
  /**
   * Where a relative link to a file that is not a page starts: in the folder of its page, as in MDwiki; at the bundle,
   * as in VertiWiki, which leaves such links to the browser; `either`: the engine is not known.
   */
  readonly filesFrom?: 'page' | 'bundle' | 'either';
  /** Whether a link to a folder is left to the browser, which requests it from the server. */
  readonly servesFolders?: boolean;
}

interface Context extends LinkReading, Pick<LinkPlace, 'path' | 'base' | 'home'> {
  readonly written: string;
  /** Whether an image is shown: its target is never a page. */
  readonly image: boolean;
  /** The names of the folders that a relative path starts in. */
  readonly folder: readonly string[];
}

/** Servers refuse longer ones. In UTF-16 code units. */
const LONGEST = 4_000;

/**
 * Where a link leads. A path with a leading slash means the site's base, then the origin; a hash route always means the
 * base. `home`: `index.md` by default.
 */
export function resolveLink(
  { url: written, kind }: Pick<WrittenLink, 'url' | 'kind'>,
  { path, base, home = 'index.md' }: Pick<LinkPlace, 'path' | 'base'> & Partial<Pick<LinkPlace, 'home'>>,
  reading: LinkReading = {},
): Link {
  const text = written.replaceAll(/[\t\n\r]/g, '').trim();
  if (text === '' || text.length > LONGEST) return { kind: 'ignored' };
  if (/^[a-z]:\\/i.test(text)) return { kind: 'mistake', rule: 'backslash', written };
  if (misspelledScheme(text) !== undefined) return { kind: 'mistake', rule: 'misspelled-scheme', written };
  const isWeb = /^https?:[\\/]{2}/i.test(text);
  if (!isWeb && /^[a-z][a-z\d+.-]*:/i.test(text)) return { kind: 'ignored' };
  const folder = path.split('/').slice(0, -1);
  const context = { ...reading, written, path, base, home, folder, image: kind === 'image' };
  return isWeb || text.startsWith('//') ? absolute(text, context) : local(text, context);
}

const mistake = (rule: PathMistake, { written }: Context): Link => ({ kind: 'mistake', rule, written });

/** A URL with its host: of this site, of another part of its origin, or of another site. */
function absolute(text: string, context: Context): Link {
  const { base } = context;
  const url = URL.parse(text, base.href);
  if (url === null) return { kind: 'ignored' };
  url.username = url.password = '';
  // The same host under `http` and `https`, each with its own default port, is the same site.
  const isSameScheme = url.protocol === base.protocol;
  const isOnSite = url.host === base.host && (isSameScheme || (url.port === '' && base.port === ''));
  const parts = partsOf(text.replace(/^(?:[a-z]+:)?[\\/]*[^\\/?#]*/i, ''));
  const walked = isOnSite ? walk(parts.path === '' ? '/' : parts.path, []) : null;
  if (typeof walked === 'string') return mistake(walked, context);
  const under = walked && belowBase(walked, base);
  if (under === null) {
    url.hash = '';
    return { kind: 'external', url: url.href, elsewhere: isOnSite };
  }
  const link = own(under, parts, context, []);
  const isInsecure = url.protocol === 'http:' && !isSameScheme;
  return isInsecure && (link.kind === 'page' || link.kind === 'file') ? { ...link, insecure: true } : link;
}

/** What a path from the origin's root is below the base; `null`: it is not below. */
function belowBase({ names, isFolder, clamped }: WalkedPath, base: URL): WalkedPath | null {
  const above = base.pathname.split('/').filter((part) => part !== '');
  if (above.some((part, index) => names[index] !== decoded(part))) return null;
  const rest = names.slice(above.length);
  return { names: rest, isFolder: isFolder || rest.length === 0, clamped };
}

function local(text: string, context: Context): Link {
  const parts = partsOf(text);
  const { path, fragment } = parts;
  const { base, folder } = context;
  if (path === '') return inPage(parts, context);
  // A route after the bundle's name or a dot: browsers resolve it against the bundle, wherever the link is.
  if (!context.image && /^(?:\.?\/)?(?:index\.html)?$/.test(path) && /^[!/]/.test(fragment ?? '')) {
    return route(fragment ?? '', context);
  }
  const walked = walk(path, folder);
  if (typeof walked === 'string') return mistake(walked, context);
  if (path.startsWith('/')) return fromRoot(walked, parts, context);
  // Where a path that climbs above the base leads in a browser: engines stay at the base.
  const above = walked.clamped ? URL.parse(path, folder.length === 0 ? base.href : `${urlOf(folder, base)}/`) : null;
  const isBeyond = above !== null && !above.href.startsWith(base.href);
  const link = own(walked, parts, context, isBeyond ? [{ path: null, url: above.href }] : []);
  return link.kind === 'file' ? fileFrom(link, text, context) : link;
}

function fileFrom(link: SiteLink & { readonly kind: 'file' }, text: string, context: Context): Link {
  const { image, filesFrom = 'page' } = context;
  if (image || filesFrom === 'page') return link;
  const fromBundle = local(text, { ...context, folder: [], filesFrom: 'page' });
  if (fromBundle.kind !== 'file' || fromBundle.path === link.path) return link;
  if (filesFrom === 'bundle') return fromBundle;
  const { path, url, others = [] } = fromBundle;
  return { ...link, others: [...(link.others ?? []), { path, url }, ...others] };
}

/** A leading slash: the site's base, unless the base's own path follows; then the other reading. */
function fromRoot(walked: WalkedPath, parts: Parts, context: Context): Link {
  const { base } = context;
  if (base.pathname === '/' || walked.names.length === 0) return own(walked, parts, context, []);
  const under = belowBase(walked, base);
  if (under !== null) return own(under, parts, context, [pageOrFile(walked, context).first]);
  const url = `${base.origin}/${hrefOfPath(walked.names.join('/'))}${walked.isFolder ? '/' : ''}`;
  return own(walked, parts, context, [{ path: null, url }]);
}

function inPage({ query, fragment }: Parts, context: Context): Link {
  if (context.image) return { kind: 'ignored' };
  if (fragment !== null && query === '' && isRoute(fragment)) return route(fragment, context);
  const anchor = anchorOf(query, fragment);
  return anchor === null ? { kind: 'ignored' } : { kind: 'page', ...targetOf(context.path, context.base), anchor };
}

/** `#/x.md`, `#!x.md`; and `#x.md` only where it cannot be an anchor: it names a Markdown file or a folder. */
function isRoute(fragment: string): boolean {
  if (/^[!/]/.test(fragment)) return true;
  const path = decoded(partsOf(fragment).path);
  return path.endsWith('/') || isMarkdownPath(path);
}

/** A hash route. Its path is relative to the base, wherever it is; what follows a second `#` is the anchor. */
function route(fragment: string, context: Context): Link {
  const parts = partsOf(fragment.replace(/^!?\/*/, ''));
  const walked = walk(parts.path, []);
  if (typeof walked === 'string') return mistake(walked, context);
  const { first, others, isPage } = pageOrFile(walked, context);
  return linkTo(first, isPage || !hasExtension(first.path), others, parts);
}

function own(walked: WalkedPath, parts: Parts, context: Context, more: readonly LinkTarget[]): Link {
  const { base, image, servesFolders } = context;
  const { first, others, isPage, isBundle } = pageOrFile(walked, context);
  if (isBundle && image) return { kind: 'ignored' };
  if (isBundle && parts.fragment !== null && isRoute(parts.fragment)) return route(parts.fragment, context);
  const folder = walked.isFolder && !isBundle ? `${urlOf(walked.names, base)}/` : null;
  if (servesFolders && folder !== null) {
    return linkTo({ path: `${walked.names.join('/')}/`, url: folder }, false, more, parts);
  }
  // A folder may hold another application than this one.
  const rest = folder === null ? more : [...more, { path: null, url: folder }];
  return linkTo(first, isPage, [...others, ...rest], parts);
}

function linkTo(first: SiteLink, isPage: boolean, all: readonly LinkTarget[], { query, fragment }: Parts): Link {
  const others = all.length > 0 && { others: all };
  if (!isPage) return { kind: 'file', ...first, ...others };
  return { kind: 'page', ...first, anchor: anchorOf(query, fragment), ...others };
}

/** What a path below the base means: the home page, a folder's page, a page or a file. */
function pageOrFile({ names, isFolder }: WalkedPath, { base, home, addsExtension, image }: Context) {
  const path = names.join('/');
  const isBundle = names.length === 0 || (path === 'index.html' && !isFolder);
  if (isBundle) return { first: targetOf(home, base), others: [], isPage: true, isBundle };
  if (isFolder) {
    // docsify's own name for a folder's page is `README.md`.
    const pages = ['index.md', home.split('/').at(-1) ?? home, ...(addsExtension ? ['README.md'] : [])];
    const distinct = [...new Set(pages)].filter(isMarkdownPath);
    const [first, ...others] = distinct.map((name) => targetOf(`${path}/${name}`, base));
    return { first: first as SiteLink, others, isPage: !image, isBundle };
  }
  const named = targetOf(path, base);
  if (addsExtension && !image && !hasExtension(path)) {
    return { first: targetOf(`${path}.md`, base), others: [named], isPage: true, isBundle };
  }
  return { first: named, others: [], isPage: !image && isMarkdownPath(path), isBundle };
}

/** A file of the site, by its path below the base. */
export function targetOf(path: string, base: URL): LinkTarget & { readonly path: string } {
  return { path, url: base.href + hrefOfPath(path) };
}

const urlOf = (names: readonly string[], base: URL): string => base.href + hrefOfPath(names.join('/'));

/** The anchor that a fragment or docsify's `?id=` names. Text fragments (`:~:`) do not count. */
function anchorOf(query: string, fragment: string | null): string | null {
  const id = query === '' ? null : new URLSearchParams(query).get('id');
  const anchor = fragment === null ? id : decoded(fragment.replace(/:~:.*$/s, ''));
  return anchor === '' && fragment?.startsWith(':~:') === true ? null : anchor;
}

/** A name, what separates it from the host, and the rest. */
const SCHEME = /^([a-z]{2,7})(:[*.:;\s\\/]*|;?\/\/[\\/]*)(.*)$/is;
const HOST = /^(?:localhost|\[[\da-f:]+\]|[^\s/?#:@.]+(?:\.[^\s/?#:@.]+)+)(?::\d+)?(?:[/?#]|$)/i;

/**
 * The address that a link with a misspelled scheme means: `https:/host`, `htps://host`, `https://https://host`. `null`
 * where that is not clear; `undefined` where nothing is wrong with the scheme.
 */
export function misspelledScheme(link: string): string | null | undefined {
  const [, name = '', separator = '', rest = ''] = SCHEME.exec(link) ?? [];
  const scheme = name.toLowerCase();
  const addressOf = (right: string, host: string): string | null =>
    HOST.test(host) ? `${right.toLowerCase()}://${host}` : null;
  if (scheme !== 'http' && scheme !== 'https') {
    // `shttp` is registered, and one letter away.
    if (scheme === 'shttp' || !/^:[\\/]/.test(separator)) return undefined;
    const right = ['https', 'http'].find((each) => editDistance(scheme, each) <= 1);
    return right && addressOf(right, rest);
  }
  if (!/^:[\\/]{2}/.test(separator)) return addressOf(scheme, rest);
  // The host is called `http` only where the scheme was written twice.
  const [, twice, host = ''] = /^(https?)(?::[*.:;\s\\/]*[\\/]|\/\/)(.*)$/is.exec(rest) ?? [];
  return twice && addressOf(twice, host);
}

/**
 * The target of a link in an agent index beyond the site's base, as it is to be resolved: relative ones mean there what
 * they mean to any agent, and not what engines make of them. Hash routes are left as they are. `index`: its location.
 */
export function beyondBase(written: string, index: URL): string {
  if (/^(?:[a-z][a-z\d+.-]*:|#)/i.test(written)) return written;
  return URL.parse(written, index.href)?.href ?? written;
}

/** How many locations of a target, or of a finding, are kept; the others are counted. */
export const MOST_LOCATIONS = 100;

/** Whether all links to a target are in one file. `path`: of that file; `null`: of none. */
export function onlyIn(linked: LinkedFrom, path: string | null): boolean {
  // Locations are made when they are requested.
  if (path === null || linked.count === 0 || linked.count > MOST_LOCATIONS) return false;
  const { locations, count } = linked;
  return count <= locations.length && locations.every((location) => location.path === path);
}

interface WalkedPath {
  /** From the root on, percent-decoded; a sequence that is not UTF-8 stays as it is. */
  readonly names: readonly string[];
  /** Whether the path ends in a folder: `/`, `.` or `..`. */
  readonly isFolder: boolean;
  /** Whether a `..` at the root was ignored, as browsers and engines do. */
  readonly clamped: boolean;
}

/**
 * Goes from a folder along a path as written, without query and fragment. A path that begins with a slash starts at the
 * root, wherever `from` is. A `..` at the root stays there.
 */
export function walk(written: string, from: readonly string[]): WalkedPath | PathMistake {
  if (/\\|%5c/i.test(written)) return 'backslash';
  const isAbsolute = written.startsWith('/');
  const parts = (isAbsolute ? written.slice(1) : written).split('/');
  const names = isAbsolute ? [] : [...from];
  let clamped = false;
  for (const [index, part] of parts.entries()) {
    if (part === '..') clamped = names.pop() === undefined || clamped;
    else if (part === '.' || (part === '' && index === parts.length - 1)) continue;
    else if (!part.includes('%')) names.push(part.toWellFormed());
    else if (hidesDots(part)) return 'encoded-dot';
    // Most servers take an encoded slash for a slash.
    else names.push(...part.split(/%2f/i).map(decoded));
  }
  return { names, isFolder: ['', '.', '..'].includes(parts.at(-1) ?? ''), clamped };
}

/** Whether a dot segment, or a slash beside one, is percent-encoded, be it twice: `%2e%2e`, `.%2E`, `..%2f..`, `%252e%252e`. */
function hidesDots(part: string): boolean {
  const once = decoded(part);
  return [once, decoded(once)].some((text) => text.split(/[\\/]/).some((piece) => piece === '.' || piece === '..'));
}

type Parts = ReturnType<typeof partsOf>;

function partsOf(text: string) {
  const [, path = '', query = '', fragment] = /^([^?#]*)(\?[^#]*)?(?:#(.*))?$/s.exec(text) ?? [];
  return { path, query, fragment: fragment ?? null };
}

export const isMarkdownPath = (path: string): boolean => /\.(?:md|markdown|mdown|mkdn?)$/i.test(path);

export const hasExtension = (path: string): boolean => /[^/]\.[a-z][a-z\d]{0,9}$/i.test(path);

/** The path of a URL relative to the base, percent-decoded; `null`: beyond the base. */
export function pathUnder(url: URL, base: URL): string | null {
  if (url.origin !== base.origin || !url.pathname.startsWith(base.pathname)) return null;
  return decoded(url.pathname.slice(base.pathname.length));
}

/** A path percent-encoded, each character in one way only. Octets that are not UTF-8 are requested as they are. */
export function hrefOfPath(path: string): string {
  if (/^[\w./~-]*$/.test(path)) return path;
  const encoded = (text: string): string => encodeURI(text).replaceAll(/[?#]/g, encodeURIComponent);
  return path
    .toWellFormed()
    .split(/((?:%[\da-f]{2})+)/gi)
    .map((piece, index) => (index % 2 === 1 && utf8(piece) === null ? piece.toUpperCase() : encoded(piece)))
    .join('');
}
