/** Sources that are made to be slow or large to read: what the built command needs for them, and what it reports. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { runCli } from '../cli/run.ts';
import { listen, type Host } from '../site/host.ts';

const MOST_MIB = 400;
const DEADLINE_MS = 5_000;
/** For what ends by itself long before, also on a busy machine. */
const LATER_MS = 20_000;

let host: Host;
let folder: string;
let docs: string;

beforeAll(async () => {
  host = await listen(({ url = '' }, response) => {
    const found = url === '/index.md';
    response.writeHead(found ? 200 : 404, { 'content-type': 'text/markdown' }).end(found ? '# Home\n' : '');
  });
});
afterAll(async () => host.close());

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'docvitals-hostile-source-'));
  docs = path.join(folder, 'docs');
  mkdirSync(docs);
  writeFileSync(path.join(docs, 'index.md'), '# Home\n');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const git = (args: readonly string[], input = ''): string =>
  execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@example.org', ...args], {
    cwd: folder,
    input,
    encoding: 'utf8',
  }).trim();

interface Checks {
  readonly checks: readonly {
    readonly status: string;
    readonly findings: readonly { readonly code: string; readonly evidence: Readonly<Record<string, unknown>> }[];
  }[];
}

/** What a check of the source reports: its status, then each finding with the evidence that is about reading. */
async function checked(source: string, deadlineMs = DEADLINE_MS) {
  const args = ['check', host.url, '--only', 'source', '--source', source, '--format', 'json'];
  const { stdout, stderr, durationMs, maxRssMiB } = await runCli([...args, '--deadline', `${deadlineMs}ms`], {
    cwd: folder,
    killAfterMs: 4 * deadlineMs,
  });
  expect(stderr).toBe('');
  // A busy machine takes long to start the command.
  expect(durationMs).toBeLessThan(deadlineMs + 2_000);
  expect(maxRssMiB).toBeLessThan(MOST_MIB);
  const [check] = (JSON.parse(stdout) as Checks).checks;
  const findings = (check?.findings ?? []).map(({ code, evidence }) => [code, evidence['error'] ?? evidence['names']]);
  return [check?.status, ...findings];
}

describe('a source that is slow or large to read', () => {
  it('is not read where its Git trees name more files than a site has', async () => {
    git(['init', '--quiet']);
    const blob = git(['hash-object', '-w', '--stdin'], '# x\n');
    const names = Array.from({ length: 10 }, (_, index) => index);
    let tree = git(['mktree'], names.map((name) => `100644 blob ${blob}\t${name}.md\n`).join(''));
    for (let level = 0; level < 6; level++)
      tree = git(['mktree'], names.map((name) => `040000 tree ${tree}\t${name}\n`).join(''));
    git(['update-ref', 'refs/heads/bomb', git(['commit-tree', tree, '-m', 'bomb'])]);
    expect(await checked('bomb', LATER_MS)).toEqual(['unknown', ['unreadable', 'more than 200000 entries']]);
  });

  it('is hashed as it comes: a Git object of 600 MB', async () => {
    git(['init', '--quiet']);
    writeFileSync(path.join(docs, 'film.zip.md'), '');
    truncateSync(path.join(docs, 'film.zip.md'), 600e6);
    git(['-c', 'core.compression=1', 'add', '.']);
    git(['commit', '--quiet', '--message', 'docs']);
    // It is not live.
    expect(await checked('HEAD:docs', LATER_MS)).toEqual(['fail', ['not-live', undefined]]);
  });

  it('is read without a file of 20 GB', async () => {
    writeFileSync(path.join(docs, 'film.mp4'), '');
    truncateSync(path.join(docs, 'film.mp4'), 20e9);
    expect(await checked('docs')).toEqual(['unknown', ['unread', ['film.mp4']]]);
  });

  it('ends with the run where its files take longer than that', async () => {
    for (let index = 0; index < 20; index++) {
      const file = path.join(docs, `${index}.mp4`);
      writeFileSync(file, '');
      truncateSync(file, 4e9);
    }
    expect(await checked('docs')).toEqual(['unknown', ['unreadable', 'not read before the end of the run']]);
  });

  it.skipIf(process.platform === 'win32')('is read without what is no regular file', async () => {
    mkdirSync(path.join(docs, 'guide/.gitignore'), { recursive: true });
    writeFileSync(path.join(docs, 'guide/notes.txt'), '');
    execFileSync('mkfifo', ['.gitignore', 'pipe.md'], { cwd: docs });
    writeFileSync(Buffer.concat([Buffer.from(`${docs}/caf`), Buffer.from([0xe9]), Buffer.from('.md')]), '# Menu\n');
    expect(await checked('docs')).toEqual([
      'unknown',
      ['unread', ['.gitignore', 'caf\uFFFD.md', 'guide/.gitignore', 'pipe.md']],
    ]);
  });

  it.skipIf(process.platform === 'win32')('is read without Git paths that are not UTF-8', async () => {
    git(['init', '--quiet']);
    writeFileSync(Buffer.concat([Buffer.from(`${docs}/caf`), Buffer.from([0xe9]), Buffer.from('.md')]), '# Menu\n');
    git(['add', '.']);
    git(['commit', '--quiet', '--message', 'docs']);
    expect(await checked('HEAD:docs')).toEqual(['unknown', ['unread', ['caf\uFFFD.md']]]);
  });
});
