/** Pages in a real Chromium, opened by the sources. Each row is a page of one site. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumFile, chromiumWanted } from '../../test/hosts/chromium.ts';
import { freePort } from '../../test/hosts/port.ts';
import { serve, serveFor, type Files } from '../../test/rendered/engines.ts';
import { PRIVATE, reachingPrivate } from '../../test/rendered/private.ts';
import { startRemoteBrowser } from '../../test/rendered/remote.ts';
import { UNGUARDED } from '../http/connect.ts';
import { Ended } from '../http/failure.ts';
import type { HttpOptions } from '../http/get.ts';
import {
  BrowserFailed,
  openRenderer,
  type BrowserOptions,
  type Renderer,
  type View,
  type ViewRequest,
} from './open.ts';

const FILE = chromiumFile() ?? 'chromium';
const isSandboxed = process.getuid?.() !== 0;

const optionsFor = (site: string, options: Partial<HttpOptions> = {}): HttpOptions => ({
  site: new URL(site),
  rules: [],
  family: 0,
  timeoutMs: 10_000,
  retries: 0,
  bodyCap: 1_000_000,
  userAgent: 'docvitals',
  headers: {},
  proxyFor: () => null,
  signal: new AbortController().signal,
  endsAt: Infinity,
  clock: () => performance.now(),
  ...options,
});

const openAt = (target: BrowserOptions['target'], http: HttpOptions): Promise<Renderer> =>
  openRenderer({ target, isSandboxed, routes: 0, slowMs: 4_000 }, http);

const requestOf = (url: string, request: Partial<ViewRequest> = {}): ViewRequest => ({
  url: new URL(url),
  headings: [],
  links: [],
  withBarriers: false,
  ...request,
});

const documentOf = (body: string, head = ''): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Docs</title><link rel="icon" href="data:,">${head}</head><body>${body}</body></html>`;

/** A page that appears where a browser runs scripts. */
const shownByScript = (body: string): string =>
  documentOf(
    `<main>Loading …</main><script>document.querySelector('main').innerHTML = ${JSON.stringify(body)}</script>`,
  );

const CANVAS = `const canvas = document.createElement('canvas'); document.body.append(canvas);
  canvas.getContext('2d').fillRect(0, 0, 100, 100);`;

const PAGE = shownByScript('<h1>Guide</h1><p>Text</p><a href="#/a">A</a><a href="#/b">B</a>');

const FILES: Files = {
  'page.html': PAGE,
  'static.html': documentOf('<main>Loading …</main>'),
  'empty.html': documentOf(''),
  'drawn.html': documentOf(`<script>${CANVAS}</script>`),
  'wide.html': documentOf('<h1>Wide</h1><table style="width: 900px"><tr><td>Cell</td></tr></table>'),
  'barrier.html': documentOf('<main><h1>Image</h1><img src="data:,"></main>'),
  'errors.html': documentOf(
    `<h1>Errors</h1><script src="missing.js"></script><script src="broken.js"></script>
    <script>console.error('first'); console.warn('second');</script>`,
  ),
  'broken.js': 'missingFunction();',
  'policy.html': {
    headers: { 'content-security-policy': 'img-src data:' },
    body: documentOf('<h1>Policy</h1><img src="/dot.svg" alt="">'),
  },
  'late.html': documentOf(
    `<script>setTimeout(() => { document.body.innerHTML = '<h1>Other</h1>'; }, 100);
    setTimeout(() => { document.body.innerHTML = '<h1>Guide</h1>'; }, 600)</script>`,
  ),
  'flood.html': documentOf(`<script>for (let i = 0; i < 1_500; i++) console.log(i);</script>`),
  'popup.html': documentOf(`<h1>Popup</h1><script>open('/page.html')</script>`),
  'private.html': documentOf(`<h1>Private</h1>${reachingPrivate}`),
  'many.html': documentOf(
    `<h1>Many</h1><script>for (let i = 0; i < 30; i++) document.write('<script src="/none' + i + '.js"><' + '/script>')</script>`,
  ),
};

