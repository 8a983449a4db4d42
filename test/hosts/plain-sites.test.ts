/**
 * A small docsify site, published without any configuration on five products, with the headers that these send: nothing is
 * wrong with it, so that at most one warning is reported.
 */
import { hash } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders, RequestListener } from 'node:http';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { ReportDocument } from '../../src/report/document.ts';
import { runCli } from '../cli/run.ts';
import { listen } from '../site/host.ts';

const INDEX = `<!DOCTYPE html>
<html lang="en">
<head>
  <meta charset="UTF-8">
  <title>Harbour</title>
  <meta name="viewport" content="width=device-width, initial-scale=1.0">
  <link rel="stylesheet" href="theme.css">
</head>
<body>
  <div id="app"></div>
  <script>
    window.$docsify = { name: 'Harbour', loadSidebar: true, subMaxLevel: 2 }
  </script>
  <script src="docsify.min.js"></script>
</body>
</html>
`;

const FILES: Readonly<Record<string, string>> = {
  'index.html': INDEX,
  'README.md': '# Harbour\n\nHow to run the harbour.\n\n- [Guide](guide.md)\n- [Boats](boats/index.md)\n',
  'guide.md': '# Guide\n\n## Boats\n\nTie them.\n',
  'boats/index.md': '# Boats\n\nThey float.\n',
  '_sidebar.md': '- [Home](/)\n- [Guide](guide.md)\n- [Boats](boats/index.md)\n',
  'docsify.min.js': '/*! docsify v4.13.1 */ window.Docsify = { version: "4.13.1" };\n',
  'theme.css': 'body { margin: 0 }\n',
};

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  md: 'text/markdown; charset=utf-8',
  js: 'application/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
};

interface Product {
  readonly name: string;
  readonly headers: OutgoingHttpHeaders;
  /** Entity tags as it writes them. */
  readonly etag: (sha256: string) => string;
  /** The body of its 404; absent: it sends the bundle with status 200, and `/index.html` leads to `/`. */
  readonly missing?: string;
  readonly host: string | undefined;
  readonly warnings: readonly string[];
}

const MODIFIED = 'Mon, 02 Nov 2026 10:00:00 GMT';

const PRODUCTS: readonly Product[] = [
  {
    name: 'Vercel',
    headers: {
      server: 'Vercel',
      'x-vercel-id': 'fra1::abcde-1763000000000-0123456789ab',
      'x-vercel-cache': 'HIT',
      age: '0',
      'cache-control': 'public, max-age=0, must-revalidate',
      'access-control-allow-origin': '*',
      'strict-transport-security': 'max-age=63072000',
    },
    etag: (sha256) => `"${sha256.slice(0, 32)}"`,
    missing: 'The page could not be found\n\nNOT_FOUND\n',
    host: 'Vercel',
    warnings: [],
  },
  {
    name: 'Netlify',
    headers: {
      server: 'Netlify',
      'x-nf-request-id': '01JD0000000000000000000000',
      'cache-status': '"Netlify Edge"; hit',
      age: '12',
      'cache-control': 'public,max-age=0,must-revalidate',
    },
    etag: (sha256) => `"${sha256.slice(0, 32)}-ssl"`,
    missing:
      '<!DOCTYPE html>\n<html lang="en"><head><title>Page not found</title></head><body>Page not found</body></html>\n',
    host: 'Netlify',
    warnings: [],
  },
  {
    name: 'Cloudflare Pages',
    headers: {
      server: 'cloudflare',
      'cf-ray': '8f0000000000abcd-FRA',
      'cache-control': 'public, max-age=0, must-revalidate',
      'access-control-allow-origin': '*',
      'referrer-policy': 'strict-origin-when-cross-origin',
      'x-content-type-options': 'nosniff',
    },
    etag: (sha256) => `"${sha256.slice(0, 32)}"`,
    host: undefined,
    // Without a `404.html`, Pages takes every site for a single-page application.
    warnings: ['not-found/spa-fallback'],
  },
  {
    name: 'GitHub Pages',
    headers: {
      server: 'GitHub.com',
      'cache-control': 'max-age=600',
      'last-modified': MODIFIED,
      'access-control-allow-origin': '*',
      'x-github-request-id': 'A1B2:3C4D:5E6F',
      via: '1.1 varnish',
      age: '0',
      'x-served-by': 'cache-fra-eddf8230000-FRA',
      'x-cache': 'MISS',
    },
    etag: (sha256) => `"${sha256.slice(0, 8)}-1a2"`,
    missing:
      '<!DOCTYPE html>\n<html><head><title>Page not found · GitHub Pages</title></head><body>404</body></html>\n',
    host: 'GitHub Pages',
    warnings: [],
  },
  {
    name: 'nginx',
    headers: { server: 'nginx/1.24.0', 'last-modified': MODIFIED, 'accept-ranges': 'bytes' },
    etag: (sha256) => `"${sha256.slice(0, 8)}-1a2"`,
    missing: '<html>\r\n<head><title>404 Not Found</title></head>\r\n<body>nginx/1.24.0</body>\r\n</html>\r\n',
    host: 'nginx',
    // It sends no `Cache-Control` unless it is configured to.
    warnings: ['caching/bundle-undeclared'],
  },
];

