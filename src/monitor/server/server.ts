/** The monitor's server: metrics, probes, the API, the status page. It reads, and changes nothing. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import { type AddressInfo, type Socket, isIP } from 'node:net';
import { promisify } from 'node:util';
import { createHash } from 'node:crypto';
import { constants, gzip as gzipCallback } from 'node:zlib';
import type { checkSite } from '../../core/check-site.ts';
import type { HostPort } from '../../config/formats.ts';
import { acceptsGzip } from '../../hosting/accept.ts';
import type { Log } from '../log/write.ts';
import type { pageFor } from '../page/routes.ts';
import type { MonitorView } from '../view.ts';
import { type HttpResponse, type HttpRequest, json, languageOf, problemAnswer, RequestProblem } from './request.ts';
import { createMetrics } from './metrics.ts';
import { createProbe } from './probe.ts';
import { apiAnswer } from './api.ts';
import { scopeOf } from '../../http/address-scope.ts';

export interface ServerOptions {
  readonly view: MonitorView;
  readonly listen: HostPort;
  readonly log: Log;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly page?: typeof pageFor;
  readonly check?: typeof checkSite;
}

export type MonitorServer = Awaited<ReturnType<typeof startServer>>;

const REQUEST_MS = 10_000;
const MOST_CONNECTIONS = 512;
const GRACE_MS = 500;

/** Listens. Rejects with the system's error where the port is taken, or the address is not this machine's. */
export async function startServer(options: ServerOptions) {
  const { listen, log } = options;
  const closing = new AbortController();
  const server = createServer({
    headersTimeout: REQUEST_MS,
    requestTimeout: REQUEST_MS,
    keepAliveTimeout: 65_000,
    connectionsCheckingInterval: 2_000,
    maxHeaderSize: 16 * 1024,
  });
  limitConnections(server, MOST_CONNECTIONS);
  await once(server.listen(listen), 'listening');
  const address = server.address() as AddressInfo;
  const served = servedAt(address.address, options);
  server.on('request', (request, response) => void answer(request, response, served, closing.signal));
  server.on('error', (error) => log('error', 'server-failed', { error: describe(error) }));
  let closed: Promise<void> | undefined;
  return {
    /** Where this machine reaches it; ends with a slash. */
    url: urlOf(address),
    /** Accepts no more requests and ends the running ones, within a second. Idempotent. */
    close: (): Promise<void> => (closed ??= close(server, closing)),
  };
}

type Served = ReturnType<typeof servedAt>;

function servedAt(listening: string, { view, log, listen, page, ...options }: ServerOptions) {
  return {
    view,
    log,
    metrics: createMetrics(view),
    probe: createProbe({ view, ...options }),
    page:
      page ?? (async (...given: Parameters<typeof pageFor>) => (await import('../page/routes.ts')).pageFor(...given)),
    isMeantForUs: (host: string) => isMeantForUs(host, listening, namedHosts(listen, view.settings().page.url)),
  };
}

async function answer(request: IncomingMessage, response: ServerResponse, served: Served, closing: AbortSignal) {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  request.on('error', () => {});
  response.on('error', () => {});
  try {
    const parsed = parseRequest(request, AbortSignal.any([closing, gone.signal]));
    await send(request, response, await respond(parsed, served));
  } catch (error) {
    served.log('error', 'request-failed', { error: describe(error) });
    response.destroy();
  }
}

