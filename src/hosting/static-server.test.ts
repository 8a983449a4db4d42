/** The parts of HTTP that the static server of `docvitals serve` has for itself. */
import { rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { prefersMarkdown, startStaticServer } from './static-server.ts';
import { ask, type RawResponse } from '../../test/hosting/ask.ts';
import { SITE, writeSite } from '../../test/hosting/site.ts';

let folders: ReturnType<typeof writeSite>;
let server: Awaited<ReturnType<typeof startStaticServer>>;
beforeAll(async () => {
  folders = writeSite('/site/');
  writeFileSync(join(folders.root, 'secret.txt'), 'secret');
  symlinkSync('index.md', join(folders.site, 'link.md'));
  symlinkSync('nowhere', join(folders.site, 'broken.md'));
  server = await startStaticServer(folders.site, { kind: 'worker', base: '/', improved: true }, 0);
});
afterAll(async () => {
  await server.close();
  rmSync(folders.root, { recursive: true });
});

const get = (target: string, headers: Readonly<Record<string, string>> = {}, method = 'GET'): Promise<RawResponse> =>
  ask(Number(new URL(server.url).port), { target, headers, method });

describe('the static server', () => {
  it.each([
    '/../secret.txt',
    '/%2e%2e/secret.txt',
    '/..%2fsecret.txt',
    '/..%5csecret.txt',
    '/..\\secret.txt',
    '/guide/../../secret.txt',
    '/guide/..%2f..%2fsecret.txt',
    '/%252e%252e/secret.txt',
    '//etc/passwd',
    'http://docs.example/../../../../../etc/passwd',
    '/index.md%00.html',
    '/index.md%00',
    '/.git/config',
    '/broken.md',
    `/${'x'.repeat(5000)}`,
  ])('has no file at %s', async (target) => {
    expect((await get(target)).status).toBe(404);
  });

  it('reads the target of a proxy request, and follows symbolic links', async () => {
    expect(Buffer.from((await get('http://docs.example/link.md?x')).body).toString()).toBe(SITE['index.md']);
  });

  it.each([
    ['/index%zz.md', 400],
    ['*', 400],
  ])('refuses %s', async (target, status) => {
    expect((await get(target)).status).toBe(status);
  });

  it('sends no body for HEAD', async () => {
    const { status, headers, body } = await get('/index.md', {}, 'HEAD');
    expect([status, headers['content-length'], body.length]).toEqual([200, String(SITE['index.md']?.length), 0]);
  });

  it.each(['POST', 'PUT', 'DELETE', 'OPTIONS'])('refuses %s', async (method) => {
    expect((await get('/index.md', {}, method)).status).toBe(405);
  });

  it('responds 304 to its own tag only', async () => {
    const { headers } = await get('/app.js', { 'accept-encoding': 'gzip' });
    const tag = headers['etag'] ?? '';
    expect((await get('/app.js', { 'if-none-match': tag })).status).toBe(304);
    expect((await get('/app.js', { 'if-none-match': '"other"' })).status).toBe(200);
  });

  it.each([
    ['/app.js', 'gzip, deflate, br', 'gzip'],
    ['/guide/index.md', 'br, GZIP;q=0.5', 'gzip'],
    ['/img/dot.png', 'gzip', undefined],
    ['/app.js', 'gzip;q=0', undefined],
    ['/app.js', 'x-gzipped', undefined],
    ['/app.js', '*', undefined],
  ])('encodes %s for %s', async (target, accepted, encoding) => {
    const { headers, body } = await get(target, { 'accept-encoding': accepted });
    expect(headers['content-encoding']).toBe(encoding);
    expect(Buffer.from(body).toString()).toBe(SITE[target.slice(1)]);
  });
});

const ROWS: readonly { accept: string; markdown: boolean }[] = [
  { accept: 'text/markdown', markdown: true },
  { accept: 'TEXT/Markdown', markdown: true },
  { accept: 'text/markdown;charset=utf-8;q=0.9', markdown: true },
  { accept: 'text/markdown, text/html', markdown: true },
  { accept: 'text/html;q=0.8, text/markdown;q=0.9', markdown: true },
  { accept: 'text/markdown, */*;q=0.1', markdown: true },
  { accept: 'text/markdown;q=0.5, text/html;q=0, */*', markdown: true },
  { accept: 'text/markdown;q=0', markdown: false },
  { accept: 'text/markdown;q=0.000', markdown: false },
  { accept: 'text/markdown;q=0.8, text/html;q=0.9', markdown: false },
  { accept: 'text/markdown;q=0.5, */*', markdown: false },
  { accept: 'text/markdown;q=0.5, text/*', markdown: false },
  { accept: 'text/markdown;q=none', markdown: false },
  { accept: 'text/markdownx', markdown: false },
  { accept: 'text/*', markdown: false },
  { accept: '*/*', markdown: false },
  { accept: '', markdown: false },
  { accept: ',,;', markdown: false },
];

describe('prefersMarkdown', () => {
  it.each(ROWS)('$accept: $markdown', ({ accept, markdown }) => {
    expect(prefersMarkdown(accept)).toBe(markdown);
  });
});
