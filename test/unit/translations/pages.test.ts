import { describe, expect, it } from 'vitest';
import { reply } from '../../answers.ts';
import { html, ORIGIN, type Files } from '../../runs.ts';
import { rules, GONE, evaluated, LOCALES, MENU, PAGE } from '../../../checks/translations/fixtures/site.ts';

/** A site whose files have a name of their own in each language. */
const NAMED: Files = {
  '/navigation.md': '- [H](index.md)\n- [1](one.md)\n- [2](two.md)\n- [S](sea/)\n- [3](sea/three.md)\n',
  '/one.md': '# 1\n',
  '/two.md': '# 2\n\n## a\n\n## b\n',
  '/sea/index.md': '# Sea\n\n- [Four](four.md)\n- [Five](five.md)\n',
  '/sea/three.md': '# 3\n',
  '/sea/four.md': '# 4\n',
  '/sea/five.md': '# 5\n\n```sh\n```\n',
  '/ro/navigation.md': '- [H](index.md)\n- [1](unu.md)\n- [2](doi.md)\n- [S](sea/)\n- [3](sea/trei.md)\n',
  '/ro/unu.md': '# unu\n',
  '/ro/doi.md': '# doi\n\n## a\n\n## b\n',
  '/ro/sea/index.md': '# Mare\n\n- [Patru](patru.md)\n- [Cinci](cinci.md)\n',
  '/ro/sea/trei.md': '# trei\n',
  '/ro/sea/patru.md': '# patru\n',
  '/ro/sea/cinci.md': '# cinci\n\n```sh\n```\n',
};

describe('translations: missing pages', () => {
  it('names all of a language at once', async () => {
    const files = { '/ro/navigation.md': '', '/ro/guide.md': GONE, '/ro/sea/tides.md': GONE };
    const { findings } = await evaluated({ files: { ...files, '/ro/navigation.md': '- [H](index.md)' } });
    expect(findings).toEqual([
      {
        rule: 'page-missing',
        evidence: { language: 'ro', count: 2, of: 2, pages: ['ro/guide.md', 'ro/sea/tides.md'] },
        location: { path: 'guide.md', line: 1, column: 1 },
        locations: [
          { path: 'guide.md', line: 1, column: 1 },
          { path: 'sea/tides.md', line: 1, column: 1 },
        ],
      },
    ]);
  });

  it('are looked for beside the home page of VertiWiki, as its language switch does', async () => {
    const config = { homePage: 'book/index.md', navigationFile: 'book/navigation.md' };
    const files = {
      '/index.html': html('<!doctype html><title>VertiWiki 0.9.0</title><main id="verti-app"></main>'),
      '/book/navigation.md': '- [Home](index.md)\n- [Guide](guide.md)\n- [Log](log.md)\n',
      '/book/index.md': '# Home\n',
      '/book/guide.md': PAGE,
      '/book/log.md': PAGE,
      '/book/ro/navigation.md': '- [Acasă](index.md)\n- [Ghid](guide.md)\n',
      '/book/ro/index.md': '# Acasă\n',
      '/book/ro/guide.md': PAGE.replace('Page', 'Ghid'),
    };
    const { findings } = await evaluated({ config, files });
    expect(findings.map(({ rule, evidence }) => [rule, evidence?.['pages']])).toEqual([
      ['page-missing', ['book/ro/log.md']],
    ]);
  });

  it.each<{ name: string; files: Files; is: string[] }>([
    { name: 'linked all the same: told there', files: { '/ro/guide.md': GONE }, is: [] },
    { name: 'broken: told there', files: { '/ro/guide.md': reply('', { status: 500 }) }, is: [] },
    { name: 'under other names', files: NAMED, is: [] },
    {
      name: 'under other names, one not linked',
      files: { ...NAMED, '/ro/sea/index.md': '# Mare\n\n- [Patru](patru.md)\n', '/ro/sea/cinci.md': GONE },
      is: ['page-missing'],
    },
    {
      name: 'under other names and in another order',
      files: { ...NAMED, '/ro/sea/index.md': '# Mare\n\n- [Cinci](cinci.md)\n- [Patru](patru.md)\n- [1](../unu.md)\n' },
      is: [],
    },
    {
      name: 'in folders with other names',
      files: {
        '/navigation.md': '- [a](sea/a.md)\n\n[b](sea/b.md)\n',
        '/sea/a.md': PAGE,
        '/sea/b.md': PAGE,
        '/ro/navigation.md': '- [a](mare/x.md)\n\n[b](mare/y.md) [c](mare/z.md)\n',
        '/ro/mare/x.md': PAGE,
        '/ro/mare/y.md': PAGE,
        '/ro/mare/z.md': PAGE,
      },
      is: [],
    },
    {
      name: 'an error in its place',
      files: { '/ro/navigation.md': '- [H](index.md)', '/ro/guide.md': reply('', { status: 503 }) },
      is: [],
    },
  ])('$name: $is', async ({ files, is }) => {
    expect(await rules({ files })).toEqual(is);
  });

  it('does not guess which where names differ', async () => {
    const files = {
      ...NAMED,
      '/two.md': '# 2\n',
      '/ro/doi.md': '# doi\n',
      '/ro/navigation.md': '- [H](index.md)\n- [2](doi.md)\n- [S](sea/)\n- [3](sea/trei.md)\n',
      '/ro/unu.md': GONE,
    };
    const { findings } = await evaluated({ files });
    expect(findings).toMatchObject([
      { rule: 'page-missing', evidence: { count: 1, candidates: 2, pages: ['ro/one.md', 'ro/two.md'] } },
    ]);
  });

  it('knows a page by how it is made', async () => {
    const menu = '- [H](index.md)\n- [2](doi.md)\n- [S](sea/)\n- [3](sea/trei.md)\n';
    const { findings } = await evaluated({ files: { ...NAMED, '/ro/navigation.md': menu, '/ro/unu.md': GONE } });
    expect(findings).toMatchObject([{ rule: 'page-missing', evidence: { count: 1, pages: ['ro/one.md'] } }]);
  });

  it('claims nothing of what a crawl left out', async () => {
    expect(await rules({ files: NAMED, requested: { pages: 7 } })).toEqual([]);
  });

  it('takes each language by itself', async () => {
    const locales = [...LOCALES, { code: 'fr', prefix: 'fr' }];
    const files = { '/fr/navigation.md': '- [A](index.md)', '/fr/index.md': '# Accueil\n' };
    const { findings, gathered } = await evaluated({ locales, files });
    expect(findings).toMatchObject([{ rule: 'page-missing', evidence: { language: 'fr', count: 2 } }]);
    expect(gathered).toMatchObject({ requests: 2, facts: { languages: ['en', 'ro', 'fr'], pages: 3, missing: 2 } });
  });
});

