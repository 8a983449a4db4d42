/**
 * The rules of each kind of host, as documented and as improved: on the software that reads the generated configuration,
 * and on the static server of `docvitals serve`.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { HostKind } from '../../src/site/host-product.ts';
import { KINDS, startReal, startServe, type RunningHost } from './hosts.ts';
import { SITE } from './site.ts';
import { summaryOf, type Summary } from './summary.ts';

const MARKDOWN = { accept: 'text/markdown' };
const BUNDLE = SITE['index.html'];

interface Row {
  readonly kind: HostKind;
  readonly name: string;
  readonly target: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly documented: Partial<Summary>;
  readonly improved: Partial<Summary>;
}

const MONTH = 'max-age=2592000, no-transform, public';

const ROWS: readonly Row[] = [
  {
    kind: 'server',
    name: 'the bundle',
    target: '/docs/index.html',
    documented: { status: 200, type: 'text/html', caching: 'must-revalidate, no-cache', body: BUNDLE },
    improved: { status: 200, type: 'text/html; charset=utf-8', caching: 'must-revalidate, no-cache', body: BUNDLE },
  },
  {
    kind: 'server',
    name: 'a missing page',
    target: '/docs/missing.md',
    documented: { status: 200, body: BUNDLE },
    improved: { status: 404 },
  },
  {
    kind: 'server',
    name: 'Markdown',
    target: '/docs/index.md',
    documented: { status: 200, type: 'application/octet-stream' },
    improved: { status: 200, type: 'text/markdown; charset=utf-8' },
  },
  {
    kind: 'server',
    name: 'the configuration',
    target: '/docs/config.json',
    documented: { caching: MONTH },
    improved: { caching: 'must-revalidate, no-cache' },
  },
  {
    kind: 'server',
    name: 'a picture',
    target: '/docs/img/Logo.SVG',
    documented: { caching: MONTH },
    improved: { caching: MONTH },
  },
  {
    kind: 'server',
    name: 'a page path',
    target: '/docs/guide/',
    headers: MARKDOWN,
    documented: { status: 403 },
    improved: { status: 200, body: BUNDLE },
  },
  {
    kind: 'server',
    name: 'the repository',
    target: '/docs/.git/config',
    documented: { status: 200 },
    improved: { status: 404 },
  },
  {
    kind: 'platform',
    name: 'the site, where the bundle is found first',
    target: '/docs/',
    headers: MARKDOWN,
    documented: { status: 200, type: 'text/html; charset=utf-8', body: BUNDLE },
    improved: { status: 200, type: 'text/markdown; charset=utf-8', body: SITE['index.md'] },
  },
  {
    kind: 'platform',
    name: 'a page path',
    target: '/docs/guide/',
    headers: MARKDOWN,
    documented: { status: 200, body: SITE['guide/index.md'] },
    improved: { status: 200, body: SITE['guide/index.md'], vary: true },
  },
  {
    kind: 'platform',
    name: 'a page path, Markdown declined',
    target: '/docs/v1/',
    headers: { accept: 'text/html, text/markdown;q=0' },
    documented: { body: SITE['v1/index.html'] },
    improved: { body: SITE['v1/index.html'] },
  },
  {
    kind: 'platform',
    name: 'a folder without bundle, Markdown declined',
    target: '/docs/guide/',
    headers: { accept: 'text/html, text/markdown;q=0' },
    documented: { status: 200, body: SITE['guide/index.md'] },
    improved: { status: 404 },
  },
  {
    kind: 'platform',
    name: 'the second rewrite, after the slash rule',
    target: '/docs',
    documented: { status: 308 },
    improved: { status: 308 },
  },
  {
    kind: 'platform',
    name: 'a folder with a dot',
    target: '/docs/v2.0/',
    headers: MARKDOWN,
    documented: { status: 308 },
    improved: { status: 200, body: SITE['v2.0/index.md'] },
  },
  {
    kind: 'platform',
    name: 'the configuration',
    target: '/docs/config.json',
    documented: { caching: 'max-age=0, must-revalidate, public' },
    improved: { caching: 'must-revalidate, no-cache' },
  },
  {
    kind: 'platform',
    name: 'a picture',
    target: '/docs/img/Logo.SVG',
    documented: { caching: 'max-age=0, must-revalidate, public' },
    improved: { caching: MONTH },
  },
  {
    kind: 'platform',
    name: 'a missing page',
    target: '/docs/missing.md',
    documented: { status: 404 },
    improved: { status: 404 },
  },
  {
    kind: 'worker',
    name: 'the bundle under its own name',
    target: '/docs/index.html',
    documented: { status: 200, type: 'text/html; charset=utf-8', body: BUNDLE },
    improved: { status: 200, caching: 'must-revalidate, no-cache', body: BUNDLE },
  },
  {
    kind: 'worker',
    name: 'the site',
    target: '/docs/',
    documented: { status: 200, body: BUNDLE },
    improved: { status: 200, body: BUNDLE, vary: true },
  },
  {
    kind: 'worker',
    name: 'the site, Markdown',
    target: '/docs/',
    headers: MARKDOWN,
    documented: { status: 200, body: SITE['index.md'] },
    improved: { status: 200, body: SITE['index.md'], vary: true },
  },
  {
    kind: 'worker',
    name: 'a page path without slash, Markdown',
    target: '/docs/guide',
    headers: MARKDOWN,
    documented: { status: 200, body: SITE['guide/index.md'] },
    improved: { status: 200, body: SITE['guide/index.md'], vary: true },
  },
  {
    kind: 'worker',
    name: 'a page path, browser',
    target: '/docs/guide/',
    documented: { status: 404 },
    improved: { status: 200, body: BUNDLE, vary: true },
  },
  {
    kind: 'worker',
    name: 'a page path, HTML preferred',
    target: '/docs/guide/',
    headers: { accept: 'text/markdown;q=0.5, text/html' },
    documented: { body: SITE['guide/index.md'] },
    improved: { body: BUNDLE },
  },
  {
    kind: 'worker',
    name: 'the agent index, Markdown',
    target: '/docs/llms.txt',
    headers: MARKDOWN,
    documented: { status: 404 },
    improved: { status: 200, body: SITE['llms.txt'] },
  },
  {
    kind: 'worker',
    name: 'the repository',
    target: '/docs/.git/config',
    documented: { status: 200 },
    improved: { status: 404 },
  },
  {
    kind: 'worker',
    name: 'a picture',
    target: '/docs/img/Logo.SVG',
    documented: { caching: 'max-age=0, must-revalidate, public' },
    improved: { caching: MONTH },
  },
  {
    kind: 'worker',
    name: 'a missing page',
    target: '/docs/missing.md',
    documented: { status: 404 },
    improved: { status: 404 },
  },
];

const HOSTS = KINDS.flatMap((kind) =>
  [false, true].map((improved) => ({ kind, improved, rules: improved ? 'improved' : 'documented' }) as const),
);

describe.each(HOSTS)('$kind, $rules rules', ({ kind, improved, rules }) => {
  let hosts: readonly RunningHost[] = [];
  beforeAll(async () => {
    const given = { kind, base: '/docs/', improved };
    hosts = await Promise.all([startReal(given), startServe(given)]);
  });
  afterAll(() => Promise.all(hosts.map((host) => host.stop())));

  it.each(ROWS.filter((row) => row.kind === kind))('$name', async ({ target, headers = {}, ...row }) => {
    for (const { port } of hosts) expect(await summaryOf(port, { target, headers })).toMatchObject(row[rules]);
  });
});
