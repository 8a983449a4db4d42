import { describe, expect, it } from 'vitest';
import { fake, html, ORIGIN, SITE, siteIn, type Files } from '../../test/runs.ts';
import { DEFAULT_REQUEST } from '../core/run.ts';
import { findBaseAbove } from './missing-file.ts';
import { sharedSite } from './site.ts';

async function above(folder: string, files: Files): Promise<{ base: string | null; asked: readonly string[] }> {
  const { get, asked } = fake(files);
  const base = new URL(folder, ORIGIN);
  const site = sharedSite({ base, get, pooled: get, requested: DEFAULT_REQUEST, limits: { parseMs: 5000 } });
  return { base: (await findBaseAbove(site))?.pathname ?? null, asked };
}

const SHELL = SITE['/index.html'] ?? '';
const OTHER = html('<!doctype html><title>Shop</title><script src="/shop.js"></script><div id="shop"></div>');

describe('the site above an address', () => {
  it.each<readonly [name: string, folder: string, files: Files, base: string | null]>([
    ['is in the folder above', '/docs/guide/', siteIn('/docs/'), '/docs/'],
    ['is three folders above', '/a/b/c/', SITE, '/'],
    ['is not looked for four folders above', '/a/b/c/d/', SITE, null],
    [
      'is there where a host sends its page for every missing file',
      '/guide/',
      { ...SITE, '/guide/index.html': SHELL },
      '/',
    ],
    ['is another one where the folder has a page of its own', '/guide/', { ...SITE, '/guide/index.html': OTHER }, null],
    ['is none where there is only a page', '/guide/', { '/index.html': SHELL }, null],
  ])('%s', async (_, folder, files, base) => {
    expect((await above(folder, files)).base).toBe(base);
  });

  it('is not looked for from a site that is there, or from the root', async () => {
    expect((await above('/docs/', { ...SITE, ...siteIn('/docs/') })).base).toBeNull();
    expect(await above('/', {})).toEqual({ base: null, asked: [] });
  });
});
