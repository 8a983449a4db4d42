/** The monitor's server: metrics, probes, the API, the status page. It reads, and changes nothing. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { getSystemErrorName, promisify } from 'node:util';
import { createHash } from 'node:crypto';
import { constants, gzip as gzipCallback } from 'node:zlib';
import type { checkSite } from '../../check-site.ts';
import type { Log } from '../log/write.ts';
import type { pageFor } from '../page/routes.ts';
import type { ListenAddress } from '../settings.ts';
import type { MonitorView } from '../view.ts';
import { type Answered, type Asked, weightOf } from './request.ts';
import { namedHosts, respond, type Served } from './respond.ts';
import { createMetrics } from './metrics.ts';
import { createProbe } from './probe.ts';

export interface ServerOptions {
  readonly view: MonitorView;
  readonly listen: ListenAddress;
  readonly log: Log;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly page?: typeof pageFor;
  readonly check?: typeof checkSite;
}

export interface MonitorServer {
  /** Where this machine reaches it; ends with a slash. */
  readonly url: string;
  /** Accepts no more requests and ends the running ones, within a second. Idempotent. */
  close(): Promise<void>;
}

const REQUEST_MS = 10_000;
const MOST_CONNECTIONS = 512;
const GRACE_MS = 500;

/** Listens. Rejects with the system's error where the port is taken, or the address is not this machine's. */
export async function startServer(options: ServerOptions): Promise<MonitorServer> {
  const { view, listen, log } = options;
  const closing = new AbortController();
  const server = createServer({
    headersTimeout: REQUEST_MS,
    requestTimeout: REQUEST_MS,
    keepAliveTimeout: 65_000,
    connectionsCheckingInterval: 2_000,
    maxHeaderSize: 16 * 1024,
  });
  limitConnections(server, MOST_CONNECTIONS);
  const metrics = createMetrics(view);
  server.listen(listen);
  await once(server, 'listening');
  const address = server.address() as AddressInfo;
  const served: Served = {
    view,
    log,
    metrics,
    probe: createProbe(options),
    page: options.page ?? (async (...given) => (await import('../page/routes.ts')).pageFor(...given)),
    listening: address.address,
    named: () => namedHosts(listen, view.settings().page.url),
  };
  server.on('request', (request, response) => void answer(request, response, served, closing.signal));
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy();
    else {
      // Without destroy() the connection stays open for as long as the client keeps its side open.
      const end = `HTTP/1.1 ${statusLine(error.code)}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`;
      socket.end(end, () => socket.destroy());
    }
  });
  server.on('error', (error: NodeJS.ErrnoException) =>
    log('error', 'server-failed', { error: error.code ?? error.name }),
  );
  let closed: Promise<void> | undefined;
  return { url: urlOf(address), close: () => (closed ??= close(server, closing)) };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  served: Served,
  closing: AbortSignal,
): Promise<void> {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  request.on('error', () => {});
  response.on('error', () => {});
  try {
    const asked = askedOf(request, AbortSignal.any([closing, gone.signal]));
    await send(request, response, await respond(asked, served));
  } catch (error) {
    served.log('error', 'request-failed', { error: describe(error) });
    response.destroy();
  }
}

function askedOf(request: IncomingMessage, signal: AbortSignal): Asked & { readonly method: string } {
  // What a proxy is requested (RFC 9112, section 3.2.2) is a path here.
  const target = (request.url ?? '').replace(/^https?:\/\/[^/?#]*/i, '').replace(/#.*$/s, '');
  const query = target.indexOf('?');
  return {
    method: request.method ?? '',
    path: query === -1 ? target : target.slice(0, query),
    search: new URLSearchParams(query === -1 ? '' : target.slice(query + 1)),
    header: (name) => [request.headers[name] ?? []].flat()[0] ?? null,
    signal,
  };
}

async function close(server: Server, closing: AbortController): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  closing.abort();
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), GRACE_MS);
  await closed.finally(() => clearTimeout(timer));
}

function urlOf({ address, family, port }: AddressInfo): string {
  if (address === '0.0.0.0' || address === '::') return `http://localhost:${port}/`;
  return family === 'IPv6' ? `http://[${address}]:${port}/` : `http://${address}:${port}/`;
}

function statusLine(code: string | undefined): string {
  if (code === 'HPE_HEADER_OVERFLOW') return '431 Request Header Fields Too Large';
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? '408 Request Timeout' : '400 Bad Request';
}

