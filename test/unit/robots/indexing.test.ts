import { describe, expect, it } from 'vitest';
import { codes as rules, movedTo, withBundle, type Case } from '../../../checks/robots/fixtures/site.ts';

const NOINDEX = { 'X-Robots-Tag': 'noindex, nofollow' };

describe('what search engines read', () => {
  it.each<Omit<Case, 'robots'> & { name: string; expected: readonly string[] }>([
    { name: 'nothing', files: {}, expected: [] },
    { name: 'the bundle: noindex', files: withBundle({ headers: NOINDEX }), expected: ['noindex'] },
    {
      name: 'everything: noindex',
      files: { ...withBundle({ headers: NOINDEX }), 'index.md': { headers: NOINDEX } },
      expected: ['noindex'],
    },
    {
      name: 'a meta element',
      files: withBundle({ body: '<!doctype html><meta name="robots" content="noindex">' }),
      expected: ['noindex'],
    },
    {
      name: 'a meta element in a comment',
      files: withBundle({ body: '<!doctype html><!-- <meta name="robots" content="noindex"> -->' }),
      expected: [],
    },
    { name: 'index', files: withBundle({ headers: { 'X-Robots-Tag': 'index, follow' } }), expected: [] },
    {
      name: 'one search engine',
      files: withBundle({ headers: { 'X-Robots-Tag': 'otherbot: noindex' } }),
      expected: ['noindex-agents'],
    },
    {
      name: 'raw Markdown',
      files: { 'index.md': { headers: NOINDEX }, 'llms.txt': { headers: NOINDEX } },
      expected: ['pages-noindex'],
    },
    { name: 'a missing page', files: { 'index.md': { status: 404, headers: NOINDEX } }, expected: [] },
    {
      name: 'a preview',
      files: withBundle({ headers: NOINDEX }),
      base: 'https://0a1b2c3d.harbour.pages.dev/',
      expected: ['preview-noindex'],
    },
    {
      name: 'a test site',
      files: withBundle({ headers: NOINDEX }),
      base: 'https://staging.docs.example/',
      expected: ['preview-noindex'],
    },
    {
      name: 'a site that is reached with credentials',
      files: withBundle({ headers: NOINDEX }),
      authorized: true,
      expected: ['preview-noindex'],
    },
    {
      name: 'a bundle that clean URLs have moved',
      files: withBundle({ headers: NOINDEX, change: movedTo('https://docs.example/') }),
      expected: ['noindex'],
    },
    {
      name: 'production on a platform',
      files: withBundle({ headers: NOINDEX }),
      base: 'https://harbour.pages.dev/',
      expected: ['noindex'],
    },
  ])('$name: $expected', async ({ expected, ...of }) => {
    expect(await rules({ robots: null, ...of })).toEqual(expected);
  });
});
