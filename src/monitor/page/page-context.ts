/** What every part of a page needs: its language, its address, its clock. */
import { printable } from '../../printable.ts';
import { loadTexts, withCustomChecks, type Language, type Texts, LANGUAGES } from '../../texts.ts';
import type { MonitoredSite } from '../settings.ts';
import type { StatusSource } from './data.ts';
import { timesIn, type Times } from './times.ts';
import { messagesIn, type Messages } from '../../locales/messages.ts';
import { pageWords, type PageWords } from '../../generated/locales/page.ts';

/** How pages are made. */
export interface RenderMode {
  /**
   * `served`: made at each request. `files`: written once, so that nothing is reported relative to now, and read from a disk
   * perhaps, so that links name files.
   */
  readonly as: 'served' | 'files';
  /** A served page loads itself again, unless its reader has stopped that. */
  readonly isStill?: boolean;
  /** Where the server was reached, for feeds of a page that does not know its own address. */
  readonly origin?: string | null;
}

export interface PageContext extends Required<RenderMode> {
  readonly language: Language;
  /** The language that has no prefix. */
  readonly main: Language;
  readonly page: PageAddress;
  readonly now: number;
  readonly words: PageWords;
  readonly messages: Messages;
  readonly times: Times;
  /** Where the page is published, ending with a slash; `null`: not known. */
  readonly url: string | null;
  /** The address of the first page in the main language, for links that have to be absolute; `null`: not known. */
  readonly base: string | null;
  /** Whether fixes and evidence are shown. */
  readonly details: boolean;
  /** The texts of a site's checks, its own among them; `null`: those that all sites share. */
  readonly texts: (site: MonitoredSite | null) => Texts;
  /** A link to a place in the same language. */
  readonly to: (page: PageAddress) => string;
  /** A link to an address. */
  readonly link: (address: string) => string;
}

/** What is needed to tell a page of a source at a place. `from`: the page's address, where it is not that of the place. */
export async function pageContextOf(
  source: Pick<StatusSource, 'now' | 'settings'>,
  page: PageAddress,
  language: Language,
  { as, isStill = as === 'files', origin = null }: RenderMode,
  from?: string,
): Promise<PageContext> {
  const words = pageWords(language);
  const messages = messagesIn(language);
  const texts = await loadTexts(language);
  const { language: main, url } = source.settings.page;
  const links = linksFrom(from ?? addressOf(page, language, main), as === 'files');
  const published = publishedAt(url);
  return {
    as,
    isStill,
    origin,
    language,
    main,
    page,
    now: source.now,
    words,
    messages,
    times: timesIn(language, source.now),
    url: published,
    base: published ?? publishedAt(origin),
    details: source.settings.page.details !== false,
    texts: (site) => textsOfSite(texts, site, language),
    to: (other) => links.to(addressOf(other, language, main)),
    link: (address) => links.to(address),
  };
}

/** Where the page is published; `null` for what is no web address. */
function publishedAt(url: string | null): string | null {
  if (url === null || !URL.canParse(url)) return null;
  const parsed = new URL(url);
  if (!/^https?:$/.test(parsed.protocol)) return null;
  return `${parsed.origin}${parsed.pathname.replace(/\/*$/, '/')}`;
}

function textsOfSite(texts: Texts, site: MonitoredSite | null, language: Language): Texts {
  const own = site?.checking.checks ?? [];
  if (own.length === 0) return texts;
  return withCustomChecks(
    texts,
    own.map(({ id, title, fix }) => {
      const inLanguage = fix?.[language] ?? fix?.en;
      return { id, title: oneLine(title), ...(inLanguage === undefined ? {} : { fix: oneLine(inLanguage) }) };
    }),
  );
}

const oneLine = (text: string): string => printable(text.trim().replaceAll(/[\r\n\t]+/g, ' '));

/* The places of the status page, by path and back. Pure. */

/** What can be requested, in a language. */
export type PageAddress =
  | { readonly kind: 'overview' }
  | { readonly kind: 'history' }
  | { readonly kind: 'site'; readonly id: string }
  | { readonly kind: 'incident'; readonly id: string }
  | { readonly kind: 'feed'; readonly format: 'atom' | 'rss' }
  /** Of one site, or of all of them (`null`). */
  | { readonly kind: 'badge'; readonly id: string | null; readonly format: 'svg' | 'json' };

