/** Finds out where a link leads: to a page or file of the site, elsewhere, or nowhere. Pure. */
import { decoded, utf8 } from '../parse/urls.ts';
import { editDistance } from '../parse/edit-distance.ts';
import type { LinkedFrom } from '../check.ts';

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

/** Where a link leads. URLs have neither userinfo nor query nor fragment, but for those elsewhere, which keep the query. */
export type Link =
  | (SiteLink & {
      readonly kind: 'page';
      readonly anchor: string | null;
    })
  | (SiteLink & { readonly kind: 'file' })
  | {
      readonly kind: 'external';
      readonly url: string;
      /** Whether it is on the site's own origin, beyond the base path. */
      readonly elsewhere: boolean;
    }
  | { readonly kind: 'ignored' }
  | { readonly kind: 'mistake'; readonly rule: PathMistake | 'misspelled-scheme'; readonly written: string };

export interface LinkReading {
  /** What `#/` shows; `index.md` by default. */
  readonly home?: string;
  /** Whether the engine adds `.md` to a path without extension, as docsify does. */
  readonly addsExtension?: boolean;
  /**
   * Where a relative link to a file that is not a page starts: in the folder of its page, as in MDwiki; at the bundle,
   * as in VertiWiki, which leaves such links to the browser; `either`: the engine is not known.
   */
  readonly filesFrom?: 'page' | 'bundle' | 'either';
  /** Whether an image is shown: its target is never a page. */
  readonly image?: boolean;
  /** Whether a link to a folder is left to the browser, which asks the server for it. */
  readonly servesFolders?: boolean;
}

const DEFAULT_READING: Required<LinkReading> = {
  home: 'index.md',
  addsExtension: false,
  filesFrom: 'page',
  image: false,
  servesFolders: false,
};

interface Context extends Required<LinkReading> {
  readonly base: URL;
  readonly folder: readonly Segment[];
  readonly fromPath: string;
}

/** Longer ones are no links that anybody follows; servers refuse them. In UTF-16 code units. */
const LONGEST = 4_000;

/**
 * Where a link leads. `written`: as in the text, percent-encoding kept; `fromPath`: the file that holds it, relative to
 * the base, percent-decoded. A path with a leading slash means the site's base, then the origin; a hash route always
 * means the base.
 */
export function resolveLink(written: string, fromPath: string, base: URL, reading: LinkReading = {}): Link {
  const plain = reading.image === true || written.length > LONGEST ? null : plainLink(written, fromPath, base);
  return plain ?? resolveAny(written, fromPath, base, reading);
}

function resolveAny(written: string, fromPath: string, base: URL, reading: LinkReading): Link {
  const text = written.replaceAll(/[\t\n\r]/g, '').trim();
  if (text === '' || text.length > LONGEST) return { kind: 'ignored' };
  const folder = segmentsOfPath(fromPath).slice(0, -1);
  const context: Context = { ...DEFAULT_READING, ...reading, base, folder, fromPath };
  if (/^[a-z]:\\/i.test(text)) return { kind: 'mistake', rule: 'backslash', written };
  if (misspelledScheme(text) !== undefined) return { kind: 'mistake', rule: 'misspelled-scheme', written };
  const scheme = /^([a-z][a-z\d+.-]*):/i.exec(text)?.[1]?.toLowerCase();
  const web = scheme === 'http' || scheme === 'https';
  if (scheme !== undefined && !(web && /^[a-z]+:[\\/]{2}/i.test(text))) return { kind: 'ignored' };
  const link = web || text.startsWith('//') ? absolute(text, context) : local(text, context);
  return typeof link === 'string' ? { kind: 'mistake', rule: link, written } : link;
}

