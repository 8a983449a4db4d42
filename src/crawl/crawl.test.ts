import { describe, expect, it } from 'vitest';
import { noReply, reply, SHELL } from '../../test/answers.ts';
import { fake, html, json, ORIGIN, SITE, siteIn, text, type Files } from '../../test/runs.ts';
import type { Answer, Get } from '../core/answer.ts';
import type { Crawl } from './crawl.ts';
import type { RunRequest } from '../site/types.ts';
import { DEFAULT_REQUEST } from '../core/run.ts';
import { sharedSite } from '../site/site.ts';
import type { SourceFile } from '../source/types.ts';

interface Given {
  readonly base?: string;
  readonly requested?: Partial<RunRequest>;
  readonly fallback?: Answer;
  readonly signal?: AbortSignal;
  readonly get?: (get: Get) => Get;
  readonly onProgress?: (done: number, known: number) => void;
}

async function crawled(files: Files, given: Given = {}): Promise<Crawl & { readonly asked: readonly string[] }> {
  const { get, asked } = fake(files, given.fallback);
  const pooled = given.get?.(get) ?? get;
  const site = sharedSite({
    base: new URL(given.base ?? '/', ORIGIN),
    get,
    pooled,
    requested: { ...DEFAULT_REQUEST, full: true, ...given.requested },
    limits: { parseMs: 5000, signal: given.signal },
    onProgress: given.onProgress,
  });
  return { ...(await site.crawl()), asked };
}

const DOCSIFY = html(
  `<!doctype html><div id=app></div>
<script>window.$docsify = { homepage: 'index.md', loadSidebar: 'navigation.md', relativePath: true }</script>
<script src="//cdn.example/docsify.min.js"></script>`,
);
const paths = ({ pages }: Crawl): string[] => [...pages.keys()];
const page = (...links: string[]): string => `# Page\n\n${links.map((link) => `- [x](${link})`).join('\n')}\n`;
const broken = ({ links }: Crawl): string[] => [...links.faults.keys()];