describe('translations: drift', () => {
  it('shows in the home page', async () => {
    expect(await rules({ files: { '/ro/index.md': '# Acasă\n\n## Noutăți\n' } })).toEqual(['headings-differ']);
  });

  it('shows in pages under other names', async () => {
    const { findings } = await evaluated({ files: { ...NAMED, '/ro/sea/cinci.md': '# 5\n' } });
    expect(findings).toMatchObject([
      { rule: 'code-blocks-differ', evidence: { page: 'ro/sea/cinci.md', original: 'sea/five.md' } },
    ]);
  });

  it('shows in pages that nothing in their language links to', async () => {
    const files = { '/ro/navigation.md': '- [H](index.md)', '/ro/guide.md': '# Ghid\n' };
    expect(await rules({ files })).toEqual(['headings-differ']);
  });

  it('reports copies together', async () => {
    const { findings } = await evaluated({ files: { '/ro/guide.md': PAGE, '/ro/sea/tides.md': PAGE } });
    expect(findings).toMatchObject([
      { rule: 'untranslated', evidence: { language: 'ro', count: 2, pages: ['ro/guide.md', 'ro/sea/tides.md'] } },
    ]);
  });

  it('reports a copy that nothing in its language links to', async () => {
    const { findings } = await evaluated({ files: { '/ro/navigation.md': '- [H](index.md)', '/ro/guide.md': PAGE } });
    expect(findings).toMatchObject([{ rule: 'untranslated', evidence: { count: 1, pages: ['ro/guide.md'] } }]);
  });

  it('does not take a redirect to the original for a copy', async () => {
    const redirects = [{ url: `${ORIGIN}/ro/guide.md`, status: 302, location: '/guide.md' }];
    const guide = reply(PAGE, { url: `${ORIGIN}/guide.md`, redirects });
    for (const menu of [MENU, '- [H](index.md)']) {
      const files = { '/ro/navigation.md': menu, '/ro/guide.md': guide };
      expect(await rules({ files })).not.toContain('untranslated');
    }
  });
});
