import { describe, expect, it } from 'vitest';
import { noReply, reply, SHELL } from '../../test/answers.ts';
import { fake, html, json, ORIGIN, SITE, text, type Files } from '../../test/runs.ts';
import type { Answer } from '../../src/core/answer.ts';
import type { CrawledFile } from '../../src/crawl/frontier.ts';
import type { Gathered } from '../../src/core/gathered.ts';
import type { Site } from '../../src/site/types.ts';
import { DEFAULT_REQUEST } from '../../src/core/run.ts';
import { sharedSite } from '../../src/site/site.ts';
import { contentHash } from '../../src/source/content.ts';
import type { Source } from '../../src/source/types.ts';
import { pointerTo, sourceOf } from './fixtures/source.ts';
import { source as check } from './check.ts';

interface Given {
  readonly live: Files;
  readonly source: Source | null;
  /** Linked pages that are live. */
  readonly crawled?: readonly string[];
  /** The same, with what the crawl knows of them. */
  readonly pages?: ReadonlyMap<string, CrawledFile>;
  /** Files that the crawl has read. */
  readonly files?: ReadonlyMap<string, Pick<CrawledFile, 'ok' | 'sha256'>>;
  /** What a host says for a missing file. */
  readonly fallback?: Answer;
}

function crawledPage(path: string, sha256: string | null = null): CrawledFile {
  const locations = [{ path: 'navigation.md', line: 3, column: 3 }];
  const facts = { status: 200, mediaType: 'text/markdown', sha256, bytes: 1, facts: null };
  const isWell = { kind: 'page', ok: true, missing: false, findings: [], diagnosis: null } as const;
  return { path, url: `${ORIGIN}/${path}`, depth: 1, reachable: true, ...isWell, locations, count: 1, ...facts };
}

const linked = (paths: readonly string[]) => new Map(paths.map((path) => [path, crawledPage(path)]));

async function run({ live, source, crawled = [], pages = linked(crawled), files = new Map(), fallback }: Given) {
  const { get, asked } = fake({ ...SITE, ...live }, fallback);
  const site = sharedSite({
    base: new URL(`${ORIGIN}/`),
    get,
    pooled: get,
    requested: { ...DEFAULT_REQUEST, source },
    limits: { parseMs: 5000 },
  });
  const crawl = { pages, files, requests: 0 } as unknown as Awaited<ReturnType<Site['crawl']>>;
  const gathered = await check.gather({ ...site, crawl: () => Promise.resolve(crawl) });
  const { facts }: Gathered = gathered;
  const findings = await check.evaluate(gathered, { parseMs: 5000 });
  return { drafts: findings, asked, word: facts?.['source'], codes: findings.map(({ rule }) => rule) };
}

const OLD = '# Guide\n\nOld text.\n';
const NEW = '# Guide\n\nNew text.\n';

