/** Answers as the static assets of an edge worker do, with exact names only and no answer for what is not there. */
import { gzipSync } from 'node:zlib';
import { takesGzip } from './accept.ts';
import { bare, fileAt, type FileEntry, type Files, type HostRequest, type HostResponse } from './exchange.ts';
import { contentTypeOf } from './media-types.ts';
import { contentTag } from './validators.ts';

/** What the edge compresses, of the types that a documentation site has; Markdown is not among them. */
const COMPRESSED: ReadonlySet<string> = new Set([
  'text/html',
  'text/plain',
  'text/css',
  'text/javascript',
  'text/xml',
  'application/json',
  'application/manifest+json',
  'application/wasm',
  'image/svg+xml',
  'image/vnd.microsoft.icon',
  'font/ttf',
  'font/otf',
]);

/** Files that configure the assets and are none. */
const RESERVED: ReadonlySet<string> = new Set(['_redirects', '_headers', '.assetsignore']);

/** `path` is encoded, as in the URL; `search` has its question mark. */
export async function respondAsAssets(
  path: string,
  search: string,
  request: HostRequest,
  files: Files,
): Promise<HostResponse> {
  const decoded = path.split('/').map(decodedSegment).join('/').replaceAll(/\/+/g, '/');
  const name = decoded.slice(1);
  const file = RESERVED.has(name) ? null : await fileAt(files, name);
  if (file === null) return bare(404);
  if (!['GET', 'HEAD'].includes(request.method)) return bare(405);
  const canonical = decoded.split('/').map(encodeURIComponent).join('/');
  if (canonical !== path) return bare(307, [['Location', `${canonical}${search}`]]);
  return send(file, contentTypeOf(name, 'worker'), request);
}

function send(file: FileEntry, type: string | null, { method, headers }: HostRequest): HostResponse {
  const tag = contentTag(file);
  const isCacheable = headers['authorization'] === undefined && headers['range'] === undefined;
  const sent: [string, string][] = [
    ...(type === null ? [] : [['Content-Type', type] as [string, string]]),
    ...(isCacheable ? [['Cache-Control', 'public, max-age=0, must-revalidate'] as [string, string]] : []),
    ['ETag', tag],
  ];
  // One tag, weak or strong: the assets know no lists.
  if ([tag, `W/${tag}`].includes(headers['if-none-match'] ?? '')) {
    return { status: 304, headers: sent, body: new Uint8Array() };
  }
  const isHead = method === 'HEAD';
  const isCompressible = type === null || COMPRESSED.has(type.split(';')[0] ?? '');
  if (isCompressible && takesGzip(headers['accept-encoding'] ?? '')) {
    const body = isHead ? new Uint8Array() : gzipSync(file.bytes);
    return { status: 200, headers: [...sent, ['Content-Encoding', 'gzip']], body };
  }
  const length: [string, string] = ['Content-Length', String(file.bytes.length)];
  return { status: 200, headers: [...sent, length], body: isHead ? new Uint8Array() : file.bytes };
}

function decodedSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
