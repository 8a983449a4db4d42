import { describe, expect, it } from 'vitest';
import { noReply, reply, SHELL } from '../../test/answers.ts';
import { fake, html, ORIGIN, SITE, siteIn } from '../../test/runs.ts';
import type { Answer, Evidence, Get } from '../core/answer.ts';
import type { HostKind } from './host-product.ts';
import type { Hosting } from './hosting.ts';
import { DEFAULT_REQUEST } from '../core/run.ts';
import { findHosting } from './hosting.ts';
import { sharedSite } from './site.ts';

type Headers = Readonly<Record<string, string>>;

function find(get: Get, base = `${ORIGIN}/`, host: HostKind | null = null): Promise<Hosting> {
  const requested = { ...DEFAULT_REQUEST, host };
  return findHosting(sharedSite({ base: new URL(base), get, pooled: get, requested, limits: { parseMs: 5000 } }));
}

const bundle = (headers: Headers = {}): Answer => reply(SHELL, { contentType: 'text/html', headers });
const moved = (status: number, location: string): Answer => reply('', { status, headers: { location } });

describe('findHosting: what names the kind', () => {
  it("takes the user's word and asks nothing", async () => {
    const { get, asked } = fake(SITE);
    expect(await find(get, 'https://x.vercel.app/', 'worker')).toEqual({ kind: 'worker', by: 'option', evidence: {} });
    expect(asked).toEqual([]);
  });

  it.each([
    { url: 'https://harbour.vercel.app/', is: 'platform' },
    { url: 'https://harbour-git-main.Vercel.app./docs/', is: 'platform' },
    { url: 'https://harbour.netlify.app/', is: 'platform' },
    { url: 'https://harbour.pages.dev/', is: 'platform' },
    { url: 'https://docs.harbour.workers.dev/', is: 'worker' },
    { url: 'https://harbour.deno.dev/', is: 'worker' },
    { url: 'https://harbour.github.io/docs/', is: 'server' },
  ])('the address $url: $is', async ({ url, is }) => {
    const { get, asked } = fake(SITE);
    expect(await find(get, url)).toMatchObject({ kind: is, by: 'address', evidence: { host: new URL(url).hostname } });
    expect(asked).toEqual([]);
  });

  it.each<{ name: string; headers: Headers; is: HostKind }>([
    { name: 'nginx', headers: { server: 'nginx/1.26.3' }, is: 'server' },
    { name: 'nginx without a version', headers: { server: 'nginx' }, is: 'server' },
    { name: 'Apache', headers: { server: 'Apache/2.4.62 (Debian)' }, is: 'server' },
    { name: 'Caddy', headers: { server: 'Caddy' }, is: 'server' },
    { name: 'a preview with Python', headers: { server: 'SimpleHTTP/0.6 Python/3.13.1' }, is: 'server' },
    { name: 'object storage behind a CDN', headers: { server: 'AmazonS3', via: '1.1 x.cloudfront.net' }, is: 'server' },
    { name: 'Vercel on a domain of its own', headers: { server: 'Vercel', 'x-vercel-id': 'fra1::x' }, is: 'platform' },
    { name: 'Vercel behind a CDN', headers: { server: 'cloudflare', 'x-vercel-id': 'fra1::x' }, is: 'platform' },
    { name: 'Netlify behind a CDN', headers: { server: 'cloudflare', 'x-nf-request-id': '01' }, is: 'platform' },
    { name: 'Deno', headers: { server: 'deno/gcp-europe' }, is: 'worker' },
  ])('headers of $name: $is', async ({ headers, is }) => {
    const { get, asked } = fake({ ...SITE, '/index.html': bundle(headers) });
    expect(await find(get)).toMatchObject({ kind: is, by: 'header' });
    expect(asked).toEqual(['/index.html']);
  });

  it.each<{ headers: Headers; evidence: Evidence }>([
    { headers: { server: 'nginx/1.26.3' }, evidence: { server: 'nginx/1.26.3' } },
    { headers: { server: 'cloudflare', 'x-vercel-id': 'fra1::x' }, evidence: { header: 'x-vercel-id' } },
  ])('reports the header that names it: $evidence', async ({ headers, evidence }) => {
    const { get } = fake({ ...SITE, '/index.html': bundle(headers) });
    expect((await find(get)).evidence).toEqual(evidence);
  });
});

