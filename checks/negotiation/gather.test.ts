import { describe, expect, it } from 'vitest';
import { crawlOf } from './fixtures/host.ts';
import { samplePages } from './gather.ts';

const BASE = new URL('https://docs.example/docs/');
const pages = (...paths: string[]): Record<string, string> =>
  Object.fromEntries(paths.map((path) => [`/docs/${path}`, `# ${path}`]));
const paths = (chosen: readonly { readonly path: string }[]): string[] => chosen.map(({ path }) => path);

describe('samplePages', () => {
  it.each([
    { name: 'a site of nothing', files: pages(), prefixes: [], close: ['index.md'], wide: [] },
    {
      name: 'pages of their own names',
      files: pages('index.md', 'a.md', 'b/c.md'),
      prefixes: [],
      close: ['index.md'],
      wide: [],
    },
    {
      name: 'a language, the deepest, one to be encoded, then the others',
      files: pages('a/index.md', 'b/index.md', 'fr/index.md', 'd/e/f/index.md', 'l%C3%A9g/index.md', 'c/index.md'),
      prefixes: ['fr'],
      close: ['index.md', 'fr/index.md', 'd/e/f/index.md', 'lég/index.md', 'a/index.md'],
      wide: ['b/index.md', 'c/index.md'],
    },
  ])('$name', ({ files, prefixes, close, wide }) => {
    const sample = samplePages(crawlOf(files, BASE), BASE, prefixes);
    expect({ close: paths(sample.close), wide: paths(sample.wide) }).toEqual({ close, wide });
  });

  it('is bounded, and reaches over the whole site', () => {
    const many = pages(...Array.from({ length: 1000 }, (_, index) => `p${index}/index.md`));
    const { close, wide } = samplePages(crawlOf(many, BASE), BASE, []);
    expect([close.length, wide.length]).toEqual([5, 40]);
    expect(new Set(paths(wide)).size).toBe(40);
    expect(paths(wide).at(-1)).toMatch(/^p9\d\d\//);
  });

  it('makes page paths of file URLs', () => {
    const [, folder] = samplePages(crawlOf(pages('l%C3%A9g%20ende/index.md'), BASE), BASE, []).close;
    expect(folder?.page.href).toBe('https://docs.example/docs/l%C3%A9g%20ende/');
  });
});
