/** The status page: what is at an address, as a server or an export publishes it. */
import { LANGUAGES, type Language } from '../../texts.ts';
import type { MonitorView } from '../view.ts';
import { badgeJson, badgeOf, badgeSvg } from './badge.ts';
import { locate, pageContextOf, type PageAddress, type PageContext, type RenderMode } from './context.ts';
import {
  gatherHistory,
  gatherIncident,
  gatherOverview,
  gatherSite,
  gatherStatus,
  newDaysMemory,
  sourceOf,
  type DaysMemory,
  type PageStore,
  type StatusSource,
} from './data.ts';
import { atomFeed, rssFeed } from './feeds.ts';
import { framed, POLICY, STYLE_VERSION, STYLES } from './frame.ts';
import { historyPage, incidentPage } from './incident.ts';
import { Memory } from './memory.ts';
import { overviewPage } from './overview.ts';
import { notFoundPage, sitePage } from './site.ts';

/** A document of the status page. */
interface Document {
  readonly type: keyof typeof MEDIA_TYPES;
  readonly text: string;
  /** Instead of text. */
  readonly bytes?: Uint8Array;
  /** Whether there is what was requested; otherwise the document says that there is not. */
  readonly isThere: boolean;
}

/** What is at an address in a language. What the database cannot return is left out; never rejects for that. */
export async function documentAt(
  page: PageAddress,
  language: Language,
  source: StatusSource,
  mode: RenderMode,
  days: DaysMemory,
): Promise<Document> {
  const context = await pageContextOf(source, page, language, mode);
  if (page.kind === 'overview') {
    const [first, ...others] = source.sites;
    // The only site is the first page.
    const only = first === undefined || others.length > 0 ? null : await gatherSite(source, first.site.id);
    if (only !== null) return html(framed(sitePage(only, true, context), only, context));
    const data = await gatherOverview(source, days);
    return html(framed(overviewPage(data, context), data, context));
  }
  if (page.kind === 'site') {
    const data = await gatherSite(source, page.id);
    return data === null ? missing(source, context) : html(framed(sitePage(data, false, context), data, context));
  }
  if (page.kind === 'incident' || page.kind === 'picture') return ofIncident(page, source, context);
  if (page.kind === 'badge') {
    const badge = badgeOf(page.id, await gatherStatus(source), context);
    if (badge === null) return missing(source, context);
    return { type: page.format, text: (page.format === 'svg' ? badgeSvg : badgeJson)(badge), isThere: true };
  }
  const data = await gatherHistory(source);
  if (page.kind === 'history') return html(framed(historyPage(data, context), data, context));
  return { type: page.format, text: (page.format === 'atom' ? atomFeed : rssFeed)(data, context), isThere: true };
}

/** The page of an incident, or one of its pictures. */
async function ofIncident(
  page: Extract<PageAddress, { kind: 'incident' | 'picture' }>,
  source: StatusSource,
  context: PageContext,
): Promise<Document> {
  const data = await gatherIncident(source, page.id);
  if (data === null) return missing(source, context);
  if (page.kind === 'incident') return html(framed(incidentPage(data, context), data, context));
  const picture = data.pictures.find(({ incident }) => (incident === null) === (page.name === 'good'));
  if (picture === undefined) return missing(source, context);
  return { type: 'jpeg', text: '', bytes: picture.bytes, isThere: true };
}

const html = (text: string): Document => ({ type: 'html', text, isThere: true });

async function missing(source: StatusSource, context: PageContext): Promise<Document> {
  const data = await gatherStatus(source);
  return { ...html(framed(notFoundPage(context), data, context)), isThere: false };
}

/** The page for a path at which nothing is, in the language that the path names, or else in another. */
export async function missingPage(path: string, otherwise: Language, view: MonitorView): Promise<PageAnswer> {
  const language = LANGUAGES.find((known) => path.startsWith(`/${known}/`)) ?? otherwise;
  const source = sourceOf(view);
  const context = await pageContextOf(source, { kind: 'overview' }, language, { as: 'served' }, path.slice(1));
  const { status, headers, body } = answerOf(await missing(source, context));
  return { status, headers: { ...headers, 'cache-control': 'no-store' }, body };
}