interface Sent {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  readonly body: Buffer;
}

/** The 404 of a product, which has no date of a file. */
function notFound({ headers, missing = '' }: Product): Sent {
  const { 'last-modified': _, ...others } = headers;
  const type = missing.startsWith('<') ? 'text/html' : 'text/plain';
  return { status: 404, headers: { ...others, 'content-type': type }, body: Buffer.from(missing) };
}

function fileSent({ headers, etag }: Product, path: string, file: string, asked: IncomingHttpHeaders): Sent {
  const tag = etag(hash('sha256', file));
  const about: OutgoingHttpHeaders = { ...headers, vary: 'Accept-Encoding', etag: tag };
  if (asked['if-none-match']?.replace(/^W\//, '') === tag)
    return { status: 304, headers: about, body: Buffer.alloc(0) };
  const typed = { ...about, 'content-type': TYPES[path.split('.').at(-1) ?? ''] };
  if (!/\bgzip\b/.test(asked['accept-encoding'] ?? '')) return { status: 200, headers: typed, body: Buffer.from(file) };
  const coded = { ...typed, etag: `W/${tag}`, 'content-encoding': 'gzip' };
  return { status: 200, headers: coded, body: gzipSync(file) };
}

function answer(product: Product, { url = '/', headers }: IncomingMessage): Sent {
  const asked = decodeURIComponent(new URL(url, 'http://localhost').pathname).slice(1);
  const hasFallback = product.missing === undefined;
  if (hasFallback && asked === 'index.html') {
    return { status: 308, headers: { ...product.headers, location: '/' }, body: Buffer.alloc(0) };
  }
  const path = asked === '' || (hasFallback && FILES[asked] === undefined) ? 'index.html' : asked;
  const file = FILES[path];
  return file === undefined ? notFound(product) : fileSent(product, path, file, headers);
}

/** The site as this product serves it. */
const serving =
  (product: Product): RequestListener =>
  (request, response) => {
    const { status, headers, body } = answer(product, request);
    response.writeHead(status, { ...headers, ...(status === 304 ? {} : { 'content-length': body.length }) });
    response.end(request.method === 'HEAD' ? undefined : body);
  };

async function checked(product: Product, ...args: readonly string[]): Promise<ReportDocument> {
  const host = await listen(serving(product));
  try {
    const { stdout, stderr } = await runCli(['check', host.url, '--full', '--format', 'json', ...args]);
    if (stdout === '') throw new Error(stderr);
    return JSON.parse(stdout) as ReportDocument;
  } finally {
    await host.close();
  }
}

describe('a plain site', () => {
  it.each(PRODUCTS)('on $name is healthy with at most one warning', async (product) => {
    const { verdict, checks, site } = await checked(product);
    const findings = checks.flatMap((check) => check.findings);
    const serious = findings.filter(({ severity }) => severity !== 'info').map(({ rule }) => rule);
    expect({ verdict, serious, host: site.host }).toEqual({
      verdict: 'healthy',
      serious: product.warnings,
      host: product.host,
    });
    expect(serious.length).toBeLessThanOrEqual(1);
  });

  it('on Cloudflare Pages, named by its product, reports how to negotiate if that is wanted', async () => {
    const pages = PRODUCTS.find(({ name }) => name === 'Cloudflare Pages') as Product;
    const { verdict, checks } = await checked(pages, '--host', 'cloudflare-pages');
    const found = checks.flatMap(({ findings }) => findings).find(({ rule }) => rule.startsWith('negotiation/'));
    expect([verdict, found?.rule, found?.severity]).toEqual(['healthy', 'negotiation/not-offered', 'info']);
    expect(found?.fix).toContain('deploy it as `_worker.js`');
  });

  it('on Cloudflare Pages that is said to negotiate does not', async () => {
    const pages = PRODUCTS.find(({ name }) => name === 'Cloudflare Pages') as Product;
    const { verdict, checks } = await checked(pages, '--host', 'platform');
    const errors = checks.flatMap(({ findings }) => findings).filter(({ severity }) => severity === 'error');
    expect(verdict).toBe('degraded');
    expect(errors.map(({ rule }) => rule).toSorted()).toEqual(['negotiation/not-negotiated', 'not-found/soft-404']);
  });
});
