import { describe, expect, it } from 'vitest';
import { reply, SHELL } from '../../answers.ts';
import type { HostKind } from '../../../src/site/host-product.ts';
import {
  VARY,
  again,
  agents,
  browsers,
  bundle,
  but,
  cached,
  rules,
  converted,
  folder,
  good,
  isFile,
  isMarkdown,
  markdown,
  warm,
} from '../../../checks/negotiation/fixtures/changes.ts';
import { assetsFirst, FILES, notFound, server, worker, type Host } from '../../../checks/negotiation/fixtures/host.ts';

describe('faults', () => {
  it.each<{ name: string; host: Host; kind?: HostKind; is: string[] }>([
    {
      name: 'a platform without rewrites',
      host: server(FILES),
      kind: 'platform',
      is: ['not-negotiated'],
    },
    {
      name: 'a worker that does not look at Accept',
      host: worker(FILES, {}, () => false),
      kind: 'worker',
      is: ['not-negotiated'],
    },
    {
      name: 'assets before the worker',
      host: assetsFirst(FILES, VARY),
      kind: 'worker',
      is: ['not-negotiated', 'q-values-ignored'],
    },
    {
      name: 'one folder that does not negotiate',
      host: but((r) => (r.path === '/guide/' ? bundle() : null)),
      is: ['not-negotiated'],
    },
    {
      name: 'agents refused',
      host: but((r) => (agents(r) && folder(r) ? reply('', { status: 406 }) : null)),
      kind: 'worker',
      is: ['not-negotiated'],
    },
    {
      name: 'agents crash the worker',
      host: but((r) => (agents(r) && folder(r) ? reply('', { status: 500 }) : null)),
      kind: 'worker',
      is: ['not-negotiated'],
    },
    {
      name: "another page's Markdown",
      host: but((r, g) => (isMarkdown(g) && r.path === '/fr/' ? markdown('/') : null)),
      is: ['wrong-markdown'],
    },
    {
      name: 'Markdown with a byte order mark',
      host: but((r, g) => (isMarkdown(g) && r.path === '/fr/' ? reply('\uFEFF# Port\n', { headers: VARY }) : null)),
      is: ['wrong-markdown'],
    },
    {
      name: 'an edge that converts the bundle',
      host: but((r) => (agents(r) && folder(r) ? converted : null)),
      kind: 'server',
      is: ['converted-html'],
    },
    {
      name: 'Markdown as HTML',
      host: but((r, g) => (isMarkdown(g) && !isFile(r) ? again(g, {}, 'text/html') : null)),
      is: ['wrong-type'],
    },
    {
      name: 'Markdown as JSON',
      host: but((r, g) => (isMarkdown(g) && !isFile(r) ? again(g, {}, 'application/json') : null)),
      is: ['wrong-type'],
    },
    { name: 'Markdown for browsers', host: but((r) => (folder(r) ? markdown(r.path) : null)), is: ['html-not-served'] },
    {
      name: 'Markdown for */*',
      host: but((r) => (folder(r) && r.accept === '*/*' ? markdown(r.path) : null)),
      is: ['html-not-served'],
    },
    {
      name: 'Markdown for no Accept',
      host: but((r) => (folder(r) && r.accept === '' ? markdown(r.path) : null)),
      is: ['html-not-served'],
    },
    {
      name: 'nothing at the root',
      host: but((r) => (r.path === '/' && !r.accept.includes('markdown') ? notFound(VARY) : null)),
      is: ['root-missing'],
    },
    {
      name: 'Accept compared as a whole',
      host: but((r) => (!agents(r) && folder(r) ? bundle() : null)),
      is: ['not-negotiated'],
    },
    {
      name: 'a substring test',
      host: but((r) => (folder(r) && r.accept.includes('text/markdown') ? markdown(r.path) : null)),
      is: ['q-values-ignored'],
    },
    {
      name: 'no Vary on Markdown',
      host: but((r, g) => (isMarkdown(g) && !isFile(r) ? reply(g.body) : null)),
      is: ['vary-missing'],
    },
    {
      name: 'no Vary on HTML',
      host: but((r, g) => (!isMarkdown(g) && folder(r) ? reply(g.body, { contentType: 'text/html' }) : null)),
      is: ['vary-missing'],
    },
    {
      name: 'a Vary of another header',
      host: but((_, g) => again(g, { vary: 'Accept-Encoding' })),
      is: ['vary-missing'],
    },
    {
      name: 'a permanent redirect of browsers from files without Vary',
      host: but((r) =>
        r.path.endsWith('.md') && browsers(r) ? reply('', { status: 301, headers: { location: '/#x' } }) : null,
      ),
      is: ['vary-missing'],
    },
    { name: 'a cache by path and query', host: cached(good, true), is: ['cache-mixes-variants'] },
    { name: 'a cache by path', host: cached(good, false), is: ['cache-mixes-variants'] },
    { name: 'a cache that browsers have filled', host: warm(good, true), is: ['cache-mixes-variants'] },
    {
      name: 'a cache by path that browsers have filled',
      host: warm(good, false),
      kind: 'worker',
      is: ['cache-mixes-variants'],
    },
    {
      name: 'one entity tag for both',
      host: but((r, g) => (folder(r) ? again(g, { etag: '"1"' }) : null)),
      is: ['cache-mixes-variants'],
    },
    {
      name: 'HEAD without negotiation',
      host: but((r) => (r.head && folder(r) ? bundle() : null)),
      is: ['head-differs'],
    },
    {
      name: 'HEAD not allowed',
      host: but((r) => (r.head ? reply('', { status: 405, headers: VARY }) : null)),
      is: ['head-differs'],
    },
    {
      name: 'HEAD without Vary',
      host: but((r, g) => (r.head ? reply(g.body, { contentType: g.headers.get('content-type') }) : null)),
      is: ['head-differs'],
    },
    {
      name: 'HEAD of another length',
      host: but((r, g) => (r.head ? again(g, { 'content-length': '3' }) : null)),
      is: ['head-differs'],
    },
    {
      name: 'files mapped like folders',
      host: but((r) => (r.path.endsWith('.md') && agents(r) ? notFound() : null)),
      is: ['md-path-changed'],
    },
    {
      name: 'files as HTML for browsers',
      host: but((r) => (r.path.endsWith('.md') && browsers(r) ? reply(SHELL, { contentType: 'text/html' }) : null)),
      is: ['vary-missing'],
    },
    { name: 'a query in the way', host: but((r) => (r.query !== '' ? bundle() : null)), is: ['not-negotiated'] },
    {
      name: 'a path without its slash',
      host: but((r) => (/\/\w+$/.test(r.path) ? notFound() : null)),
      kind: 'worker',
      is: ['not-negotiated'],
    },
  ])('$name: $is', async ({ host, kind = null, is }) => {
    expect(await rules(host, { kind })).toEqual(is);
  });
});
