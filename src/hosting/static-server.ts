/** A small static server for this machine. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type OutgoingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { outcomeOf } from './negotiation.ts';
import {
  ASSET_CACHE_CONTROL,
  BUNDLE_CACHE_CONTROL,
  GZIP_TYPES,
  LONG_LIFE_SECONDS,
  LONG_LIVED,
  type HostRules,
} from './rules.ts';

const ADDRESS = '127.0.0.1';

export interface StaticServer {
  /** Address of the site; ends with a slash. */
  readonly url: string;
  close(): Promise<void>;
}

/** Serves a folder by the rules of a host. Port 0 takes any free port. Rejects with the system's error. */
export function startStaticServer(folder: string, rules: HostRules, port: number): Promise<StaticServer> {
  const server = createServer((request, response) => {
    // An unread body would block the next request of the connection.
    request.resume();
    respond(request, response, folder, rules).catch(() => response.destroy());
  });
  return new Promise((resolve, reject) => {
    server.on('error', reject);
    server.listen(port, ADDRESS, () => {
      resolve({
        url: `http://${ADDRESS}:${(server.address() as AddressInfo).port}${rules.base}`,
        close: () =>
          new Promise((done) => {
            server.close(() => done());
            server.closeAllConnections();
          }),
      });
    });
  });
}

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  folder: string,
  rules: HostRules,
): Promise<void> {
  const { method = 'GET', url = '/', headers } = request;
  const target = readTarget(url);
  const send = (status: number, fields: OutgoingHttpHeaders, body: string | Uint8Array = ''): void => {
    const length = status === 304 ? {} : { 'Content-Length': Buffer.byteLength(body) };
    response.writeHead(status, { ...fields, ...length }).end(method === 'HEAD' ? undefined : body);
  };
  if (target === null) return send(400, {});
  if (!['GET', 'HEAD'].includes(method)) return send(405, { Allow: 'GET, HEAD' });
  const outcome = await outcomeOf(target.path, headers.accept ?? '', folder, rules);
  if ('to' in outcome) {
    const encoded = encodeURI(`${rules.base}${outcome.to}`).replaceAll(/[?#]/g, encodeURIComponent);
    return send(308, { Location: `${encoded}${target.search}` });
  }
  if (outcome.status !== 200) {
    return send(outcome.status, { 'Content-Type': 'text/plain; charset=utf-8' }, `${outcome.status}\n`);
  }
  const bytes = await readFile(path.join(folder, outcome.name));
  const fields = {
    ...fieldsOf(outcome.name, target.path !== `${rules.base}${outcome.name}`, rules),
    ETag: `W/"${createHash('sha256').update(bytes).digest('hex').slice(0, 32)}"`,
  };
  if (headers['if-none-match'] === fields.ETag) return send(304, fields);
  if (!isCompressible(outcome.name, rules) || !acceptsGzip(headers['accept-encoding'])) return send(200, fields, bytes);
  return send(200, { ...fields, 'Content-Encoding': 'gzip' }, gzipSync(bytes));
}

/** The decoded path of a request target, without dot segments, and its query; `null` if it is malformed. */
function readTarget(target: string): { readonly path: string; readonly search: string } | null {
  const url = URL.parse(target.startsWith('/') ? `http://${ADDRESS}${target}` : target);
  try {
    return url === null ? null : { path: decodeURIComponent(url.pathname), search: url.search };
  } catch {
    return null;
  }
}

/** `isNegotiated`: the request names a page, and `Accept` decides which file it gets. */
function fieldsOf(name: string, isNegotiated: boolean, rules: HostRules): OutgoingHttpHeaders {
  const { kind, improved } = rules;
  const vary = [
    ...(improved && kind !== 'server' && isNegotiated ? ['Accept'] : []),
    ...(isCompressible(name, rules) && (improved || kind === 'platform') ? ['Accept-Encoding'] : []),
  ];
  const cacheControl = cacheControlOf(name, rules);
  return {
    'Content-Type': typeOf(name, rules),
    ...(cacheControl === null ? {} : { 'Cache-Control': cacheControl }),
    ...(vary.length === 0 ? {} : { Vary: vary.join(', ') }),
  };
}

const ASSET = new RegExp(String.raw`\.(?:${LONG_LIVED.join('|')})$`, 'i');

function cacheControlOf(name: string, { kind, improved }: HostRules): string | null {
  if (improved || kind === 'server') {
    if (name === 'index.html' || (improved && name === 'config.json')) return BUNDLE_CACHE_CONTROL;
    if (ASSET.test(name)) return `max-age=${LONG_LIFE_SECONDS}, ${ASSET_CACHE_CONTROL}`;
  }
  return kind === 'server' ? null : 'public, max-age=0, must-revalidate';
}

const TYPES = new Map(
  [
    'text/html html',
    'text/css css',
    'text/markdown md',
    'text/plain txt',
    'text/xml xml',
    'application/javascript js mjs',
    'application/json json',
    'application/pdf pdf',
    'application/wasm wasm',
    'font/woff woff',
    'font/woff2 woff2',
    'image/avif avif',
    'image/gif gif',
    'image/jpeg jpg jpeg',
    'image/png png',
    'image/svg+xml svg',
    'image/webp webp',
    'image/x-icon ico',
    'video/mp4 mp4',
    'video/webm webm',
  ].flatMap((line) => {
    const [type = '', ...extensions] = line.split(' ');
    return extensions.map((extension): [string, string] => [extension, type]);
  }),
);

/** nginx knows no Markdown, and sets a charset only if it is configured. */
function typeOf(name: string, { kind, improved }: HostRules): string {
  const isPlain = kind === 'server' && !improved;
  const type = TYPES.get(/\.([^./]*)$/.exec(name)?.[1]?.toLowerCase() ?? '');
  if (type === undefined || (isPlain && type === 'text/markdown')) return 'application/octet-stream';
  return type.startsWith('text/') && !isPlain ? `${type}; charset=utf-8` : type;
}

const COMPRESSED: ReadonlySet<string> = new Set(['text/html', ...GZIP_TYPES]);

const isCompressible = (name: string, rules: HostRules): boolean =>
  COMPRESSED.has(typeOf(name, rules).split(';')[0] ?? '');

/** Whether `Accept-Encoding` names gzip with a quality above 0. */
const acceptsGzip = (value: string | string[] | undefined): boolean =>
  /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i.test(String(value ?? ''));
