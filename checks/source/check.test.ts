import { describe, expect, it } from 'vitest';
import { reply, SHELL } from '../../test/answers.ts';
import { fake, json, ORIGIN, SITE, text, type Files } from '../../test/runs.ts';
import type { Answer, CrawledPage, Site } from '../../src/check.ts';
import { NO_WANTS } from '../../src/run.ts';
import { sharedSite } from '../../src/site/shared.ts';
import { contentHash } from '../../src/source/content.ts';
import type { Source } from '../../src/source/types.ts';
import { isInjected } from './compare.ts';
import { source as check } from './check.ts';

/** Commits, the newest first: what each changed. The first is what is given as the source. */
type History = readonly Readonly<Record<string, string | Uint8Array>>[];

function sourceOf(history: History, { content = true } = {}): Source {
  const commits = history.map((_, index) => `c${history.length - index}`);
  const now = Object.assign({}, ...history.toReversed()) as Readonly<Record<string, string>>;
  return {
    name: 'docs',
    kind: 'git',
    files: () =>
      Promise.resolve(new Map(Object.entries(now).map(([path, body]) => [path, contentHash(Buffer.from(body))]))),
    read: (path) => Promise.resolve(content && path in now ? Buffer.from(now[path] ?? '') : null),
    history(path) {
      const versions = history.flatMap((commit, index) =>
        path in commit ? [{ commit: commits[index] ?? '', body: commit[path] ?? '' }] : [],
      );
      return Promise.resolve(
        versions.map(({ commit, body }, index) => ({
          commit,
          replacedBy: versions[index - 1]?.commit ?? null,
          content: contentHash(Buffer.from(body)),
        })),
      );
    },
    changedSince: (commit) =>
      Promise.resolve(new Set(history.slice(0, commits.indexOf(commit) + 1).flatMap((one) => Object.keys(one)))),
  };
}

interface Given {
  readonly live: Files;
  readonly source: Source | null;
  /** Linked pages that are live. */
  readonly crawled?: readonly string[];
  /** The same, with what the crawl knows of them. */
  readonly pages?: ReadonlyMap<string, CrawledPage>;
  /** What a host says for a missing file. */
  readonly fallback?: Answer;
}

function crawledPage(path: string, sha256: string | null = null): CrawledPage {
  const places = [{ path: 'navigation.md', line: 3, column: 3 }];
  const facts = { status: 200, mediaType: 'text/markdown', sha256, bytes: 1, facts: null };
  return { path, url: `${ORIGIN}/${path}`, depth: 1, reachable: true, ok: true, places, count: 1, ...facts };
}

const linked = (paths: readonly string[]) => new Map(paths.map((path) => [path, crawledPage(path)]));

async function run({ live, source, crawled = [], pages = linked(crawled), fallback }: Given) {
  const { get, asked } = fake({ ...SITE, ...live }, fallback);
  const site = sharedSite({
    base: new URL(`${ORIGIN}/`),
    get,
    pooled: get,
    wants: { ...NO_WANTS, source },
    limits: { parseMs: 5000 },
  });
  const crawl = { pages, files: new Map(), requests: 0 } as unknown as Awaited<ReturnType<Site['crawl']>>;
  const gathered = await check.gather({ ...site, crawl: () => Promise.resolve(crawl) });
  const drafts = await check.judge(gathered, { parseMs: 5000 });
  return { drafts, asked, word: gathered.facts?.['source'], codes: drafts.map(({ code }) => code) };
}

const OLD = '# Guide\n\nOld text.\n';
const NEW = '# Guide\n\nNew text.\n';

