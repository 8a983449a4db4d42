/** Connections of a run over TLS, and through proxies. */
import { once } from 'node:events';
import { createServer as createHttp, type RequestListener } from 'node:http';
import { createServer as createHttps } from 'node:https';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import type { TlsOptions } from 'node:tls';
import { afterEach, describe, expect, it } from 'vitest';
import { certificate } from '../../test/faults/certificates.ts';
import { noReplyOf, pooled, replyOf, textOf } from '../../test/transport/client.ts';
import { trusted } from '../../test/transport/trusted.ts';

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

async function listen(server: Server): Promise<number> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  closing.push(() => server.close());
  return (server.address() as AddressInfo).port;
}

/** An HTTP server that counts its connections. */
async function counted(
  server: Server & { closeAllConnections(): void },
): Promise<{ port: number; count: () => number }> {
  let connections = 0;
  server.on('connection', () => (connections += 1));
  closing.push(() => server.closeAllConnections());
  return { port: await listen(server), count: () => connections };
}

const hello: RequestListener = (request, response) => void response.end(`hello ${request.url}`);

async function trust(): Promise<TlsOptions> {
  const { tls, close } = await trusted();
  closing.push(close);
  return tls;
}

describe('connections of a run over TLS', () => {
  it('are verified once and remember what the handshake reported', async () => {
    const { port, count } = await counted(createHttps(await trust(), hello));
    const run = pooled(`https://localhost:${port}/`);
    const first = replyOf(await run.ask('/a'));
    const second = replyOf(await run.ask('/b'));
    expect([textOf(first), textOf(second), count()]).toEqual(['hello /a', 'hello /b', 1]);
    expect(first.timings.tlsMs).toEqual(expect.any(Number));
    expect(second.timings.tlsMs).toBe(null);
    expect(second.tls).toEqual(first.tls);
    expect(second.tls).toMatchObject({ protocol: 'TLSv1.3', subject: 'localhost' });
  });

  it.each([
    ['TLSv1.3', 'X25519MLKEM768'],
    ['TLSv1.3', 'X25519'],
    ['TLSv1.2', 'P-256'],
  ] as const)('over %s with a server that knows %s only', async (protocol, group) => {
    const version = protocol;
    const only: TlsOptions = { ...(await trust()), minVersion: version, maxVersion: version, ecdhCurve: group };
    const { port } = await counted(createHttps(only, hello));
    const answer = replyOf(await pooled(`https://localhost:${port}/`).ask('/a'));
    expect([textOf(answer), answer.tls?.protocol]).toEqual(['hello /a', protocol]);
  });

  it('are refused each time where the certificate is not trusted', async () => {
    const { server: tls } = await certificate('self-signed');
    const { port, count } = await counted(createHttps(tls, hello));
    const run = pooled(`https://127.0.0.1:${port}/`);
    for (const path of ['/a', '/b']) expect(await run.ask(path)).toMatchObject({ reason: 'tls-untrusted' });
    expect(count()).toBe(2);
  });
});

interface Proxy {
  readonly url: URL;
  readonly seen: string[];
  count: () => number;
}

async function proxy(): Promise<Proxy> {
  const seen: string[] = [];
  const server = createHttp((request, response) => {
    seen.push(request.url ?? '');
    response.end('by the proxy');
  });
  server.on('connect', (request, socket: Socket) => {
    seen.push(`CONNECT ${request.url}`);
    const upstream = connect(Number(request.url?.split(':')[1]), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      upstream.pipe(socket).pipe(upstream);
    });
    upstream.on('error', () => socket.destroy());
    socket.on('error', () => upstream.destroy());
    closing.push(() => socket.destroy());
  });
  const { port, count } = await counted(server);
  return { url: new URL(`http://127.0.0.1:${port}/`), seen, count };
}

describe('connections of a run through a proxy', () => {
  it('are used again for plain http', async () => {
    const { url, seen, count } = await proxy();
    const run = pooled('http://docs.example/', { proxyFor: () => url });
    for (const path of ['/a', '/b']) expect(replyOf(await run.ask(path)).address).toBe(null);
    expect(seen).toEqual(['http://docs.example/a', 'http://docs.example/b']);
    expect(count()).toBe(1);
  });

  it('are used again through one tunnel for https', async () => {
    const { url, seen, count } = await proxy();
    const { port } = await counted(createHttps(await trust(), hello));
    const run = pooled(`https://localhost:${port}/`, { proxyFor: () => url });
    for (const path of ['/a', '/b']) expect(textOf(await run.ask(path))).toBe(`hello ${path}`);
    expect(seen).toEqual([`CONNECT localhost:${port}`]);
    expect(count()).toBe(1);
  });

  it.each([
    ['refuses the tunnel', 'HTTP/1.1 407 Proxy Authentication Required\r\n\r\n', { status: 407 }],
    ['speaks something else', '220 ready\r\n\r\n', { error: 'HPE_INVALID_CONSTANT' }],
    ['sends headers without end', `HTTP/1.1 200 OK\r\nx: ${'x'.repeat(40_000)}`, { error: 'HPE_HEADER_OVERFLOW' }],
    ['closes the connection', null, { error: 'ECONNRESET' }],
  ])('fail where it %s, and are closed', async (_name, response, evidence) => {
    const sockets: Socket[] = [];
    const port = await listen(
      createServer((socket) => {
        sockets.push(socket.on('error', () => {}));
        socket.once('data', () => void (response === null ? socket.destroy() : socket.write(response)));
      }),
    );
    const run = pooled('https://docs.example/', { proxyFor: () => new URL(`http://127.0.0.1:${port}/`) });
    expect(noReplyOf(await run.ask('/a'))).toMatchObject({ reason: 'proxy-failed', evidence });
    await expect.poll(() => sockets.map(({ destroyed }) => destroyed)).toEqual([true]);
  });

  it('time out where it does not respond, and are closed', async () => {
    const sockets: Socket[] = [];
    const port = await listen(createServer((socket) => void sockets.push(socket.on('error', () => {}).resume())));
    const proxyFor = (): URL => new URL(`http://127.0.0.1:${port}/`);
    const run = pooled('https://docs.example/', { proxyFor, timeoutMs: 300 });
    expect(noReplyOf(await run.ask('/a')).reason).toBe('connect-timeout');
    await expect.poll(() => sockets.map(({ destroyed }) => destroyed)).toEqual([true]);
  });
});