/* Requests. */

/** What is sent. Whether it is sent whole, compressed or not at all (`HEAD`, `304`) is up to the server. */
export interface PageAnswer {
  readonly status: 200 | 308 | 404;
  /** Names in small letters. */
  readonly headers: Readonly<Record<string, string>>;
  /** UTF-8. */
  readonly body: string;
  /** Sent instead of `body`. */
  readonly bytes?: Uint8Array;
}

/** How long a page is served as it is, so that many visitors cost the monitor no more than one. */
const CACHED_MS = 1000;
const MOST_CACHED = 64;

/** What was made of a database; gone with it. */
const CACHES = new WeakMap<PageStore, { readonly days: DaysMemory; readonly answers: Memory<PageAnswer> }>();

/**
 * What is at a path.
 *
 * @param path of the URL, from its first slash on, as it came: percent-encoded
 * @param request its query, and `http://` with the host that was requested (`null`: unknown)
 * @returns `null` for a path that the status page does not have
 */
export async function pageFor(
  path: string,
  request: {
    readonly view: MonitorView;
    readonly search?: URLSearchParams;
    readonly origin?: string | null;
  },
): Promise<PageAnswer | null> {
  const { view, search, origin = null } = request;
  const target = locate(path, view.settings().page.language);
  if (target === null) return null;
  if (target.kind === 'style') return styleAnswer(search?.has(STYLE_VERSION) ?? false);
  if (target.kind === 'moved') return { status: 308, headers: { location: target.to || './' }, body: '' };
  const cache = CACHES.get(view.store) ?? { days: newDaysMemory(), answers: new Memory<PageAnswer>(MOST_CACHED) };
  CACHES.set(view.store, cache);
  const { page, language } = target;
  const isStill = search?.get('refresh') === 'off';
  // Only feeds have links that name the host.
  const host = page.kind === 'feed' ? origin : null;
  const mode = { as: 'served', isStill, origin: host } as const;
  const create = async (): Promise<PageAnswer> =>
    answerOf(await documentAt(page, language, sourceOf(view), mode, cache.days));
  // Pictures are large, and cost little.
  if (page.kind === 'picture') return create();
  return cache.answers.get(JSON.stringify([host, path, isStill]), view.now(), CACHED_MS, create);
}

const MEDIA_TYPES = {
  html: 'text/html',
  atom: 'application/atom+xml',
  rss: 'application/rss+xml',
  svg: 'image/svg+xml',
  json: 'application/json',
  jpeg: 'image/jpeg',
};

function answerOf({ type, text, bytes, isThere }: Document): PageAnswer {
  const charset = type === 'jpeg' ? '' : '; charset=utf-8';
  const headers = { 'content-type': `${MEDIA_TYPES[type]}${charset}`, 'cache-control': 'no-cache' };
  const isBadge = type === 'svg' || type === 'json';
  return {
    status: isThere ? 200 : 404,
    headers: {
      ...headers,
      ...(type === 'html' ? { 'content-security-policy': `${POLICY}; frame-ancestors 'none'` } : {}),
      ...(isBadge ? BADGE_HEADERS : {}),
    },
    body: text,
    ...(bytes === undefined ? {} : { bytes }),
  };
}

/** Badges are shown on other sites. */
const BADGE_HEADERS = {
  'content-security-policy': `default-src 'none'; sandbox`,
  'cross-origin-resource-policy': 'cross-origin',
  'access-control-allow-origin': '*',
};

/** Pages request it with its version, so that browsers may keep it forever; without one it may change soon. */
function styleAnswer(hasVersion: boolean): PageAnswer {
  const cacheControl = hasVersion ? 'public, max-age=31536000, immutable' : 'no-cache';
  const headers = { 'content-type': 'text/css; charset=utf-8', 'cache-control': cacheControl };
  return { status: 200, headers, body: STYLES };
}
