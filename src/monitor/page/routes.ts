/** The status page: what is at an address, as a server or an export publishes it. */
import { LANGUAGES, type Language } from '../../locales/language.ts';
import type { HttpResponse } from '../server/request.ts';
import type { MonitorView } from '../view.ts';
import { gatherHistory, gatherIncident, gatherOverview, gatherSite, gatherStatus, sourceOf } from './data.ts';
import type { StatusSource } from './data.ts';
import { badge, feed } from './feed.ts';
import { historyPage, incidentPage } from './incident.ts';
import { remembering } from './cache.ts';
import { framed, type Page, type PageContext, pageContextOf, POLICY, type RenderMode, STYLE } from './page.ts';
import { notFoundPage, overviewPage, sitePage } from './sites.ts';

const MEDIA_TYPES = {
  html: 'text/html',
  atom: 'application/atom+xml',
  svg: 'image/svg+xml',
  json: 'application/json',
  jpeg: 'image/jpeg',
  css: 'text/css',
};

const BADGE_HEADERS = {
  'content-security-policy': `default-src 'none'; sandbox`,
  'cross-origin-resource-policy': 'cross-origin',
  'access-control-allow-origin': '*',
};

/** What is sent. Whether it is sent whole, compressed or not at all (`HEAD`, `304`) is up to the server. */
function answerOf(type: keyof typeof MEDIA_TYPES, body: string, headers: HttpResponse['headers'] = {}): HttpResponse {
  const charset = type === 'jpeg' ? '' : '; charset=utf-8';
  const common = { 'content-type': `${MEDIA_TYPES[type]}${charset}`, 'cache-control': 'no-cache' };
  return { status: 200, headers: { ...common, ...headers }, body };
}

function html(page: Page, context: PageContext): HttpResponse {
  const policy = { 'content-security-policy': `${POLICY}; frame-ancestors 'none'` };
  return answerOf('html', framed(page, context), policy);
}

/** Of sites and incidents that have a page. It is the name of a folder, too, so nothing else is allowed in it. */
const ID = String.raw`[A-Za-z0-9][\w-]{0,199}`;

type Find = (
  wanted: { readonly source: StatusSource; readonly context: PageContext },
  ...names: readonly (string | undefined)[]
) => Promise<HttpResponse | null>;

/**
 * The pages by their addresses in the main language, as regular expressions whose groups are passed on. `null`: there is no
 * such site or incident.
 */
const PAGES: Readonly<Record<string, Find>> = {
  async ''({ source, context }) {
    const [first, ...others] = source.sites;
    const only = first === undefined || others.length > 0 ? null : await gatherSite(source, first.site.id);
    const page = only === null ? overviewPage(await gatherOverview(source), context) : sitePage(only, context);
    return html(page, context);
  },
  'history/': async ({ source, context }) => html(historyPage(await gatherHistory(source), context), context),
  async [`sites/(${ID})/`]({ source, context }, id = '') {
    const data = await gatherSite(source, id);
    return data && html(sitePage(data, context), context);
  },
  async [`incidents/(${ID})/`]({ source, context }, id = '') {
    const data = await gatherIncident(source, id);
    return data && html(incidentPage(data, context), context);
  },
  async [String.raw`incidents/(${ID})/(good|bad)\.jpg`]({ source }, id = '', name = '') {
    const data = await gatherIncident(source, id);
    const picture = data?.pictures.find(({ incident }) => (incident === null) === (name === 'good'));
    return picture === undefined ? null : { ...answerOf('jpeg', ''), bytes: picture.bytes };
  },
  async [String.raw`badge(?:/(${ID}))?\.(svg|json)`]({ source, context }, id, format) {
    const type = format === 'svg' ? 'svg' : 'json';
    const body = badge(type, id ?? null, gatherStatus(source), context);
    return body === null ? null : answerOf(type, body, BADGE_HEADERS);
  },
  async [String.raw`feed\.atom`]({ source, context }) {
    return answerOf('atom', feed(await gatherHistory(source), context));
  },
};