/** An error for the log: its code or its kind, never its message, which may hold secrets. */
function describe(error: unknown): string {
  const { code, errno, name } = error as NodeJS.ErrnoException;
  return code ?? (errno === undefined ? (name ?? typeof error) : getSystemErrorName(errno));
}

/**
 * Limits the open connections of a server. Where there are too many, the oldest one that has no request in progress is
 * closed, otherwise the oldest one: a client that sends its request promptly is always served, however many connections
 * are held open by clients that send nothing or read nothing.
 */
function limitConnections(server: Server, limit: number): void {
  const idle = new Set<Socket>();
  const busy = new Set<Socket>();
  server.on('connection', (socket) => {
    if (idle.size + busy.size >= limit) {
      const [oldest] = idle.size > 0 ? idle : busy;
      oldest?.destroy();
    }
    idle.add(socket);
    socket.once('close', () => {
      idle.delete(socket);
      busy.delete(socket);
    });
  });
  server.on('request', ({ socket }, response) => {
    idle.delete(socket);
    busy.add(socket);
    response.once('close', () => {
      if (busy.delete(socket) && !socket.destroyed) idle.add(socket);
    });
  });
}

/* Sends responses: compressed or as they are; only their headers (`HEAD`), or that nothing has changed (304). */

const gzip = promisify(gzipCallback);

/** Smaller bodies are not worth compressing: they fit into one packet. */
const LEAST_COMPRESSED_BYTES = 1_400;

/** A client that reads nothing for so long is disconnected. */
const STALLED_MS = 30_000;

/** Unless a handler sets others. Nothing here runs scripts, or may be framed. */
const DEFAULT_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'interest-cohort=()',
};

async function send(request: IncomingMessage, response: ServerResponse, answered: Answered): Promise<void> {
  const headers: Record<string, string> = { ...DEFAULT_HEADERS, ...answered.headers };
  // The body of the request is not read, and the next request could only follow it.
  if (hasBody(request)) headers['connection'] = 'close';
  let { status } = answered;
  let body: Buffer | null = Buffer.from(answered.bytes ?? answered.body);
  const tag = tagOf(answered, body);
  if (tag !== null) headers['etag'] = tag;
  if (tag !== null && matches(request.headers['if-none-match'], tag)) {
    status = 304;
    body = null;
    delete headers['content-type'];
  } else if (isCompressible(headers, body)) {
    headers['vary'] = headers['vary'] === undefined ? 'Accept-Encoding' : `${headers['vary']}, Accept-Encoding`;
    if (acceptsGzip(request.headers['accept-encoding'])) {
      body = await gzip(body, { level: constants.Z_BEST_SPEED });
      headers['content-encoding'] = 'gzip';
    }
  }
  if (body !== null) headers['content-length'] = String(body.length);
  if (response.destroyed) return;
  response.setTimeout(STALLED_MS, () => response.destroy());
  response.writeHead(status, headers);
  response.end(request.method === 'HEAD' ? undefined : (body ?? undefined));
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
}

/** A weak tag, because the compressed form has the same; `null` for what must not be stored, and for failures. */
function tagOf({ status, headers }: Answered, body: Buffer): string | null {
  if (status !== 200 || headers['cache-control'] === 'no-store') return null;
  return `W/"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
}

/** `If-None-Match` (RFC 9110, section 13.1.2). */
function matches(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  const strong = tag.replace(/^W\//, '');
  return header.split(',').some((one) => one.trim() === '*' || one.trim().replace(/^W\//, '') === strong);
}

function isCompressible(headers: Readonly<Record<string, string>>, body: Buffer): boolean {
  const type = headers['content-type'] ?? '';
  return body.length >= LEAST_COMPRESSED_BYTES && /^text\/|[/+](?:json|xml)\b/.test(type);
}

/** Whether `gzip` may be sent (RFC 9110, section 12.5.3). */
function acceptsGzip(header: string | string[] | undefined): boolean {
  const codings = [header ?? ''].flat().join(',').split(',');
  const weights = new Map(
    codings.map((one) => {
      const [name = '', ...parameters] = one.split(';').map((part) => part.trim().toLowerCase());
      return [name, weightOf(parameters)] as const;
    }),
  );
  return (weights.get('gzip') ?? weights.get('x-gzip') ?? weights.get('*') ?? 0) > 0;
}
