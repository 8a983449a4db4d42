/** Connections that the server ends, or talks on, when it should not. */
import { afterEach, describe, expect, it } from 'vitest';
import { ask, pooled, textOf } from '../../transport/client.ts';
import { serveWire, whole, type WireOptions, type WireRequest, type WireServer } from '../../transport/wire-server.ts';

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

async function serve(answer: (request: WireRequest) => void, options: WireOptions = {}): Promise<WireServer> {
  const server = await serveWire(answer, options);
  closing.push(() => server.close());
  return server;
}

const echo = ({ socket, target }: WireRequest): void => void socket.write(whole(target));

describe('a connection that is closed while it is idle', () => {
  it.each([
    ['as soon as it has answered', ({ socket, target }: WireRequest) => socket.end(whole(target))],
    [
      'in the same breath as the next request comes',
      (request: WireRequest) => (request.turn === 1 ? echo(request) : request.socket.end()),
    ],
    [
      'by a reset when the next request comes',
      (request: WireRequest) => (request.turn === 1 ? echo(request) : request.socket.resetAndDestroy()),
    ],
  ])('%s: the request is sent on a new one, and nobody notices', async (_name, answer) => {
    const server = await serve(answer);
    const run = pooled(server.url);
    for (const path of ['/a', '/b', '/c']) {
      const reply = await run.ask(path);
      expect([textOf(reply), reply.attempts]).toEqual([path, 1]);
    }
    expect(server.connections()).toBe(3);
  });

  it('is taken for a fault where the new one ends so as well', async () => {
    const server = await serve((request) => (request.target === '/a' ? echo(request) : request.socket.end()));
    const run = pooled(server.url);
    expect(textOf(await run.ask('/a'))).toBe('/a');
    expect(await run.ask('/b')).toMatchObject({ reason: 'reset', attempts: 1 });
    expect(server.requests.map(({ target }) => target)).toEqual(['/a', '/b', '/b']);
  });

  it('is taken for a fault where it is new', async () => {
    const server = await serve(({ socket }) => void socket.end());
    expect(await pooled(server.url).ask('/a')).toMatchObject({ reason: 'reset', attempts: 1 });
    expect(server.requests.length).toBe(1);
  });

  it.each([
    ['half a status line', 'HTTP/1.', 'reset'],
    ['an interim response', 'HTTP/1.1 103 Early Hints\r\n\r\n', 'reset'],
    ['half a header section', 'HTTP/1.1 200 OK\r\nContent-', 'reset'],
    ['half a body', 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf', 'truncated'],
  ])('is taken for a fault after %s', async (_name, start, reason) => {
    const server = await serve((request) => (request.turn === 1 ? echo(request) : request.socket.end(start)));
    const run = pooled(server.url);
    expect(textOf(await run.ask('/a'))).toBe('/a');
    expect(await run.ask('/b')).toMatchObject({ reason, attempts: 1 });
    expect(server.requests.map(({ target }) => target)).toEqual(['/a', '/b']);
  });
});

describe('a server that talks before it is asked', () => {
  it.each([
    ['a whole response', whole('not asked for')],
    ['half a response', 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n'],
    ['an interim response', 'HTTP/1.1 100 Continue\r\n\r\n'],
    ['nonsense', 'nonsense'],
  ])('on an idle connection, %s: what it says is no answer', async (_name, unasked) => {
    let say = (): void => {};
    const server = await serve((request) => {
      echo(request);
      say = () => void request.socket.write(unasked);
    });
    const run = pooled(server.url);
    expect(textOf(await run.ask('/a'))).toBe('/a');
    say();
    await expect.poll(() => server.open()).toBe(0);
    expect(textOf(await run.ask('/b'))).toBe('/b');
    expect(server.connections()).toBe(2);
  });

  it('with its response to the last request, after a length: a fault, and the connection is not used again', async () => {
    const server = await serve(({ socket, target }) => {
      socket.write(target === '/a' ? `${whole('a')}${whole('b')}` : whole(target));
    });
    const run = pooled(server.url);
    expect(await run.ask('/a')).toMatchObject({ reason: 'bad-framing' });
    expect(textOf(await run.ask('/c'))).toBe('/c');
    expect(server.connections()).toBe(2);
  });

  it.each([
    ['a greeting', 'SSH-2.0-OpenSSH_9.9\r\n'],
    ['a response', whole('hasty')],
  ])('on a new connection, %s: reported as over a connection of its own', async (_name, greeting) => {
    const server = await serve(() => {}, { greet: (socket) => void socket.write(greeting) });
    const options = { timeoutMs: 1_000 };
    const alone = await ask(server.url, options);
    const answer = await pooled(server.url, options).ask('/');
    const essence = ({ kind, ...rest }: typeof alone): unknown => [kind, 'reason' in rest ? rest.reason : rest.status];
    expect(essence(answer)).toEqual(essence(alone));
  });
});
