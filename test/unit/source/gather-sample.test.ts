import { describe, expect, it } from 'vitest';
import { noReply, reply, SHELL } from '../../answers.ts';
import { fake, html, json, options, SITE, type Files } from '../../runs.ts';
import type { Answer } from '../../../src/core/answer.ts';
import type { Status } from '../../../src/core/check.ts';
import { DEFAULT_REQUEST, runChecks } from '../../../src/core/run.ts';
import type { Source } from '../../../src/source/types.ts';
import { checks as declared } from '../../../checks/index.ts';
import { source as check } from '../../../checks/source/check.ts';
import { pointerTo, sourceOf, type Commits } from '../../../checks/source/fixtures/source.ts';

interface Given {
  readonly live?: Files;
  readonly source: Source;
  readonly samples?: number;
  readonly fallback?: Answer;
}

async function run({ live = {}, source, samples = 1, fallback }: Given) {
  const { get, asked } = fake({ ...SITE, ...live }, fallback);
  const report = await runChecks(options(get, { checks: [check], requested: { ...DEFAULT_REQUEST, source, samples } }));
  const [result] = report.checks;
  const rules = [...(result?.findings ?? []), ...(result?.skipped ? [result.skipped] : [])].map(({ rule }) => rule);
  return { asked, codes: rules, facts: result?.facts, status: result?.status, fresh: report.fresh };
}

const OLD = { 'a.md': 'old a', 'b.md': 'old b', 'config.json': '{}' };
const NEW: Commits = [{ 'a.md': 'new a' }, OLD];

