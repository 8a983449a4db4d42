/** The server as a client sees it: methods, headers, packing, what is refused, closing. */
import { connect } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import type { LogFields } from '../log/write.ts';
import { startServer } from './server.ts';
import { ask, closeAll, serve } from '../../../test/server/client.ts';
import { incidentOf, memory, settingsOf, viewOf } from '../../../test/server/view.ts';

afterEach(closeAll);

const page =
  (body: string, headers: Readonly<Record<string, string>> = {}) =>
  () =>
    Promise.resolve({
      status: 200 as const,
      headers: { 'content-type': 'text/html; charset=utf-8', ...headers },
      body,
    });

describe('methods', () => {
  it.each(['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE'])('%s is refused', async (method) => {
    const { status, headers } = await ask(await serve(), '/api/v1/sites', { method });
    expect([status, headers['allow'], headers['connection']]).toEqual([405, 'GET, HEAD', 'close']);
  });

  it('HEAD has the headers of GET and no body', async () => {
    const base = await serve({ page: page('x'.repeat(100)) });
    const [got, head] = [await ask(base, '/'), await ask(base, '/', { method: 'HEAD' })];
    expect([head.status, head.body.length, head.headers['content-length']]).toEqual([200, 0, '100']);
    expect({ ...head.headers, date: '' }).toEqual({ ...got.headers, date: '' });
  });
});

describe('health', () => {
  it('lives', async () => {
    expect(await ask(await serve(), '/healthz')).toMatchObject({ status: 200, text: '{"status":"alive"}\n' });
  });

  const failure = Object.assign(new Error('unreadable'), { name: 'StoreError' });
  it.each([
    ['all is well', {}, 200, { status: 'ready', problems: [] }],
    ['a site was not looked at yet', { ready: (): boolean => false }, 503, { status: 'starting', problems: [] }],
    ['the disk is full', { troubles: () => ['disk-full'] }, 503, { status: 'problem', problems: ['disk-full'] }],
    [
      'what was found cannot be kept',
      { ready: (): boolean => false, troubles: () => ['disk-full'] },
      503,
      { status: 'problem', problems: ['disk-full'] },
    ],
    [
      'the database cannot be read',
      { remembered: memory({ failure }) },
      503,
      { status: 'problem', problems: ['store-unreadable'] },
    ],
  ])('when %s', async (_, rest, status, told) => {
    const got = await ask(await serve({ view: viewOf(rest) }), '/readyz');
    expect([got.status, JSON.parse(got.text)]).toEqual([status, told]);
    expect(got.headers['cache-control']).toBe('no-store');
  });
});

describe('an answer', () => {
  it('cannot run, be framed or be guessed at', async () => {
    const { headers } = await ask(await serve(), '/api/v1/sites');
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-resource-policy': 'same-origin',
    });
    expect(headers['x-powered-by']).toBeUndefined();
  });

  it('has the policy of the page where it has one', async () => {
    const base = await serve({ page: page('x', { 'content-security-policy': "default-src 'self'" }) });
    expect((await ask(base, '/')).headers['content-security-policy']).toBe("default-src 'self'");
  });

  const long = 'word '.repeat(1_000);
  it.each([
    ['gzip', 'gzip', true],
    ['among others', 'br, gzip;q=0.5', true],
    ['anything', '*', true],
    ['nothing said', undefined, false],
    ['refused', 'gzip;q=0', false],
    ['anything but', '*, gzip;q=0', false],
    ['something else', 'br', false],
  ])('is packed for who accepts it: %s', async (_, accept, packed) => {
    const base = await serve({ page: page(long) });
    const got = await ask(base, '/', accept === undefined ? {} : { headers: { 'accept-encoding': accept } });
    expect(got.headers['content-encoding']).toBe(packed ? 'gzip' : undefined);
    expect(String(packed ? gunzipSync(got.body) : got.body)).toBe(long);
    expect(got.headers['vary']).toBe('Accept-Encoding');
    expect(got.headers['content-length']).toBe(String(got.body.length));
  });

  it('is not sent again where nothing has changed', async () => {
    const remembered = memory();
    const base = await serve({ view: viewOf({ remembered }) });
    const { etag = '' } = (await ask(base, '/api/v1/incidents')).headers;
    const again = await ask(base, '/api/v1/incidents', { headers: { 'if-none-match': `"x", ${etag}` } });
    expect([again.status, again.body.length, again.headers['etag']]).toEqual([304, 0, etag]);
    remembered.incidents.push(incidentOf());
    expect((await ask(base, '/api/v1/incidents', { headers: { 'if-none-match': etag } })).status).toBe(200);
  });

  it.each(['/metrics', '/healthz', '/nothing'])('about this moment is never kept: %s', async (path) => {
    const { headers } = await ask(await serve(), path);
    expect([headers['cache-control'], headers['etag']]).toEqual(['no-store', undefined]);
  });
});

