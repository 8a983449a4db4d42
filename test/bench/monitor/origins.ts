/**
 * Many origins in a process of their own: the same small site at as many loopback addresses as are asked for. Node, not
 * nginx: a worker of nginx wants a connection for each address it listens on.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { MEDIA_TYPES } from '../site/host.ts';
import { benchSite } from './site.ts';

export interface Origins {
  /** Base URLs, one for each address. */
  readonly urls: readonly string[];
  stop(): void;
}

const addressOf = (index: number): string => `127.77.${Math.floor(index / 200)}.${1 + (index % 200)}`;

/** Starts so many origins. */
export async function startOrigins(count: number): Promise<Origins> {
  const child = fork(fileURLToPath(import.meta.url), [String(count)], { stdio: 'inherit' });
  const [port] = (await once(child, 'message')) as [number];
  const urls = Array.from({ length: count }, (_, index) => `http://${addressOf(index)}:${port}/`);
  return { urls, stop: () => void child.kill() };
}

/** In the process of its own. */
async function serve(count: number): Promise<void> {
  const files = benchSite(20);
  let port = 0;
  for (let index = 0; index < count; index++) {
    const server = createServer((request, response) => {
      const name = (request.url ?? '/').slice(1) || 'index.html';
      const body = files.get(name);
      const type = MEDIA_TYPES[name.slice(name.lastIndexOf('.') + 1)] ?? 'text/plain';
      response.writeHead(body === undefined ? 404 : 200, { 'content-type': type });
      response.end(body ?? 'not found');
    });
    server.listen(port, addressOf(index));
    await once(server, 'listening');
    const address = server.address();
    port = typeof address === 'object' && address !== null ? address.port : port;
  }
  process.send?.(port);
}

if (process.send !== undefined && process.argv[1] === fileURLToPath(import.meta.url))
  await serve(Number(process.argv[2]));