describe('a site that is sampled', () => {
  const rows: readonly (Given & {
    readonly name: string;
    readonly rules: readonly string[];
    readonly status: Status;
    readonly fresh: boolean | null;
    readonly asked: readonly string[];
  })[] = [
    {
      name: 'is new',
      source: sourceOf(NEW),
      live: { '/a.md': 'new a' },
      rules: [],
      status: 'pass',
      fresh: true,
      asked: ['/a.md'],
    },
    {
      name: 'is old',
      source: sourceOf(NEW),
      live: { '/a.md': 'old a' },
      rules: ['stale'],
      status: 'fail',
      fresh: false,
      asked: ['/a.md'],
    },
    {
      name: 'is of no known version',
      source: sourceOf(NEW),
      live: { '/a.md': 'b' },
      rules: ['differs'],
      status: 'fail',
      fresh: false,
      asked: ['/a.md'],
    },
    {
      name: 'lacks the file',
      source: sourceOf(NEW),
      rules: ['not-live'],
      status: 'fail',
      fresh: false,
      asked: ['/a.md'],
    },
    {
      name: 'has its bundle instead of the file',
      source: sourceOf(NEW),
      fallback: html(SHELL),
      rules: ['not-live'],
      status: 'fail',
      fresh: false,
      asked: ['/a.md', '/index.html'],
    },
    {
      name: 'has other line ends',
      source: sourceOf([{ 'a.md': 'new\na' }, OLD]),
      live: { '/a.md': 'new\r\na' },
      rules: ['line-endings'],
      status: 'pass',
      fresh: true,
      asked: ['/a.md'],
    },
    {
      name: 'has markup put in',
      source: sourceOf(NEW),
      live: { '/a.md': 'new a\n<script src="x.js"></script>' },
      rules: ['injected'],
      status: 'warn',
      fresh: true,
      asked: ['/a.md'],
    },
    {
      name: 'has the same line put in everywhere',
      source: sourceOf(NEW),
      live: { '/a.md': 'new a\nHosted by X', '/b.md': 'old b\nHosted by X', '/config.json': json({}) },
      rules: ['injected', 'injected'],
      status: 'warn',
      fresh: true,
      asked: ['/a.md', '/config.json', '/b.md'],
    },
    {
      name: 'has a line more',
      source: sourceOf(NEW),
      live: { '/a.md': 'new a\nmore', '/b.md': 'old b' },
      rules: ['differs'],
      status: 'fail',
      fresh: false,
      asked: ['/a.md', '/config.json', '/b.md'],
    },
    {
      name: 'is new in one and old in another file',
      source: sourceOf([{ 'a.md': 'new a', 'b.md': 'new b' }, OLD]),
      samples: 2,
      live: { '/a.md': 'new a', '/b.md': 'old b' },
      rules: ['mixed'],
      status: 'fail',
      fresh: false,
      asked: ['/a.md', '/b.md'],
    },
    {
      name: 'does not answer',
      source: sourceOf(NEW),
      live: { '/a.md': noReply('reset') },
      rules: ['no-answer'],
      status: 'unknown',
      fresh: null,
      asked: ['/a.md'],
    },
    {
      name: 'is too busy',
      source: sourceOf(NEW),
      live: { '/a.md': reply('', { status: 429 }) },
      rules: ['no-answer'],
      status: 'unknown',
      fresh: null,
      asked: ['/a.md'],
    },
    {
      name: 'answers for one of two',
      source: sourceOf(NEW),
      samples: 2,
      live: { '/a.md': 'new a', '/config.json': noReply('reset') },
      rules: ['not-compared'],
      status: 'unknown',
      fresh: null,
      asked: ['/a.md', '/config.json'],
    },
    {
      name: 'answers for one of two, which is old',
      source: sourceOf(NEW),
      samples: 2,
      live: { '/a.md': 'old a', '/config.json': noReply('reset') },
      rules: ['stale', 'not-compared'],
      status: 'fail',
      fresh: false,
      asked: ['/a.md', '/config.json'],
    },
    {
      name: 'needs a login',
      source: sourceOf(NEW),
      live: { '/a.md': reply('', { status: 401 }) },
      rules: ['forbidden'],
      status: 'fail',
      fresh: null,
      asked: ['/a.md'],
    },
    {
      name: 'has the pointer of a picture',
      source: sourceOf([{ 'logo.svg': pointerTo('<svg/>') }, { ...OLD, 'logo.svg': '<svg>1</svg>' }]),
      live: { '/logo.svg': pointerTo('<svg/>') },
      rules: ['lfs-pointer'],
      status: 'fail',
      fresh: null,
      asked: ['/logo.svg'],
    },
    {
      name: 'has the bundle changed',
      source: sourceOf([{ 'index.html': `${SHELL}<!-- 2 -->` }, { ...OLD, 'index.html': SHELL }]),
      rules: ['stale'],
      status: 'fail',
      fresh: false,
      asked: ['/index.html'],
    },
    {
      name: 'has no bundle',
      source: sourceOf([{ 'index.html': SHELL }, { ...OLD, 'index.html': '<html>' }]),
      live: { '/index.html': reply('', { status: 404 }) },
      rules: ['not-live'],
      status: 'fail',
      fresh: false,
      asked: ['/index.html'],
    },
    {
      name: 'is compared with hashes only',
      source: sourceOf(NEW, { content: false }),
      live: { '/config.json': json({ a: 1 }) },
      rules: ['differs'],
      status: 'fail',
      fresh: false,
      asked: ['/config.json'],
    },
    {
      name: 'is a folder further down',
      source: sourceOf([{ 'docs/a.md': 'a', 'docs/config.json': '{}' }]),
      live: { '/config.json': json({ title: 'x' }) },
      rules: ['other-folder'],
      status: 'unknown',
      fresh: null,
      asked: ['/docs/a.md', '/config.json', '/index.html'],
    },
    {
      name: 'has a source without files',
      source: sourceOf([{}]),
      rules: ['empty-source'],
      status: 'unknown',
      fresh: null,
      asked: [],
    },
    {
      name: 'has a source that cannot be read',
      source: { ...sourceOf(NEW), files: () => Promise.reject(new Error('EACCES')) },
      rules: ['unreadable'],
      status: 'unknown',
      fresh: null,
      asked: [],
    },
    {
      name: 'has a source whose history cannot be read',
      source: { ...sourceOf(NEW), history: () => Promise.reject(new Error('git')) },
      live: { '/config.json': json({}) },
      rules: [],
      status: 'pass',
      fresh: true,
      asked: ['/config.json'],
    },
  ];

  it.each(rows)('$name', async ({ rules, status, fresh, asked, ...given }) => {
    const reported = await run(given);
    expect({
      codes: reported.codes,
      status: reported.status,
      fresh: reported.fresh,
      asked: reported.asked.toSorted(),
    }).toEqual({
      codes: rules,
      status,
      fresh,
      asked: asked.toSorted(),
    });
  });

  it('shares the files that every site has with the checks of single files', async () => {
    const site = [{ 'a.md': 'new a', 'index.md': '# Handbook\n', 'navigation.md': '- [Home](index.md)\n' }];
    const { get, asked } = fake({ ...SITE, '/a.md': 'new a' });
    const checks = [check, ...declared.filter(({ id }) => id === 'navigation' || id === 'home')];
    const requested = { ...DEFAULT_REQUEST, source: sourceOf(site), samples: 3 };
    const report = await runChecks(options(get, { checks, requested }));
    expect([report.verdict, asked.length, new Set(asked).size]).toEqual(['healthy', 5, 5]);
  });

  it('names why nothing came', async () => {
    const { get } = fake({ ...SITE, '/a.md': reply('', { status: 503 }) });
    const report = await runChecks(
      options(get, { checks: [check], requested: { ...DEFAULT_REQUEST, source: sourceOf(NEW), samples: 1 } }),
    );
    expect(report.checks[0]?.findings).toMatchObject([{ rule: 'no-answer', evidence: { status: 503 } }]);
  });

  it('says that it was a sample', async () => {
    const { facts } = await run({ source: sourceOf(NEW), live: { '/a.md': 'new a' } });
    expect(facts).toEqual({ source: 'fresh', sampled: true, telling: true, files: 1, of: 3, differing: 0 });
  });

  it('names the version that is live', async () => {
    const { get } = fake({ ...SITE, '/a.md': 'old a' });
    const report = await runChecks(
      options(get, { checks: [check], requested: { ...DEFAULT_REQUEST, source: sourceOf(NEW), samples: 1 } }),
    );
    expect(report.checks[0]?.findings[0]).toMatchObject({ evidence: { path: 'a.md', commit: 'c1', newerVersions: 1 } });
    expect(report.verdict).toBe('stale');
  });
});
