/** Receives alerts as a webhook does, keeps them, and can be gone for a while. */
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a monitor tells a webhook. */
export interface Received {
  /** ms since 1970. */
  readonly at: number;
  readonly key: string;
  readonly body: {
    readonly id: string;
    readonly event: string;
    readonly site: { readonly id: string; readonly url: string };
    readonly incident: Readonly<Record<string, unknown>> & { readonly id: string };
    readonly findings: readonly { readonly check: string; readonly code: string; readonly fix: string }[];
    readonly language: string;
  };
}

export interface Receiver {
  readonly url: string;
  readonly received: readonly Received[];
  /** Nobody listens any more. */
  leave(): Promise<void>;
  /** It is back, where it was. */
  comeBack(): Promise<void>;
}

/** Listens on a free loopback port. */
export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  let server = await listen(received, 0);
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/alerts`,
    received,
    leave: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
    async comeBack() {
      server = await listen(received, port);
    },
  };
}

function listen(received: Received[], port: number): Promise<Server> {
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(parts).toString()) as Received['body'];
      received.push({ at: Date.now(), key: String(request.headers['idempotency-key']), body });
      response.end();
    });
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve(server));
  });
}