describe('crawl: what it follows', () => {
  it('reads what docsify embeds in a page, from where docsify lets its links start', async () => {
    const shared = `[a](/a) ![a](../images/a.png) [gone](gone) ![gone](gone.png) [part](../part.md ':include')`;
    const files = {
      '/index.html': html("<script>window.$docsify = { name: 'x' }</script>"),
      '/README.md': '[Guide](guide/page)',
      '/guide/page.md': "[text](../shared/text.md ':include') [code](../shared/code.md ':include :type=code')",
      '/shared/text.md': shared,
      '/shared/code.md': '[never](/never)',
      '/a.md': '# A',
      '/images/a.png': 'image',
    };
    const { pages, files: others, links } = await crawled(files);
    expect([...pages.keys()]).toEqual(['README.md', 'guide/page.md', 'a.md', 'gone.md']);
    expect([...others.keys()]).toEqual(['shared/text.md', 'shared/code.md', 'images/a.png', 'guide/gone.png']);
    expect([...links.faults.values()].map(({ path, locations }) => [path, locations[0]?.path])).toEqual([
      ['gone.md', 'shared/text.md'],
      ['guide/gone.png', 'shared/text.md'],
    ]);
  });

  it('reads the navigation bar that the page of docsify has itself', async () => {
    const nav = `<nav>
  <a href="#/guide">Guide</a> <a href="#/gone">Gone</a> <a href="de/">Deutsch</a> <a href="#top">Top</a>
</nav><nav><a href="#/second">Second</a></nav><div id="app"><a href="#/loading">Loading</a></div>`;
    const bundle = (settings: string) =>
      html(`<!doctype html>\n${nav}<script>window.$docsify = { ${settings} }</script>`);
    const files = { '/README.md': '# Home', '/guide.md': '# Guide', '/_navbar.md': '- [Home](/)' };
    const { pages, files: others, links } = await crawled({ ...files, '/index.html': bundle("name: 'x'") });
    expect([...pages.keys()]).toEqual(['README.md', 'guide.md', 'gone.md']);
    expect([...others.keys()]).toEqual(['de/']);
    expect(links.faults.get('gone.md')?.locations).toEqual([{ path: 'index.html', line: 3, column: 31 }]);
    const replaced = await crawled({ ...files, '/index.html': bundle('loadNavbar: true') });
    expect([...replaced.pages.keys()]).toEqual(['README.md', '_navbar.md']);
  });

  it('begins at the navigation and the home page and follows their links', async () => {
    const found = await crawled({ ...SITE, '/navigation.md': page('a.md'), '/a.md': page('b.md'), '/b.md': '# B' });
    expect(paths(found)).toEqual(['navigation.md', 'index.md', 'a.md', 'b.md']);
    expect([...found.pages.values()].map(({ depth }) => depth)).toEqual([0, 0, 1, 2]);
    expect([...found.pages.values()].every(({ ok, reachable }) => ok && reachable)).toBe(true);
    expect(found.links.faults.size).toBe(0);
  });

  it('asks for each page once, whatever circles links make and however they are written', async () => {
    const forms = [
      'first steps.md',
      'first%20steps.md',
      '#/first%20steps.md',
      './first%20steps.md#x',
      '#!first%20steps.md',
    ];
    const found = await crawled({
      ...SITE,
      '/navigation.md': page(...forms.slice(1), `<${forms[0]}>`, 'index.md', 'navigation.md'),
      '/first%20steps.md': page('index.md', 'first%20steps.md', 'navigation.md'),
    });
    expect(paths(found)).toEqual(['navigation.md', 'index.md', 'first steps.md']);
    expect(found.asked.filter((path) => path === '/first%20steps.md')).toHaveLength(1);
    expect(found.asked.filter((path) => path === '/index.md')).toHaveLength(1);
    expect(found.pages.get('first steps.md')?.count).toBe(6);
  });

  it('names every place that links to a page', async () => {
    const found = await crawled({
      ...SITE,
      '/navigation.md': '- [a](gone.md)\n- [b](gone.md)\n',
      '/index.md': '[c](gone.md)',
    });
    expect(found.pages.get('gone.md')?.locations).toEqual([
      { path: 'navigation.md', line: 1, column: 3 },
      { path: 'navigation.md', line: 2, column: 3 },
      { path: 'index.md', line: 1, column: 1 },
    ]);
  });

  it.each<readonly [engine: string, at: string, expected: readonly string[]]>([
    ['VertiWiki', '/tables.pdf', []],
    ['VertiWiki', '/guide/tables.pdf', ['tables.pdf: moved guide/tables.pdf']],
    ['MDwiki', '/guide/tables.pdf', []],
    ['MDwiki', '/tables.pdf', ['guide/tables.pdf: ']],
    ['an unknown engine', '/tables.pdf', []],
    ['an unknown engine', '/guide/tables.pdf', []],
  ])('starts a link to a file where %s does: %s', async (engine, at, expected) => {
    const { links } = await crawled({
      ...SITE,
      '/index.html': html(`<!doctype html><title>${engine}</title><script src="app.js"></script>`),
      '/navigation.md': page('guide/a.md'),
      '/guide/a.md': page('tables.pdf'),
      [at]: reply('%PDF-1.7', { contentType: 'application/pdf' }),
    });
    const faults = [...links.faults.values()].map(
      ({ path, diagnosis }) => `${path}: ${diagnosis === null ? '' : `${diagnosis.rule} ${diagnosis.suggestion}`}`,
    );
    expect(faults).toEqual(expected);
  });

  it('keeps to the base path', async () => {
    const files = {
      ...siteIn('/docs/'),
      '/docs/navigation.md': page('a.md', '/docs/b.md', '/c.md', '#/d.md', '/other/', 'https://docs.example/blog/'),
      ...Object.fromEntries(['a', 'b', 'c', 'd'].map((name) => [`/docs/${name}.md`, '# X'])),
      '/other/': html('<!doctype html><title>Other</title>'),
    };
    const found = await crawled(files, { base: '/docs/' });
    expect(paths(found)).toEqual(['navigation.md', 'index.md', 'a.md', 'b.md', 'c.md', 'd.md']);
    expect(broken(found)).toEqual([]);
    expect([...found.links.external]).toMatchObject([['https://docs.example/blog/', { elsewhere: true, count: 1 }]]);
  });

  it('resolves links from the folder of the file that holds them', async () => {
    const found = await crawled({
      ...SITE,
      '/config.json': json({ navigationFile: 'menu/nav.md' }),
      '/menu/nav.md': page('a.md', '../b/'),
      '/menu/a.md': '# A',
      '/b/index.md': page('c.md'),
      '/b/c.md': '# C',
    });
    expect(paths(found)).toEqual(['menu/nav.md', 'index.md', 'menu/a.md', 'b/index.md', 'b/c.md']);
    expect(broken(found)).toEqual([]);
  });

  it('begins at each language as well, whatever shape `locales` has', async () => {
    const locales = [
      { code: 'en', prefix: '' },
      { code: 'ro', prefix: '/ro/' },
      { prefix: 7 },
      null,
      'fr',
      { prefix: '../x' },
    ];
    const found = await crawled({
      ...SITE,
      '/config.json': json({ locales }),
      '/ro/navigation.md': page('a.md'),
      '/ro/index.md': '# Acasă',
      '/ro/a.md': '# A',
    });
    expect(paths(found)).toEqual(['navigation.md', 'index.md', 'ro/navigation.md', 'ro/index.md', 'ro/a.md']);
    expect([...found.links.roots]).toEqual(['navigation.md', 'index.md', 'ro/navigation.md', 'ro/index.md']);
  });

  it('asks for images and downloads, and takes no web page for them', async () => {
    const found = await crawled({
      ...SITE,
      '/index.md': '![a](a.png) ![b](b.png) [c](c.pdf) ![d](d.svg) [e](e.html)',
      '/a.png': reply('PNG', { contentType: 'image/png' }),
      '/b.png': html('<!doctype html><title>Sign in</title>'),
      '/c.pdf': noReply('too-large'),
      '/e.html': html('<!doctype html><title>E</title>'),
    });
    expect([...found.files.values()].map(({ path, kind, ok }) => [path, kind, ok])).toEqual([
      ['a.png', 'image', true],
      ['b.png', 'image', false],
      ['c.pdf', 'file', true],
      ['d.svg', 'image', false],
      ['e.html', 'file', true],
    ]);
  });

  it.each([
    '[gimmick:disqus](quay)',
    '`[x](gone.md)`',
    '<!-- [x](gone.md) -->',
    '```\n[x](gone.md)\n```',
    '[x](mailto:a@b.c)',
  ])('does not follow %j', async (markdown) => {
    const found = await crawled({ ...SITE, '/index.md': `# Home\n\n${markdown}\n` });
    expect(paths(found)).toEqual(['navigation.md', 'index.md']);
    expect(found.files.size).toBe(0);
  });

  it('reads routes as docsify does where the bundle is docsify', async () => {
    const found = await crawled({
      ...SITE,
      '/index.html': DOCSIFY,
      '/navigation.md': page('/guide', '/tides/', '/start'),
      '/guide.md': '# G',
      '/tides/README.md': '# T',
      '/start.md': '# S',
    });
    expect(paths(found)).toEqual(['navigation.md', 'index.md', 'guide.md', 'tides/README.md', 'start.md']);
    expect(broken(found)).toEqual([]);
  });

  const docsify = (settings: string): Answer =>
    html(`<script>window.$docsify = { ${settings} }</script><script src="//cdn.example/docsify.min.js"></script>`);
  const links = (...urls: string[]): string => urls.map((url) => `- [x](${url})`).join('\n');

  it('resolves links of menus from each folder beside whose pages docsify shows them', async () => {
    const found = await crawled({
      '/index.html': docsify('loadSidebar: true, relativePath: true'),
      '/README.md': '# Home',
      '/_sidebar.md': links('/', 'guide/a.md', '/start.md', 'own/b.md'),
      '/guide/a.md': '# A',
      '/start.md': '# S',
      '/own/_sidebar.md': links('b.md', '/guide/a.md'),
      '/own/b.md': '# B',
    });
    expect(broken(found).toSorted()).toEqual(['guide/guide/a.md', 'guide/own/b.md']);
    expect(found.links.faults.get('guide/guide/a.md')?.locations).toEqual([
      { path: '_sidebar.md', line: 2, column: 3 },
    ]);
    expect(found.pages.get('start.md')?.locations).toEqual([{ path: '_sidebar.md', line: 3, column: 3 }]);
  });

  it('looks for menus in the folders above a page, below the base path once', async () => {
    const found = await crawled({
      '/index.html': docsify('loadSidebar: true, loadNavbar: true, basePath: "content/"'),
      '/content/README.md': '[a](/a/b/c.md)',
      '/content/_sidebar.md': links('/'),
      '/content/a/b/c.md': '# C',
      '/content/a/_sidebar.md': links('/a/d.md'),
      '/content/a/d.md': '# D',
      '/content/_navbar.md': ' \n',
    });
    expect(paths(found)).toContain('content/a/d.md');
    expect(broken(found)).toEqual([]);
  });

  it('reads pages that are HTML on purpose, and footnotes of one word', async () => {
    const files = {
      '/README.md': '[a](page.html) b[^1] c[^2]\n\n[^1]: note\n[^2]: a note\n',
      '/page.html': html('<h1>A</h1>'),
    };
    expect(broken(await crawled({ '/index.html': docsify(''), ...files }))).toEqual(['note.md']);
    const plugin = html(
      '<script src="footnotes.js"></script><script>window.$docsify = {}</script><script src="docsify.js"></script>',
    );
    expect(broken(await crawled({ '/index.html': plugin, ...files }))).toEqual([]);
  });

  it('begins at the menus of docsify, too, where the home page is missing', async () => {
    const found = await crawled({
      '/index.html': docsify('loadSidebar: true, loadNavbar: true, coverpage: ["/", "/fr/"]'),
      '/_sidebar.md': links('/a.md'),
      '/_navbar.md': links('/b.md'),
      '/fr/_coverpage.md': links('/c.md'),
      ...Object.fromEntries(['a', 'b', 'c'].map((name) => [`/${name}.md`, '# Page'])),
    });
    expect(paths(found)).toEqual(expect.arrayContaining(['a.md', 'b.md', 'c.md']));
  });

  it('knows a page by the URL that it came from, whatever the link to it says', async () => {
    const found = await crawled({
      ...SITE,
      '/index.html': DOCSIFY,
      '/index.md': '[g](guide/) [h](guide/) [i](tides/#x)',
      '/guide/README.md': '[a](a.md)',
      '/guide/a.md': '# A',
      '/tides/README.md': '# X',
    });
    const observed = [...found.pages.values()].map(({ path, url, ok, count }) => [path, url, ok, count]).slice(2);
    expect(observed).toEqual([
      ['guide/README.md', `${ORIGIN}/guide/README.md`, true, 2],
      ['tides/README.md', `${ORIGIN}/tides/README.md`, true, 1],
      ['guide/a.md', `${ORIGIN}/guide/a.md`, true, 1],
    ]);
  });

  it('lets a folder that is another application be', async () => {
    const found = await crawled({
      ...SITE,
      '/index.md': '[API](api/)',
      '/api/': html('<!doctype html><title>API</title>'),
    });
    expect(broken(found)).toEqual([]);
  });

  it('reports how far it is', async () => {
    const observed: string[] = [];
    const onProgress = (done: number, known: number): void => void observed.push(`${done}/${known}`);
    await crawled({ ...SITE, '/navigation.md': page('a.md', 'b.md'), '/a.md': '# A', '/b.md': '# B' }, { onProgress });
    expect(observed).toEqual(['1/2', '2/4', '3/4', '4/4']);
  });
});

