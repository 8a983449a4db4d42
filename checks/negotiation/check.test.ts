import { describe, expect, it } from 'vitest';
import { noReply, reply, SHELL } from '../../test/answers.ts';
import type { Source } from '../../src/source/types.ts';
import type { HostKind } from '../../src/site/host-product.ts';
import { negotiation } from './check.ts';
import {
  LIMITS,
  VARY,
  again,
  agents,
  bundle,
  but,
  cached,
  rules,
  findings,
  good,
  isFile,
  isMarkdown,
  markdown,
} from './fixtures/changes.ts';
import {
  fileReply,
  FILES,
  filesBelow,
  notFound,
  platform,
  prefersMarkdown,
  server,
  siteOver,
  worker,
  type Files,
  type Host,
  type SiteOptions,
} from './fixtures/host.ts';

const NO_SOURCE: Source = {
  name: 'docs',
  kind: 'folder',
  files: () => Promise.resolve(new Map()),
  skipped: () => Promise.resolve([]),
  unread: () => Promise.resolve([]),
  repositoryFolder: () => Promise.resolve(null),
  read: () => Promise.resolve(null),
  history: () => Promise.resolve(null),
};

describe('healthy sites', () => {
  it.each<{ name: string; host: Host; kind: HostKind | null; is: string[] }>([
    { name: 'a worker that does everything', host: good, kind: 'worker', is: [] },
    { name: 'one whose kind is not known', host: good, kind: null, is: [] },
    { name: 'a server that was taught to negotiate', host: good, kind: 'server', is: [] },
    { name: "SPEC's worker", host: worker(FILES), kind: 'worker', is: ['vary-missing', 'q-values-ignored'] },
    { name: "SPEC's worker with Vary", host: worker(FILES, VARY), kind: 'worker', is: ['q-values-ignored'] },
    {
      name: "SPEC's platform",
      host: platform(FILES),
      kind: 'platform',
      is: ['filesystem-first', 'vary-missing', 'q-values-ignored'],
    },
    {
      name: 'a platform, with Vary',
      host: platform(FILES, VARY),
      kind: 'platform',
      is: ['filesystem-first', 'q-values-ignored'],
    },
    { name: "SPEC's plain server", host: server(FILES), kind: 'server', is: ['plain-server'] },
    { name: 'a plain host of unknown kind', host: server(FILES), kind: null, is: ['not-offered'] },
  ])('$name: $is', async ({ host, kind, is }) => {
    expect(await rules(host, { kind })).toEqual(is);
  });

  it.each<{ name: string; host: Host }>([
    { name: 'Vary: *', host: but((_, given) => again(given, { vary: '*' })) },
    { name: 'Accept among others', host: but((_, given) => again(given, { vary: 'Accept-Encoding, accept' })) },
    { name: 'plain text', host: but((r, g) => (isMarkdown(g) && !isFile(r) ? again(g, {}, 'text/plain') : null)) },
    {
      name: 'a type that the file has, too',
      host: but((_, given) => (isMarkdown(given) ? again(given, {}, 'application/octet-stream') : null)),
    },
    {
      name: 'a temporary redirect to the file',
      host: but((r, g) => {
        const to = { location: `${r.path}index.md` };
        return isMarkdown(g) && r.path.endsWith('/') ? reply('', { status: 307, headers: to }) : null;
      }),
    },
    {
      name: 'a redirect of browsers from files to hash routes',
      host: but((r) => {
        const to = { location: `/#${r.path}`, ...VARY };
        return r.path.endsWith('.md') && r.accept.startsWith('text/html')
          ? reply('', { status: 301, headers: to })
          : null;
      }),
    },
    {
      name: 'files that are rendered for browsers',
      host: but((r) => (isFile(r) && r.accept.startsWith('text/html') ? bundle() : null)),
    },
    {
      name: 'not found at folders for browsers',
      host: but((r) => (!isFile(r) && r.path !== '/' && !r.accept.includes('markdown') ? notFound(VARY) : null)),
    },
    {
      name: 'HTML that differs each time',
      host: but((r, g) =>
        isMarkdown(g) || isFile(r)
          ? null
          : reply(SHELL.replace('<body', `<body data-n="${Math.random()}"`), {
              contentType: 'text/html',
              headers: VARY,
            }),
      ),
    },
    { name: 'no HEAD length', host: but((_, given) => again(given, {})) },
    {
      name: 'lengths of compressed answers',
      host: but((r, g) => again(g, { 'content-encoding': 'gzip', 'content-length': r.head ? '10' : '12' })),
    },
  ])('$name', async ({ host }) => {
    expect(await rules(host)).toEqual([]);
  });

  it('needs no HTML at folders', async () => {
    const found = await findings(worker(FILES, VARY, prefersMarkdown), { kind: 'worker' });
    expect(found).toEqual([]);
  });

  it('looks below the base', async () => {
    const files = filesBelow('/docs/');
    const host = worker(files, VARY, prefersMarkdown);
    const { site, asked } = siteOver(host, { files, base: '/docs/', kind: 'worker' });
    const gathered = await negotiation.gather(site);
    expect(await negotiation.evaluate(gathered, LIMITS)).toEqual([]);
    expect(asked.filter(({ url }) => !url.pathname.startsWith('/docs/'))).toEqual([]);
    expect(gathered.facts).toEqual({ host: 'worker', by: 'option', pages: 6, negotiated: 6 });
  });
});

