import { describe, expect, it } from 'vitest';
import { filesOf, isExported } from './export.ts';

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
        'fr/feed.rss',
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
