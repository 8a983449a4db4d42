import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { HostKind } from '../../src/site/host-product.ts';
import { deploymentOf } from './deploy.ts';
import { plainRules } from './host-rules.ts';
import { respond } from './serve.ts';

function deployed(kind: HostKind) {
  const options = {
    seed: 3,
    pages: 6,
    depth: 1,
    languages: ['en'],
    base: '/docs/',
    origin: 'http://127.0.0.1',
  } as const;
  const deployment = deploymentOf(kind, options);
  deployment.files.set('guide/index.md', '# Guide\n');
  deployment.files.set('guide/two words.md', '# Two words\n');
  return deployment;
}

const ask = (rawPath: string, headers: Record<string, string> = {}, method = 'GET') => ({
  method,
  rawPath,
  path: decodeURIComponent(rawPath),
  query: '',
  headers,
});

const AGENT = { accept: 'text/markdown' };
const BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
const RELUCTANT = { accept: 'text/html, text/markdown;q=0.5' };

/** By kind: the media type, the redirect's target, or the status. */
const REQUESTS: readonly (readonly [path: string, headers: Record<string, string>, string, string, string])[] = [
  ['/docs/index.html', {}, 'text/html', 'text/html', 'text/html'],
  ['/docs/', BROWSER, 'text/html', 'text/html', 'text/html'],
  ['/docs/', AGENT, 'text/html', 'text/html', 'text/markdown'],
  ['/docs', {}, '/docs/', '/docs/', '404'],
  ['/docs/guide/', BROWSER, '403', '404', '404'],
  ['/docs/guide/', AGENT, '403', 'text/markdown', 'text/markdown'],
  ['/docs/guide/', RELUCTANT, '403', '404', '404'],
  ['/docs/guide', AGENT, '403', '/docs/guide/', 'text/markdown'],
  ['/docs/guide/two%20words.md', AGENT, 'text/markdown', 'text/markdown', 'text/markdown'],
  ['/docs/guide/two%20words.md', BROWSER, 'text/markdown', 'text/markdown', 'text/markdown'],
  ['/docs/Guide/two%20words.md', {}, 'text/html', '404', '404'],
  ['/docs/none.png', {}, '404', '404', '404'],
  ['/docs/none.js', {}, 'text/html', '404', '404'],
  ['/docs/llms.txt', AGENT, 'text/plain', 'text/plain', 'text/plain'],
  ['/robots.txt', {}, 'text/plain', 'text/plain', 'text/plain'],
  ['/none.txt', {}, '404', '404', '404'],
  ['/docs/assets/Photo.JPG', {}, 'image/jpeg', 'image/jpeg', 'image/jpeg'],
];

describe('respond', () => {
  const rows = REQUESTS.flatMap(([path, headers, server, platform, worker]) =>
    Object.entries({ server, platform, worker }).map(([kind, is]) => ({
      path,
      headers,
      accept: headers['accept'],
      kind,
      is,
    })),
  );

  it.each(rows)('$path with $accept on a $kind: $is', ({ path, headers, kind, is }) => {
    const { status, headers: got } = respond(ask(path, headers), deployed(kind as HostKind));
    const type = String(got['content-type']).split(';')[0];
    const location = typeof got['location'] === 'string' ? got['location'] : String(status);
    expect(status === 200 ? type : location).toBe(is);
  });

  it('compresses for those who take it', () => {
    const deployment = deployed('server');
    const plain = respond(ask('/docs/index.html'), deployment);
    const coded = respond(ask('/docs/index.html', { 'accept-encoding': 'gzip, br' }), deployment);
    expect(plain.headers).not.toHaveProperty('content-encoding');
    expect(coded.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'Accept-Encoding' });
    expect(gunzipSync(coded.body)).toEqual(Buffer.from(plain.body));
  });

  it('answers 304 to those who have it', () => {
    const deployment = deployed('worker');
    const { headers } = respond(ask('/docs/guide/', AGENT), deployment);
    expect(headers).toMatchObject({ vary: 'Accept, Accept-Encoding' });
    const again = ask('/docs/guide/', { ...AGENT, 'if-none-match': String(headers['etag']) });
    expect(respond(again, deployment)).toMatchObject({ status: 304, body: Buffer.alloc(0) });
    expect(respond({ ...again, headers: { ...again.headers, ...BROWSER } }, deployment).status).toBe(404);
  });

  it('follows SPEC to the letter where it is to', () => {
    const worker = { ...deployed('worker'), rules: plainRules('worker') };
    expect(respond(ask('/docs/llms.txt', AGENT), worker).status).toBe(404);
    expect(respond(ask('/docs/guide/', RELUCTANT), worker).status).toBe(200);
    const server = { ...deployed('server'), rules: plainRules('server') };
    expect(respond(ask('/docs/config.json'), server).headers['cache-control']).toEqual([
      'max-age=2592000',
      'public, no-transform',
    ]);
  });
});