describe('what was promised', () => {
  const plain = server(FILES);
  const source = (...paths: string[]): Source => ({
    ...NO_SOURCE,
    files: () => Promise.resolve(new Map(paths.map((path) => [path, { bytes: 1, sha256: '', textSha256: null }]))),
    read: () => Promise.resolve(Buffer.from('name = "docs"\nmain = "worker.js"\n')),
  });
  const files = (...paths: string[]): SiteOptions => ({ requested: { source: source(...paths) } });

  it.each<{ name: string; options: SiteOptions; host?: Host; is: string[]; by?: string }>([
    { name: 'nothing', options: {}, is: ['not-offered'] },
    { name: 'a plain server', options: { kind: 'server' }, is: ['plain-server'] },
    { name: 'a platform', options: { kind: 'platform' }, is: ['not-negotiated'], by: 'host: platform' },
    { name: 'a worker', options: { kind: 'worker' }, is: ['not-negotiated'], by: 'host: worker' },
    {
      name: 'a product of that kind',
      options: { kind: 'platform', requested: { hostByProduct: true } },
      is: ['not-offered'],
    },
    {
      name: 'the key',
      options: { requested: { negotiation: true } },
      is: ['not-negotiated'],
      by: 'negotiation: true',
    },
    {
      name: 'the key, on a server',
      options: { kind: 'server', requested: { negotiation: true } },
      is: ['not-negotiated'],
      by: 'negotiation: true',
    },
    { name: 'the contrary', options: { kind: 'worker', requested: { negotiation: false } }, is: [] },
    {
      name: 'rules in the source',
      options: files('index.md', 'vercel.json'),
      is: ['not-negotiated'],
      by: 'vercel.json',
    },
    { name: 'a worker in the source', options: files('_worker.js'), is: ['not-negotiated'], by: '_worker.js' },
    {
      name: 'the settings of a worker in the source',
      options: files('wrangler.toml'),
      is: ['not-negotiated'],
      by: 'wrangler.toml',
    },
    { name: 'nothing in the source', options: files('index.md', 'assets/worker.js'), is: ['not-offered'] },
    {
      name: 'a path that negotiates',
      options: {},
      host: but((r) => (r.path === '/guide/' ? bundle() : null)),
      is: ['not-negotiated'],
      by: 'https://docs.example/',
    },
  ])('by $name: $is', async ({ options, host = plain, is, by }) => {
    const found = await findings(host, options);
    expect(found.map(({ rule }) => rule)).toEqual(is);
    expect(found[0]?.evidence?.promisedBy).toBe(by);
  });
});

describe('what is not evaluated', () => {
  const gone = Object.fromEntries(Object.entries(FILES).filter(([name]) => !name.endsWith('index.md')));
  const late = noReply('headers-timeout', { deadlineMs: 60_000 });

  it.each<{ name: string; host: Host; options?: SiteOptions; is: string[] }>([
    { name: 'no page paths', host: worker(gone), options: { files: gone }, is: ['no-pages'] },
    {
      name: 'pages that the fallback stands for',
      host: server(gone),
      options: { files: gone, kind: 'server' },
      is: ['no-pages'],
    },
    { name: 'files that fail', host: () => reply('', { status: 503 }), is: ['no-answer'] },
    {
      name: 'a site that fails for agents and browsers',
      host: but((r) => (isFile(r) ? null : reply('', { status: 502 }))),
      is: ['no-answer'],
    },
    { name: 'too many requests', host: but((r) => (agents(r) ? reply('', { status: 429 }) : null)), is: ['no-answer'] },
    { name: 'a password', host: but((r) => (isFile(r) ? null : reply('', { status: 401 }))), is: ['no-answer'] },
    { name: 'the end of the run', host: good, options: { instead: () => late }, is: ['no-answer'] },
    {
      name: 'the end of the run, after the files',
      host: good,
      options: { instead: ({ url }) => (url.pathname.endsWith('/') ? late : null) },
      is: ['no-answer'],
    },
    {
      name: 'an interrupt in the middle',
      host: good,
      options: {
        instead: ({ accept, method }) => (accept.includes('q=') || method === 'HEAD' ? noReply('interrupted') : null),
      },
      is: [],
    },
  ])('$name: $is', async ({ host, options, is }) => {
    expect(await rules(host, options)).toEqual(is);
  });

  it('asks nothing more of a host that does not negotiate', async () => {
    const { site, asked } = siteOver(server(FILES), { kind: 'server' });
    await negotiation.gather(site);
    expect(asked.filter(({ method, accept }) => method === 'HEAD' || accept.includes('q=0.5'))).toEqual([]);
  });
});

