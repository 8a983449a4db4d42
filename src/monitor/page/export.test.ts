import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { site, source, state, watched } from '../../../test/page/sample.ts';
import { exportPages, filesOf, isExported } from './export.ts';

describe('the files of an export', () => {
  const files = filesOf(['docs', '../evil', 'api'], ['docs-20261120T180000123', '..'], 'ro').map(({ file }) => file);

  it('are all that are linked to, the first pages last', () => {
    expect(files).toEqual(
      expect.arrayContaining([
        'index.html',
        'en/index.html',
        'fr/sites/docs/index.html',
        'sites/api/index.html',
        'incidents/docs-20261120T180000123/index.html',
        'history/index.html',
        'feed.atom',
        'badge.svg',
        'badge/docs.json',
      ]),
    );
    expect(files.slice(-3)).toEqual(['en/index.html', 'index.html', 'fr/index.html']);
    expect(new Set(files).size).toBe(files.length);
  });

  it('stay in their folder', () => {
    expect(files.filter((file) => file.includes('..'))).toEqual([]);
  });

  it('are known again', () => {
    const pictures = ['incidents/docs-20261120T180000123/good.jpg', 'incidents/docs-20261120T180000123/bad.jpg'];
    expect([...files, ...pictures, 'style.css'].filter((file) => !isExported(file))).toEqual([]);
  });

  it.each([
    '',
    '.',
    '..',
    '../index.html',
    '/etc/passwd',
    'sites/../index.html',
    'sites/docs/../../x/index.html',
    'sites//index.html',
    'badge/../../x.svg',
    'incidents/a/b/index.html',
    'de/index.html',
    'ro/ro/index.html',
    'ro/style.css',
    'index.html/..',
    'index.htm',
    'INDEX.HTML',
    'package.json',
    '.git/config',
    'C:\\index.html',
    'index.html\n',
  ])('%j is none of them', (name) => {
    expect(isExported(name)).toBe(false);
  });
});

describe('an export', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'docvitals-export-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const exported = (ids: readonly string[], isForced = false) =>
    exportPages(source(ids.map((id) => watched(site(id), state('healthy')))), folder, isForced);

  it('writes whole pages, and removes what it wrote of a site that was removed', async () => {
    const first = await exported(['docs', 'wiki']);
    expect(first).toMatchObject({ ok: true, removed: 0 });
    expect(readFileSync(path.join(folder, 'index.html'), 'utf8')).toContain('wiki');
    expect(existsSync(path.join(folder, 'sites/wiki/index.html'))).toBe(true);
    const second = await exported(['docs']);
    expect(second.ok && first.ok && first.written - second.written === second.removed).toBe(true);
    expect(existsSync(path.join(folder, 'sites/wiki'))).toBe(false);
    expect(existsSync(path.join(folder, 'sites/docs/index.html'))).toBe(true);
  });

  it('writes nothing into a folder with other files, unless it is forced', async () => {
    writeFileSync(path.join(folder, 'notes.txt'), 'mine');
    writeFileSync(path.join(folder, 'CNAME'), 'status.example');
    expect(await exported(['docs'])).toEqual({ ok: false, foreign: 'notes.txt' });
    expect(readdirSync(folder).toSorted()).toEqual(['CNAME', 'notes.txt']);
    expect(await exported(['docs'], true)).toMatchObject({ ok: true });
    expect(readFileSync(path.join(folder, 'notes.txt'), 'utf8')).toBe('mine');
  });
});
