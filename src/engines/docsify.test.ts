/** Compares with docsify's own router and link compiler, which this project did not write. */
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { docsify } from './docsify.ts';

interface History {
  getFile(path: string, isRelative?: boolean): string;
  toURL(path: string, params: null, currentRoute: string): string;
  parse(path: string): { readonly path: string; readonly query: { readonly id?: string } };
}

let HashHistory: new (config: object) => History;
const BASE = new URL('https://docs.example/wiki/');

beforeAll(async () => {
  const location = { pathname: '/wiki/', href: 'https://docs.example/wiki/', protocol: 'https:', host: 'docs.example' };
  vi.stubGlobal('window', { location });
  vi.stubGlobal('location', location);
  vi.stubGlobal('document', { body: {}, head: {}, documentElement: {} });
  ({ HashHistory } = await import('docsify/src/core/router/history/hash.js'));
});

/** Where docsify itself leads a link of a page: the URL that it fetches, and the anchor. */
function byDocsify(config: object, route: string, href: string): string {
  const options = { basePath: '', ext: '.md', homepage: 'README.md', alias: {}, ...config };
  const history = new HashHistory(options);
  const written = href === options.homepage ? 'README' : href;
  const target = history.toURL(written, null, route);
  const { path, query } = history.parse(target);
  const url = new URL(history.getFile(path === '' ? '/' : path), BASE);
  const anchor = query.id === undefined || !url.href.startsWith(BASE.href) ? '' : ` ${query.id}`;
  return `${decodeURIComponent(url.origin + url.pathname)}${anchor}`;
}

async function byUs(config: object, path: string, href: string): Promise<string> {
  const bundle = `<script>window.$docsify = ${JSON.stringify(config)}</script>`;
  const { links } = await docsify.configure({ bundle, configuration: {}, limits: { parseMs: 5_000 } });
  const link = links.resolve({ url: href, kind: 'link' }, { path, base: BASE, home: 'README.md', menu: false });
  if (link.kind === 'external') return decodeURIComponent(link.url);
  if (link.kind !== 'page') return link.kind;
  return `${decodeURIComponent(link.url)}${link.anchor === null ? '' : ` ${link.anchor}`}`;
}

const CONFIGS: readonly { readonly name: string; readonly config: object }[] = [
  { name: 'defaults', config: {} },
  { name: 'relativePath', config: { relativePath: true } },
  { name: 'basePath', config: { basePath: 'content/' } },
  { name: 'basePath from the root', config: { basePath: '/other/' } },
  { name: 'ext', config: { ext: '.txt' } },
  { name: 'homepage', config: { homepage: 'start.md' } },
  {
    name: 'alias',
    config: {
      alias: {
        '/.*/_sidebar.md': '/_sidebar.md',
        '/old/(.*)': '/new/$1',
        '/awesome': 'https://raw.example/list/README.md',
        '/a': '/b',
        '/b': '/c',
      },
    },
  },
];

const LINKS = [
  '',
  'setup.md',
  'setup',
  '/setup.md',
  '/guide/setup',
  'guide/',
  '/guide/',
  '/',
  '../up.md',
  './here.md',
  'a/../b.md',
  'setup.md?id=install',
  'setup#install',
  'manual.pdf',
  'page.html',
  'README.md',
  '/README',
  'start.md',
  'old/x.md',
  'awesome',
  'a',
  'with%20space.md',
  'Ünïcode.md',
  'de/_sidebar.md',
];

describe('docsify, as docsify 5 itself', () => {
  it.each(CONFIGS)('links with $name', async ({ config }) => {
    for (const [path, route] of [
      ['README.md', '/'],
      ['guide/README.md', '/guide/'],
      ['guide/deep/page.md', '/guide/deep/page'],
    ] as const) {
      const prefix = 'basePath' in config && config.basePath === 'content/' ? 'content/' : '';
      for (const href of LINKS) {
        const extension = 'ext' in config ? path.replace(/\.md$/, '.txt') : path;
        expect([path, href, await byUs(config, prefix + extension, href)]).toEqual([
          path,
          href,
          byDocsify(config, route, href),
        ]);
      }
    }
  });
});

it('applies an alias that always matches 20 times', async () => {
  expect(await byUs({ alias: { '/x(.*)': '/xx$1' } }, 'README.md', '/x')).toBe(
    new URL(`${'x'.repeat(21)}.md`, BASE).href,
  );
});