function parseRequest(request: IncomingMessage, signal: AbortSignal): HttpRequest & { readonly method: string } {
  // What a proxy is requested (RFC 9112, section 3.2.2) is a path here.
  const target = (request.url ?? '').replace(/^https?:\/\/[^/?#]*/i, '').replace(/#.*$/s, '');
  const [, path = '', search] = /^([^?]*)\??(.*)$/s.exec(target) ?? [];
  return {
    method: request.method ?? '',
    path,
    search: new URLSearchParams(search),
    header: (name) => [request.headers[name] ?? []].flat()[0] ?? null,
    signal,
  };
}

async function close(server: Server, closing: AbortController): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  closing.abort();
  const timer = setTimeout(() => server.closeAllConnections(), GRACE_MS);
  await closed.finally(() => clearTimeout(timer));
}

function urlOf({ address, family, port }: AddressInfo): string {
  if (address === '0.0.0.0' || address === '::') return `http://localhost:${port}/`;
  return family === 'IPv6' ? `http://[${address}]:${port}/` : `http://${address}:${port}/`;
}

/** An error for the log: its code or its kind, never its message, which may hold secrets. */
function describe(error: unknown): string {
  const { code, name } = error as NodeJS.ErrnoException;
  return code ?? name ?? typeof error;
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

async function send(request: IncomingMessage, response: ServerResponse, answered: HttpResponse): Promise<void> {
  const headers: Record<string, string> = { ...DEFAULT_HEADERS, ...answered.headers };
  const { 'transfer-encoding': transferEncoding, 'content-length': contentLength = '0' } = request.headers;
  // The body of the request is not read, and the next request could only follow it.
  if (transferEncoding !== undefined || contentLength !== '0') headers['connection'] = 'close';
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

/** A weak tag, because the compressed form has the same; `null` for what must not be stored, and for failures. */
function tagOf({ status, headers }: HttpResponse, body: Buffer): string | null {
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

const LONGEST_PATH = 2_048;

/** Answers a request. Never rejects: what cannot be answered is reported as a problem. */
async function respond(parsed: HttpRequest & { readonly method: string }, served: Served): Promise<HttpResponse> {
  const { method, path, header } = parsed;
  try {
    if (!served.isMeantForUs(header('host') ?? '')) throw new RequestProblem('host-not-known');
    if (method !== 'GET' && method !== 'HEAD') {
      throw new RequestProblem('method-not-allowed', null, { allow: 'GET, HEAD', connection: 'close' });
    }
    if (!path.startsWith('/')) throw new RequestProblem('bad-request');
    if (path.length > LONGEST_PATH) throw new RequestProblem('uri-too-long');
    return await route(parsed, served);
  } catch (error) {
    return problemAnswer(problemOf(error, served.log), languageOf(parsed, served.view.settings().page.language));
  }
}

async function route(parsed: HttpRequest, served: Served): Promise<HttpResponse> {
  const { view } = served;
  const { path, search } = parsed;
  if (path === '/metrics') return exposition(await served.metrics());
  if (path === '/probe') return exposition(await served.probe(parsed));
  // The process runs, and its event loop turns: nothing else is a reason to restart it.
  if (path === '/healthz') return json({ status: 'alive' }, NOT_STORED);
  if (path === '/readyz') return readiness(view);
  if (path === '/api' || path.startsWith('/api/')) return apiAnswer(parsed, view);
  const host = parsed.header('host');
  const page = await served.page(path, { view, search, origin: host === null ? null : `http://${host}/` });
  if (page !== null) return page;
  // Programs that accept JSON only get a problem; everybody else gets a page.
  const accepted = parsed.header('accept') ?? '';
  if (/[/+]json\b/i.test(accepted) && !/text\/html/i.test(accepted)) throw new RequestProblem('not-found');
  const { missingPage } = await import('../page/routes.ts');
  return missingPage(path, languageOf(parsed, view.settings().page.language), view);
}

/** What is true now only. */
const NOT_STORED = { 'cache-control': 'no-store' };

function exposition(body: string): HttpResponse {
  const headers = { 'content-type': 'text/plain; version=0.0.4; charset=utf-8', ...NOT_STORED };
  return { status: 200, headers, body };
}

/** 200 when every site was checked and nothing prevents the monitor from working, otherwise 503 with what does. */
async function readiness(view: MonitorView): Promise<HttpResponse> {
  const isReadable = await view.store.waiting(0).then(
    () => true,
    () => false,
  );
  const problems = [...new Set([...view.troubles(), ...(isReadable ? [] : ['store-unreadable'])])];
  if (view.ready() && problems.length === 0) return json({ status: 'ready', problems }, NOT_STORED);
  return json({ status: problems.length > 0 ? 'problem' : 'starting', problems }, NOT_STORED, 503);
}

/** A store that cannot be read now is neither the request's fault nor a bug. */
function problemOf(error: unknown, log: Log): RequestProblem {
  if (error instanceof RequestProblem) return error;
  const { name, message } = error instanceof Error ? error : { name: typeof error, message: '' };
  const isStore = name === 'StoreError';
  log('error', isStore ? 'store-failed' : 'request-failed', { error: name, message });
  return new RequestProblem(isStore ? 'store-failed' : 'internal');
}

/*
 * Whether a request is meant for this server, by its `Host`.
 *
 * A page of some website can have its own name resolve to 127.0.0.1 and then read, in a browser on this machine, what
 * listens there (DNS rebinding). Who listens on this machine only therefore answers for names that no one else can
 * have. A server that listens for others is public, under whatever name.
 */

/** Names that always mean this machine (RFC 6761, section 6.3). */
const OWN_NAME = /^(?:.+\.)?localhost\.?$/;

export function isMeantForUs(host: string, listening: string, named: readonly string[]): boolean {
  if (scopeOf(listening) !== 'loopback') return true;
  const name = hostnameOf(host);
  return name !== null && (isIP(name) !== 0 || OWN_NAME.test(name) || named.includes(name));
}

export function namedHosts(listen: Pick<HostPort, 'host'>, pageUrl: string | null): readonly string[] {
  const page = pageUrl !== null && URL.canParse(pageUrl) ? [new URL(pageUrl).hostname] : [];
  return [listen.host.toLowerCase(), ...page];
}

/** A host in small letters, without port and brackets; `null` if invalid. */
function hostnameOf(host: string): string | null {
  const found = /^(?:\[(?<v6>[0-9a-f:.]+)\]|(?<name>[a-z0-9_.-]+))(?::\d{1,5})?$/i.exec(host)?.groups;
  return (found?.['v6'] ?? found?.['name'] ?? null)?.toLowerCase() ?? null;
}
