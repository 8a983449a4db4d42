/** An HTTP server on loopback that takes alerts down, and answers as it is reported. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What was received. */
export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** Answers; by default with 200. */
export type Answering = (response: ServerResponse, received: Received) => void;

export interface Receiver {
  /** Without a slash at its end. */
  readonly url: string;
  readonly received: Received[];
  answer: Answering;
  /** Resolves once so many requests have come. */
  has(count: number): Promise<void>;
  stop(): Promise<void>;
}

export const status =
  (code: number, headers: Readonly<Record<string, string>> = {}, body = ''): Answering =>
  (response) => {
    response.writeHead(code, headers).end(body);
  };

/** Serves until it is stopped, on `port` or any that is free. */
export async function startReceiver(port = 0): Promise<Receiver> {
  const waiting: { readonly count: number; readonly resolve: () => void }[] = [];
  const received: Received[] = [];
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = Buffer.concat(await request.toArray()).toString('utf8');
    const one = { method: request.method ?? '', path: request.url ?? '', headers: request.headers, body };
    received.push(one);
    for (const { resolve } of waiting.filter(({ count }) => received.length >= count)) resolve();
    receiver.answer(response, one);
  };
  const server = createServer((request, response) => void serve(request, response).catch(() => {}));
  const receiver: Receiver = {
    url: '',
    received,
    answer: status(200),
    has: (count) =>
      new Promise((resolve) => {
        if (received.length >= count) resolve();
        else waiting.push({ count, resolve });
      }),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return Object.assign(receiver, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
}
