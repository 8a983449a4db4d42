import { describe, expect, it } from 'vitest';
import { fake, html, ORIGIN, SITE, type Files } from '../../test/runs.ts';
import type { Crawl } from '../check.ts';
import { DEFAULT_REQUEST } from '../run.ts';
import { sharedSite } from '../site/shared.ts';
import { withPlainBadges } from './anchors.ts';

const DOCSIFY = html('<!doctype html><div id=app></div><script src="//cdn.example/docsify.min.js"></script>');

async function crawled(files: Files): Promise<Crawl> {
  const { get } = fake(files);
  const requested = { ...DEFAULT_REQUEST, full: true };
  return sharedSite({ base: new URL(ORIGIN), get, pooled: get, requested, limits: { parseMs: 5000 } }).crawl();
}

describe('crawl: anchors', () => {
  it.each([
    ['a.md#setting-up', []],
    ['a.md#Setting_Up', []],
    ['a.md', []],
    ['a.md#', []],
    ['a.md#top', []],
    ['#/a.md?id=setting-up', []],
    ['a.md#own', []],
    ['a.md#gone', ['a.md#gone']],
    ['#/a.md#gone', ['a.md#gone']],
    ['#handbook', []],
    ['#gone', ['index.md#gone']],
    ['gone.md#gone', []],
    ['index.html#gone', ['index.md#gone']],
  ])('%s: %j', async (link, expected) => {
    const a = '# A\n\n## Setting up\n\n<a id="own"></a>\n';
    const found = await crawled({ ...SITE, '/index.md': `# Handbook\n\n[x](${link})\n`, '/a.md': a });
    expect(found.links.missingAnchors.map(({ path, anchor }) => `${path}#${anchor}`)).toEqual(expected);
  });

  it.each([
    ['a Git LFS pointer', 'version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12\n'],
    ['in conflict', '# A\n\n<<<<<<< HEAD\nours\n=======\ntheirs\n>>>>>>> topic\n'],
  ])('are not evaluated in a page that is %s', async (_, a) => {
    const found = await crawled({ ...SITE, '/index.md': '[x](a.md#gone) [y](a.md#setting-up)', '/a.md': a });
    expect(found.links.missingAnchors).toEqual([]);
    expect([...found.links.faults.keys()]).toEqual(['a.md']);
  });

  it('are not evaluated in a page of which not all is kept', async () => {
    const a = '# A\n'.repeat(5_001);
    const found = await crawled({ ...SITE, '/index.md': '[x](a.md#a-2) [y](a.md#gone)', '/a.md': a });
    expect(found.links.missingAnchors).toEqual([]);
    const facts = found.pages.get('a.md')?.facts;
    expect([facts?.whole, facts?.headings.length]).toEqual([false, 5_000]);
  });

  it('are the anchors of the page that a link turns out to mean', async () => {
    const found = await crawled({
      ...SITE,
      '/index.html': DOCSIFY,
      '/index.md': '[a](guide/#gone) [b](guide/README.md#gone) [c](guide/#here)',
      '/guide/README.md': '# Here',
    });
    expect(found.links.missingAnchors).toMatchObject([{ path: 'guide/README.md', anchor: 'gone', count: 2 }]);
  });

  it('means the shown page in a menu', async () => {
    const found = await crawled({ ...SITE, '/navigation.md': '- [Up](#gone)\n- [Home](index.md)\n' });
    expect(found.links.missingAnchors).toEqual([]);
  });
});

it.each([
  ['Sitemap :badge[Auto-Generated]{type=success} :badge[Live Filter]', 'Sitemap Auto-Generated Live Filter'],
  ['Sitemap', 'Sitemap'],
  ['A :badge[] and a :badge[cut off', 'A :badge[] and a :badge[cut off'],
])('shows the badges of %s', (text, shown) => {
  expect(withPlainBadges(text)).toBe(shown);
});
