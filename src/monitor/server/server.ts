/** The monitor's server: metrics, probes, the API, the status page. It reads, and changes nothing. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getSystemErrorName } from 'node:util';
import type { checkSite } from '../../check-site.ts';
import type { Log } from '../log/log.ts';
import type { pageFor } from '../page/routes.ts';
import type { ListenAddress } from '../settings.ts';
import type { MonitorView } from '../view.ts';
import type { Asked } from './answer.ts';
import { respond, type Served } from './respond.ts';
import { namedHosts } from './hosts.ts';
import { limitConnections } from './connections.ts';
import { createMetrics } from './metrics/metrics.ts';
import { createProbe } from './probe/probe.ts';
import { send } from './send.ts';

/** What a server is made of. */
export interface ServerOptions {
  readonly view: MonitorView;
  /** Port 0: any that is free. */
  readonly listen: ListenAddress;
  readonly log: Log;
  /** Proxies for probes. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The status page; docvitals' own where it is absent. */
  readonly page?: typeof pageFor;
  /** Checks what is probed; `checkSite` where it is absent. */
  readonly check?: typeof checkSite;
}

/** A server that listens. */
export interface MonitorServer {
  /** Where it is to be reached from this machine; ends with a slash. */
  readonly url: string;
  /** Takes no more requests, ends those that go on, within a second. Idempotent. */
  close(): Promise<void>;
}

/** How long a request's headers, and the whole of it, may take to come. */
const HEADERS_MS = 10_000;
const KEEP_ALIVE_MS = 65_000;
const MOST_HEADER_BYTES = 16 * 1024;
const MOST_CONNECTIONS = 512;
/** How long requests that go on have when the server closes. */
const GRACE_MS = 500;

/** Listens. Rejects with the system's error where the port is taken, or the address is not this machine's. */
export async function startServer(options: ServerOptions): Promise<MonitorServer> {
  const { view, listen, log } = options;
  const closing = new AbortController();
  const server = createServer({
    headersTimeout: HEADERS_MS,
    requestTimeout: HEADERS_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    connectionsCheckingInterval: 2_000,
    maxHeaderSize: MOST_HEADER_BYTES,
  });
  limitConnections(server, MOST_CONNECTIONS);
  const address = await listening(server, listen);
  const served: Served = {
    view,
    log,
    metrics: createMetrics(view),
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

/** Answers one request; whatever goes wrong with it ends nothing else. */
async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  served: Served,
  closing: AbortSignal,
): Promise<void> {
  const gone = new AbortController();
  const onClosing = (): void => gone.abort();
  closing.addEventListener('abort', onClosing, { once: true });
  response.once('close', () => gone.abort());
  request.on('error', () => {});
  response.on('error', () => {});
  try {
    await send(request, response, await respond(askedOf(request, gone.signal), served));
  } catch (error) {
    served.log('error', 'request-failed', { error: describe(error) });
    response.destroy();
  } finally {
    closing.removeEventListener('abort', onClosing);
  }
}

function askedOf(request: IncomingMessage, signal: AbortSignal): Asked & { readonly method: string } {
  // What a proxy is asked for (RFC 9112, section 3.2.2) is a path here.
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

function listening(server: Server, { host, port }: ListenAddress): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port }, () => {
      server.off('error', reject);
      resolve(server.address() as AddressInfo);
    });
  });
}

async function close(server: Server, closing: AbortController): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
  closing.abort();
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), GRACE_MS);
  await closed.finally(() => clearTimeout(timer));
}

/** Who listens everywhere is reached on this machine, too. */
function urlOf({ address, family, port }: AddressInfo): string {
  if (address === '0.0.0.0' || address === '::') return `http://localhost:${port}/`;
  return family === 'IPv6' ? `http://[${address}]:${port}/` : `http://${address}:${port}/`;
}

function statusLine(code: string | undefined): string {
  if (code === 'HPE_HEADER_OVERFLOW') return '431 Request Header Fields Too Large';
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? '408 Request Timeout' : '400 Bad Request';
}

/** An error for the log: its code or its kind, and where it came from, never what it was about. */
function describe(error: unknown): string {
  const { code, errno, name } = error as NodeJS.ErrnoException;
  return code ?? (errno === undefined ? (name ?? typeof error) : getSystemErrorName(errno));
}
