import { describe, expect, it } from 'vitest';
import { noReply, reply, SHELL } from '../../test/answers.ts';
import { fake, html, json, options, ORIGIN, SITE, type Files } from '../../test/runs.ts';
import type { Answer, Status } from '../../src/check.ts';
import { NO_WANTS, runChecks } from '../../src/run.ts';
import type { Source } from '../../src/source/types.ts';
import { source as check } from './check.ts';
import { pointerTo, sourceOf, type Commits } from './fixtures/source.ts';
import { sampleOf } from './sample.ts';

const BASE = new URL(`${ORIGIN}/`);

async function picked(source: Source, most: number): Promise<readonly string[]> {
  const [files, history] = await Promise.all([source.files(), source.history()]);
  return sampleOf({ source, files, history }, BASE, most);
}

/** Every file of a small site, at its first commit. */
const FIRST = {
  'a.md': 'a1',
  'b.md': 'b1',
  'config.json': '{}',
  'index.html': SHELL,
  'index.md': '# Home',
  'llms.txt': 'x',
  'navigation.md': 'n',
  'logo.svg': '<svg/>',
  'README.md': 'r',
  'app.js': 'x',
};

describe('a sample', () => {
  it.each<[string, Commits, number, readonly string[]]>([
    ['has what the last commit changed', [{ 'b.md': 'b2' }, { 'a.md': 'a2' }, FIRST], 1, ['b.md']],
    ['has what the commits before it changed', [{ 'b.md': 'b2' }, { 'a.md': 'a2' }, FIRST], 2, ['b.md', 'a.md']],
    [
      'has the configuration first, where several changed',
      [{ 'b.md': 'b2', 'config.json': '{"a":1}' }, FIRST],
      1,
      ['config.json'],
    ],
    ['has none that need not be live', [{ 'README.md': 'r2', 'app.js': 'y' }, { 'a.md': 'a2' }, FIRST], 1, ['a.md']],
    ['has a new file', [{ 'c.md': 'c1' }, FIRST], 1, ['c.md']],
    ['has the bundle, where it changed', [{ 'index.html': `${SHELL}<!-- -->` }, FIRST], 1, ['index.html']],
    [
      'has the fixed files, where all are of one commit',
      [FIRST],
      5,
      ['config.json', 'navigation.md', 'index.md', 'llms.txt', 'index.html'],
    ],
    [
      'has the fixed files as the configuration names them',
      [{ ...FIRST, 'config.json': '{"homePage":"#/a.md","navigationFile":"/b.md","llmsTxtUrl":null}' }],
      3,
      ['config.json', 'b.md', 'navigation.md'],
    ],
    ['has small files before large ones', [{ 'big.svg': 'x'.repeat(300_000) }, { 'a.md': 'a2' }, FIRST], 1, ['a.md']],
    ['has all there are', [{ 'a.md': 'x' }], 9, ['a.md']],
  ])('%s', async (_, commits, most, expected) => {
    expect(await picked(sourceOf(commits), most)).toEqual(expected);
  });

  it('has what was old before first, large or not, and were it not demanded', async () => {
    const source = sourceOf([{ 'b.md': 'b2' }, { ...FIRST, 'big.svg': 'x'.repeat(300_000) }]);
    const [files, history] = await Promise.all([source.files(), source.history()]);
    const suspects = ['big.svg', 'app.js', 'gone.md'];
    const sample = await sampleOf({ source, files, history }, BASE, 3, suspects);
    expect(sample).toEqual(['app.js', 'big.svg', 'b.md']);
  });

  it('is spread over the tree, and the same each time', async () => {
    const pages = Object.fromEntries(
      Array.from({ length: 400 }, (_, at) => [`d${Math.floor(at / 100)}/${at}.md`, `page ${at}`]),
    );
    const source = sourceOf([pages], { remembered: false });
    const first = await picked(source, 12);
    expect(first).toEqual(await picked(source, 12));
    expect(new Set(first.map((path) => path.slice(0, 2))).size).toBe(4);
  });

  it('needs no history', async () => {
    expect(await picked(sourceOf([{ 'b.md': 'b2' }, FIRST], { content: false }), 2)).toEqual([
      'config.json',
      'navigation.md',
    ]);
  });
});

