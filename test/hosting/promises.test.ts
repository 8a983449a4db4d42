/** What each kind of host promises under the documented rules, and what the improved ones mend. */
import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { HostKind } from '../../src/check.ts';
import { folderFiles } from '../../src/hosting/folder.ts';
import { respond } from '../../src/hosting/respond.ts';
import { SITE, writeSite } from './site.ts';

let site: string;
beforeAll(() => ({ site } = writeSite('/')));
afterAll(() => rmSync(site, { recursive: true }));

const MARKDOWN = { accept: 'text/markdown' };
const BUNDLE = SITE['index.html'];

interface Promised {
  readonly kind: HostKind;
  readonly name: string;
  readonly target: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly documented: Partial<Seen>;
  readonly improved: Partial<Seen>;
}

interface Seen {
  readonly status: number;
  readonly type: string | undefined;
  readonly caching: string | undefined;
  readonly vary: string | undefined;
  readonly body: string | undefined;
}

const MONTH = 'public, no-transform, max-age=2592000';

const ROWS: readonly Promised[] = [
  {
    kind: 'server',
    name: 'the bundle',
    target: '/docs/index.html',
    documented: { status: 200, type: 'text/html', caching: 'no-cache, must-revalidate', body: BUNDLE },
    improved: { status: 200, type: 'text/html; charset=utf-8', caching: 'no-cache, must-revalidate', body: BUNDLE },
  },
  {
    kind: 'server',
    name: 'a page that is not there',
    target: '/docs/missing.md',
    documented: { status: 200, body: BUNDLE },
    improved: { status: 404 },
  },
  {
    kind: 'server',
    name: 'Markdown',
    target: '/docs/index.md',
    documented: { status: 200, type: 'application/octet-stream', vary: undefined },
    improved: { status: 200, type: 'text/markdown; charset=utf-8' },
  },
  {
    kind: 'server',
    name: 'the configuration',
    target: '/docs/config.json',
    documented: { caching: 'max-age=2592000, public, no-transform' },
    improved: { caching: 'no-cache, must-revalidate' },
  },
  {
    kind: 'server',
    name: 'a picture',
    target: '/docs/img/Logo.SVG',
    documented: { caching: 'max-age=2592000, public, no-transform', vary: undefined },
    improved: { caching: 'max-age=2592000, public, no-transform', vary: 'Accept-Encoding' },
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
    name: 'the site, which has a bundle',
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
    documented: { status: 200, body: SITE['guide/index.md'], vary: 'Accept-Encoding' },
    improved: { status: 200, body: SITE['guide/index.md'], vary: 'Accept, Accept-Encoding' },
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
    name: 'the second rewrite, which the slash rule comes before',
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
    documented: { caching: 'public, max-age=0, must-revalidate' },
    improved: { caching: 'no-cache, must-revalidate' },
  },
  {
    kind: 'platform',
    name: 'a picture',
    target: '/docs/img/Logo.SVG',
    documented: { caching: 'public, max-age=0, must-revalidate' },
    improved: { caching: MONTH },
  },
  {
    kind: 'platform',
    name: 'a page that is not there',
    target: '/docs/missing.md',
    documented: { status: 404 },
    improved: { status: 404 },
  },
  {
    kind: 'worker',
    name: 'the bundle under its own name',
    target: '/docs/index.html',
    documented: { status: 200, type: 'text/html; charset=utf-8', body: BUNDLE },
    improved: { status: 200, caching: 'no-cache, must-revalidate', body: BUNDLE },
  },
  {
    kind: 'worker',
    name: 'the site',
    target: '/docs/',
    documented: { status: 200, body: BUNDLE, vary: undefined },
    improved: { status: 200, body: BUNDLE, vary: 'Accept-Encoding, Accept' },
  },
  {
    kind: 'worker',
    name: 'the site, Markdown',
    target: '/docs/',
    headers: MARKDOWN,
    documented: { status: 200, body: SITE['index.md'], vary: undefined },
    improved: { status: 200, body: SITE['index.md'], vary: 'Accept-Encoding, Accept' },
  },
  {
    kind: 'worker',
    name: 'a page path without slash, Markdown',
    target: '/docs/guide',
    headers: MARKDOWN,
    documented: { status: 200, body: SITE['guide/index.md'] },
    improved: { status: 200, body: SITE['guide/index.md'], vary: 'Accept-Encoding, Accept' },
  },
  {
    kind: 'worker',
    name: 'a page path of a browser',
    target: '/docs/guide/',
    documented: { status: 404 },
    improved: { status: 200, body: BUNDLE, vary: 'Accept-Encoding, Accept' },
  },
  {
    kind: 'worker',
    name: 'a page path, rather HTML',
    target: '/docs/guide/',
    headers: { accept: 'text/markdown;q=0.5, text/html' },
    documented: { body: SITE['guide/index.md'] },
    improved: { body: BUNDLE },
  },
  {
    kind: 'worker',
    name: 'the agent index, for those who prefer Markdown',
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
    documented: { caching: 'public, max-age=0, must-revalidate' },
    improved: { caching: MONTH },
  },
  {
    kind: 'worker',
    name: 'a page that is not there',
    target: '/docs/missing.md',
    documented: { status: 404 },
    improved: { status: 404 },
  },
];

async function seen({ kind, target, headers = {} }: Promised, improved: boolean): Promise<Seen> {
  const request = { method: 'GET', target, receivedAt: new Date(0), headers };
  const response = await respond(request, folderFiles(site, '/docs/'), { kind, base: '/docs/', improved });
  const field = (name: string): string | undefined => {
    const values = response.headers.filter(([key]) => key.toLowerCase() === name).map(([, value]) => value);
    return values.length === 0 ? undefined : values.join(', ');
  };
  return {
    status: response.status,
    type: field('content-type'),
    caching: field('cache-control'),
    vary: field('vary'),
    body: Buffer.from(response.body).toString('utf8'),
  };
}

describe('under the documented rules', () => {
  it.each(ROWS)('$kind: $name', async (row) => {
    expect(await seen(row, false)).toMatchObject(row.documented);
  });
});

describe('with their traps mended', () => {
  it.each(ROWS)('$kind: $name', async (row) => {
    expect(await seen(row, true)).toMatchObject(row.improved);
  });
});
