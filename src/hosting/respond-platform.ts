/** Answers as a hosting platform does: its routes, then its files, then its rewrites. */
import { gzipSync } from 'node:zlib';
import { takesGzip } from './accept.ts';
import { bare, fileAt, type FileEntry, type Files, type HostRequest, type HostResponse, urlOf } from './exchange.ts';
import { contentTypeOf } from './media-types.ts';
import { platformRoutes, type HeaderCondition, type PlatformRoute, type PlatformRoutes } from './platform-routes.ts';
import { ranged } from './range.ts';
import type { HostRules } from './rules.ts';
import { contentTag, names } from './validators.ts';

/** What the platform sends where the configuration says nothing. */
const DEFAULT_CACHE_CONTROL = 'public, max-age=0, must-revalidate';

const COMPRESSED = /^(?:text\/|application\/(?:javascript|json|manifest\+json|wasm)|image\/svg\+xml)/;

/** A request on its way through the routes. */
interface Routed {
  /** Encoded. */
  readonly path: string;
  readonly headers: ReadonlyMap<string, string>;
  /** Set for a redirect. */
  readonly status: number | null;
}

export async function respondAsPlatform(request: HostRequest, files: Files, rules: HostRules): Promise<HostResponse> {
  const url = urlOf(request);
  const routes = platformRoutes(rules);
  const phase = routes.findIndex((one) => 'handle' in one);
  const split = phase === -1 ? routes.length : phase;
  const before = await runPhase(
    routes.slice(0, split),
    { path: url.pathname, headers: new Map(), status: null },
    request,
    files,
  );
  if (before.status !== null) {
    const location = `${before.headers.get('location') ?? ''}${url.search}`;
    return bare(
      before.status,
      [...before.headers].map(([key, value]) => [key, key === 'location' ? location : value]),
    );
  }
  const direct = await fileOf(before.path, files);
  const last = direct === null ? await runPhase(routes.slice(split + 1), before, request, files) : before;
  const found = direct ?? (await fileOf(last.path, files));
  return found === null ? notFound(request) : send(found.file, found.path, last.headers, request);
}

/** Runs the routes of one phase. */
async function runPhase(phase: PlatformRoutes, start: Routed, request: HostRequest, files: Files): Promise<Routed> {
  let { path } = start;
  const headers = new Map(start.headers);
  for (const one of phase) {
    if ('handle' in one) continue;
    const match = new RegExp(one.src, 'i').exec(path);
    if (match === null || !applies(one, request)) continue;
    const fill = (text: string): string => text.replaceAll(/\$(\d)/g, (_, group: string) => match[Number(group)] ?? '');
    for (const [key, value] of Object.entries(one.headers ?? {})) headers.set(key.toLowerCase(), fill(value));
    if (one.dest !== undefined) path = fill(one.dest);
    const goesOn = one.continue === true || (one.check === true && (await fileOf(path, files)) === null);
    if (!goesOn) return { path, headers, status: one.status ?? null };
  }
  return { path, headers, status: null };
}

function applies({ has = [], missing = [] }: PlatformRoute, { headers }: HostRequest): boolean {
  const holds = ({ key, value }: HeaderCondition): boolean =>
    headers[key] !== undefined && new RegExp(value).test(headers[key]);
  return has.every(holds) && !missing.some(holds);
}

/** A file under its own name, or a folder's `index.html`. */
async function fileOf(path: string, files: Files): Promise<{ readonly path: string; readonly file: FileEntry } | null> {
  const decoded = decode(path);
  if (decoded === null) return null;
  const exact = decoded.endsWith('/') ? null : await fileAt(files, decoded.slice(1));
  if (exact !== null) return { path: decoded, file: exact };
  const index = `${decoded.replace(/\/$/, '')}/index.html`;
  const file = await fileAt(files, index.slice(1));
  return file === null ? null : { path: index, file };
}

function decode(path: string): string | null {
  try {
    return decodeURIComponent(path);
  } catch {
    return null;
  }
}

function send(file: FileEntry, path: string, given: ReadonlyMap<string, string>, request: HostRequest): HostResponse {
  if (!['GET', 'HEAD'].includes(request.method)) return bare(405, [['Allow', 'GET, HEAD']]);
  const tag = contentTag(file);
  const headers = new Map([
    ['content-type', contentTypeOf(path, 'platform') ?? ''],
    ['cache-control', DEFAULT_CACHE_CONTROL],
    ['etag', tag],
    ...given,
  ]);
  if (names(request.headers['if-none-match'] ?? '', tag)) {
    headers.delete('content-type');
    return { status: 304, headers: [...headers], body: new Uint8Array() };
  }
  if (COMPRESSED.test(headers.get('content-type') ?? '') && request.headers['range'] === undefined) {
    headers.set('vary', [given.get('vary'), 'Accept-Encoding'].filter((one) => one !== undefined).join(', '));
    if (takesGzip(request.headers['accept-encoding'] ?? '') && request.method !== 'HEAD') {
      headers.set('content-encoding', 'gzip').set('etag', `W/${tag}`);
      return { status: 200, headers: [...headers], body: gzipSync(file.bytes) };
    }
  }
  return ranged(request, file, tag, [...headers], () => bare(416));
}

function notFound({ method }: HostRequest): HostResponse {
  const text = Buffer.from('The page could not be found\n\nNOT_FOUND\n');
  return {
    status: 404,
    headers: [
      ['content-type', 'text/plain; charset=utf-8'],
      ['cache-control', DEFAULT_CACHE_CONTROL],
      ['content-length', String(text.length)],
    ],
    body: method === 'HEAD' ? new Uint8Array() : text,
  };
}