/** A URL with its host: of this site, of another part of its origin, or of another site. */
function absolute(text: string, context: Context): Link | PathMistake {
  const { base } = context;
  if (!URL.canParse(text, base.href)) return { kind: 'ignored' };
  const url = new URL(text, base);
  const insecure = url.protocol === 'http:' && base.protocol === 'https:';
  url.username = url.password = '';
  if (!isOnSite(url, base)) {
    url.hash = '';
    return { kind: 'external', url: url.href, elsewhere: false };
  }
  const parts = partsOf(text.replace(/^(?:[a-z]+:)?[\\/]*[^\\/?#]*/i, ''));
  const walked = walk(parts.path === '' ? '/' : parts.path, []);
  if (typeof walked === 'string') return walked;
  const under = belowBase(walked, base);
  if (under === null) {
    url.hash = '';
    return { kind: 'external', url: url.href, elsewhere: true };
  }
  const link = own(under, parts, context, []);
  if (!insecure || typeof link === 'string') return link;
  return link.kind === 'page' || link.kind === 'file' ? { ...link, insecure: true } : link;
}

/** The same host and port; or the same host under `http` and `https`, each with its own default port. */
function isOnSite(url: URL, base: URL): boolean {
  if (url.host !== base.host) return false;
  return url.protocol === base.protocol || (url.port === '' && base.port === '');
}

/** What a path from the origin's root on is below the base, or `null`. */
function belowBase({ segments, folder, clamped }: WalkedPath, base: URL): WalkedPath | null {
  const above = base.pathname.split('/').filter((part) => part !== '');
  if (above.some((part, index) => segments[index]?.text !== decoded(part))) return null;
  const rest = segments.slice(above.length);
  return { segments: rest, folder: folder || rest.length === 0, clamped };
}

function local(text: string, context: Context): Link | PathMistake {
  const parts = partsOf(text);
  if (parts.path === '') return inPage(parts, context);
  // A route after the bundle's name or a dot: browsers resolve it against the bundle, wherever the link is.
  if (!context.image && /^(?:\.?\/)?(?:index\.html)?$/.test(parts.path) && /^[!/]/.test(parts.fragment ?? '')) {
    return route(parts.fragment ?? '', context);
  }
  const walked = walk(parts.path, context.folder);
  if (typeof walked === 'string') return walked;
  if (parts.path.startsWith('/')) return fromRoot(walked, parts, context);
  const link = own(walked, parts, context, walked.clamped ? aboveBase(parts.path, context) : []);
  return typeof link !== 'string' && link.kind === 'file' ? fileFrom(link, text, context) : link;
}

type FileLink = Extract<Link, { readonly kind: 'file' }>;

function fileFrom(link: FileLink, text: string, context: Context): FileLink {
  if (context.filesFrom === 'page' || context.image) return link;
  const fromBundle = local(text, { ...context, folder: [], filesFrom: 'page' });
  if (typeof fromBundle === 'string' || fromBundle.kind !== 'file' || fromBundle.path === link.path) return link;
  if (context.filesFrom === 'bundle') return fromBundle;
  const { path, url, others = [] } = fromBundle;
  return { ...link, others: [...(link.others ?? []), { path, url }, ...others] };
}

/** Where a path that climbs above the base leads in a browser: engines stay at the base. */
function aboveBase(path: string, { base, folder }: Context): readonly LinkTarget[] {
  const url = URL.parse(path, urlOf([...folder, { text: '', href: '' }], base));
  return url === null || url.href.startsWith(base.href) ? [] : [{ path: null, url: url.href }];
}

/** A leading slash: the site's base, unless the base's own path follows; then the other reading. */
function fromRoot(walked: WalkedPath, parts: Parts, context: Context): Link | PathMistake {
  const { base } = context;
  if (base.pathname === '/') return own(walked, parts, context, []);
  const under = belowBase(walked, base);
  if (under !== null) return own(under, parts, context, [pageOrFile(walked, context).first]);
  if (walked.segments.length === 0) return own(walked, parts, context, []);
  const url = new URL(`/${walked.segments.map(({ href }) => href).join('/')}${walked.folder ? '/' : ''}`, base);
  return own(walked, parts, context, [{ path: null, url: url.href }]);
}

function inPage({ query, fragment }: Parts, context: Context): Link | PathMistake {
  if (context.image) return { kind: 'ignored' };
  if (fragment !== null && query === '' && isRoute(fragment)) return route(fragment, context);
  const anchor = anchorOf(query, fragment);
  const { fromPath, base } = context;
  const [path, url] = [fromPath, urlOf(segmentsOfPath(fromPath), base)];
  return anchor === null ? { kind: 'ignored' } : { kind: 'page', path, url, anchor };
}

/** `#/x.md`, `#!x.md`; and `#x.md` only where it cannot be an anchor: it names a Markdown file or a folder. */
function isRoute(fragment: string): boolean {
  if (/^[!/]/.test(fragment)) return true;
  const path = decoded(partsOf(fragment).path);
  return path.endsWith('/') || isMarkdownPath(path);
}

/** A hash route. Its path is relative to the base, wherever it is; what follows a second `#` is the anchor. */
function route(fragment: string, context: Context): Link | PathMistake {
  const parts = partsOf(fragment.replace(/^!?\/*/, ''));
  const walked = walk(parts.path, []);
  if (typeof walked === 'string') return walked;
  const link = pageOrFile(walked, context);
  const page = link.page || !hasExtension(link.first.path);
  return page
    ? { kind: 'page', ...link.first, anchor: anchorOf(parts.query, parts.fragment), ...othersOf(link.others) }
    : { kind: 'file', ...link.first };
}

function own(walked: WalkedPath, parts: Parts, context: Context, others: readonly LinkTarget[]): Link | PathMistake {
  const link = pageOrFile(walked, context);
  const bundle = link.bundle && !context.image;
  if (bundle && parts.fragment !== null && isRoute(parts.fragment)) return route(parts.fragment, context);
  if (context.image && link.bundle) return { kind: 'ignored' };
  if (context.servesFolders && walked.folder && !link.bundle) {
    const path = walked.segments.map(({ text }) => text).join('/');
    return { kind: 'file', path: `${path}/`, url: `${urlOf(walked.segments, context.base)}/`, ...othersOf(others) };
  }
  // A folder may hold another application than this one.
  const folder = { path: null, url: urlOf(walked.segments, context.base) + (walked.segments.length > 0 ? '/' : '') };
  const rest = [...link.others, ...others, ...(walked.folder && !link.bundle ? [folder] : [])];
  return link.page
    ? { kind: 'page', ...link.first, anchor: anchorOf(parts.query, parts.fragment), ...othersOf(rest) }
    : { kind: 'file', ...link.first, ...othersOf(rest) };
}

const othersOf = (others: readonly LinkTarget[]): { others?: readonly LinkTarget[] } =>
  others.length === 0 ? {} : { others };

/** What a path below the base means: the home page, a folder's page, a page or a file. */
function pageOrFile({ segments, folder }: WalkedPath, { base, home, addsExtension, image }: Context) {
  const target = (name: string, below = segments): LinkTarget & { readonly path: string } => {
    const all = [...below, ...segmentsOfPath(name)];
    return { path: all.map(({ text }) => text).join('/'), url: urlOf(all, base) };
  };
  if (segments.length === 0 || (segments.length === 1 && !folder && segments[0]?.text === 'index.html')) {
    return { first: target(home, []), others: [], page: true, bundle: true };
  }
  if (folder) {
    // docsify's own name for a folder's page is `README.md`.
    const names = [home.split('/').at(-1) ?? home, ...(addsExtension ? ['README.md'] : [])];
    const others = [...new Set(names)].filter((name) => name !== 'index.md' && isMarkdownPath(name));
    return { first: target('index.md'), others: others.map((name) => target(name)), page: !image, bundle: false };
  }
  const named = target('');
  if (addsExtension && !image && !hasExtension(named.path)) {
    const last = segments.at(-1);
    const withExtension = last && [...segments.slice(0, -1), { text: `${last.text}.md`, href: `${last.href}.md` }];
    return { first: target('', withExtension), others: [named], page: true, bundle: false };
  }
  return { first: named, others: [], page: !image && isMarkdownPath(named.path), bundle: false };
}

function urlOf(segments: readonly Segment[], base: URL): string {
  return base.href + segments.map(({ href }) => href).join('/');
}

/** The anchor that a fragment or docsify's `?id=` names. Text fragments (`:~:`) do not count. */
function anchorOf(query: string, fragment: string | null): string | null {
  const id = new URLSearchParams(query).get('id');
  const anchor = fragment === null ? id : decoded(fragment.replace(/:~:.*$/s, ''));
  return anchor === null || (anchor === '' && fragment?.startsWith(':~:') === true) ? null : anchor;
}

/** The root, or steps up and here; then names that mean what they say in a path as in a URL, and an anchor of that kind. */
const PLAIN_LINK = /^(\/|(?:\.\.?\/)*)((?:[\w~-][\w.~-]*\/)*[\w~-][\w.~-]*)(?:#([\w.~-]*))?$/;
const PLAIN_FOLDER = /^(?:[\w~-][\w.~-]*\/)*$/;

/**
 * Where a plain link of a page leads: what `resolveLink` says of it. `null`: it is not plain, or the file that holds it
 * is not below plain folders, or it leads beyond the base.
 */
export function plainLink(written: string, fromPath: string, base: URL): Link | null {
  const [, steps, name, anchor = null] = PLAIN_LINK.exec(written) ?? [];
  if (name === undefined || steps === undefined || !isMarkdownPath(name)) return null;
  // Below a base with a path, a leading slash means one of two.
  if (steps === '/' && base.pathname !== '/') return null;
  let folder = steps === '/' ? '' : fromPath.slice(0, fromPath.lastIndexOf('/') + 1);
  if (!PLAIN_FOLDER.test(folder)) return null;
  for (const step of steps.split('/')) {
    if (step !== '..') continue;
    if (folder === '') return null;
    folder = folder.slice(0, folder.lastIndexOf('/', folder.length - 2) + 1);
  }
  const path = folder + name;
  return { kind: 'page', path, url: base.href + path, anchor };
}

/** The scheme, what separates it from the host, and the rest. */
const WEB = /^(https?)(:[*.:;\s\\/]*|;?\/\/[\\/]*)(.*)$/is;
const RIGHT = /^:[\\/]{2}/;
const OTHER = /^([a-z]{2,7})(:[\\/]{1,3})(.*)$/is;
/** Registered, and one letter away. */
const REAL: ReadonlySet<string> = new Set(['shttp']);
const HOST = /^(?:localhost|\[[\da-f:]+\]|[^\s/?#:@.]+(?:\.[^\s/?#:@.]+)+)(?::\d+)?(?:[/?#]|$)/i;

// The address that a link with a misspelled scheme means: `https:*//host`, `https:/host`, `htps://host`,
// `https://https://host`. `null` where that is not clear; `undefined` where nothing is wrong with the scheme.
export function misspelledScheme(link: string): string | null | undefined {
  const [, scheme = '', separator = '', rest = ''] = WEB.exec(link) ?? [];
  if (scheme === '') return otherScheme(link);
  if (!RIGHT.test(separator)) return meant(scheme, rest);
  // The host is called `http` only where the scheme was written twice.
  const [, twice, host = ''] = /^(https?)(?::[*.:;\s\\/]*[\\/]|\/\/)(.*)$/is.exec(rest) ?? [];
  return twice === undefined ? undefined : meant(twice, host);
}

function otherScheme(link: string): string | null | undefined {
  const [, name = '', , rest = ''] = OTHER.exec(link) ?? [];
  const scheme = name.toLowerCase();
  if (scheme === '' || REAL.has(scheme)) return undefined;
  const right = ['https', 'http'].find((each) => editDistance(scheme, each, { most: 1, swaps: true }) <= 1);
  return right === undefined ? undefined : meant(right, rest);
}

function meant(scheme: string, rest: string): string | null {
  return HOST.test(rest) ? `${scheme.toLowerCase()}://${rest}` : null;
}

/**
 * The target of a link in an agent index beyond the site's base, as it is to be resolved: relative ones mean there what
 * they mean to any agent, and not what engines make of them. Hash routes are left as they are. `index`: its location.
 */
export function beyondBase(written: string, index: URL): string {
  if (/^(?:[a-z][a-z\d+.-]*:|#)/i.test(written) || !URL.canParse(written, index.href)) return written;
  return new URL(written, index).href;
}

/** How many places of a target, or of a finding, are kept; the others are counted. */
export const MOST_LOCATIONS = 100;

/** Whether all links to a target are in one file. `path`: of that file; `null`: of none. */
export function onlyIn(linked: LinkedFrom, path: string | null): boolean {
  // Places are made when they are requested.
  if (path === null || linked.count === 0 || linked.count > MOST_LOCATIONS) return false;
  const { locations, count } = linked;
  return count <= locations.length && locations.every((location) => location.path === path);
}

type PathMistake = 'encoded-dot' | 'backslash';

interface Segment {
  /** Percent-decoded; a sequence that is not UTF-8 stays as it is. */
  readonly text: string;
  /** Percent-encoded, each character in one way only. */
  readonly href: string;
}

/** The segments from the root on, and whether the path ends in a folder: `/`, `.` or `..`. */
interface WalkedPath {
  readonly segments: readonly Segment[];
  readonly folder: boolean;
  /** Whether a `..` at the root was ignored, as browsers and engines do. */
  readonly clamped: boolean;
}

/** What browsers leave as it is in a path (URL standard, path percent-encode set) and `encodeURIComponent` does not. */
const LEFT_ALONE = /%(?:2B|40|3A|2C|3B|3D|26|24)/g;

const MARKDOWN = /\.(?:md|markdown|mdown|mkdn?)$/i;
const EXTENSION = /[^/]\.[a-z][a-z\d]{0,9}$/i;

type Parts = ReturnType<typeof partsOf>;

function partsOf(text: string) {
  const [, path = '', query = '', fragment] = /^([^?#]*)(\?[^#]*)?(?:#(.*))?$/s.exec(text) ?? [];
  return { path, query, fragment: fragment ?? null };
}

export function isMarkdownPath(path: string): boolean {
  return MARKDOWN.test(path);
}

export function hasExtension(path: string): boolean {
  return EXTENSION.test(path);
}

/** The path of a URL relative to the base, percent-decoded; `null`: beyond the base. */
export function pathUnder(url: URL, base: URL): string | null {
  if (url.origin !== base.origin || !url.pathname.startsWith(base.pathname)) return null;
  return decoded(url.pathname.slice(base.pathname.length));
}

/**
 * Goes from a folder along a path as written, without query and fragment. A path that begins with a slash starts at the
 * root, wherever `from` is. A `..` at the root stays there.
 */
export function walk(written: string, from: readonly Segment[]): WalkedPath | PathMistake {
  if (/\\|%5c/i.test(written)) return 'backslash';
  const parts = written.split('/');
  const isAbsolute = parts.length > 1 && parts[0] === '';
  const segments = isAbsolute ? [] : [...from];
  let clamped = false;
  if (isAbsolute) parts.shift();
  for (const [index, part] of parts.entries()) {
    if (hidesDots(part)) return 'encoded-dot';
    if (part === '..') clamped = segments.pop() === undefined || clamped;
    else if (part !== '.' && !(part === '' && index === parts.length - 1)) segments.push(...segmentsOf(part));
  }
  return { segments, folder: ['', '.', '..'].includes(parts.at(-1) ?? ''), clamped };
}

export function segmentsOfPath(path: string): readonly Segment[] {
  return path === '' ? [] : path.split('/').map((text) => ({ text, href: encodedText(text) }));
}

export function hrefOfPath(path: string): string {
  return path.split('/').map(encodedText).join('/');
}

/** Whether a dot segment, or a slash beside one, is percent-encoded, be it twice: `%2e%2e`, `.%2E`, `..%2f..`, `%252e%252e`. */
function hidesDots(part: string): boolean {
  if (!part.includes('%')) return false;
  const once = decoded(part);
  return [once, decoded(once)].some((text) => text.split(/[\\/]/).some((piece) => piece === '.' || piece === '..'));
}

/** Most servers take an encoded slash for a slash. */
function segmentsOf(part: string): readonly Segment[] {
  if (!/%2f/i.test(part)) return [segment(part)];
  return part.split(/%2f/gi).map(segment);
}

function segment(written: string): Segment {
  if (!written.includes('%')) return { text: written.toWellFormed(), href: encodedText(written) };
  const href = written
    .split(/((?:%[\da-f]{2})+)/gi)
    .map((piece, index) => (index % 2 === 0 ? encodedText(piece) : canonical(piece)))
    .join('');
  return { text: decoded(written), href };
}

/** A percent-encoded sequence, only what needs it encoded; one that is not UTF-8 is requested as it is. */
function canonical(sequence: string): string {
  const text = utf8(sequence);
  return text === null ? sequence.toUpperCase() : encodedText(text);
}

function encodedText(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replaceAll(LEFT_ALONE, (escape) => decodeURIComponent(escape));
}
