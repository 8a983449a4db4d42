/** Answers as nginx does under the generated server block. */
import { gzipSync } from 'node:zlib';
import { takesGzip } from './accept.ts';
import { type FileEntry, type Files, type HostRequest, type HostResponse } from './exchange.ts';
import { contentTypeOf } from './media-types.ts';
import { errorPage } from './nginx-errors.ts';
import { locate, type Found } from './nginx-locations.ts';
import { nginxPath } from './nginx-path.ts';
import { ranged } from './range.ts';
import { ASSET_CACHE_CONTROL, BUNDLE_CACHE_CONTROL, GZIP_TYPES, LONG_LIFE_SECONDS, type HostRules } from './rules.ts';
import { notModified, preconditionFails, serverTag } from './validators.ts';

const COMPRESSED: ReadonlySet<string> = new Set(['text/html', ...GZIP_TYPES]);
/** nginx's own: shorter bodies are not worth it. */
const GZIP_MIN_LENGTH = 20;

export async function respondAsServer(request: HostRequest, files: Files, rules: HostRules): Promise<HostResponse> {
  const parsed = nginxPath(request.target);
  if (parsed === null) return errorPage(400, request, rules);
  const found = await locate(parsed.path, files, rules);
  if (!takes(request.method, found)) return errorPage(405, request, rules);
  if (found.kind === 'error') return errorPage(found.status, request, rules);
  if (found.kind === 'redirect') return folderRedirect(found.path, parsed.query, found.long, request, rules);
  return send(found.file, found.path, found.long, request, rules);
}

function takes(method: string, found: Found): boolean {
  if (method === 'GET' || method === 'HEAD') return true;
  return found.kind !== 'file' && (method === 'POST' || found.decidedBy === 'rules');
}

type Headers = [name: string, value: string][];

function cacheHeaders(path: string, long: boolean, now: Date, rules: HostRules): Headers {
  const isKept = path === `${rules.base}index.html` || (rules.improved && path === `${rules.base}config.json`);
  if (isKept) return [['Cache-Control', BUNDLE_CACHE_CONTROL]];
  if (!long) return [];
  return [
    ['Expires', new Date(now.getTime() + LONG_LIFE_SECONDS * 1000).toUTCString()],
    ['Cache-Control', `max-age=${LONG_LIFE_SECONDS}`],
    ['Cache-Control', ASSET_CACHE_CONTROL],
  ];
}

function typeOf(path: string, { improved }: HostRules): string {
  const type = improved && /\.md$/i.test(path) ? 'text/markdown' : (contentTypeOf(path, 'server') ?? '');
  return improved && /^text\/(?:html|plain|markdown)$/.test(type) ? `${type}; charset=utf-8` : type;
}

function send(file: FileEntry, path: string, long: boolean, request: HostRequest, rules: HostRules): HostResponse {
  const type = typeOf(path, rules);
  const tag = serverTag(file);
  const caching = cacheHeaders(path, long, request.receivedAt, rules);
  const common: Headers = [['Last-Modified', file.modified.toUTCString()], ['ETag', tag], ...caching];
  if (preconditionFails(request, file, tag)) return errorPage(412, request, rules);
  if (notModified(request, file, tag)) return { status: 304, headers: common, body: new Uint8Array() };
  const head: Headers = [['Content-Type', type], ...common];
  const isCompressible = COMPRESSED.has(type.split(';')[0] ?? '') && file.bytes.length >= GZIP_MIN_LENGTH;
  const vary: Headers = isCompressible && rules.improved ? [['Vary', 'Accept-Encoding']] : [];
  if (isCompressible && takesGzip(request.headers['accept-encoding'] ?? '')) {
    return {
      status: 200,
      headers: [
        ...head.map(([key, value]): [string, string] => [key, key === 'ETag' ? `W/${value}` : value]),
        ['Content-Encoding', 'gzip'],
        ...vary,
      ],
      body: request.method === 'HEAD' ? new Uint8Array() : gzipSync(file.bytes),
    };
  }
  return ranged(request, file, tag, [...head, ...vary], (status) => {
    const page = errorPage(status, request, rules);
    return { ...page, headers: [...page.headers, ...caching, ...vary] };
  });
}

/** nginx makes the address absolute by the request's own host. */
function folderRedirect(
  path: string,
  query: string,
  long: boolean,
  request: HostRequest,
  rules: HostRules,
): HostResponse {
  const encoded = encodeURI(path).replaceAll(/[?#]/g, encodeURIComponent);
  const location = `http://${request.headers['host'] ?? 'localhost'}${encoded}${query}`;
  const page = errorPage(301, request, { improved: false });
  const caching = long && !rules.improved ? cacheHeaders(path, long, request.receivedAt, rules) : [];
  return { ...page, headers: [...page.headers, ['Location', location], ...caching] };
}