/** What a path means. */
type PathTarget =
  | { readonly kind: 'place'; readonly page: PageAddress; readonly language: Language }
  | { readonly kind: 'style' }
  /** The same with a slash at its end, or without the language that needs none; relative to what was requested. */
  | { readonly kind: 'moved'; readonly to: string };

/** The file of the one style sheet, beside the first page. */
export const STYLE_FILE = 'style.css';

/** Ids as configurations and incidents have them. They are names of folders, too, so nothing else may stand in them. */
const ID = /^[a-z0-9][a-z0-9_-]{0,199}$/i;

/** Whether something can be the name of a page. */
export const isPageId = (id: string): boolean => ID.test(id);

/** Where a place is, relative to the first page: `''`, `ro/`, `fr/sites/docs/`, `feed.atom`. */
export function addressOf(page: PageAddress, language: Language, main: Language): string {
  return `${language === main ? '' : `${language}/`}${localAddress(page)}`;
}

/** Without the language. */
function localAddress(page: PageAddress): string {
  if (page.kind === 'overview') return '';
  if (page.kind === 'history') return 'history/';
  if (page.kind === 'feed') return `feed.${page.format}`;
  if (page.kind === 'badge') return page.id === null ? `badge.${page.format}` : `badge/${page.id}.${page.format}`;
  return `${page.kind}s/${page.id}/`;
}

/** What stands at a path that begins with a slash; `null`: nothing of ours. `main`: the language that needs no prefix. */
export function locate(path: string, main: Language): PathTarget | null {
  if (path === `/${STYLE_FILE}`) return { kind: 'style' };
  const [whole, prefix, rest] = /^\/(?:([a-z]{2})(?:\/|$))?(.*)$/s.exec(path) ?? [];
  if (whole === undefined) return null;
  const language = LANGUAGES.find((known) => known === prefix);
  if (prefix !== undefined && language === undefined) return null;
  if (prefix !== undefined && path === `/${prefix}`) return { kind: 'moved', to: `${prefix}/` };
  const page = pageFromPath(rest ?? '');
  if (page === 'no-slash') return { kind: 'moved', to: `${rest?.split('/').at(-1) ?? ''}/` };
  if (page === null) return null;
  if (prefix === main) return { kind: 'moved', to: upFrom(path, localAddress(page)) };
  return { kind: 'place', page, language: language ?? main };
}

/** From `/en/sites/docs/` to `/sites/docs/`, relatively, so that it holds behind any base path. */
function upFrom(path: string, address: string): string {
  const up = '../'.repeat(path.split('/').length - 2);
  return `${up}${address}`;
}

/** What stands at a path without its language; `no-slash`: a page whose slash is missing. */
function pageFromPath(rest: string): PageAddress | 'no-slash' | null {
  if (rest === '') return { kind: 'overview' };
  if (rest === 'history') return 'no-slash';
  if (rest === 'history/') return { kind: 'history' };
  return pageAt(rest) ?? feedAt(rest) ?? badgeAt(rest);
}

function pageAt(rest: string): PageAddress | 'no-slash' | null {
  const [, kind, id = '', slash] = /^(site|incident)s\/([^/]+)(\/?)$/.exec(rest) ?? [];
  if (kind === undefined || !isPageId(id)) return null;
  if (slash === '') return 'no-slash';
  return { kind: kind === 'site' ? 'site' : 'incident', id };
}

function feedAt(rest: string): PageAddress | null {
  const [, format] = /^feed\.(atom|rss)$/.exec(rest) ?? [];
  return format === undefined ? null : { kind: 'feed', format: format === 'atom' ? 'atom' : 'rss' };
}

function badgeAt(rest: string): PageAddress | null {
  const [, id, format] = /^badge(?:\/([^/]+))?\.(svg|json)$/.exec(rest) ?? [];
  if (format === undefined || (id !== undefined && !isPageId(id))) return null;
  return { kind: 'badge', id: id ?? null, format: format === 'svg' ? 'svg' : 'json' };
}

/** How pages lead to each other. */
interface Links {
  /** From the page to an address, relatively: so the pages work below any path, and from a disk. */
  to(address: string): string;
}

/**
 * Links from one page.
 *
 * @param from the address of the page
 * @param isFiles whether folders are written with their `index.html`, because there may be no server to find it
 */
export function linksFrom(from: string, isFiles: boolean): Links {
  const up = '../'.repeat(from.split('/').length - 1);
  return {
    to(address) {
      const file = isFiles && (address === '' || address.endsWith('/')) ? `${address}index.html` : address;
      return `${up}${file}` || './';
    },
  };
}