describe.runIf(chromiumWanted())('a page in a browser', { timeout: 60_000 }, () => {
  let url: string;
  let stopSite: () => Promise<void>;
  let renderer: Renderer;
  const view = (path: string, request: Partial<ViewRequest> = {}) => renderer.view(requestOf(url + path, request));

  beforeAll(async () => {
    ({ url, stop: stopSite } = await serveFor(FILES));
    renderer = await openAt({ file: FILE }, optionsFor(url));
  }, 60_000);
  afterAll(async () => {
    await renderer.close();
    await stopSite();
  });

  it('is described as visitors see it', async () => {
    const seen = await view('page.html', { headings: ['Guide'], links: [`${url}page.html#/a`, `${url}page.html#/c`] });
    expect(seen).toMatchObject({
      problem: null,
      hasHeading: true,
      headings: ['Guide'],
      isBlank: false,
      unresponsiveMs: null,
      links: 1,
      overflow: null,
      errors: [],
      failed: [],
      mixed: [],
      blocked: [],
      barriers: [],
    });
    expect(seen.text).toContain('Text');
    expect(seen.received).toEqual(new Map([[`${url}page.html`, { status: 200, mediaType: 'text/html' }]]));
    const { headingMs, largestPaintMs, layoutShift, transferredBytes, requests } = seen.measures;
    expect(requests).toBe(1);
    expect(Number.isInteger(headingMs)).toBe(true);
    expect(largestPaintMs).toBeGreaterThan(0);
    expect(layoutShift).toBeGreaterThanOrEqual(0);
    expect(transferredBytes).toBeGreaterThan(PAGE.length);
    expect(Buffer.from(seen.screenshot ?? []).subarray(0, 3)).toEqual(Buffer.from([0xff, 0xd8, 0xff]));
  });

  it.each([
    ['with what its document has without scripts', 'static.html', [], true],
    ['without anything', 'empty.html', [], true],
    ['with a drawing, where no heading is expected', 'drawn.html', [], false],
    ['with a drawing, where a heading is expected', 'drawn.html', ['Guide'], true],
  ])('%s', async (_name, path, headings, isBlank) => {
    const seen = await view(path, { headings });
    expect(seen).toMatchObject({ isBlank, hasHeading: false, barriers: [], overflow: null });
  });

  it('is waited for until one of its headings is shown', async () => {
    const seen = await view('late.html', { headings: ['Guide'] });
    expect(seen).toMatchObject({ hasHeading: true, headings: ['Guide'] });
    expect(seen.measures.headingMs).toBeGreaterThanOrEqual(600);
  });

  it('is also opened on a phone', async () => {
    const { overflow } = await view('wide.html');
    expect(overflow?.element).toContain('table');
    expect(overflow?.width).toBeGreaterThan(900);
  });

  it('is checked for barriers where that is requested', async () => {
    const [with_, without] = [await view('barrier.html', { withBarriers: true }), await view('barrier.html')];
    expect(with_.barriers).toMatchObject([{ rule: 'image-alt', count: 1 }]);
    expect(with_.barriers[0]?.helpUrl).toMatch(/^https:\/\/dequeuniversity\.com\/rules\/axe\/[\d.]+\/image-alt/);
    expect(without.barriers).toEqual([]);
  });

  it('has errors of scripts and failed requests, and no messages of the browser itself', async () => {
    const seen = await view('errors.html');
    expect(seen.errors).toEqual([
      { kind: 'exception', message: 'ReferenceError: missingFunction is not defined', url: `${url}broken.js` },
      { kind: 'console', message: 'first', url: `${url}errors.html` },
    ]);
    expect(seen.failed).toEqual([{ url: `${url}missing.js`, isOwn: true, kind: 'script', evidence: { status: 404 } }]);
  });

  it('has at most 20 failed requests', async () => {
    expect((await view('many.html')).failed).toHaveLength(20);
  });

  it('has what its policy stopped', async () => {
    const { blocked, failed, errors } = await view('policy.html');
    expect(blocked).toEqual([{ directive: 'img-src', url: `${url}dot.svg` }]);
    expect({ failed, errors }).toEqual({ failed: [], errors: [] });
  });

  it('reaches no private network', async () => {
    const { failed } = await view('private.html');
    expect(failed).toEqual(
      PRIVATE.map((host) => ({
        url: `http://${host}/x.js`,
        isOwn: false,
        kind: 'script',
        evidence: { reason: 'blocked-address' },
      })),
    );
  });

  it('opens no other page', async () => {
    expect(await view('popup.html')).toMatchObject({ headings: ['Popup'], errors: [] });
  });

  it('has a problem where it cannot be opened', async () => {
    const { problem } = await renderer.view(requestOf(`http://127.0.0.1:${await freePort()}/`));
    expect(problem?.reason).toBe('refused');
  });
});

