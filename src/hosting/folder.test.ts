import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { folderFiles } from './folder.ts';

let root: string;
let site: string;
beforeAll(() => {
  root = mkdtempSync(path.join(tmpdir(), 'docvitals-folder-'));
  site = path.join(root, 'site');
  mkdirSync(path.join(site, 'guide'), { recursive: true });
  writeFileSync(path.join(root, 'secret.txt'), 'secret');
  writeFileSync(path.join(site, 'index.md'), '# Home');
  writeFileSync(path.join(site, 'guide', 'a b.md'), '# Space');
  symlinkSync('nowhere', path.join(site, 'broken.md'));
  symlinkSync('index.md', path.join(site, 'link.md'));
});
afterAll(() => rmSync(root, { recursive: true }));

const ROWS: readonly { asked: string; is: 'file' | 'folder' | null; base?: string }[] = [
  { asked: '', is: 'folder' },
  { asked: 'index.md', is: 'file' },
  { asked: 'Index.md', is: null },
  { asked: 'guide', is: 'folder' },
  { asked: 'guide/a b.md', is: 'file' },
  { asked: 'link.md', is: 'file' },
  { asked: 'broken.md', is: null },
  { asked: 'missing.md', is: null },
  { asked: 'index.md/x', is: null },
  { asked: '../secret.txt', is: null },
  { asked: 'guide/../../secret.txt', is: null },
  { asked: 'guide/../index.md', is: null },
  { asked: '..\\secret.txt', is: null },
  { asked: './index.md', is: null },
  { asked: 'guide//a b.md', is: null },
  { asked: '/index.md', is: null },
  { asked: 'index.md\0', is: null },
  { asked: 'x'.repeat(5000), is: null },
  { asked: '', is: 'folder', base: '/docs/v1/' },
  { asked: 'docs', is: 'folder', base: '/docs/v1/' },
  { asked: 'docs/v1', is: 'folder', base: '/docs/v1/' },
  { asked: 'docs/v1/index.md', is: 'file', base: '/docs/v1/' },
  { asked: 'docs/v10', is: null, base: '/docs/v1/' },
  { asked: 'doc', is: null, base: '/docs/v1/' },
  { asked: 'index.md', is: null, base: '/docs/v1/' },
  { asked: 'docs/v1/../../secret.txt', is: null, base: '/docs/v1/' },
];

describe('folderFiles', () => {
  it.each(ROWS)('$asked below $base is $is', async ({ asked, is, base = '/' }) => {
    const entry = await folderFiles(site, base).entry(asked);
    expect(entry?.kind ?? null).toBe(is);
  });
});
