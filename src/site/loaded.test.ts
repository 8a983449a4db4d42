import { describe, expect, it } from 'vitest';
import { siteOf, type Files, type SiteOptions } from '../../checks/caching/fixtures/site.ts';
import { engineParts, sampledFiles } from './loaded.ts';

async function found(files: Files, options?: SiteOptions): Promise<string[]> {
  const { loaded: urls } = await sampledFiles(siteOf(files, options).site);
  return urls.map(({ href }) => href.replace('https://docs.example', ''));
}

const bundle = (body: string): Files => ({ 'index.html': { body, type: 'text/html' } });
const config = (value: unknown): Files => ({ 'config.json': { body: JSON.stringify(value) } });

describe('the files that a site loads', () => {
  it.each<{ name: string; files: Files; options?: SiteOptions; expected: readonly string[] }>([
    { name: 'none', files: {}, expected: [] },
    {
      name: 'of the bundle',
      files: bundle('<script src=a.js></script><link rel=icon href=/i.png>'),
      expected: ['/a.js', '/i.png'],
    },
    { name: 'below <base>', files: bundle('<base href="/v2/"><script src=a.js></script>'), expected: ['/v2/a.js'] },
    { name: 'of other origins, not', files: bundle('<script src=https://cdn.example/a.js></script>'), expected: [] },
    {
      name: 'with a query, without a fragment',
      files: bundle('<link rel=icon href="i.svg?v=1#dark">'),
      expected: ['/i.svg?v=1'],
    },
    { name: 'named twice', files: bundle('<link rel=icon href=i.png><img src=i.png>'), expected: ['/i.png'] },
    {
      name: 'of the configuration',
      files: config({ logo: '/img/l.svg', theme: { css: 'x.css' }, n: 1 }),
      expected: ['/x.css', '/img/l.svg'],
    },
    {
      name: 'of the configuration below a base',
      files: config({ logo: '/l.svg' }),
      options: { base: 'https://docs.example/docs/' },
      expected: ['/docs/l.svg', '/l.svg'],
    },
    {
      name: 'words of the configuration, not',
      files: config({ title: 'Tides and more.', version: 'a b.c' }),
      expected: [],
    },
    {
      name: 'of a stylesheet',
      files: {
        ...bundle('<link rel=stylesheet href=css/a.css>'),
        'css/a.css': { body: '@font-face{src:url(../f.woff2)}' },
      },
      expected: ['/css/a.css', '/f.woff2'],
    },
    { name: 'that pages show', files: {}, options: { shown: ['p/photo.JPG'] }, expected: ['/p/photo.JPG'] },
    {
      name: 'of a bundle that is not there, not',
      files: { 'index.html': { status: 500, body: '<script src=a.js></script>' } },
      expected: [],
    },
  ])('$name', async ({ files, options, expected }) => {
    expect(await found(files, options)).toEqual(expected);
  });

  it('checks a configuration up to a limit', async () => {
    expect((await found(config(Array.from({ length: 9_000 }, (_, index) => `${index}.png`)))).length).toBeLessThan(
      2_001,
    );
  });
});

it('separates the scripts and styles of the bundle', async () => {
  const body = `<base href="/v2/"><script src=a.js></script><link rel=icon href=i.png><link rel=stylesheet href=/a.css>
    <link rel=modulepreload href=b.js><script src=https://cdn.example/c.js></script><img src=p.png>`;
  const parts = await engineParts(siteOf(bundle(body)).site);
  expect(parts.map(({ pathname }) => pathname)).toEqual(['/v2/a.js', '/a.css', '/v2/b.js']);
});