const PATTERNS = Object.entries(PAGES).map(([address, find]) => [new RegExp(`^${address}$`), find] as const);

export const isPage = (address: string): boolean => PATTERNS.some(([pattern]) => pattern.test(address));

/**
 * What is at a path that begins with a slash; `null`: nothing. `main`: the language that needs no prefix. `moved`: the page
 * has a slash at its end, or is in the language that needs no prefix; `to` is relative to what was requested.
 */
export function locate(path: string, main: Language) {
  const moved = (to: string) => ({ kind: 'moved', to }) as const;
  if (path === `/${STYLE.file}`) return { kind: 'style' } as const;
  const [whole, prefix, page = ''] = /^\/(?:([a-z]{2})(?:\/|$))?(.*)$/s.exec(path) ?? [];
  const language = prefix === undefined ? main : LANGUAGES.find((known) => known === prefix);
  if (whole === undefined || language === undefined) return null;
  if (path === `/${prefix}`) return moved(`${prefix}/`);
  if (!isPage(page)) return isPage(`${page}/`) ? moved(`${page.split('/').at(-1) ?? ''}/`) : null;
  if (prefix !== main) return { kind: 'page', page, language } as const;
  // From `/en/sites/docs/` to `/sites/docs/`, relatively, so that it works below any base path.
  return moved(`${'../'.repeat(path.split('/').length - 2)}${page}`);
}

/** What is at an address in a language. What the database cannot return is left out; never rejects for that. */
export async function documentAt(page: string, language: Language, source: StatusSource, mode: RenderMode) {
  const context = await pageContextOf(source, page, language, mode);
  const [pattern, find] = PATTERNS.find(([known]) => known.test(page)) ?? [];
  const found = await find?.({ source, context }, ...(pattern?.exec(page)?.slice(1) ?? []));
  return found ?? missing(context);
}

function missing(context: PageContext): HttpResponse {
  return { ...html(notFoundPage(context), context), status: 404 };
}

/** The page for a path at which nothing is, in the language that the path names, or else in another. */
export async function missingPage(path: string, otherwise: Language, view: MonitorView): Promise<HttpResponse> {
  const language = LANGUAGES.find((known) => path.startsWith(`/${known}/`)) ?? otherwise;
  const answer = missing(await pageContextOf(sourceOf(view), '', language, { as: 'served' }, path.slice(1)));
  return { ...answer, headers: { ...answer.headers, 'cache-control': 'no-store' } };
}

/** How long a page is served as it is, so that many visitors cost the monitor no more than one. */
const CACHED_MS = 1000;
const remembered = remembering<HttpResponse>(64);

interface PageRequest {
  readonly view: MonitorView;
  readonly search?: URLSearchParams;
  readonly origin?: string | null;
}

export async function pageFor(path: string, { view, search, origin = null }: PageRequest) {
  const target = locate(path, view.settings().page.language);
  if (target === null) return null;
  if (target.kind === 'style') {
    // Pages request it with its version, so that browsers may keep it forever; without one it may change soon.
    const isNamed = search?.has(STYLE.version) ?? false;
    return answerOf('css', STYLE.text, isNamed ? { 'cache-control': 'public, max-age=31536000, immutable' } : {});
  }
  if (target.kind === 'moved') return { status: 308, headers: { location: target.to || './' }, body: '' };
  const { page, language } = target;
  const isStill = search?.get('refresh') === 'off';
  const host = page === 'feed.atom' ? origin : null;
  const mode = { as: 'served', isStill, origin: host } as const;
  const create = (): Promise<HttpResponse> => documentAt(page, language, sourceOf(view), mode);
  if (page.endsWith('.jpg')) return create();
  return remembered(view.store, JSON.stringify([host, path, isStill]), view.now(), CACHED_MS, create);
}
