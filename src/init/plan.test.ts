import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { compareFiles, writeFiles, type Plan } from './plan.ts';

/** A name that a file can have, and its temporary file beside it cannot: what fails only when it is written. */
const TOO_LONG = 'x'.repeat(250);

const makeRoot = (): string => mkdtempSync(path.join(tmpdir(), 'docvitals-write-'));
const planOf = (root: string, files: Readonly<Record<string, string>>): Plan => ({
  root,
  files: Object.entries(files).map(([file, text]) => ({ file, text })),
  notes: [],
});

describe('writeFiles', () => {
  it('writes all files, and the folders that they need', async () => {
    const root = makeRoot();
    const plan = planOf(root, { 'a/b/c.txt': 'c', 'd.txt': 'd' });
    await writeFiles(plan, await compareFiles(plan, false));
    expect([path.join(root, 'a/b/c.txt'), path.join(root, 'd.txt')].map((file) => readFileSync(file, 'utf8'))).toEqual([
      'c',
      'd',
    ]);
  });

  it.skipIf(process.platform === 'win32')('names the file that cannot be written', async () => {
    const root = makeRoot();
    const plan = planOf(root, { 'new.txt': 'new', [TOO_LONG]: 'x' });
    await expect(writeFiles(plan, await compareFiles(plan, true))).rejects.toMatchObject({
      name: 'Error',
      file: path.join(root, TOO_LONG),
    });
    const again = await compareFiles(plan, false);
    expect(again.map(({ state }) => state)).toEqual(['unchanged', 'new']);
  });
});

describe('compareFiles', () => {
  it('reports what becomes of each', async () => {
    const root = makeRoot();
    writeFileSync(path.join(root, 'same.txt'), 'same\r\n');
    writeFileSync(path.join(root, 'other.txt'), 'other\n');
    mkdirSync(path.join(root, 'folder'));
    const plan = planOf(root, { 'same.txt': 'same\n', 'other.txt': 'mine\n', folder: 'x', 'new.txt': 'x' });
    const states = async (force: boolean) => (await compareFiles(plan, force)).map(({ state }) => state);
    expect(await states(false)).toEqual(['unchanged', 'exists', 'exists', 'new']);
    expect(await states(true)).toEqual(['unchanged', 'replaced', 'replaced', 'new']);
  });
});