describe('the source', () => {
  const rows: readonly (Given & { name: string; rules: readonly string[]; word: string | undefined })[] = [
    { name: 'was not given', live: {}, source: null, rules: ['no-source'], word: undefined },
    { name: 'is live', live: { '/guide.md': NEW }, source: sourceOf([{ 'guide.md': NEW }]), rules: [], word: 'fresh' },
    {
      name: 'is live with other line ends',
      live: { '/guide.md': NEW.replaceAll('\n', '\r\n') },
      source: sourceOf([{ 'guide.md': NEW }]),
      rules: ['line-endings'],
      word: 'fresh',
    },
    {
      name: 'is live with a byte-order mark',
      live: { '/guide.md': `\uFEFF${NEW}` },
      source: sourceOf([{ 'guide.md': NEW }], { content: false }),
      rules: ['line-endings'],
      word: 'fresh',
    },
    {
      name: 'is live with lines added',
      live: { '/guide.md': `${NEW}\n<script src="https://stats.example/x.js"></script>\n` },
      source: sourceOf([{ 'guide.md': NEW }]),
      rules: ['injected'],
      word: 'fresh',
    },
    {
      name: 'is live with lines added in two places',
      live: { '/guide.md': '<!-- a -->\n# Guide\n\n<!-- b -->\nNew text.\n' },
      source: sourceOf([{ 'guide.md': NEW }]),
      rules: ['injected'],
      word: 'fresh',
    },
    {
      name: 'is live with the same line added to each page',
      live: { '/guide.md': `${NEW}\nHosted by Example.\n`, '/more.md': '# More\n\nHosted by Example.\n' },
      source: sourceOf([{ 'guide.md': NEW, 'more.md': '# More\n' }]),
      rules: ['injected', 'injected'],
      word: 'fresh',
    },
    {
      name: 'was shortened since what is live',
      live: { '/guide.md': `${NEW}\nA paragraph more.\n` },
      source: sourceOf([{ 'guide.md': NEW }], { remembered: false }),
      rules: ['differs'],
      word: 'stale',
    },
    {
      name: 'was shortened since what is live, which is an earlier version',
      live: { '/guide.md': `${NEW}<!-- more -->\n`, '/app.js': 'a();b();' },
      source: sourceOf([
        { 'guide.md': NEW, 'app.js': 'a();' },
        { 'guide.md': `${NEW}<!-- more -->\n`, 'app.js': 'a();b();' },
      ]),
      rules: ['stale', 'stale'],
      word: 'stale',
    },
    {
      name: 'has configuration with a key less',
      live: { '/config.json': json({ title: 'a', logo: 'b.svg' }) },
      source: sourceOf([{ 'config.json': '{"title":"a"}' }]),
      rules: ['differs'],
      word: 'stale',
    },
    {
      name: 'is live with a script in the page',
      live: { '/index.html': reply(SHELL.replace('</body>', '<script src="/beacon.js"></script></body>')) },
      source: sourceOf([{ 'index.html': SHELL }]),
      rules: ['injected-html'],
      word: 'fresh',
    },
    {
      name: 'is newer than what is live',
      live: { '/guide.md': OLD, '/other.md': 'a' },
      source: sourceOf([{ 'guide.md': NEW }, { 'guide.md': OLD, 'other.md': 'a' }]),
      rules: ['stale'],
      word: 'stale',
    },
    {
      name: 'is newer, and nothing but hashes are at hand',
      live: { '/guide.md': OLD },
      source: sourceOf([{ 'guide.md': NEW }], { content: false }),
      rules: ['differs'],
      word: 'stale',
    },
    {
      name: 'differs from what is live, which is no earlier version',
      live: { '/guide.md': '# Guide\n\nEdited on the host.\n' },
      source: sourceOf([{ 'guide.md': NEW }, { 'guide.md': OLD }]),
      rules: ['differs'],
      word: 'stale',
    },
    {
      name: 'is mixed with an earlier version',
      live: { '/guide.md': OLD, '/config.json': json({ title: 'new' }) },
      source: sourceOf([
        { 'guide.md': NEW, 'config.json': '{"title":"new"}' },
        { 'guide.md': OLD, 'config.json': '{}' },
      ]),
      rules: ['mixed'],
      word: 'mixed',
    },
    {
      name: 'is older as a whole, with a change that was taken back since',
      live: { '/ref.md': 'one', '/guide.md': OLD },
      source: sourceOf([
        { 'ref.md': 'one', 'guide.md': NEW },
        { 'ref.md': 'two' },
        { 'ref.md': 'one', 'guide.md': OLD },
      ]),
      rules: ['stale'],
      word: 'stale',
    },
    {
      name: 'is mixed of two earlier versions',
      live: { '/guide.md': 'g1', '/ref.md': 'r2' },
      source: sourceOf([
        { 'guide.md': 'g3', 'ref.md': 'r3' },
        { 'guide.md': 'g2', 'ref.md': 'r2' },
        { 'guide.md': 'g1', 'ref.md': 'r1' },
      ]),
      rules: ['mixed'],
      word: 'mixed',
    },
    {
      name: 'differs, and its history was not fetched',
      live: { '/guide.md': OLD },
      source: sourceOf([{ 'guide.md': NEW }], { shallow: true }),
      rules: ['differs'],
      word: 'stale',
    },
    {
      name: 'is partly unanswered',
      live: { '/guide.md': NEW, '/logo.svg': noReply('reset'), '/more.md': reply('', { status: 503 }) },
      source: sourceOf([{ 'guide.md': NEW, 'logo.svg': '<svg/>', 'more.md': 'x' }]),
      rules: ['not-compared', 'not-compared'],
      word: undefined,
    },
    {
      name: 'is not answered at all',
      live: { '/guide.md': noReply('reset') },
      source: sourceOf([{ 'guide.md': NEW }]),
      rules: ['no-answer'],
      word: undefined,
    },
    {
      name: 'has a file that nobody may read',
      live: { '/guide.md': NEW, '/logo.svg': reply('', { status: 403 }) },
      source: sourceOf([{ 'guide.md': NEW, 'logo.svg': '<svg/>' }]),
      rules: ['forbidden'],
      word: 'stale',
    },
    {
      name: 'is empty',
      live: {},
      crawled: ['index.md'],
      source: sourceOf([{}]),
      rules: ['empty-source'],
      word: undefined,
    },
    {
      name: 'is one folder too high',
      live: {},
      crawled: ['index.md', 'guide.md', 'navigation.md'],
      source: sourceOf([{ 'docs/index.md': 'a', 'docs/guide.md': 'b', 'docs/navigation.md': 'c', 'README.md': 'd' }]),
      rules: ['other-folder'],
      word: undefined,
    },
    {
      name: 'is kept by Git LFS',
      live: { '/logo.svg': '<svg/>' },
      source: sourceOf([{ 'logo.svg': pointerTo('<svg/>') }]),
      rules: [],
      word: 'fresh',
    },
    {
      name: 'is kept by Git LFS, and its pointer is live',
      live: { '/logo.svg': pointerTo('<svg/>') },
      source: sourceOf([{ 'logo.svg': pointerTo('<svg/>') }]),
      rules: ['lfs-pointer'],
      word: 'stale',
    },
    {
      name: 'has a page under a name in other letter case',
      live: {},
      crawled: ['New.md', 'guide.md'],
      source: sourceOf([{ 'new.md': 'x', 'guide.md': NEW }]),
      rules: ['not-live', 'not-live'],
      word: 'stale',
    },
    {
      name: 'has a linked page as a symbolic link, and another in a submodule',
      live: { '/config.json': json({}) },
      crawled: ['latest.md', 'api/index.md'],
      source: sourceOf([{ 'config.json': '{}' }], { skipped: ['latest.md', 'api'] }),
      rules: [],
      word: 'fresh',
    },
    {
      name: 'has a linked page that could not be read in the source',
      live: { '/config.json': json({}) },
      crawled: ['secret.md'],
      source: sourceOf([{ 'config.json': '{}' }], { unread: ['secret.md'] }),
      rules: ['unread'],
      word: 'fresh',
    },
    {
      name: 'lacks a stylesheet that the live page names, and a file that it does not name',
      live: {
        '/index.html': html('<!doctype html><link rel="stylesheet" href="theme.css">'),
        '/guide.md': NEW,
      },
      source: sourceOf([{ 'guide.md': NEW, 'theme.css': 'a {}', 'build.css': 'b {}' }]),
      rules: ['not-live'],
      word: 'stale',
    },
    {
      name: 'is partly missing',
      live: { '/guide.md': NEW },
      source: sourceOf([{ 'guide.md': NEW, 'more/new.md': 'x', 'logo.svg': '<svg/>' }]),
      rules: ['not-live', 'not-live'],
      word: 'stale',
    },
    {
      name: 'is partly missing behind a fallback',
      live: {},
      fallback: reply(SHELL, { contentType: 'text/markdown' }),
      source: sourceOf([{ 'guide.md': NEW }]),
      rules: ['not-live'],
      word: 'stale',
    },
    {
      name: 'has files of tools beside the pages',
      live: { '/guide.md': NEW },
      source: sourceOf([{ 'guide.md': NEW, 'README.md': 'x', 'package.json': '{}', 'vite.config.js': '' }]),
      rules: [],
      word: 'fresh',
    },
    {
      name: 'has a README that is live in another version',
      live: { '/README.md': 'old' },
      source: sourceOf([{ 'README.md': 'new' }, { 'README.md': 'old' }]),
      rules: ['stale'],
      word: 'stale',
    },
    {
      name: 'lacks a page that is live and linked',
      live: { '/left.md': 'x' },
      crawled: ['left.md'],
      source: sourceOf([{ 'config.json': '{}' }]),
      rules: ['gone'],
      word: 'fresh',
    },
    {
      name: 'has a linked page under a name in another Unicode form',
      live: { '/pagin%C4%83.md': 'x', '/pagina%CC%86.md': 'x' },
      crawled: ['pagină.md'],
      source: sourceOf([{ ['pagină.md'.normalize('NFD')]: 'x' }]),
      rules: [],
      word: 'fresh',
    },
  ];

  it.each(rows)('$name: $rules', async ({ rules, word, ...given }) => {
    const reported = await run(given);
    expect({ codes: reported.codes, word: reported.word }).toEqual({ codes: rules, word });
  });

  it('names the commit, how far behind it is, and the first place that differs', async () => {
    const history = [{ 'guide.md': NEW }, { 'guide.md': 'between' }, { 'guide.md': OLD }];
    const { drafts } = await run({ live: { '/guide.md': OLD }, source: sourceOf(history) });
    expect(drafts).toMatchObject([
      {
        evidence: { path: 'guide.md', commit: 'c1', newerVersions: 2 },
        location: { path: 'guide.md', line: 3, column: 1 },
      },
    ]);
  });

  it('reports an address that gives two versions', async () => {
    let times = 0;
    const { get } = fake({ ...SITE, '/guide.md': NEW });
    const site = sharedSite({
      base: new URL(`${ORIGIN}/`),
      get,
      pooled: async (request) => {
        const old = request.url.pathname === '/guide.md' && times++ === 0;
        return old ? { ...text(OLD), url: request.url.href } : get(request);
      },
      requested: { ...DEFAULT_REQUEST, source: sourceOf([{ 'guide.md': NEW }]) },
      limits: { parseMs: 5000 },
    });
    const crawl = { pages: new Map(), files: new Map(), requests: 0 } as unknown as Awaited<ReturnType<Site['crawl']>>;
    const gathered = await check.gather({ ...site, crawl: () => Promise.resolve(crawl) });
    const { facts }: Gathered = gathered;
    const findings = await check.evaluate(gathered, { parseMs: 5000 });
    expect([findings.map(({ rule }) => rule), facts?.['source']]).toEqual([['alternates'], 'mixed']);
  });

  it('that cannot be read is nothing that the site did', async () => {
    const broken: Source = { ...sourceOf([{}]), files: () => Promise.reject(new Error('EACCES')) };
    expect((await run({ live: {}, source: broken })).codes).toEqual(['unreadable']);
  });

  it('does not ask again for what the run has read', async () => {
    const given = sourceOf([{ 'guide.md': NEW, 'logo.svg': '<svg/>', 'config.json': '{}' }]);
    const hash = (body: string): string => contentHash(Buffer.from(body)).sha256;
    const pages = new Map([['guide.md', crawledPage('guide.md', hash(NEW))]]);
    const files = new Map([['logo.svg', { ok: true, sha256: hash('<svg/>') }]]);
    const { asked, codes } = await run({ live: {}, source: given, pages, files });
    expect({ codes, again: asked.filter((path) => /guide|logo/.test(path)) }).toEqual({ codes: [], again: [] });
    expect(asked.filter((path) => path === '/config.json')).toHaveLength(1);
  });
});
