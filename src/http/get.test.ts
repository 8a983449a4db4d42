import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
  type RequestListener,
  type Server,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { ask, noReplyOf, replyOf } from '../../test/transport/client.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
});

async function serve(listener: RequestListener, host = '127.0.0.1'): Promise<string> {
  const server = createServer(listener).listen(0, host);
  servers.push(server);
  await once(server, 'listening');
  return `http://${host}:${(server.address() as AddressInfo).port}/`;
}

describe('redirects', () => {
  it('are followed and reported', async () => {
    const url = await serve((request, response) => {
      if (request.url === '/a') response.writeHead(301, { location: '/b?c=d#e' }).end();
      else response.end(request.url);
    });
    const answer = replyOf(await ask(`${url}a`));
    expect(answer.redirects).toEqual([{ url: `${url}a`, status: 301, location: '/b?c=d#e' }]);
    expect(answer.url).toBe(`${url}b?c=d`);
    expect(Buffer.from(answer.body).toString()).toBe('/b?c=d');
  });

  it('take the user’s headers and credentials along on the site’s origin only', async () => {
    const seen: IncomingHttpHeaders[] = [];
    const record: RequestListener = (request, response) => {
      seen.push(request.headers);
      response.end('ok');
    };
    const elsewhere = await serve(record);
    const site = await serve((request, response) => {
      seen.push(request.headers);
      const location = request.url === '/' ? '/own' : elsewhere;
      response.writeHead(302, { location }).end();
    });
    const withUser = new URL(site);
    withUser.username = 'ada';
    withUser.password = 'se cret';
    replyOf(await ask(withUser.href, { headers: { 'X-Key': 'k' } }));
    expect(seen.map((headers) => [headers['authorization'], headers['x-key']])).toEqual([
      ['Basic YWRhOnNlIGNyZXQ=', 'k'],
      ['Basic YWRhOnNlIGNyZXQ=', 'k'],
      [undefined, undefined],
    ]);
  });

  it.each([
    ['link-local', 'http://169.254.169.254/latest/meta-data/', 'blocked-address'],
    ['private', 'http://10.0.0.1/', 'blocked-address'],
    ['unspecified', 'http://0.0.0.0:1/', 'blocked-address'],
    ['IPv4-mapped', 'http://[::ffff:169.254.169.254]/', 'blocked-address'],
    ['decimal', 'http://2852039166/', 'blocked-address'],
    ['as near as the site', 'http://127.0.0.2:1/', 'refused'],
  ])('to an address that is %s', async (_name, location, reason) => {
    const url = await serve((_request, response) => response.writeHead(302, { location }).end());
    expect(noReplyOf(await ask(url)).reason).toBe(reason);
  });

  it.each([
    ['no Location', {}],
    ['two Locations', { location: ['/a', '/b'] }],
    ['another scheme', { location: 'ftp://127.0.0.1/' }],
    ['a script', { location: 'javascript:alert(1)' }],
    ['no URL', { location: 'http://[' }],
  ] as [string, OutgoingHttpHeaders][])('with %s are bad', async (_name, headers) => {
    const url = await serve((_request, response) => response.writeHead(302, headers).end());
    expect(noReplyOf(await ask(url)).reason).toBe('bad-redirect');
  });

  it('bring a cookie back, and with it the file at its own address', async () => {
    const url = await serve((request, response) => {
      if (request.headers.cookie === 'mine=1; seen=a=b') return response.end('the file');
      return response.writeHead(302, { 'set-cookie': ['seen=a=b; Path=/; HttpOnly'], location: request.url }).end();
    });
    const answer = replyOf(await ask(`${url}index.md`, { headers: { Cookie: 'mine=1' } }));
    expect(Buffer.from(answer.body).toString()).toBe('the file');
    expect(answer.redirects).toEqual([]);
  });

  it('lead by a page that sets the cookie', async () => {
    const url = await serve((request, response) => {
      const { url: path, headers } = request;
      if (path === '/set') response.writeHead(302, { 'set-cookie': 'seen=1; Path=/', location: '/a' }).end();
      else if (headers.cookie === 'seen=1') response.end('the file');
      else response.writeHead(302, { location: '/set' }).end();
    });
    expect(replyOf(await ask(`${url}a`)).redirects).toEqual([]);
  });

  it('are a loop where the cookie changes nothing', async () => {
    const url = await serve((request, response) => {
      response.writeHead(302, { 'set-cookie': 'seen=1; Path=/', location: request.url }).end();
    });
    expect(noReplyOf(await ask(url)).reason).toBe('redirect-loop');
  });

  it('take a cookie to no other host', async () => {
    const cookies: unknown[] = [];
    const record: RequestListener = (request, response) => {
      cookies.push(request.headers.cookie);
      response.end('ok');
    };
    const elsewhere = await serve(record);
    const site = await serve((_request, response) => {
      response.writeHead(302, { 'set-cookie': 'seen=1; Path=/', location: elsewhere }).end();
    });
    replyOf(await ask(site));
    expect(cookies).toEqual([undefined]);
  });

  it('end after ten', async () => {
    const url = await serve((request, response) => response.writeHead(302, { location: `${request.url}x` }).end());
    expect(noReplyOf(await ask(url))).toMatchObject({ reason: 'redirect-loop', evidence: { hops: 11 } });
  });
});

describe('requests', () => {
  it('say who asks and what is understood', async () => {
    let headers: IncomingHttpHeaders = {};
    const url = await serve((request, response) => {
      headers = request.headers;
      response.end('ok');
    });
    await ask(url, { headers: { 'User-Agent': 'mine', Host: 'docs.test' } });
    expect(headers).toMatchObject({
      'user-agent': 'mine',
      host: 'docs.test',
      accept: '*/*',
      'accept-encoding': 'gzip, br',
    });
  });

  it('go where --resolve says', async () => {
    const url = new URL(await serve((request, response) => response.end(request.headers.host)));
    const rules = [{ host: 'docs.test', port: Number(url.port), addresses: ['127.0.0.1'] }];
    const answer = replyOf(await ask(`http://docs.test:${url.port}/`, { rules }));
    expect([Buffer.from(answer.body).toString(), answer.address]).toEqual([`docs.test:${url.port}`, '127.0.0.1']);
  });
});