interface Given {
  readonly live?: Files;
  readonly source: Source;
  readonly samples?: number;
  readonly fallback?: Answer;
}

async function run({ live = {}, source, samples = 1, fallback }: Given) {
  const { get, asked } = fake({ ...SITE, ...live }, fallback);
  const report = await runChecks(options(get, { checks: [check], wants: { ...NO_WANTS, source, samples } }));
  const [result] = report.checks;
  const codes = [...(result?.findings ?? []), ...(result?.skipped ? [result.skipped] : [])].map(({ code }) => code);
  return { asked, codes, facts: result?.facts, status: result?.status, fresh: report.fresh };
}

const OLD = { 'a.md': 'old a', 'b.md': 'old b', 'config.json': '{}' };
const NEW: Commits = [{ 'a.md': 'new a' }, OLD];

describe('a site that is sampled', () => {
  const rows: readonly (Given & {
    readonly name: string;
    readonly codes: readonly string[];
    readonly status: Status;
    readonly fresh: boolean | null;
    readonly asked: readonly string[];
  })[] = [
    {
      name: 'is new',
      source: sourceOf(NEW),
      live: { '/a.md': 'new a' },
      codes: [],
      status: 'pass',
      fresh: true,
      asked: ['/a.md'],
    },
    {
      name: 'is old',
      source: sourceOf(NEW),
      live: { '/a.md': 'old a' },
      codes: ['stale'],
      status: 'fail',
      fresh: false,
      asked: ['/a.md'],
    },
    {
      name: 'is of no known version',
      source: sourceOf(NEW),
      live: { '/a.md': 'b' },
      codes: ['differs'],
      status: 'fail',
      fresh: false,
      asked: ['/a.md'],
    },
    {
      name: 'lacks the file',
      source: sourceOf(NEW),
      codes: ['not-live'],
      status: 'fail',
      fresh: false,
      asked: ['/a.md'],
    },
    {
      name: 'has its bundle in place of the file',
      source: sourceOf(NEW),
      fallback: html(SHELL),
      codes: ['not-live'],
      status: 'fail',
      fresh: false,
      asked: ['/a.md', '/index.html'],
    },
    {
      name: 'has other line ends',
      source: sourceOf([{ 'a.md': 'new\na' }, OLD]),
      live: { '/a.md': 'new\r\na' },
      codes: ['line-endings'],
      status: 'pass',
      fresh: true,
      asked: ['/a.md'],
    },
    {
      name: 'has markup put in',
      source: sourceOf(NEW),
      live: { '/a.md': 'new a\n<script src="x.js"></script>' },
      codes: ['injected'],
      status: 'warn',
      fresh: true,
      asked: ['/a.md'],
    },
    {
      name: 'has the same line put in everywhere',
      source: sourceOf(NEW),
      live: { '/a.md': 'new a\nHosted by X', '/b.md': 'old b\nHosted by X', '/config.json': json({}) },
      codes: ['injected', 'injected'],
      status: 'warn',
      fresh: true,
      asked: ['/a.md', '/config.json', '/b.md'],
    },
    {
      name: 'has a line more',
      source: sourceOf(NEW),
      live: { '/a.md': 'new a\nmore', '/b.md': 'old b' },
      codes: ['differs'],
      status: 'fail',
      fresh: false,
      asked: ['/a.md', '/config.json', '/b.md'],
    },
    {
      name: 'is new in one and old in another file',
      source: sourceOf([{ 'a.md': 'new a', 'b.md': 'new b' }, OLD]),
      samples: 2,
      live: { '/a.md': 'new a', '/b.md': 'old b' },
      codes: ['mixed'],
      status: 'fail',
      fresh: false,
      asked: ['/a.md', '/b.md'],
    },
    {
      name: 'does not answer',
      source: sourceOf(NEW),
      live: { '/a.md': noReply('reset') },
      codes: ['no-answer'],
      status: 'unknown',
      fresh: null,
      asked: ['/a.md'],
    },
    {
      name: 'is too busy',
      source: sourceOf(NEW),
      live: { '/a.md': reply('', { status: 429 }) },
      codes: ['no-answer'],
      status: 'unknown',
      fresh: null,
      asked: ['/a.md'],
    },
    {
      name: 'answers for one of two',
      source: sourceOf(NEW),
      samples: 2,
      live: { '/a.md': 'new a', '/config.json': noReply('reset') },
      codes: ['not-compared'],
      status: 'unknown',
      fresh: null,
      asked: ['/a.md', '/config.json'],
    },
    {
      name: 'answers for one of two, which is old',
      source: sourceOf(NEW),
      samples: 2,
      live: { '/a.md': 'old a', '/config.json': noReply('reset') },
      codes: ['stale', 'not-compared'],
      status: 'fail',
      fresh: false,
      asked: ['/a.md', '/config.json'],
    },
    {
      name: 'needs a login',
      source: sourceOf(NEW),
      live: { '/a.md': reply('', { status: 401 }) },
      codes: ['forbidden'],
      status: 'fail',
      fresh: null,
      asked: ['/a.md'],
    },
    {
      name: 'has the pointer of a picture',
      source: sourceOf([{ 'logo.svg': pointerTo('<svg/>') }, OLD]),
      live: { '/logo.svg': pointerTo('<svg/>') },
      codes: ['lfs-pointer'],
      status: 'fail',
      fresh: null,
      asked: ['/logo.svg'],
    },
    {
      name: 'has the bundle changed',
      source: sourceOf([{ 'index.html': `${SHELL}<!-- 2 -->` }, { ...OLD, 'index.html': SHELL }]),
      codes: ['stale'],
      status: 'fail',
      fresh: false,
      asked: ['/index.html'],
    },
    {
      name: 'has no bundle',
      source: sourceOf([{ 'index.html': SHELL }, OLD]),
      live: { '/index.html': reply('', { status: 404 }) },
      codes: ['not-live'],
      status: 'fail',
      fresh: false,
      asked: ['/index.html'],
    },
    {
      name: 'is compared with hashes only',
      source: sourceOf(NEW, { content: false }),
      live: { '/config.json': json({ a: 1 }) },
      codes: ['differs'],
      status: 'fail',
      fresh: false,
      asked: ['/config.json'],
    },
    {
      name: 'is a folder further down',
      source: sourceOf([{ 'docs/a.md': 'a', 'docs/config.json': '{}' }]),
      live: { '/config.json': json({ title: 'x' }) },
      codes: ['other-folder'],
      status: 'unknown',
      fresh: null,
      asked: ['/docs/a.md', '/config.json'],
    },
    {
      name: 'has a source without files',
      source: sourceOf([{}]),
      codes: ['empty-source'],
      status: 'unknown',
      fresh: null,
      asked: [],
    },
    {
      name: 'has a source that cannot be read',
      source: { ...sourceOf(NEW), files: () => Promise.reject(new Error('EACCES')) },
      codes: ['unreadable'],
      status: 'unknown',
      fresh: null,
      asked: [],
    },
    {
      name: 'has a source whose history cannot be read',
      source: { ...sourceOf(NEW), history: () => Promise.reject(new Error('git')) },
      live: { '/config.json': json({}) },
      codes: [],
      status: 'pass',
      fresh: true,
      asked: ['/config.json'],
    },
  ];

  it.each(rows)('$name', async ({ codes, status, fresh, asked, ...given }) => {
    const told = await run(given);
    expect({ codes: told.codes, status: told.status, fresh: told.fresh, asked: told.asked.toSorted() }).toEqual({
      codes,
      status,
      fresh,
      asked: asked.toSorted(),
    });
  });

  it('says that it was a sample', async () => {
    const { facts } = await run({ source: sourceOf(NEW), live: { '/a.md': 'new a' } });
    expect(facts).toEqual({ source: 'fresh', sampled: true, files: 1, of: 3, differing: 0 });
  });

  it('names the version that is live', async () => {
    const { get } = fake({ ...SITE, '/a.md': 'old a' });
    const report = await runChecks(
      options(get, { checks: [check], wants: { ...NO_WANTS, source: sourceOf(NEW), samples: 1 } }),
    );
    expect(report.checks[0]?.findings[0]).toMatchObject({ evidence: { path: 'a.md', commit: 'c1', newerVersions: 1 } });
    expect(report.verdict).toBe('stale');
  });
});
