import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeFolder } from './output.ts';

describe('makeFolder', () => {
  let root = '';
  beforeEach(() => {
    root = realpathSync(mkdtempSync(path.join(tmpdir(), 'docvitals-make-')));
    mkdirSync(path.join(root, 'there'));
    symlinkSync('there', path.join(root, 'link'));
    writeFileSync(path.join(root, 'file'), '');
  });
  afterEach(() => rmSync(root, { recursive: true }));

  it.each([
    ['one', 'new', 'new'],
    ['several', 'new/a/b', 'new'],
    ['one within', 'there/a/b', 'there/a'],
    ['one behind a link', 'link/a', 'link/a'],
    ['none where it is there', 'there', undefined],
    ['none where a link leads to one', 'link', undefined],
  ])('makes %s, and says which was the first', async (_name, folder, first) => {
    const made = await makeFolder(path.join(root, folder));
    expect(made).toBe(first === undefined ? undefined : path.join(root, first));
    expect(existsSync(path.join(root, folder))).toBe(true);
  });

  it('makes one that several make at once', async () => {
    const location = path.join(root, 'a/b/c');
    await Promise.all([1, 2, 3, 4].map(() => makeFolder(location)));
    expect(existsSync(location)).toBe(true);
  });

  it.each([
    ['a file', 'file', 'EEXIST'],
    ['a file above', 'file/a', 'ENOTDIR'],
  ])('refuses %s', async (_name, folder, code) => {
    await expect(makeFolder(path.join(root, folder))).rejects.toMatchObject({ code });
  });

  it.runIf(existsSync('/proc/self'))('ends where the file system makes no folders', async () => {
    await expect(makeFolder('/proc/docvitals/a')).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
