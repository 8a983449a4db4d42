/** Finds out where a link leads: to a page or file of the site, elsewhere, or nowhere. Pure. */
import { decoded } from '../parse/percent.ts';
import {
  hasExtension,
  isMarkdownPath,
  partsOf,
  segmentsOfPath,
  walk,
  type Parts,
  type PathMistake,
  type Segment,
  type WalkedPath,
} from './link-path.ts';
import { plainLink } from './plain-link.ts';
import { misspelledScheme } from './web-scheme.ts';

/** A file that a link may mean. */
export interface LinkTarget {
  /** Relative to the base, percent-decoded; `null`: beyond the base, on the same origin. */
  readonly path: string | null;
  readonly url: string;
}

interface SiteLink extends LinkTarget {
  readonly path: string;
  /** Files that the link means where there is none at `path`, the likeliest first. */
  readonly others?: readonly LinkTarget[];
  /** Set for a link that names `http` where the site has `https`. */
  readonly insecure?: true;
}

/** Where a link leads. URLs have neither userinfo nor query nor fragment, but for those elsewhere, which keep the query. */
export type Link =
  | (SiteLink & {
      readonly kind: 'page';
      /** Percent-decoded, without `#`; `null`: the link names none. */
      readonly anchor: string | null;
    })
  | (SiteLink & { readonly kind: 'file' })
  | {
      readonly kind: 'external';
      readonly url: string;
      /** Whether it is on the site's own origin, beyond the base path. */
      readonly elsewhere: boolean;
    }
  /** Another scheme (`mailto:`, `javascript:`, `data:`), nothing, or no address at all. */
  | { readonly kind: 'ignored' }
  /** Not to be followed. */
  | { readonly kind: 'mistake'; readonly rule: PathMistake | 'misspelled-scheme'; readonly written: string };

/** How the site's engine reads links. */
export interface LinkReading {
  /** What `#/` shows; `index.md` unless told. */
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
}

const DEFAULT_READING: Required<LinkReading> = {
  home: 'index.md',
  addsExtension: false,
  filesFrom: 'page',
  image: false,
};

interface Context extends Required<LinkReading> {
  readonly base: URL;
  /** The folder of the file that holds the link. */
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

/** A link without host. */
function local(text: string, context: Context): Link | PathMistake {
  const parts = partsOf(text);
  if (parts.path === '') return inPage(parts, context);
  // A route after the bundle's name or a dot: browsers resolve it against the bundle, wherever the link stands.
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

/** A link to a file, resolved from where the engine starts. */
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

/** `#…` and `?…`: a hash route, or an anchor in the page that holds the link. */
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

/** A hash route. Its path is relative to the base, wherever it stands; what follows a second `#` is the anchor. */
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
  // A folder may hold another application than this one.
  const folder = { path: null, url: urlOf(walked.segments, context.base) + (walked.segments.length > 0 ? '/' : '') };
  const rest = [...link.others, ...others, ...(walked.folder && !link.bundle ? [folder] : [])];
  return link.page
    ? { kind: 'page', ...link.first, anchor: anchorOf(parts.query, parts.fragment), ...othersOf(rest) }
    : { kind: 'file', ...link.first, ...othersOf(rest) };
}

const othersOf = (others: readonly LinkTarget[]): { others?: readonly LinkTarget[] } =>
  others.length === 0 ? {} : { others };

interface Meant {
  readonly first: LinkTarget & { readonly path: string };
  readonly others: readonly LinkTarget[];
  readonly page: boolean;
  /** Whether the bundle itself is named, which shows the home page. */
  readonly bundle: boolean;
}

/** What a path below the base means: the home page, a folder's page, a page or a file. */
function pageOrFile({ segments, folder }: WalkedPath, { base, home, addsExtension, image }: Context): Meant {
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

/** The anchor that a fragment or docsify's `?id=` names. Text fragments (`:~:`) are none. */
function anchorOf(query: string, fragment: string | null): string | null {
  const id = new URLSearchParams(query).get('id');
  const anchor = fragment === null ? id : decoded(fragment.replace(/:~:.*$/s, ''));
  return anchor === null || (anchor === '' && fragment?.startsWith(':~:') === true) ? null : anchor;
}
