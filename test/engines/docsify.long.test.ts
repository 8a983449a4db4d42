/**
 * The real docsify in Chromium says which links of a site are dead; the built command must name the same ones. Each
 * site has the same pages and links, and other settings.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ReportDocument } from '../../src/report/document.ts';
import { runCli } from '../cli/run.ts';
import { chromiumWanted, startChromium } from '../hosts/chromium.ts';

const DOCSIFY = readFileSync(createRequire(import.meta.url).resolve('docsify/dist/docsify.min.js'));

/** How people write links, dead ones among them. */
const LINKS = `
[page](guide/setup.md) [no extension](guide/setup) [root](/guide/setup.md) [folder](guide/) [home](/)
[up](../README.md) [here](./guide/setup.md) [anchor](guide/setup.md#install) [id](guide/setup?id=install)
[query](guide/setup?x=1) [space](guide/two%20words.md) [deep](/guide/deep/page) [old](/old/setup)
[gone](gone.md) [gone folder](gone/) [wrong case](guide/Setup.md) [pdf](manual.pdf) [relative](setup.md)
[kept](manual.pdf ':ignore') [lost](lost.pdf ':ignore') [off](gone-too.md ':disabled')
[include](guide/part.md ':include')

![here](assets/a.svg) ![root](/assets/a.svg) ![gone](assets/gone.svg)

<a href="#/guide/setup">raw</a> <a href="#/raw-gone">raw</a> <img src="assets/a.svg"> <img src="assets/raw-gone.svg">
`;

const FILES: Readonly<Record<string, string>> = {
  'README.md': `# Home\n${LINKS}`,
  'start.md': `# Start\n${LINKS}`,
  'setup.md': '# Setup at the root\n',
  'guide/README.md': `# Guide\n${LINKS}`,
  'guide/setup.md': '# Setup\n\n## Install\n',
  'guide/two words.md': '# Words\n',
  'guide/part.md': 'Part.\n',
  'guide/deep/page.md': `# Deep\n${LINKS}`,
  '_sidebar.md': '- [Home](/)\n- [Guide](/guide/)\n- [Deep](/guide/deep/page)\n- [Menu gone](/menu-gone)\n',
  '_navbar.md': '- [Setup](/guide/setup)\n- [Bar gone](/bar-gone)\n',
  'manual.pdf': '%PDF-1.4',
  'assets/a.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
};

const SETTINGS = [
  { name: 'defaults', settings: '{ loadSidebar: true }' },
  {
    name: 'relativePath',
    settings: '{ loadSidebar: true, relativePath: true, alias: { "/.*/_sidebar.md": "/_sidebar.md" } }',
  },
  { name: 'homepage and navbar', settings: "{ loadSidebar: true, loadNavbar: true, homepage: 'start.md' }" },
  { name: 'alias', settings: '{ loadSidebar: true, alias: { "/old/(.*)": "/guide/$1" } }' },
] as const;

let browser: Browser | undefined;
let server: Server | undefined;

beforeAll(async () => {
  if (chromiumWanted()) browser = await startChromium();
});
afterAll(async () => {
  await browser?.close();
  await new Promise((resolve) => (server === undefined ? resolve(null) : server.close(resolve)));
});

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html',
  js: 'text/javascript',
  md: 'text/markdown',
  svg: 'image/svg+xml',
  pdf: 'application/pdf',
};

/** Serves a site that has these settings; returns its address. */
async function serve(settings: string): Promise<string> {
  await new Promise((resolve) => (server === undefined ? resolve(null) : server.close(resolve)));
  const bundle = `<!doctype html><html><body><div id="app"></div><script>window.$docsify = ${settings}</script><script src="docsify.min.js"></script></body></html>`;
  server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? '', 'http://x/').pathname.slice(1));
    const own: Readonly<Record<string, string | Buffer>> = {
      ...FILES,
      '': bundle,
      'index.html': bundle,
      'docsify.min.js': DOCSIFY,
    };
    const body = Object.hasOwn(own, path) ? own[path] : undefined;
    response.writeHead(body === undefined ? 404 : 200, {
      'content-type': TYPES[path.split('.').at(-1) ?? ''] ?? 'text/html',
    });
    response.end(body ?? 'Not found');
  });
  await new Promise((resolve) => server?.listen(0, '127.0.0.1', () => resolve(null)));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

/** What the page shows: the addresses of its links and images, after docsify has rendered it. */
const RENDERED = `[...document.querySelectorAll('.markdown-section a[href], .sidebar-nav a[href], .app-nav a[href], .markdown-section img')]
  .map((element) => element.href ?? element.src)`;

const IS_DEAD = `/^404/.test(document.querySelector('.markdown-section').textContent.trim())`;

/** The paths that answer 404 where docsify leads: what it fetches for a route, and what the browser loads for the rest. */
async function deadInChromium(base: string): Promise<readonly string[]> {
  const page = await (browser as Browser).newPage();
  const dead = new Set<string>();
  const known = new Set<string>();
  const routes = ['#/'];
  page.on('response', (response) => {
    const path = decodeURIComponent(new URL(response.url()).pathname.slice(1));
    // It looks for menus in each folder.
    if (response.status() === 404 && !/(?:^|\/)_\w+\.md$|favicon/.test(path)) dead.add(path);
  });
  for (let route = routes.shift(); route !== undefined; route = routes.shift()) {
    await page.goto('about:blank');
    await page.goto(base + route, { waitUntil: 'networkidle' });
    const isDead = (await page.evaluate(IS_DEAD)) as boolean;
    for (const href of isDead ? [] : ((await page.evaluate(RENDERED)) as string[])) {
      const url = new URL(href);
      if (url.origin !== new URL(base).origin || known.has(href.replace(/\?.*$/, ''))) continue;
      known.add(href.replace(/\?.*$/, ''));
      if (url.hash.startsWith('#/')) routes.push(url.hash.replace(/\?.*$/, ''));
      else if (!href.includes('#') && (await fetch(href)).status === 404)
        dead.add(decodeURIComponent(url.pathname.slice(1)));
    }
  }
  await page.close();
  return [...dead].toSorted();
}

/** The paths that the command reports as missing. */
async function deadByUs(base: string): Promise<readonly string[]> {
  const { stdout } = await runCli(['check', base, '--only', 'links', '--format', 'json']);
  const { checks } = JSON.parse(stdout) as ReportDocument;
  const findings = checks.flatMap((check) => check.findings).filter(({ severity }) => severity === 'error');
  return [...new Set(findings.map(({ evidence }) => decodeURIComponent(evidence['target'] as string)))].toSorted();
}

describe.runIf(chromiumWanted())('dead links of docsify sites, as docsify in Chromium shows them', () => {
  it.each(SETTINGS)('$name', { timeout: 120_000 }, async ({ settings }) => {
    const base = await serve(settings);
    const dead = await deadInChromium(base);
    expect(dead.length).toBeGreaterThan(5);
    expect(await deadByUs(base)).toEqual(dead);
  });
});
