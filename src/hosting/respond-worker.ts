/** Answers as an edge worker with static assets does. */
import { prefersMarkdown } from './accept.ts';
import { bare, type Files, type HostRequest, type HostResponse, urlOf } from './exchange.ts';
import { ASSET_CACHE_CONTROL, BUNDLE_CACHE_CONTROL, LONG_LIFE_SECONDS, LONG_LIVED, type HostRules } from './rules.ts';
import { respondAsAssets } from './worker-assets.ts';

const ASSET = new RegExp(String.raw`\.(?:${LONG_LIVED.join('|')})$`, 'i');

export async function respondAsWorker(request: HostRequest, files: Files, rules: HostRules): Promise<HostResponse> {
  const url = urlOf(request);
  if (rules.improved) return mended(url, request, files, rules.base);
  // `_redirects` shows the bundle under the site's own address.
  const assets = (path: string): Promise<HostResponse> =>
    respondAsAssets(path === rules.base ? `${path}index.html` : path, url.search, request, files);
  const isAsked = (request.headers['accept'] ?? '').includes('text/markdown') && !url.pathname.endsWith('.md');
  if (!isAsked) return assets(url.pathname);
  return assets(`${url.pathname}${url.pathname.endsWith('/') ? '' : '/'}index.md`);
}

async function mended(url: URL, request: HostRequest, files: Files, base: string): Promise<HostResponse> {
  const { pathname, search } = url;
  const asset = (path: string): Promise<HostResponse> => respondAsAssets(path, search, request, files);
  const exists = async (path: string): Promise<boolean> =>
    (await respondAsAssets(path, search, { ...request, method: 'HEAD', headers: {} }, files)).status === 200;
  if (/\/\.(?!well-known\/)/.test(pathname)) return bare(404);
  if (!pathname.endsWith('/')) {
    const file = await asset(pathname);
    if (file.status !== 404) return withHeaders(file, pathname, base);
  }
  const folder = pathname.replace(/\/*$/, '/');
  const isPage = await exists(`${folder}index.md`);
  if (isPage && prefersMarkdown(request.headers['accept'] ?? '')) {
    return negotiated(await asset(`${folder}index.md`), `${folder}index.md`, base);
  }
  const own = `${folder}index.html`;
  const bundle = isPage ? `${base}index.html` : null;
  const html = (await exists(own)) ? own : bundle;
  if (html === null) return asset(pathname);
  if (pathname === folder) return negotiated(await asset(html), html, base);
  return bare(308, [
    ['Location', `${folder}${search}`],
    ['Vary', 'Accept'],
  ]);
}

function negotiated(response: HostResponse, path: string, base: string): HostResponse {
  const answer = withHeaders(response, path, base);
  return { ...answer, headers: [...answer.headers, ['Vary', 'Accept']] };
}

/** What the worker sets on the answers of the assets. */
function withHeaders(response: HostResponse, path: string, base: string): HostResponse {
  if (response.status !== 200 && response.status !== 304) return response;
  const type = response.headers.find(([name]) => name === 'Content-Type')?.[1] ?? '';
  const varies = /^text\/|json|svg/.test(type);
  const headers = new Map(response.headers);
  if (path === `${base}index.html` || path === `${base}config.json`) headers.set('Cache-Control', BUNDLE_CACHE_CONTROL);
  else if (ASSET.test(path)) headers.set('Cache-Control', `${ASSET_CACHE_CONTROL}, max-age=${LONG_LIFE_SECONDS}`);
  else if (/\.md$/i.test(path)) headers.set('Content-Type', 'text/markdown; charset=utf-8');
  return { ...response, headers: [...headers, ...(varies ? [['Vary', 'Accept-Encoding'] as const] : [])] };
}