describe('the source', () => {
  const rows: readonly (Given & { name: string; codes: readonly string[]; word: string | undefined })[] = [
    { name: 'was not given', live: {}, source: null, codes: ['no-source'], word: undefined },
    { name: 'is live', live: { '/guide.md': NEW }, source: sourceOf([{ 'guide.md': NEW }]), codes: [], word: 'fresh' },
    {
      name: 'is live with other line ends',
      live: { '/guide.md': NEW.replaceAll('\n', '\r\n') },
      source: sourceOf([{ 'guide.md': NEW }]),
      codes: ['line-endings'],
      word: 'fresh',
    },
    {
      name: 'is live with a byte-order mark',
      live: { '/guide.md': `\uFEFF${NEW}` },
      source: sourceOf([{ 'guide.md': NEW }], { content: false }),
      codes: ['line-endings'],
      word: 'fresh',
    },
    {
      name: 'is live with lines added',
      live: { '/guide.md': `${NEW}\n<script src="https://stats.example/x.js"></script>\n` },
      source: sourceOf([{ 'guide.md': NEW }]),
      codes: ['injected'],
      word: 'fresh',
    },
    {
      name: 'is live with lines added in two places',
      live: { '/guide.md': '<!-- a -->\n# Guide\n\n<!-- b -->\nNew text.\n' },
      source: sourceOf([{ 'guide.md': NEW }]),
      codes: ['injected'],
      word: 'fresh',
    },
    {
      name: 'is live with a script in the page',
      live: { '/index.html': reply(SHELL.replace('</body>', '<script src="/beacon.js"></script></body>')) },
      source: sourceOf([{ 'index.html': SHELL }]),
      codes: ['injected-html'],
      word: 'fresh',
    },
    {
      name: 'is newer than what is live',
      live: { '/guide.md': OLD, '/other.md': 'a' },
      source: sourceOf([{ 'guide.md': NEW }, { 'guide.md': OLD, 'other.md': 'a' }]),
      codes: ['stale'],
      word: 'stale',
    },
    {
      name: 'is newer, and nothing but hashes are at hand',
      live: { '/guide.md': OLD },
      source: sourceOf([{ 'guide.md': NEW }], { content: false }),
      codes: ['differs'],
      word: 'stale',
    },
    {
      name: 'differs from what is live, which is no earlier version',
      live: { '/guide.md': '# Guide\n\nEdited on the host.\n' },
      source: sourceOf([{ 'guide.md': NEW }, { 'guide.md': OLD }]),
      codes: ['differs'],
      word: 'stale',
    },
    {
      name: 'is mixed with an earlier version',
      live: { '/guide.md': OLD, '/config.json': json({ title: 'new' }) },
      source: sourceOf([
        { 'guide.md': NEW, 'config.json': '{"title":"new"}' },
        { 'guide.md': OLD, 'config.json': '{}' },
      ]),
      codes: ['mixed', 'stale'],
      word: 'mixed',
    },
    {
      name: 'is partly missing',
      live: { '/guide.md': NEW },
      source: sourceOf([{ 'guide.md': NEW, 'more/new.md': 'x', 'logo.svg': '<svg/>' }]),
      codes: ['not-live', 'not-live'],
      word: 'stale',
    },
    {
      name: 'is partly missing behind a fallback',
      live: {},
      fallback: reply(SHELL, { contentType: 'text/markdown' }),
      source: sourceOf([{ 'guide.md': NEW }]),
      codes: ['not-live'],
      word: 'stale',
    },
    {
      name: 'has files of tools beside the pages',
      live: { '/guide.md': NEW },
      source: sourceOf([{ 'guide.md': NEW, 'README.md': 'x', 'package.json': '{}', 'vite.config.js': '' }]),
      codes: [],
      word: 'fresh',
    },
    {
      name: 'has a README that is live in another version',
      live: { '/README.md': 'old' },
      source: sourceOf([{ 'README.md': 'new' }, { 'README.md': 'old' }]),
      codes: ['stale'],
      word: 'stale',
    },
    {
      name: 'lacks a page that is live and linked',
      live: { '/left.md': 'x' },
      crawled: ['left.md'],
      source: sourceOf([{ 'config.json': '{}' }]),
      codes: ['gone'],
      word: 'fresh',
    },
    {
      name: 'has a linked page under a name in another Unicode form',
      live: { '/pagin%C4%83.md': 'x', '/pagina%CC%86.md': 'x' },
      crawled: ['pagină.md'],
      source: sourceOf([{ ['pagină.md'.normalize('NFD')]: 'x' }]),
      codes: [],
      word: 'fresh',
    },
  ];

  it.each(rows)('$name: $codes', async ({ codes, word, ...given }) => {
    const told = await run(given);
    expect({ codes: told.codes, word: told.word }).toEqual({ codes, word });
  });

  it('names the commit, how far behind it is, and the first place that differs', async () => {
    const history = [{ 'guide.md': NEW }, { 'guide.md': 'between' }, { 'guide.md': OLD }];
    const { drafts } = await run({ live: { '/guide.md': OLD }, source: sourceOf(history) });
    expect(drafts).toMatchObject([
      {
        evidence: { path: 'guide.md', commit: 'c1', behind: 2 },
        location: { path: 'guide.md', line: 3, column: 1 },
      },
    ]);
  });

  it('tells an address that gives two versions', async () => {
    let times = 0;
    const { get } = fake({ ...SITE, '/guide.md': NEW });
    const site = sharedSite({
      base: new URL(`${ORIGIN}/`),
      get,
      pooled: async (request) => {
        const old = request.url.pathname === '/guide.md' && times++ === 0;
        return old ? { ...text(OLD), url: request.url.href } : get(request);
      },
      wants: { ...NO_WANTS, source: sourceOf([{ 'guide.md': NEW }]) },
      limits: { parseMs: 5000 },
    });
    const crawl = { pages: new Map(), files: new Map(), requests: 0 } as unknown as Awaited<ReturnType<Site['crawl']>>;
    const gathered = await check.gather({ ...site, crawl: () => Promise.resolve(crawl) });
    const drafts = await check.judge(gathered, { parseMs: 5000 });
    expect([drafts.map(({ code }) => code), gathered.facts?.['source']]).toEqual([['alternates'], 'mixed']);
  });

  it('that cannot be read is nothing that the site did', async () => {
    const broken: Source = { ...sourceOf([{}]), files: () => Promise.reject(new Error('EACCES')) };
    expect((await run({ live: {}, source: broken })).codes).toEqual(['unreadable']);
  });

  it('does not ask again for what the run has read', async () => {
    const given = sourceOf([{ 'guide.md': NEW, 'config.json': '{}' }]);
    const pages = new Map([['guide.md', crawledPage('guide.md', contentHash(Buffer.from(NEW)).sha256)]]);
    const { asked, codes } = await run({ live: {}, source: given, pages });
    expect({ codes, pages: asked.filter((path) => path === '/guide.md') }).toEqual({ codes: [], pages: [] });
    expect(asked.filter((path) => path === '/config.json')).toHaveLength(1);
  });
});

describe('isInjected', () => {
  it.each([
    ['a', 'a', false],
    ['ab', 'axb', true],
    ['a\nb', 'a\nx\nb', true],
    ['a\nb\nc', 'x\na\ny\nb\nc\nz', true],
    ['a\nb', 'b\na\nx', false],
    ['a\nb\nc', 'a\nx\nc and more', false],
    ['a', 'b and more', false],
  ])('%j → %j: %s', (source, live, is) => {
    expect(isInjected(source, live)).toBe(is);
  });
});
