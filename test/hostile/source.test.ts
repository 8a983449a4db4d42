/** Sources that are made to be slow or large to read. One that needs memory is in `source.long.test.ts`. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { LATER_MS, makeSource } from './source.ts';

describe('a source that is slow or large to read', () => {
  it('is not read where its Git trees name more files than a site has', async () => {
    const { git, checked } = await makeSource();
    git(['init', '--quiet']);
    const blob = git(['hash-object', '-w', '--stdin'], '# x\n');
    const names = Array.from({ length: 10 }, (_, index) => index);
    let tree = git(['mktree'], names.map((name) => `100644 blob ${blob}\t${name}.md\n`).join(''));
    for (let level = 0; level < 6; level++)
      tree = git(['mktree'], names.map((name) => `040000 tree ${tree}\t${name}\n`).join(''));
    git(['update-ref', 'refs/heads/bomb', git(['commit-tree', tree, '-m', 'bomb'])]);
    expect(await checked('bomb', LATER_MS)).toEqual(['unknown', ['unreadable', 'more than 200000 entries']]);
  });

  it('is read without a file of 20 GB', async () => {
    const { docs, checked } = await makeSource();
    writeFileSync(path.join(docs, 'film.mp4'), '');
    truncateSync(path.join(docs, 'film.mp4'), 20e9);
    expect(await checked('docs')).toEqual(['unknown', ['unread', ['film.mp4']]]);
  });

  it('ends with the run where its files take longer than that', async () => {
    const { docs, checked } = await makeSource();
    for (let index = 0; index < 20; index++) {
      const file = path.join(docs, `${index}.mp4`);
      writeFileSync(file, '');
      truncateSync(file, 4e9);
    }
    expect(await checked('docs', 2_000)).toEqual(['unknown', ['unreadable', 'not read before the end of the run']]);
  });

  it.skipIf(process.platform === 'win32')('is read without what is no regular file', async () => {
    const { docs, checked } = await makeSource();
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
    const { docs, git, checked } = await makeSource();
    git(['init', '--quiet']);
    writeFileSync(Buffer.concat([Buffer.from(`${docs}/caf`), Buffer.from([0xe9]), Buffer.from('.md')]), '# Menu\n');
    git(['add', '.']);
    git(['commit', '--quiet', '--message', 'docs']);
    expect(await checked('HEAD:docs')).toEqual(['unknown', ['unread', ['caf\uFFFD.md']]]);
  });
});