describe('crawl: the agent index', () => {
  const files = {
    ...SITE,
    '/navigation.md': page('a.md'),
    '/a.md': '# A',
    '/llms.txt': text('# Index\n\n- [A](/a.md)\n- [B](/b.md)\n'),
    '/b.md': page('c.md', 'a.md'),
    '/c.md': '# C',
  };

  it('leads to pages that nothing else leads to', async () => {
    const found = await crawled(files);
    const reachable = [...found.pages.values()].filter((one) => one.reachable).map(({ path }) => path);
    expect(reachable).toEqual(['navigation.md', 'index.md', 'a.md']);
    expect(paths(found)).toEqual(['navigation.md', 'index.md', 'a.md', 'b.md', 'c.md']);
    expect(found.pages.get('b.md')?.locations).toEqual([{ path: 'llms.txt', line: 4, column: 3 }]);
  });

  it('may lie beyond the base', async () => {
    const found = await crawled(
      {
        ...siteIn('/docs/'),
        '/docs/config.json': json({ llmsTxtUrl: '/llms.txt' }),
        '/docs/llms.txt': reply('', { status: 404 }),
        '/llms.txt': text('# Index\n\n- [A](docs/a.md)\n- [B](/docs/b.md)\n- [C](/blog/c.md)\n'),
        '/docs/a.md': '# A',
        '/docs/b.md': '# B',
      },
      { base: '/docs/' },
    );
    expect(paths(found)).toEqual(['navigation.md', 'index.md', 'a.md', 'b.md']);
    expect([...found.links.external.keys()]).toEqual(['https://docs.example/blog/c.md']);
  });

  it.each<readonly [name: string, changed: Files]>([
    ['turned off', { '/config.json': json({ llmsTxtUrl: null }) }],
    ['missing', { '/llms.txt': reply('', { status: 404 }) }],
    ['the bundle', { '/llms.txt': html(SHELL) }],
  ])('is not read when it is %s', async (_, changed) => {
    expect(paths(await crawled({ ...files, ...changed }))).toEqual(['navigation.md', 'index.md', 'a.md']);
  });
});

