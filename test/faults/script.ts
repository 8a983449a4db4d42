/** Raw answers, byte by byte: what no HTTP library would agree to send. */
import { createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import type { TlsOptions } from 'node:tls';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Host } from '../site/host.ts';
import type { SiteFiles } from '../site/sample.ts';

/** One step of a raw answer. `hold` says nothing more until the client leaves; `end` is a FIN, `reset` an RST. */
export type Step =
  | { readonly send: string | Uint8Array }
  /** Sends the same again and again; without `times` until the client leaves, as fast as it reads or every `everyMs`. */
  | { readonly loop: string | Uint8Array; readonly times?: number; readonly everyMs?: number }
  | { readonly waitMs: number }
  | 'hold'
  | 'end'
  | 'reset';

/** What a server says on a connection once it has read a request's headers. */
export type Script = readonly Step[];

// A flood that nobody stops is stopped here, so that a broken client cannot keep the test busy for ever.
const MOST_FLOOD_BYTES = 2 ** 30;

/** Writes, and waits until the client has taken it. */
function write(socket: Socket, data: string | Uint8Array): Promise<void> {
  return new Promise((resolve) => {
    if (socket.destroyed || socket.write(data)) return resolve();
    const done = (): void => {
      socket.off('drain', done).off('close', done);
      resolve();
    };
    socket.once('drain', done).once('close', done);
  });
}

async function repeat(socket: Socket, step: Extract<Step, { loop: unknown }>): Promise<void> {
  const { times = Number.POSITIVE_INFINITY, everyMs } = step;
  // Blocks of a flood are joined, so that small ones are as fast as large ones.
  const joined = everyMs === undefined && times === Number.POSITIVE_INFINITY ? Math.ceil(65_536 / step.loop.length) : 1;
  const block = Buffer.concat(Array.from({ length: joined }, () => Buffer.from(step.loop)));
  for (let count = 0, sent = 0; count < times && sent < MOST_FLOOD_BYTES && !socket.destroyed; count++) {
    await write(socket, block);
    sent += block.length;
    if (everyMs !== undefined) await sleep(everyMs);
  }
}

/** Plays a script on a connection. */
export async function play(socket: Socket, script: Script): Promise<void> {
  for (const step of script) {
    if (socket.destroyed) return;
    if (step === 'hold') await new Promise((resolve) => socket.once('close', resolve));
    else if (step === 'end') socket.end();
    else if (step === 'reset') socket.resetAndDestroy();
    else if ('waitMs' in step) await sleep(step.waitMs);
    else if ('send' in step) await write(socket, step.send);
    else await repeat(socket, step);
  }
}

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html',
  js: 'text/javascript',
  json: 'application/json',
  md: 'text/markdown',
};

/** A healthy answer, whole and closed. */
function healthyScript(path: string, body: Uint8Array | string | undefined): Script {
  const type = TYPES[path.slice(path.lastIndexOf('.') + 1)] ?? 'text/plain';
  const content = body ?? 'Not found\n';
  const status = body === undefined ? '404 Not Found' : '200 OK';
  const length = Buffer.byteLength(content);
  return [
    { send: `HTTP/1.1 ${status}\r\nContent-Type: ${type}\r\nContent-Length: ${length}\r\nConnection: close\r\n\r\n` },
    { send: content },
    'end',
  ];
}

/** Reads one request's headers, then plays the script of its path. Whatever else comes on the connection is ignored. */
function serveConnection(
  socket: Socket,
  scripts: Readonly<Record<string, Script>>,
  site: SiteFiles,
  base: string,
): void {
  let head = '';
  const read = (chunk: Buffer): void => {
    head += chunk.toString('latin1');
    if (!head.includes('\r\n\r\n')) return;
    socket.off('data', read).resume();
    const target = decodeURIComponent(head.split(' ')[1] ?? '/');
    const path = target === base ? 'index.html' : target.slice(base.length);
    void play(socket, scripts[path] ?? healthyScript(path, site.get(path)));
  };
  // A client that leaves early, resets included, is what many scripts are there to provoke.
  socket.on('data', read).on('error', () => undefined);
}

/** Listens on a free loopback port; with `tls`, behind a handshake. `base` is the path that the site lives under. */
export async function serveScripts(
  scripts: Readonly<Record<string, Script>>,
  site: SiteFiles,
  { tls, base = '/' }: { readonly tls?: TlsOptions | undefined; readonly base?: string | undefined } = {},
): Promise<Host> {
  const open = new Set<Socket>();
  const serve = (socket: Socket): void => serveConnection(socket, scripts, site, base);
  const server: Server = tls === undefined ? createServer(serve) : createTlsServer(tls, serve);
  // Handshakes that the client breaks off because it does not trust the certificate.
  server.on('tlsClientError', () => undefined);
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.on('error', () => undefined).on('close', () => open.delete(socket));
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}${base}`,
    port,
    close: async () => {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
