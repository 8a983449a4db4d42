/** The status page: what is at an address, as a server or an export publishes it. */
import { LANGUAGES, type Language } from '../../texts.ts';
import type { Answered } from '../server/request.ts';
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
  type StatusData,
  type StatusSource,
} from './data.ts';
import { atomFeed, rssFeed } from './feeds.ts';
import { framed, POLICY, STYLE_VERSION, STYLES, type Page } from './frame.ts';
import { historyPage, incidentPage } from './incident.ts';
import { Memory } from './memory.ts';
import { overviewPage } from './overview.ts';
import { notFoundPage, onlySitePage, sitePage } from './site.ts';

const MEDIA_TYPES = {
  html: 'text/html',
  atom: 'application/atom+xml',
  rss: 'application/rss+xml',
  svg: 'image/svg+xml',
  json: 'application/json',
  jpeg: 'image/jpeg',
};

const BADGE_HEADERS = {
  'content-security-policy': `default-src 'none'; sandbox`,
  'cross-origin-resource-policy': 'cross-origin',
  'access-control-allow-origin': '*',
};

/** What is sent. Whether it is sent whole, compressed or not at all (`HEAD`, `304`) is up to the server. */
function answerOf(type: keyof typeof MEDIA_TYPES, content: string | Uint8Array): Answered {
  const charset = type === 'jpeg' ? '' : '; charset=utf-8';
  return {
    status: 200,
    headers: {
      'content-type': `${MEDIA_TYPES[type]}${charset}`,
      'cache-control': 'no-cache',
      ...(type === 'html' ? { 'content-security-policy': `${POLICY}; frame-ancestors 'none'` } : {}),
      ...(type === 'svg' || type === 'json' ? BADGE_HEADERS : {}),
    },
    ...(typeof content === 'string' ? { body: content } : { body: '', bytes: content }),
  };
}

function html<T extends StatusData>(
  render: (data: T, context: PageContext) => Page,
  data: T,
  context: PageContext,
): Answered {
  return answerOf('html', framed(render(data, context), data, context));
}

interface Wanted<K extends PageAddress['kind']> {
  readonly page: Extract<PageAddress, { kind: K }>;
  readonly source: StatusSource;
  readonly context: PageContext;
  readonly days: DaysMemory;
}

const DOCUMENTS: { readonly [K in PageAddress['kind']]: (wanted: Wanted<K>) => Promise<Answered | null> } = {
  async overview({ source, context, days }) {
    const [first, ...others] = source.sites;
    const only = first === undefined || others.length > 0 ? null : await gatherSite(source, first.site.id);
    if (only !== null) return html(onlySitePage, only, context);
    return html(overviewPage, await gatherOverview(source, days), context);
  },
  async site({ page, source, context }) {
    const data = await gatherSite(source, page.id);
    return data && html(sitePage, data, context);
  },
  async incident({ page, source, context }) {
    const data = await gatherIncident(source, page.id);
    return data && html(incidentPage, data, context);
  },
  async picture({ page, source }) {
    const data = await gatherIncident(source, page.id);
    const picture = data?.pictures.find(({ incident }) => (incident === null) === (page.name === 'good'));
    return picture === undefined ? null : answerOf('jpeg', picture.bytes);
  },
  async badge({ page: { id, format }, source, context }) {
    const badge = badgeOf(id, gatherStatus(source), context);
    return badge && answerOf(format, (format === 'svg' ? badgeSvg : badgeJson)(badge));
  },
  async feed({ page: { format }, source, context }) {
    return answerOf(format, (format === 'atom' ? atomFeed : rssFeed)(await gatherHistory(source), context));
  },
  history: async ({ source, context }) => html(historyPage, await gatherHistory(source), context),
};

/** What is at an address in a language. What the database cannot return is left out; never rejects for that. */
export async function documentAt(
  page: PageAddress,
  language: Language,
  source: StatusSource,
  mode: RenderMode,
  days: DaysMemory,
): Promise<Answered> {
  const context = await pageContextOf(source, page, language, mode);
  const find = DOCUMENTS[page.kind] as (wanted: Wanted<PageAddress['kind']>) => Promise<Answered | null>;
  const found = await find({ page, source, context, days });
  return found ?? missingFrom(gatherStatus(source), context);
}

function missingFrom(data: StatusData, context: PageContext): Answered {
  return { ...answerOf('html', framed(notFoundPage(context), data, context)), status: 404 };
}

/** The page for a path at which nothing is, in the language that the path names, or else in another. */
export async function missingPage(path: string, otherwise: Language, view: MonitorView): Promise<Answered> {
  const language = LANGUAGES.find((known) => path.startsWith(`/${known}/`)) ?? otherwise;
  const source = sourceOf(view);
  const context = await pageContextOf(source, { kind: 'overview' }, language, { as: 'served' }, path.slice(1));
  const answer = missingFrom(gatherStatus(source), context);
  return { ...answer, headers: { ...answer.headers, 'cache-control': 'no-store' } };
}

/** How long a page is served as it is, so that many visitors cost the monitor no more than one. */
const CACHED_MS = 1000;
const MOST_CACHED = 64;

const CACHES = new WeakMap<PageStore, { readonly days: DaysMemory; readonly answers: Memory<Answered> }>();

/**
 * What is at a path.
 */
export async function pageFor(
  path: string,
  request: {
    readonly view: MonitorView;
    readonly search?: URLSearchParams;
    readonly origin?: string | null;
  },
): Promise<Answered | null> {
  const { view, search, origin = null } = request;
  const target = locate(path, view.settings().page.language);
  if (target === null) return null;
  if (target.kind === 'style') return styleAnswer(search?.has(STYLE_VERSION) ?? false);
  if (target.kind === 'moved') return { status: 308, headers: { location: target.to || './' }, body: '' };
  const cache = CACHES.get(view.store) ?? { days: newDaysMemory(), answers: new Memory<Answered>(MOST_CACHED) };
  CACHES.set(view.store, cache);
  const { page, language } = target;
  const isStill = search?.get('refresh') === 'off';
  const host = page.kind === 'feed' ? origin : null;
  const mode = { as: 'served', isStill, origin: host } as const;
  const create = (): Promise<Answered> => documentAt(page, language, sourceOf(view), mode, cache.days);
  if (page.kind === 'picture') return create();
  return cache.answers.get(JSON.stringify([host, path, isStill]), view.now(), CACHED_MS, create);
}

/** Pages request it with its version, so that browsers may keep it forever; without one it may change soon. */
function styleAnswer(hasVersion: boolean): Answered {
  const cacheControl = hasVersion ? 'public, max-age=31536000, immutable' : 'no-cache';
  const headers = { 'content-type': 'text/css; charset=utf-8', 'cache-control': cacheControl };
  return { status: 200, headers, body: STYLES };
}
