/** HEAD, conditional requests and headers of a check's own, alone and over connections that are kept alive. */
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import type { Answer, GetRequest } from '../../../src/core/answer.ts';
import type { HttpOptions } from '../../../src/http/get.ts';
import { ask, pooled, replyOf } from '../../transport/client.ts';
import { serveWire, whole, type WireRequest, type WireServer } from '../../transport/wire-server.ts';

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

async function serve(answer: (request: WireRequest) => void): Promise<WireServer> {
  const server = await serveWire(answer);
  closing.push(() => server.close());
  return server;
}

type Way = (url: string, options: Partial<HttpOptions>, request: Partial<GetRequest>) => Promise<Answer>;

/** As the second request on a connection. */
const overPool: Way = async (url, options, request) => {
  const run = pooled(url, options);
  await run.ask('/first');
  return run.ask(url, request);
};

const WAYS: readonly (readonly [string, Way])[] = [
  ['alone', ask],
  ['over the pool', overPool],
];

const first = ({ target, socket }: WireRequest): boolean => target === '/first' && socket.write(whole('first'));

describe.each(WAYS)('HEAD %s', (_name, way) => {
  const packed = gzipSync('body').toString('latin1');
  it.each([
    ['a length', 'HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n', 200],
    [
      'a length, on a connection kept open',
      'HTTP/1.1 200 OK\r\nConnection: keep-alive\r\nContent-Length: 5\r\n\r\n',
      200,
    ],
    ['a length of nothing', 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n', 200],
    ['no length', 'HTTP/1.1 200 OK\r\nContent-Type: text/markdown\r\n\r\n', 200],
    ['chunks that do not come', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n', 200],
    ['a coding', 'HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 24\r\n\r\n', 200],
    ['a coding that nobody knows', 'HTTP/1.1 200 OK\r\nContent-Encoding: x-tidal\r\n\r\n', 200],
    ['a body, which it should not send', whole('body'), 200],
    ['a coded body, which it should not send', whole(packed, 'HTTP/1.1 200 OK\r\nContent-Encoding: gzip'), 200],
    ['more than its length', `${whole('body')} and more`, 200],
    ['an interim response first', `HTTP/1.1 103 Early Hints\r\n\r\n${whole('')}`, 200],
    ['404', 'HTTP/1.1 404 Not Found\r\nContent-Length: 153\r\n\r\n', 404],
    ['405', 'HTTP/1.1 405 Method Not Allowed\r\nContent-Length: 9\r\n\r\n', 405],
  ])('answered with %s', async (_answer, response, status) => {
    const server = await serve((request) => first(request) || request.socket.write(response, 'latin1'));
    const reply = replyOf(await way(server.url, {}, { method: 'HEAD' }));
    expect([reply.status, reply.body.length]).toEqual([status, 0]);
    expect(server.requests.at(-1)?.method).toBe('HEAD');
    expect(reply.headers.get('content-length')).toBe(/Content-Length: (\d+)/.exec(response)?.[1] ?? null);
  });

  it('is kept through redirects', async () => {
    const server = await serve((request) => {
      if (first(request)) return;
      const moved = 'HTTP/1.1 301 Moved Permanently\r\nLocation: /there\r\nContent-Length: 10';
      request.socket.write(`${request.target === '/' ? moved : 'HTTP/1.1 200 OK'}\r\n\r\n`);
    });
    const reply = replyOf(await way(server.url, {}, { method: 'HEAD' }));
    expect([reply.status, reply.redirects.length]).toEqual([200, 1]);
    expect(server.requests.filter(({ target }) => target !== '/first').map(({ method }) => method)).toEqual([
      'HEAD',
      'HEAD',
    ]);
  });
});

describe.each(WAYS)('304 %s', (_name, way) => {
  it.each([
    ['bare', 'HTTP/1.1 304 Not Modified\r\nETag: "a"\r\n\r\n'],
    [
      'with the length of what it does not send',
      'HTTP/1.1 304 Not Modified\r\nETag: "a"\r\nContent-Length: 5000\r\n\r\n',
    ],
    ['with a length of nothing', 'HTTP/1.1 304 Not Modified\r\nETag: "a"\r\nContent-Length: 0\r\n\r\n'],
    ['with a coding', 'HTTP/1.1 304 Not Modified\r\nETag: "a"\r\nContent-Encoding: br\r\n\r\n'],
    ['with a Location', 'HTTP/1.1 304 Not Modified\r\nETag: "a"\r\nLocation: /elsewhere\r\n\r\n'],
  ])('%s is an answer without a body', async (_answer, response) => {
    const server = await serve((request) => first(request) || request.socket.write(response));
    const reply = replyOf(await way(server.url, {}, { headers: { 'if-none-match': '"a"' } }));
    expect([reply.status, reply.body.length, reply.encodedBytes, reply.redirects]).toEqual([304, 0, 0, []]);
    expect(reply.headers.get('etag')).toBe('"a"');
    expect(server.requests.at(-1)?.headers['if-none-match']).toBe('"a"');
  });
});

describe.each(WAYS)('headers of a check %s', (_name, way) => {
  const sent = async (options: Partial<HttpOptions>, request: Partial<GetRequest>): Promise<WireRequest['headers']> => {
    const server = await serve((one) => first(one) || one.socket.write(whole('')));
    replyOf(await way(server.url, options, request));
    return server.requests.at(-1)?.headers ?? {};
  };

  it('are sent; accept-encoding replaces ours', async () => {
    const headers = { 'accept-encoding': 'identity', 'If-Modified-Since': 'Fri, 20 Nov 2026 09:00:00 GMT' };
    expect(await sent({}, { headers })).toMatchObject({
      'accept-encoding': 'identity',
      'if-modified-since': 'Fri, 20 Nov 2026 09:00:00 GMT',
      'user-agent': 'docvitals/test',
      accept: '*/*',
    });
  });

  it('may not say what frames the message, names the host or is secret', async () => {
    const headers = {
      Host: 'elsewhere.example',
      connection: 'close',
      'content-length': '5',
      'transfer-encoding': 'chunked',
      upgrade: 'websocket',
      expect: '100-continue',
      authorization: 'Bearer x',
      cookie: 'a=b',
      accept: 'text/plain',
    };
    const got = await sent({}, { headers });
    expect(got['host']).toMatch(/^127\.0\.0\.1:\d+$/);
    expect(got).toMatchObject({ connection: expect.not.stringContaining('x'), accept: '*/*' });
    for (const name of ['content-length', 'transfer-encoding', 'upgrade', 'expect', 'authorization', 'cookie'])
      expect(got).not.toHaveProperty(name);
  });

  it('yield to the user’s own', async () => {
    const headers = { 'X-Key': 'user', 'Accept-Language': 'ro' };
    expect(await sent({ headers }, { headers: { 'x-key': 'check', 'accept-language': 'en' } })).toMatchObject({
      'x-key': 'user',
      'accept-language': 'ro',
    });
  });

  it('without an Accept send none', async () => {
    expect(await sent({}, { accept: '' })).not.toHaveProperty('accept');
  });
});
