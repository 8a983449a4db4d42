/** Starts servers for tests, and asks them. */
import { request as send } from 'node:http';
import type { ServerOptions } from '../../src/monitor/server/server.ts';
import { startServer } from '../../src/monitor/server/server.ts';
import { viewOf } from './view.ts';

const servers = new Set<{ close(): Promise<void> }>();

/** A server on a free port of this machine; base URL. */
export async function serve(rest: Partial<ServerOptions> = {}): Promise<string> {
  const server = await startServer({
    view: viewOf(),
    listen: { host: '127.0.0.1', port: 0 },
    log: () => {},
    env: {},
    page: () => Promise.resolve(null),
    ...rest,
  });
  servers.add(server);
  return server.url;
}

/** Closes all that were started: for `afterEach`. */
export async function closeAll(): Promise<void> {
  for (const server of servers) await server.close();
  servers.clear();
}

export interface Told {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Buffer;
  readonly text: string;
}

/** Asks exactly so: no header is added, no path changed, nothing unpacked. */
export function ask(
  base: string,
  path: string,
  { method = 'GET', headers = {} }: { method?: string; headers?: Readonly<Record<string, string>> } = {},
): Promise<Told> {
  const { hostname, port } = new URL(base);
  return new Promise((resolve, reject) => {
    const asked = send(
      { host: hostname.replace(/^\[|\]$/g, ''), port, path, method, headers, agent: false },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const body = Buffer.concat(chunks);
          const told = response.headers as Record<string, string | undefined>;
          resolve({ status: response.statusCode ?? 0, headers: told, body, text: body.toString() });
        });
      },
    );
    asked.on('error', reject);
    asked.end();
  });
}

/** What is answered as JSON. */
export async function askJson(
  base: string,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<unknown> {
  return JSON.parse((await ask(base, path, { headers })).text) as unknown;
}