describe('the root', () => {
  const start = { ...FILES, '/config.json': '{"homePage":"start.md"}', '/start.md': '# Start\n' };
  const noIndex = Object.fromEntries(Object.entries(start).filter(([name]) => name !== '/index.md'));

  it.each<{ name: string; host: Host; files?: Files; kind?: HostKind; is: string[] }>([
    { name: 'another home page, beside index.md', host: worker(start, VARY, prefersMarkdown), files: start, is: [] },
    {
      name: 'another home page, and no index.md',
      host: worker(noIndex, VARY, prefersMarkdown),
      files: noIndex,
      kind: 'worker',
      is: [],
    },
    {
      name: "the home page's Markdown at the root",
      host: (request) => {
        const root = request.path === '/' && prefersMarkdown(request);
        const given = root ? fileReply(start, '/start.md', VARY) : null;
        return given ?? worker(start, VARY, prefersMarkdown)(request);
      },
      files: start,
      is: [],
    },
    {
      name: 'nothing, where there is no index.md',
      host: (r) => (r.path === '/' ? notFound() : worker(noIndex, VARY, prefersMarkdown)(r)),
      files: noIndex,
      is: ['root-missing'],
    },
  ])('$name: $is', async ({ host, files, kind = null, is }) => {
    expect(await rules(host, { kind, ...(files === undefined ? {} : { files }) })).toEqual(is);
  });
});

describe('a platform under a base', () => {
  const files = filesBelow('/docs/');
  const dotted = { ...FILES, '/v1.2/index.md': '# v1.2\n' };

  it.each<{ name: string; host: Host; options: SiteOptions; is: string[] }>([
    {
      name: 'the base without its slash redirected',
      host: platform(files, VARY),
      options: { files, base: '/docs/' },
      is: ['filesystem-first', 'q-values-ignored'],
    },
    {
      name: 'the base without its slash missing',
      host: (request) => (request.path === '/docs' ? notFound() : platform(files, VARY)(request)),
      options: { files, base: '/docs/' },
      is: ['filesystem-first', 'q-values-ignored', 'base-without-slash'],
    },
    {
      name: 'a folder with a dot',
      host: platform(dotted, VARY),
      options: { files: dotted },
      is: ['filesystem-first', 'q-values-ignored'],
    },
    {
      name: 'no redirect to the slash',
      host: (request) => (/\/\w+$/.test(request.path) ? notFound() : platform(FILES, VARY)(request)),
      options: {},
      is: ['filesystem-first', 'q-values-ignored', 'not-negotiated'],
    },
  ])('$name: $is', async ({ host, options, is }) => {
    expect(await rules(host, { ...options, kind: 'platform' })).toEqual(is);
  });
});

describe('evidence', () => {
  it('names where else the same was seen', async () => {
    const [first] = await findings(but((r) => (r.path === '/guide/' || r.path === '/fr/' ? bundle() : null)));
    expect(first?.evidence).toMatchObject({
      url: 'https://docs.example/fr/',
      accept: 'text/markdown',
      also: ['/guide/'],
    });
  });

  it('names the page that came instead, and the first byte that differs', async () => {
    const wrong = await findings(but((r, g) => (isMarkdown(g) && r.path === '/fr/' ? markdown('/guide/') : null)));
    expect(wrong[0]?.evidence).toMatchObject({ page: 'guide/index.md' });
    const changed = await findings(but((r, g) => (isMarkdown(g) && r.path === '/fr/' ? reply('# Porto\n') : null)));
    expect(changed[0]?.evidence).toMatchObject({ offset: 6, bytes: 8 });
  });

  it('shows what the cache says', async () => {
    const [first] = await findings(cached(good, true, { 'x-cache': 'HIT' }));
    expect(first?.evidence).toMatchObject({ age: '7', xCache: 'HIT', vary: 'Accept' });
  });
});