describe.runIf(chromiumWanted())('a browser', { timeout: 60_000 }, () => {
  it('sends headers and credentials to the site only, and stops with the run', async () => {
    const other = await serve({ 'a.js': '' });
    const site = await serve({ 'index.html': documentOf(`<h1>Home</h1><script src="${other.url}a.js"></script>`) });
    const ending = new AbortController();
    const address = new URL(site.url);
    address.username = 'reader';
    address.password = 'a b';
    const renderer = await openAt(
      { file: FILE },
      optionsFor(address.href, { headers: { 'x-key': 'k' }, signal: ending.signal, guard: UNGUARDED }),
    );
    try {
      expect(await renderer.view(requestOf(site.url))).toMatchObject({ headings: ['Home'] });
      expect(site.requests.at(-1)?.headers).toMatchObject({ 'x-key': 'k' });
      expect(other.requests.length).toBe(1);
      expect(other.requests[0]?.headers).not.toHaveProperty('x-key');
      ending.abort(new Ended('interrupt'));
      await expect(renderer.view(requestOf(site.url))).rejects.toThrow(Ended);
    } finally {
      await renderer.close();
    }
  });

  it('gives up a page that sends too many messages, and ends where closing it takes long', async () => {
    const site = await serve({ 'index.html': FILES['flood.html'] ?? '' });
    const renderer = await openAt({ file: FILE }, optionsFor(site.url));
    try {
      const outcome = await renderer.view(requestOf(site.url)).catch((error: unknown) => error);
      const message = outcome instanceof BrowserFailed ? outcome.message : (outcome as View).problem?.error;
      expect(message?.toLowerCase()).toContain('messages, navigations or requests');
    } finally {
      await renderer.close();
    }
  });

  it('that runs elsewhere is asked for allowed addresses only', async () => {
    const site = await serve({ 'index.html': FILES['private.html'] ?? '' });
    const renderer = await openAt({ address: await startRemoteBrowser() }, optionsFor(site.url));
    try {
      const { headings, failed, measures } = await renderer.view(requestOf(site.url));
      expect({ headings, transferredBytes: measures.transferredBytes }).toEqual({
        headings: ['Private'],
        transferredBytes: null,
      });
      expect(failed.map(({ url, evidence }) => [url, evidence['error']])).toEqual(
        PRIVATE.map((host) => [`http://${host}/x.js`, expect.stringContaining('ERR_BLOCKED_BY_CLIENT') as string]),
      );
    } finally {
      await renderer.close();
    }
  });

  it.each([
    ['is no browser', { file: '/bin/true' }],
    ['is not there', { file: '/no/browser' }],
    ['cannot be reached', { address: 'ws://robot:hunter2@127.0.0.1:9/chromium' }],
    ['cannot be reached by HTTP', { address: 'http://127.0.0.1:9/' }],
  ] as const)('that %s has failed', async (_name, target) => {
    const failed = await openAt(target, optionsFor('http://127.0.0.1:9/')).catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(BrowserFailed);
    const { message } = failed as BrowserFailed;
    expect(message).not.toBe('');
    expect(message).not.toMatch(/\n|hunter2|:\/\//);
  });
});