describe('a problem', () => {
  it('is reported in the language that is asked for', async () => {
    const base = await serve({
      view: viewOf({ settings: () => settingsOf({ page: { title: null, url: null, language: 'ro' } }) }),
    });
    const told = [
      await ask(base, '/nothing', { headers: { accept: 'application/json' } }),
      await ask(base, '/nothing', { headers: { accept: 'application/problem+json', 'accept-language': 'fr' } }),
      await ask(base, '/api/nothing?lang=en'),
    ];
    expect(told.map(({ headers }) => headers['content-language'])).toEqual(['ro', 'fr', 'en']);
    expect(told.map(({ headers }) => headers['content-type'])).toEqual(
      Array.from({ length: 3 }, () => 'application/problem+json; charset=utf-8'),
    );
    expect(new Set(told.map(({ text }) => (JSON.parse(text) as { code: string }).code))).toEqual(
      new Set(['not-found']),
    );
  });

  it.each([
    ['a path that is none', '*', 400],
    ['a path that is too long', `/${'x'.repeat(3_000)}`, 414],
    ['somewhere above', '/../../etc/passwd', 404],
    ['an id that cannot be decoded', '/api/v1/incidents/%E0%A4%A', 400],
    ['a version that there is none of', '/api/v2/incidents', 404],
    ['below a list', '/api/v1/incidents/x/y', 404],
    ['a property of all objects', '/api/v1/constructor', 404],
  ])('%s', async (_, path, status) => {
    expect((await ask(await serve(), path)).status).toBe(status);
  });

  it('of one request is logged without what it was about, and ends nothing', async () => {
    const lines: (readonly [string, LogFields | undefined])[] = [];
    const base = await serve({
      page: () => Promise.reject(new TypeError('a defect')),
      log: (_level, event, fields) => lines.push([event, fields]),
    });
    expect((await ask(base, '/secret-path?token=secret')).status).toBe(500);
    expect((await ask(base, '/healthz')).status).toBe(200);
    expect(lines.map(([event]) => event)).toEqual(['request-failed']);
    expect(JSON.stringify(lines)).not.toContain('secret');
  });

  it('of the store is reported as such', async () => {
    const failure = Object.assign(new Error('locked'), { name: 'StoreError' });
    const base = await serve({ view: viewOf({ remembered: memory({ failure }) }) });
    const { status, text } = await ask(base, '/api/v1/incidents');
    expect([status, (JSON.parse(text) as { code: string }).code]).toEqual([503, 'store-failed']);
    // Metrics are reported even then.
    expect((await ask(base, '/metrics')).text).toContain('docvitals_store_up 0');
  });
});

