/**
 * What a page of the browser reaches the network through: a SOCKS5 server (RFC 1928) on this machine that opens each
 * connection as the HTTP client does, with its address rules, `--resolve` and proxies, and counts the bytes.
 */
import { once } from 'node:events';
import { createServer, isIPv6, type AddressInfo, type Socket } from 'node:net';
import { portOf, type ScopeGuard } from '../http/address.ts';
import { openSocket } from '../http/connect.ts';
import { failureOf } from '../http/failure.ts';
import type { Reason } from '../http/reasons.ts';
import type { HttpOptions } from '../http/get.ts';
import { timed } from '../http/timing.ts';

export interface GateOptions extends Pick<HttpOptions, 'rules' | 'family' | 'resolver' | 'proxyFor' | 'clock'> {
  readonly guard: ScopeGuard;
  /** Most bytes that are received through it; then all connections are closed. */
  readonly mostBytes: number;
}

const SUCCEEDED = 0;
const GENERAL_FAILURE = 1;
const MOST_CONNECTIONS = 256;

export async function openGate(options: GateOptions) {
  const { proxyFor, clock, mostBytes } = options;
  const sockets = new Set<Socket>();
  const closing = new AbortController();
  const failures = new Map<string, Reason>();
  let bytes = 0;

  const keep = (socket: Socket): void => {
    sockets.add(socket);
    const end = (): void => void (sockets.delete(socket), socket.destroy());
    socket.on('error', end).on('close', end);
  };
  const closeAll = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  const connect = (url: URL): Promise<Socket | null> =>
    timed({ timeoutMs: Infinity, clock, signal: closing.signal }, async (watch) => {
      try {
        return await openSocket(url, proxyFor(url), { ...options, watch });
      } catch (error) {
        failures.set(authorityOf(url), failureOf(error, watch.phase).reason);
        return null;
      }
    });
  const serve = async (client: Socket): Promise<void> => {
    keep(client);
    // Version and methods: of those only "no authentication" is taken.
    const [, methods = 0] = await take(client, 2);
    await take(client, methods);
    client.write(Buffer.from([5, 0]));
    const [, command, , kind] = await take(client, 4);
    const host = await hostOf(client, kind ?? 0);
    const port = (await take(client, 2)).readUInt16BE();
    if (command !== 1 || host === null) return reply(client, GENERAL_FAILURE);
    const upstream = await connect(new URL(`${port === 443 ? 'https' : 'http'}://${host}:${port}/`));
    if (upstream === null) return reply(client, GENERAL_FAILURE);
    keep(upstream);
    reply(client, SUCCEEDED);
    upstream.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > mostBytes) closeAll();
    });
    // It flows again from here on.
    client.resume();
    client.pipe(upstream).pipe(client);
  };

  const server = createServer((client) => void serve(client).catch(() => client.destroy()));
  server.maxConnections = MOST_CONNECTIONS;
  await once(server.listen(0, '127.0.0.1'), 'listening');
  // A connection that cannot be accepted later fails in the browser.
  server.on('error', () => {});
  return {
    address: `socks5://127.0.0.1:${(server.address() as AddressInfo).port}`,
    mostBytes,
    received: (): number => bytes,
    /** Whether the limit of bytes closed its connections. */
    isExhausted: (): boolean => bytes > mostBytes,
    /** Why no connection to the host of a URL could be opened; `null`: none failed. */
    failureOf: (url: URL): Reason | null => failures.get(authorityOf(url)) ?? null,
    close(): void {
      closing.abort();
      server.close();
      closeAll();
    },
  };
}

export type Gate = Awaited<ReturnType<typeof openGate>>;

const authorityOf = (url: URL): string => `${url.hostname}:${portOf(url)}`;

/** The address that a request names; `null`: of a kind that does not exist. */
async function hostOf(client: Socket, kind: number): Promise<string | null> {
  if (kind === 1) return [...(await take(client, 4))].join('.');
  if (kind === 3) {
    const name = (await take(client, (await take(client, 1)).readUInt8())).toString('latin1');
    // Chromium gives addresses of IPv6 as names, too.
    return isIPv6(name) ? `[${name}]` : name;
  }
  if (kind !== 4) return null;
  const bytes = await take(client, 16);
  return `[${Array.from({ length: 8 }, (_, index) => bytes.readUInt16BE(index * 2).toString(16)).join(':')}]`;
}

/** The address in a reply is of no use to the browser. */
function reply(client: Socket, code: number): void {
  client.write(Buffer.from([5, code, 0, 1, 0, 0, 0, 0, 0, 0]));
  if (code !== SUCCEEDED) client.end();
}

/** Reads exactly so many bytes; what follows them stays in the socket. */
async function take(socket: Socket, bytes: number): Promise<Buffer> {
  if (bytes === 0) return Buffer.alloc(0);
  for (;;) {
    const chunk = socket.read(bytes) as Buffer | null;
    if (chunk?.length === bytes) return chunk;
    if (chunk !== null || socket.readableEnded || socket.destroyed) throw new Error('ended');
    const { promise, resolve } = Promise.withResolvers<void>();
    socket.once('readable', resolve).once('close', resolve);
    await promise;
    socket.off('readable', resolve).off('close', resolve);
  }
}
