import path from 'node:path';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sourceOf } from '../../checks/source/fixtures/source.ts';
import type { Finding } from '../core/finding.ts';
import type { Report } from '../core/check.ts';
import { openSource, writeManifest } from '../source/open.ts';
import { finding, reportOf } from '../../test/reports.ts';
import { locator } from './location.ts';

const AT = { line: 3, column: 5 };
/** A finding that names a file, and nothing of the source. */
const LOCATED = reportOf([{ findings: [finding({ location: { path: 'config.json', ...AT } })] }]);

let root: string;

beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'docvitals-locate-'));
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

function write(...files: readonly string[]): void {
  for (const file of files) {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
    writeFileSync(path.join(root, file), `# ${file}\n`);
  }
}

function commit(): void {
  const identity = ['-c', 'user.name=Test', '-c', 'user.email=test@example.org', '-c', 'commit.gpgsign=false'];
  const git = (...args: readonly string[]): void => void execFileSync('git', [...identity, ...args], { cwd: root });
  git('init', '--quiet', '--initial-branch', 'main');
  git('add', '--all');
  git('commit', '--quiet', '--message', 'all');
}

async function location(source: string, from: string, file: string, report: Report = LOCATED) {
  const locate = await locator(await openSource(source, path.join(root, from)), report);
  return locate({ path: file, ...AT });
}

describe('a place in a repository', () => {
  beforeEach(() => {
    write('index.md', 'site/docs/index.md', 'site/docs/guide/a b.md', 'site/docs/documentație/x.md', '..odd/index.md');
    commit();
  });

  it.each([
    ['the root, as a folder', '.', '', 'index.md', 'index.md'],
    ['a folder below', 'site/docs', '', 'guide/a b.md', 'site/docs/guide/a b.md'],
    ['a folder below, from inside', 'docs', 'site', 'index.md', 'site/docs/index.md'],
    ['a folder above', '..', 'site/docs', 'docs/index.md', 'site/docs/index.md'],
    ['a folder whose name is not ASCII', 'site/docs/documentație', '', 'x.md', 'site/docs/documentație/x.md'],
    ['a folder whose name begins with dots', '..odd', '', 'index.md', '..odd/index.md'],
    ['a ref', 'HEAD', '', 'index.md', 'index.md'],
    ['a ref, from inside', 'main', 'site', 'site/docs/index.md', 'site/docs/index.md'],
    ['a ref with a folder', 'HEAD:site/docs', '', 'index.md', 'site/docs/index.md'],
    ['a ref with a folder and a slash', 'main:site/docs/', '', 'index.md', 'site/docs/index.md'],
    ['a ref with a folder, from inside', 'HEAD:site/docs', 'site', 'index.md', 'site/docs/index.md'],
    ['a ref with a folder from here', 'HEAD:./docs', 'site', 'index.md', 'site/docs/index.md'],
    ['a ref with a folder above', 'HEAD:../site', 'site', 'docs/index.md', 'site/docs/index.md'],
  ])('by %s', async (_, source, from, file, expected) => {
    expect(await location(source, from, file)).toEqual({ file: expected, ...AT });
  });

  it.each([
    ['a file that is not in it', 'site/docs', 'nowhere.md'],
    ['a file above it', 'site/docs', '../../index.md'],
    ['a tree without a commit', 'HEAD^{tree}', 'index.md'],
  ])('not by %s', async (_, source, file) => {
    expect(await location(source, '', file)).toBeNull();
  });
});