describe('whom it answers', () => {
  it.each([
    ['localhost', 'localhost:9464', 200],
    ['a name that was made to lead here', 'rebind.example', 421],
    ['the page behind a proxy', 'status.example', 200],
  ])('%s', async (_, host, status) => {
    const published = { title: null, url: 'https://status.example/', language: 'en' } as const;
    const base = await serve({ view: viewOf({ settings: () => settingsOf({ page: published }) }) });
    expect((await ask(base, '/healthz', { headers: { host } })).status).toBe(status);
  });

  it('IPv6', async () => {
    const base = await serve({ listen: { host: '::1', port: 0 } });
    expect(base).toMatch(/^http:\/\/\[::1\]:\d+\/$/);
    expect((await ask(base, '/healthz')).status).toBe(200);
  });

  it('everybody, on all addresses', async () => {
    const base = await serve({ listen: { host: '0.0.0.0', port: 0 } });
    expect(base).toMatch(/^http:\/\/localhost:\d+\/$/);
    const got = await ask(base.replace('localhost', '127.0.0.1'), '/healthz', { headers: { host: 'any.example' } });
    expect(got.status).toBe(200);
  });

  it('nobody, where the port is taken', async () => {
    const { port } = new URL(await serve());
    await expect(serve({ listen: { host: '127.0.0.1', port: Number(port) } })).rejects.toMatchObject({
      code: 'EADDRINUSE',
    });
  });
});

/** What comes back for bytes, until the connection ends or, where it stays open, the answer is there. */
function raw(base: string, bytes: string): Promise<string> {
  const { port } = new URL(base);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), '127.0.0.1', () => socket.write(bytes));
    let got = '';
    socket.setEncoding('latin1').on('data', (text: string) => (got += text));
    socket.on('end', () => resolve(got)).on('error', reject);
  });
}

describe('requests that are none', () => {
  it.each([
    ['nonsense', 'nonsense\r\n\r\n', '400'],
    ['no host', 'GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n', '400'],
    ['a header without end', `GET / HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(40_000)}\r\n\r\n`, '431'],
    [
      'both lengths',
      'GET /healthz HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      '400',
    ],
    ['a tunnel', 'CONNECT localhost:22 HTTP/1.1\r\nHost: localhost:22\r\n\r\n', ''],
  ])('%s', async (_, bytes, status) => {
    const base = await serve();
    const got = await raw(base, bytes);
    expect(got.slice(9, 12)).toBe(status);
    expect((await ask(base, '/healthz')).status).toBe(200);
  });

  it('an absolute URL is a path', async () => {
    const base = await serve();
    const got = await raw(
      base,
      'GET http://localhost/healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
    );
    expect(got.slice(9, 12)).toBe('200');
  });

  it('a body is not waited for', async () => {
    const got = await raw(
      await serve(),
      'GET /healthz HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\nx',
    );
    expect(got).toContain('200 OK');
    expect(got.toLowerCase()).toContain('connection: close');
  });

  it('whoever goes away ends nothing', async () => {
    let isGone: () => void = () => {};
    const gone = new Promise<void>((resolve) => (isGone = resolve));
    const base = await serve({ page: async () => gone.then(() => null) });
    const { port } = new URL(base);
    await new Promise<void>((resolve) => {
      const socket = connect(Number(port), '127.0.0.1', () => {
        socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n', () => {
          socket.destroy();
          resolve();
        });
      });
    });
    isGone();
    expect((await ask(base, '/healthz')).status).toBe(200);
  });
});

describe('closing', () => {
  it('ends requests that go on, and connections that are kept', async () => {
    let asked: () => void = () => {};
    const isAsked = new Promise<void>((resolve) => (asked = resolve));
    const server = await startServer({
      view: viewOf(),
      listen: { host: '127.0.0.1', port: 0 },
      log: () => {},
      env: {},
      page: () => {
        asked();
        return new Promise(() => {});
      },
    });
    const idle = connect(Number(new URL(server.url).port), '127.0.0.1');
    const pending = ask(server.url, '/').catch((error: NodeJS.ErrnoException) => error.code);
    await isAsked;
    await Promise.all([server.close(), server.close()]);
    expect(await pending).toBe('ECONNRESET');
    await expect(ask(server.url, '/healthz')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    idle.destroy();
  });
});
