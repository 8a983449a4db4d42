import path from 'node:path';
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
  existsSync,
  realpathSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { OutputError, writeFileWhole, makeFolder } from './output.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'docvitals-output-'));
  mkdirSync(path.join(folder, 'out'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const at = (name: string): string => path.join(folder, name);
const isLink = (name: string): boolean => lstatSync(at(name)).isSymbolicLink();

describe('a file that is written whole', () => {
  it.each([
    { name: 'is new', before: null, mode: null },
    { name: 'is there already, with its mode', before: 'old', mode: 0o640 },
  ])('and $name', async ({ before, mode }) => {
    if (before !== null) writeFileSync(at('out/report.json'), before, { mode: mode ?? 0o666 });
    for (const links of ['follow', 'replace'] as const) await writeFileWhole(at('out/report.json'), links, { links });
    expect(readFileSync(at('out/report.json'), 'utf8')).toBe('replace');
    expect(readdirSync(at('out'))).toEqual(['report.json']);
    writeFileSync(at('plain'), '', { mode: mode ?? 0o666 });
    expect(lstatSync(at('out/report.json')).mode).toBe(lstatSync(at('plain')).mode);
  });

  it('is what a link leads to, where links are followed', async () => {
    writeFileSync(at('kept.txt'), 'old');
    symlinkSync('../kept.txt', at('out/report.json'));
    await writeFileWhole(at('out/report.json'), 'new');
    expect([readFileSync(at('kept.txt'), 'utf8'), isLink('out/report.json')]).toEqual(['new', true]);
  });

  it.each([
    { name: 'to a file', target: '../victim.txt' },
    { name: 'to nothing', target: '../nothing.txt' },
    { name: 'to a folder', target: '..' },
    { name: 'to a device', target: '/dev/full' },
    { name: 'to itself', target: 'report.json' },
  ])('replaces a link $name, where links are replaced', async ({ target }) => {
    writeFileSync(at('victim.txt'), 'precious');
    symlinkSync(target, at('out/report.json'));
    await writeFileWhole(at('out/report.json'), 'new', { links: 'replace' });
    expect([readFileSync(at('out/report.json'), 'utf8'), isLink('out/report.json')]).toEqual(['new', false]);
    expect(readFileSync(at('victim.txt'), 'utf8')).toBe('precious');
    expect(readdirSync(folder).toSorted()).toEqual(['out', 'victim.txt']);
  });

  it.each(['follow', 'replace'] as const)('is none where a folder is (%s)', async (links) => {
    await expect(writeFileWhole(at('out'), 'new', { links })).rejects.toThrow(OutputError);
  });
});

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
  ])('makes %s, and says which was the first', async (_name, target, first) => {
    const made = await makeFolder(path.join(root, target));
    expect(made).toBe(first === undefined ? undefined : path.join(root, first));
    expect(existsSync(path.join(root, target))).toBe(true);
  });

  it('makes one that several make at once', async () => {
    const location = path.join(root, 'a/b/c');
    await Promise.all([1, 2, 3, 4].map(() => makeFolder(location)));
    expect(existsSync(location)).toBe(true);
  });

  it.each([
    ['a file', 'file', 'EEXIST'],
    ['a file above', 'file/a', 'ENOTDIR'],
  ])('refuses %s', async (_name, target, code) => {
    await expect(makeFolder(path.join(root, target))).rejects.toMatchObject({ code });
  });

  it.runIf(existsSync('/proc/self'))('ends where the file system makes no folders', async () => {
    await expect(makeFolder('/proc/docvitals/a')).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
