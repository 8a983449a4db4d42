import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { OutputError, writeFileWhole } from './output.ts';

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
