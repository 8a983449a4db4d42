/** docsify's `basePath` on another host: browsers give the page its files only where that host allows it. */
import type { OutgoingHttpHeaders } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ReportDocument } from '../../src/report/document.ts';
import { runCli } from '../cli/run.ts';
import { listen, type Host } from '../site/host.ts';

const FILES: Readonly<Record<string, string>> = {
  '/README.md': '# Harbour\n\nHow to run the harbour.\n',
  '/_sidebar.md': '- [Home](/)\n',
};

let pages: Host;
let site: Host;
/** What the host of the pages allows to a page of this origin. */
let allowed: (origin: string | undefined) => OutgoingHttpHeaders;

beforeAll(async () => {
  pages = await listen(({ url = '/', headers: { origin } }, response) => {
    const body = FILES[url];
    response.writeHead(body === undefined ? 404 : 200, { 'content-type': 'text/markdown', ...allowed(origin) });
    response.end(body);
  });
  const index = `<!doctype html>\n<title>Harbour</title>\n<div id="app"></div>\n<script>
    window.$docsify = { loadSidebar: true, basePath: '${pages.url}' }</script>\n<script src="docsify.min.js"></script>\n`;
  const own: Readonly<Record<string, readonly [type: string, body: string]>> = {
    '/index.html': ['text/html', index],
    '/docsify.min.js': ['text/javascript', 'window.Docsify = {};\n'],
  };
  site = await listen(({ url = '/' }, response) => {
    const [type, body] = own[url] ?? ['text/plain', 'Not found\n'];
    response.writeHead(own[url] === undefined ? 404 : 200, { 'content-type': type }).end(body);
  });
});
afterAll(() => Promise.all([pages.close(), site.close()]));

async function checked(): Promise<ReportDocument> {
  const { stdout } = await runCli(['check', site.url, '--format', 'json']);
  return JSON.parse(stdout) as ReportDocument;
}

describe('pages on another host', () => {
  it.each<{ name: string; allow: typeof allowed }>([
    { name: 'every site', allow: () => ({ 'access-control-allow-origin': '*' }) },
    { name: 'the site that asks', allow: (origin) => ({ 'access-control-allow-origin': origin ?? 'none' }) },
  ])('that are allowed to $name are healthy', async ({ allow }) => {
    allowed = allow;
    expect((await checked()).verdict).toBe('healthy');
  });

  it.each<{ name: string; allow: typeof allowed; allowOrigin: string | null }>([
    { name: 'nobody', allow: () => ({}), allowOrigin: null },
    {
      name: 'another site',
      allow: () => ({ 'access-control-allow-origin': 'https://other.example' }),
      allowOrigin: 'https://other.example',
    },
  ])('that are allowed to $name take the site down', async ({ allow, allowOrigin }) => {
    allowed = allow;
    const { verdict, checks } = await checked();
    expect(verdict).toBe('down');
    const found = checks.flatMap(({ findings }) => findings).filter(({ severity }) => severity === 'error');
    expect(found).toMatchObject([
      { rule: 'navigation/cors', cause: 'home/cors' },
      {
        rule: 'home/cors',
        evidence: { setting: 'basePath', value: pages.url, url: `${pages.url}README.md`, allowOrigin },
      },
    ]);
  });
});