describe('a place outside of repositories', () => {
  beforeEach(() => write('docs/index.md', '..odd/index.md'));

  it.each([
    ['here', '.', '', 'docs/index.md', 'docs/index.md'],
    ['below', 'docs', '', 'index.md', 'docs/index.md'],
    ['below, by dots', './docs/../..odd', '', 'index.md', '..odd/index.md'],
  ])('%s', async (_, source, from, file, expected) => {
    expect(await location(source, from, file)).toEqual({ file: expected, ...AT });
  });

  it('elsewhere is not known', async () => {
    expect(await location('..', 'docs', 'docs/index.md')).toBeNull();
  });

  it('is not known of a manifest', async () => {
    writeFileSync(path.join(root, 'm.json'), await writeManifest(path.join(root, 'docs')));
    expect(await location('m.json', '', 'index.md')).toBeNull();
  });
});

describe('a line in a repository', () => {
  const source = sourceOf([{ 'a.md': 'a', 'b.md': 'b', 'pagin\u0103.md': 'x', 'ca\u0306.md': 'x' }]);
  const reported = (...findings: readonly Partial<Finding>[]): Report =>
    reportOf([...LOCATED.checks, { id: 'source', findings: findings.map((one) => finding(one)) }]);
  const many = Array.from({ length: 20 }, (_, at) => `p${at}.md`);

  it.each<[string, Report, string, number | null]>([
    ['is known', reported(), 'a.md', 3],
    ['is known where another file is old', reported({ rule: 'stale', evidence: { path: 'b.md' } }), 'a.md', 3],
    ['is not known of an old file', reported({ rule: 'stale', evidence: { path: 'a.md' } }), 'a.md', null],
    [
      'is not known of a file with lines put in',
      reported({ rule: 'injected', evidence: { path: 'a.md' } }),
      'a.md',
      null,
    ],
    [
      'is not known of a file that was not compared',
      reported({ rule: 'not-compared', evidence: { path: 'a.md' } }),
      'a.md',
      null,
    ],
    [
      'is not known of an old file among new ones',
      reported({ rule: 'mixed', evidence: { old: ['a.md'], new: ['b.md'] } }),
      'a.md',
      null,
    ],
    [
      'is known of a new file among old ones',
      reported({ rule: 'mixed', evidence: { old: ['a.md'], new: ['b.md'] } }),
      'b.md',
      3,
    ],
    [
      'is not known where more are old than are named',
      reported({ rule: 'mixed', evidence: { old: many, new: [] } }),
      'b.md',
      null,
    ],
    [
      'is known of a file with other line ends',
      reported({ rule: 'line-endings', evidence: { path: 'a.md' } }),
      'a.md',
      3,
    ],
    [
      'is known of a page that links to one that is gone',
      reported({ rule: 'gone', evidence: { path: 'x.md' }, location: { path: 'a.md', ...AT } }),
      'a.md',
      3,
    ],
    [
      'is known where the comparison itself names it',
      reported({ rule: 'stale', evidence: { path: 'a.md' }, location: { path: 'a.md', ...AT } }),
      'a.md',
      3,
    ],
    ['is known of a composed name', reported(), 'pagin\u0103.md', 3],
    ['is known of a name in another Unicode form', reported(), 'pagina\u0306.md', 3],
    ['is known of a decomposed name', reported(), 'c\u0103.md', 3],
  ])('%s', async (_, report, file, line) => {
    const found = (await locator(source, report))({ path: file, ...AT });
    expect(found?.line).toBe(line);
  });

  it('is not known of a source that cannot be read', async () => {
    const broken = { ...source, files: () => Promise.reject(new Error('EACCES')) };
    expect((await locator(broken, reported()))({ path: 'a.md', ...AT })).toBeNull();
  });

  it.each([
    ['nothing', []],
    ['no file', [finding({ evidence: { status: 500 } })]],
  ])('is not looked for where the report names %s', async (_, findings) => {
    let wasRead = false;
    const files: typeof source.files = () => {
      wasRead = true;
      return source.files();
    };
    await locator({ ...source, files }, reportOf([{ findings }]));
    expect(wasRead).toBe(false);
  });

  it('is not known without a source', async () => {
    expect((await locator(null, reported()))({ path: 'a.md', ...AT })).toBeNull();
  });
});
