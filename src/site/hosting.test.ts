import { describe, expect, it } from 'vitest';
import { noReply, reply, SHELL } from '../../test/answers.ts';
import { fake, html, ORIGIN, SITE } from '../../test/runs.ts';
import type { Answer, Get, HostKind, Hosting } from '../check.ts';
import { DEFAULT_REQUEST } from '../run.ts';
import { findHosting } from './hosting.ts';
import { sharedSite } from './shared.ts';

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