/** A site with a folder whose page is `# Guide`, answered as told for an agent, with its slash and without. */
function folder(slash: Answer, noSlash: Answer, more: Record<string, Answer> = {}, headers: Headers = {}): Get {
  const { get } = fake({
    ...SITE,
    '/index.html': bundle(headers),
    '/navigation.md': '- [Guide](guide/index.md)\n- [Far](https://other.example/x/)\n- [Page](guide/page.md)\n',
    '/guide/index.md': '# Guide\n',
    '/guide/': slash,
    '/guide': noSlash,
    ...more,
  });
  return get;
}

const page = reply('# Guide\n');
const missing = reply('', { status: 404 });

describe('findHosting: behaviour', () => {
  it.each<{ name: string; get: Get; is: HostKind | null }>([
    { name: 'Markdown with and without the slash', get: folder(page, page), is: 'worker' },
    {
      name: 'the same behind a CDN',
      get: folder(page, page, {}, { server: 'cloudflare', 'cf-ray': 'x' }),
      is: 'worker',
    },
    { name: 'a redirect that keeps the method', get: folder(page, moved(308, '/guide/')), is: 'platform' },
    {
      name: 'a redirect to an origin behind a proxy',
      get: folder(page, moved(308, 'http://10.0.0.1:8080/guide/')),
      is: 'platform',
    },
    { name: 'a redirect as file servers send it', get: folder(page, moved(301, '/guide/')), is: 'server' },
    {
      name: 'a directory that is not listed',
      get: folder(reply('', { status: 403 }), moved(301, '/guide/')),
      is: 'server',
    },
    { name: 'Markdown with the slash alone', get: folder(page, missing), is: null },
    { name: 'another redirect', get: folder(page, moved(302, '/login')), is: null },
    { name: 'nothing', get: folder(missing, missing), is: null },
    {
      name: 'the fallback for everything',
      get: folder(html(SHELL), html(SHELL), { '/guide/index.md': html(SHELL) }),
      is: null,
    },
    { name: 'a CDN', get: folder(missing, missing, {}, { server: 'cloudflare', 'cf-ray': 'x' }), is: null },
    { name: 'a server nobody knows', get: folder(missing, missing, {}, { server: 'harbourd/1' }), is: null },
  ])('$name: $is', async ({ get, is }) => {
    expect(await find(get)).toMatchObject({ kind: is, by: is === null ? null : 'behaviour' });
  });

  it.each<{ name: string; get: Get }>([
    { name: 'a redirect of a directory whose page is missing', get: folder(missing, moved(301, '/guide/')) },
    { name: 'no response for the directory', get: folder(noReply('reset'), moved(301, '/guide/')) },
    { name: 'a directory that is refused, without a redirect', get: folder(reply('', { status: 403 }), missing) },
    { name: 'a redirect without a target', get: folder(page, reply('', { status: 308 })) },
    { name: 'a redirect to an invalid address', get: folder(page, moved(308, 'http://[')) },
    { name: 'an empty page', get: folder(reply(''), reply(''), { '/guide/index.md': reply('') }) },
    { name: 'another page', get: folder(reply('# Other\n'), reply('# Other\n')) },
    { name: 'a page with an error status', get: folder(reply('# Guide\n', { status: 500 }), page) },
    { name: 'no response without the slash', get: folder(page, noReply('reset')) },
  ])('$name: not known', async ({ get }) => {
    expect(await find(get)).toMatchObject({ kind: null, by: null });
  });

  it('reports the media type of a response, or why none came', async () => {
    expect(await find(folder(page, noReply('reset')))).toMatchObject({
      evidence: { slash: '200 text/markdown', noSlash: 'reset' },
    });
    expect(await find(folder(reply('x', { contentType: null }), missing))).toMatchObject({
      evidence: { slash: '200', noSlash: '404' },
    });
  });

  it('asks for the folders below the base whose page the navigation names, the deepest first, and no others', async () => {
    const links = ['a', 'a', 'b/c', '../out', 'https://other.example/docs/x'].map((path) => `${path}/index.md`);
    const menu = [...links, 'index.md', 'd/page.md'].map((link) => `- [x](${link})\n`).join('');
    const { get, asked } = fake({ ...siteIn('/docs/'), '/docs/navigation.md': menu });
    await find(get, `${ORIGIN}/docs/`);
    const isRandom = (path: string): boolean => path.startsWith('/docs/docvitals-');
    expect(asked.filter((path) => !(path in siteIn('/docs/')) && !isRandom(path))).toEqual([
      '/docs/b/c/index.md',
      '/docs/b/c/',
      '/docs/b/c',
      '/docs/a/index.md',
      '/docs/a/',
      '/docs/a',
    ]);
  });

  it('asks for no folder where the navigation is HTML', async () => {
    const { get, asked } = fake({ ...SITE, '/navigation.md': html(`${SHELL}\n\n- [Guide](guide/index.md)\n`) });
    await find(get);
    expect(asked.filter((path) => path.startsWith('/guide'))).toEqual([]);
  });

  it('follows no redirect of a folder, and none of a random name', async () => {
    const get = folder(missing, missing);
    const followed: string[] = [];
    await find((request) => {
      if (request.follow !== false) followed.push(request.url.pathname);
      return get(request);
    });
    expect(followed.filter((path) => !(path in SITE))).toEqual([]);
  });

  it.each([
    { name: 'another status', status: 302, target: (path: string) => `${path}/` },
    { name: 'another page', status: 308, target: () => '/login' },
    { name: 'the same name', status: 308, target: (path: string) => path },
  ])('does not know a platform by a redirect of any name to $name', async ({ status, target }) => {
    const { get } = fake(SITE);
    const redirects: Get = async (request) => {
      const { pathname, href } = request.url;
      return pathname.startsWith('/docvitals-') ? { ...moved(status, target(pathname)), url: href } : get(request);
    };
    expect(await find(redirects)).toMatchObject({ kind: null, by: null });
  });

  it('knows a platform by the slash that it adds to any name', async () => {
    const { get } = fake(SITE);
    const adds: Get = async (request) => {
      const { pathname } = request.url;
      const random = pathname.startsWith('/docvitals-');
      return random ? { ...moved(308, `${pathname}/`), url: request.url.href } : get(request);
    };
    expect(await find(adds)).toMatchObject({ kind: 'platform', by: 'behaviour', evidence: { status: 308 } });
  });

  it('reports what was seen where it is not enough', async () => {
    const get = folder(missing, missing, {}, { server: 'cloudflare' });
    expect(await find(get)).toEqual({
      kind: null,
      by: null,
      evidence: { server: 'cloudflare', url: `${ORIGIN}/guide/`, slash: '404', noSlash: '404' },
    });
  });

  it('asks few requests, all below the base', async () => {
    const many = Array.from({ length: 50 }, (_, index) => `- [x](d${index}/index.md)\n`).join('');
    const { get, asked } = fake({ ...SITE, '/navigation.md': `${many}- [Out](../x/index.md)\n` });
    await find(get);
    expect(asked.length).toBeLessThanOrEqual(16);
  });

  it('is not known where nothing comes', async () => {
    expect(await find(() => Promise.resolve(noReply('refused')))).toEqual({
      kind: null,
      by: null,
      evidence: { reason: 'refused' },
    });
  });
});