describe('crawl: the source', () => {
  const file: SourceFile = { bytes: 1, sha256: '', textSha256: null };
  const names = ['index.md', 'a.md', 'lonely.md', 'gone.md', 'README.md', '_sidebar.md', '.github/x.md', 'logo.png'];

  it('knows pages that no link leads to', async () => {
    const source = {
      name: 'docs',
      kind: 'folder' as const,
      files: () => Promise.resolve(new Map(names.map((name) => [name, file]))),
      read: () => Promise.resolve(null),
      history: () => Promise.resolve([]),
    };
    const site = { ...SITE, '/navigation.md': page('a.md'), '/a.md': '# A', '/lonely.md': '# L', '/README.md': '# R' };
    const found = await crawled(site, { requested: { source: source as unknown as RunRequest['source'] } });
    expect(found.links.unlinked).toEqual(['lonely.md']);
  });
});

describe('crawl: caps', () => {
  const wide = { ...SITE, '/navigation.md': page(...Array.from({ length: 20 }, (_, index) => `p${index}.md`)) };
  const chain = Object.fromEntries(
    Array.from({ length: 20 }, (_, index) => [`/p${index}.md`, page(`p${index + 1}.md`)]),
  );

  it('asks for no more pages than wanted', async () => {
    const found = await crawled({ ...wide, ...chain }, { requested: { pages: 10 } });
    expect(found.pages.size).toBe(10);
    expect(found.links.leftOut).toEqual({ pages: 12, files: 0, late: 0, by: ['pages'] });
  });

  it('goes no deeper than wanted', async () => {
    const found = await crawled({ ...SITE, '/navigation.md': page('p0.md'), ...chain }, { requested: { depth: 3 } });
    expect(paths(found)).toEqual(['navigation.md', 'index.md', 'p0.md', 'p1.md', 'p2.md']);
    expect(found.links.leftOut).toEqual({ pages: 1, files: 0, late: 0, by: ['depth'] });
  });

  it('takes a page that lies too deep for reachable when the agent index names it', async () => {
    const files = { ...SITE, '/navigation.md': page('p0.md'), ...chain, '/llms.txt': text('[x](p4.md)') };
    const found = await crawled(files, { requested: { depth: 4 } });
    expect(found.pages.get('p4.md')?.reachable).toBe(true);
  });

  it('ends when its time is up, whoever does not answer', async () => {
    const get =
      (inner: Get): Get =>
      (request) =>
        request.url.pathname === '/p1.md' ? new Promise<never>(() => {}) : inner(request);
    const found = await crawled({ ...wide, '/p0.md': '# X' }, { get, requested: { crawlMs: 200 } });
    expect(found.pages.get('p0.md')?.ok).toBe(true);
    expect(found.pages.has('p1.md')).toBe(false);
    expect(found.links.leftOut).toMatchObject({ pages: 19, by: ['time'] });
  });

  it('ends with the run', async () => {
    const found = await crawled(wide, { signal: AbortSignal.abort() });
    expect(found.links.leftOut.by).toEqual(['time']);
    expect(found.links.faults.size).toBe(0);
  });

  it.each([
    ['deadline', noReply('headers-timeout', { deadlineMs: 1000 })],
    ['interrupt', noReply('interrupted')],
  ])('holds nothing against a page that the %s cut off', async (_, answer) => {
    const found = await crawled({ ...SITE, '/navigation.md': page('a.md'), '/a.md': answer });
    expect(broken(found)).toEqual([]);
    expect(found.links.leftOut).toEqual({ pages: 1, files: 0, late: 1, by: ['time'] });
  });

  it('ends when responses no longer come', async () => {
    const links = Array.from({ length: 500 }, (_, index) => `p${index}.md`);
    const found = await crawled({ ...SITE, '/navigation.md': page(...links) }, { fallback: noReply('refused') });
    expect(found.links.gaveUp).toMatchObject({ reason: 'refused', failures: 20 });
    expect(found.asked.length).toBeLessThan(100);
    expect(broken(found)).toEqual([]);
    expect(found.links.leftOut.by).toContain('gave-up');
  });

  it('reads a page of very many links', async () => {
    const links = Array.from({ length: 3_000 }, (_, index) => `p${index}.md`);
    const found = await crawled({ ...SITE, '/index.md': page(...links) }, { requested: { pages: 500 } });
    expect(found.pages.size).toBe(500);
    expect(found.links.leftOut.pages).toBe(3_000 + 2 - 500);
  });
});
