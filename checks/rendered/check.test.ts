/** What the check `rendered` reports of what a browser showed. The browser is a table of views. */
import { describe, expect, it } from 'vitest';
import { noReply, reply } from '../../test/answers.ts';
import { fake, html, ORIGIN, SITE, type Files } from '../../test/runs.ts';
import { BrowserFailed, type View, type ViewRequest } from '../../src/browser/open.ts';
import type { CheckResult } from '../../src/core/check.ts';
import type { Finding, RawFinding } from '../../src/core/finding.ts';
import { Ended } from '../../src/http/failure.ts';
import { DEFAULT_REQUEST } from '../../src/core/run.ts';
import { sharedSite } from '../../src/site/site.ts';
import { rendered } from './check.ts';

const HEALTHY: View = {
  problem: null,
  measures: { headingMs: 100, largestPaintMs: 120, layoutShift: 0, transferredBytes: 1_000, requests: 5 },
  hasHeading: true,
  headings: ['Guide'],
  text: 'Guide',
  isBlank: false,
  unresponsiveMs: null,
  links: 2,
  errors: [],
  failed: [],
  received: new Map(),
  mixed: [],
  blocked: [],
  overflow: null,
  barriers: [],
  screenshot: null,
};

const BARRIER = {
  rule: 'image-alt',
  helpUrl: 'https://dequeuniversity.com/rules/axe/4.13/image-alt?application=axeAPI',
  element: 'img',
  count: 3,
};

/** What is shown of a route; a function gets how often it was shown before. */
type Shown = Partial<View> | ((before: number) => Partial<View>);

const inTurn =
  (...views: readonly Partial<View>[]) =>
  (before: number): Partial<View> =>
    views[before] ?? {};

interface Options {
  readonly files?: Files;
  readonly routes?: number;
  /** By route: empty for the home page, `#/guide` for another. */
  readonly views?: Readonly<Record<string, Shown>>;
  readonly open?: () => Promise<never>;
}

const MENU = '- [Home](index.md)\n- [Guide](guide.md)\n- [Setup](setup.md)\n';
const FILES: Files = { ...SITE, '/navigation.md': MENU, '/guide.md': '# Guide\n', '/setup.md': '# Setup\n' };

async function browse({ files = {}, routes = 5, views = {}, open }: Options = {}) {
  const { get } = fake({ ...FILES, ...files });
  const opened: (Omit<ViewRequest, 'url'> & { readonly route: string })[] = [];
  const view = async ({ url, ...request }: ViewRequest): Promise<View> => {
    const route = url.href.slice(ORIGIN.length + 1);
    const time = opened.filter((one) => one.route === route).length;
    opened.push({ route, ...request });
    const shown = views[route] ?? {};
    return { ...HEALTHY, ...(typeof shown === 'function' ? shown(time) : shown) };
  };
  const browser = { routes, slowMs: 4_000, open: open ?? (async () => ({ view, close: async () => {} })) };
  const limits = { parseMs: 5000 };
  const requested = { ...DEFAULT_REQUEST, full: true, browser };
  const site = sharedSite({ base: new URL(ORIGIN), get, pooled: get, requested, limits });
  const gathered = await rendered.gather(site);
  const findings = await rendered.evaluate(gathered, limits);
  return { findings, opened, pages: 'rendered' in gathered ? gathered.rendered : [] };
}

/** What is reported of the page `guide.md`, which was shown like this twice. */
async function reported(shown: Partial<View>, files: Files = {}): Promise<readonly RawFinding[]> {
  const { findings } = await browse({ files, views: { [GUIDE]: shown } });
  return findings;
}

const rulesOf = (findings: readonly RawFinding[]): readonly string[] => findings.map(({ rule }) => rule);

const GUIDE = '#/guide.md';
const SETUP = '#/setup.md';
const at = (path: string): string => `${ORIGIN}/${path}`;
const received = (path: string, status: number, mediaType: string): View['received'] =>
  new Map([[at(path), { status, mediaType }]]);

describe('rendered: what is opened', () => {
  it('is the home page once, and the pages of the navigation, each with the headings and menu links to expect', async () => {
    const { findings, opened } = await browse({
      files: { '/guide.md': '# Guide\n\n<a id="start"></a>\n\n[Setup](setup.md)\n' },
    });
    const [guide, setup] = [at(GUIDE), at(SETUP)];
    expect(findings).toEqual([]);
    expect(opened).toEqual([
      { route: '', headings: ['Handbook'], links: [guide, setup], withBarriers: true },
      { route: GUIDE, headings: ['Guide', 'start'], links: [], withBarriers: true },
      { route: SETUP, headings: ['Setup'], links: [guide], withBarriers: false },
    ]);
  });

  it.each([
    { routes: 0, expected: [''] },
    { routes: 1, expected: ['', GUIDE] },
    { routes: 2, expected: ['', GUIDE, SETUP] },
  ])('are the home page and $routes others', async ({ routes, expected }) => {
    const { opened } = await browse({ routes });
    expect(opened.map(({ route }) => route)).toEqual(expected);
  });

  it('is a home page with the headings of its cover, which Docsify shows beside it', async () => {
    const settings = 'window.$docsify = { loadSidebar: true, coverpage: "cover.md" }';
    const bundle = `<!doctype html><script>${settings}</script><script src="docsify@4/lib/docsify.min.js"></script>`;
    const files: Files = {
      '/index.html': html(bundle),
      '/README.md': '# Handbook\n',
      '/_sidebar.md': '- [Guide](guide.md)\n',
      '/cover.md': '# Welcome\n\n<a id="start"></a>\n',
    };
    const { opened } = await browse({ files });
    expect(Object.fromEntries(opened.map(({ route, headings }) => [route, headings]))).toEqual({
      '': ['Handbook', 'Welcome', 'start'],
      '#/guide': ['Guide'],
    });
  });

  it.each([
    { name: 'a heading', cover: '# Welcome\n', headings: ['Welcome'] },
    { name: 'no heading', cover: '![logo](logo.svg)\n\n[Start](#/guide)\n', headings: [] },
  ])('is a cover alone with `onlyCover`, which has $name', async ({ cover, headings }) => {
    const settings = 'window.$docsify = { loadSidebar: true, coverpage: true, onlyCover: true }';
    const bundle = `<!doctype html><script>${settings}</script><script src="docsify@4/lib/docsify.min.js"></script>`;
    const files: Files = {
      '/index.html': html(bundle),
      '/README.md': '# Handbook\n',
      '/_sidebar.md': '- [Guide](guide.md)\n',
      '/_coverpage.md': cover,
    };
    // Neither the menu nor the home page is requested.
    const shown = { hasHeading: headings.length > 0, headings, text: 'Start', links: 0 };
    const { findings, opened } = await browse({ files, views: { '': shown } });
    expect(findings).toEqual([]);
    expect([...new Set(opened.find(({ route }) => route === '')?.headings)]).toEqual(headings);
  });

  it('are as many pages as are requested where the navigation has more', async () => {
    const menu = Array.from({ length: 5 }, (_, index) => `- [x](p${index}.md)\n`).join('');
    const pages = Object.fromEntries(Array.from({ length: 5 }, (_, index) => [`/p${index}.md`, '# Page\n']));
    const { opened } = await browse({ files: { ...pages, '/navigation.md': menu }, routes: 4 });
    expect(opened).toHaveLength(5);
  });

  it('is tested for barriers on every page where all pages are requested', async () => {
    const { opened } = await browse({ routes: Infinity });
    expect(opened.map(({ withBarriers }) => withBarriers)).toEqual([true, true, true]);
  });
});

describe('rendered: two views', () => {
  const overflow = { width: 500, element: 'table' };

  it('does not report what only the first view shows', async () => {
    const { findings, opened } = await browse({ views: { [GUIDE]: inTurn({ overflow }) } });
    expect(findings).toEqual([]);
    expect(opened.map(({ route }) => route)).toEqual(['', GUIDE, SETUP, GUIDE]);
  });

  it('names a stylesheet that was not received beside a page that is too wide', async () => {
    const url = 'https://cdn.example/theme.css';
    const failed = [{ url, isOwn: false, kind: 'stylesheet', evidence: { reason: 'no-network' } }] as const;
    expect(await reported({ overflow, failed })).toEqual([
      { rule: 'layout-broken', evidence: { route: GUIDE, ...overflow, stylesheet: url } },
    ]);
  });

  it('reports the files of another host that fail once', async () => {
    const urls = ['https://cdn.example/a.js', 'https://cdn.example/b.js', 'https://other.example/c.js'];
    const failed = urls.map((url) => ({ url, isOwn: false, kind: 'script', evidence: { status: 503 } }));
    const [a = '', b = '', c = ''] = urls;
    expect((await reported({ failed })).map(({ evidence }) => evidence)).toEqual([
      { route: GUIDE, url: a, status: 503, also: [b] },
      { route: GUIDE, url: c, status: 503 },
    ]);
  });

  it('does not report what only the second view shows', async () => {
    const views = { [GUIDE]: inTurn({ overflow }, { overflow, mixed: ['http://a.example/x.png'] }) };
    expect(rulesOf((await browse({ views })).findings)).toEqual(['layout-broken']);
  });

  it('reports what several pages share once, and opens only one of them again', async () => {
    const { findings, opened } = await browse({ views: { '': { overflow }, [GUIDE]: { overflow } } });
    expect(findings).toEqual([{ rule: 'layout-broken', evidence: { route: '/', ...overflow, pages: 2 } }]);
    expect(opened.map(({ route }) => route)).toEqual(['', GUIDE, SETUP, '']);
  });

  it('tries three of the pages that share what is not shown again', async () => {
    const files = { '/navigation.md': `${MENU}- [More](more.md)\n`, '/more.md': '# More\n' };
    const once = inTurn({ overflow });
    const views = { '': once, [GUIDE]: once, [SETUP]: once, '#/more.md': once };
    const { findings, opened } = await browse({ files, views });
    expect(findings).toEqual([]);
    expect(opened.slice(4).map(({ route }) => route)).toEqual(['', GUIDE, SETUP]);
  });

  it('opens a page with several faults only once more', async () => {
    const { findings, opened } = await browse({ views: { [GUIDE]: { overflow, mixed: ['http://a.example/x.png'] } } });
    expect(rulesOf(findings)).toEqual(['mixed-content', 'layout-broken']);
    expect(opened).toHaveLength(4);
  });

  it('reports the last view of each page as its state', async () => {
    const problem = { error: 'net::ERR_FAILED', reason: null };
    const views = { '': { isBlank: true }, [GUIDE]: inTurn({ problem }), [SETUP]: { overflow } };
    const { pages } = await browse({ views });
    expect(pages).toMatchObject([
      { route: '', isOk: false },
      { route: GUIDE, isOk: true },
      { route: SETUP, isOk: true },
    ]);
  });
});

describe('rendered: findings of a page', () => {
  it.each<{ name: string; shown: Partial<View>; expected: RawFinding }>([
    {
      name: 'a page that could not be opened, which hides all else',
      shown: { problem: { error: 'net::ERR_FAILED', reason: 'refused' }, isBlank: true },
      expected: { rule: 'not-opened', evidence: { error: 'net::ERR_FAILED', reason: 'refused' } },
    },
    {
      name: 'a page that could not be opened, without a reason',
      shown: { problem: { error: 'net::ERR_FAILED', reason: null } },
      expected: { rule: 'not-opened', evidence: { error: 'net::ERR_FAILED' } },
    },
    {
      name: 'a blank page, which hides its errors',
      shown: { isBlank: true, hasHeading: false, errors: [{ kind: 'console', message: 'E', url: '' }] },
      expected: { rule: 'blank', evidence: { message: 'E' } },
    },
    {
      name: 'a blank page that does not respond',
      shown: { isBlank: true, unresponsiveMs: 22_000 },
      expected: { rule: 'blank', evidence: { unresponsiveMs: 22_000 } },
    },
    {
      name: 'a blank page: an exception and a script before all else',
      shown: {
        isBlank: true,
        errors: [
          { kind: 'console', message: 'C', url: '' },
          { kind: 'exception', message: 'X', url: '' },
        ],
        failed: [
          { url: at('a.png'), isOwn: true, kind: 'image', evidence: { status: 404 } },
          { url: at('a.js'), isOwn: true, kind: 'script', evidence: { status: 500 } },
        ],
      },
      expected: { rule: 'blank', evidence: { message: 'X', url: at('a.js'), status: 500 } },
    },
    {
      name: 'a console error',
      shown: { errors: [{ kind: 'console', message: 'E', url: '' }] },
      expected: { rule: 'console-error', evidence: { message: 'E' } },
    },
    {
      name: 'an exception with its script',
      shown: { errors: [{ kind: 'exception', message: 'E', url: at('a.js') }] },
      expected: { rule: 'uncaught-exception', evidence: { message: 'E', url: at('a.js') } },
    },
    {
      name: 'what the policy blocked',
      shown: { blocked: [{ directive: 'img-src', url: 'https://a.example/x.png' }] },
      expected: { rule: 'csp-blocked', evidence: { directive: 'img-src', url: 'https://a.example/x.png' } },
    },
    {
      name: 'a barrier',
      shown: { barriers: [BARRIER] },
      expected: { rule: 'not-accessible', evidence: { ...BARRIER } },
    },
    {
      name: 'a heading that is shown late',
      shown: { measures: { ...HEALTHY.measures, headingMs: 4_001 } },
      expected: { rule: 'slow', evidence: { headingMs: 4_001, limitMs: 4_000 } },
    },
    {
      name: 'the heading of another page',
      shown: { hasHeading: false, headings: ['Handbook'] },
      expected: { rule: 'wrong-page', evidence: { target: 'guide.md', expected: 'Guide', shown: 'Handbook' } },
    },
    {
      name: 'text without a heading',
      shown: { hasHeading: false, headings: [], text: 'Loading' },
      expected: { rule: 'wrong-page', evidence: { target: 'guide.md', expected: 'Guide', shown: 'Loading' } },
    },
  ])('$name', async ({ shown, expected }) => {
    const evidence = { route: GUIDE, ...expected.evidence };
    expect(await reported(shown)).toEqual([{ ...expected, evidence }]);
  });

  it.each<{ name: string; shown: Partial<View>; files?: Files }>([
    { name: 'a heading at the limit', shown: { measures: { ...HEALTHY.measures, headingMs: 4_000 } } },
    { name: 'no time of a heading', shown: { measures: { ...HEALTHY.measures, headingMs: null } } },
    {
      name: 'a page without headings in its file',
      shown: { hasHeading: false },
      files: { '/guide.md': 'Only text.\n' },
    },
    {
      name: 'a file that this program did not receive, but the browser did',
      shown: { hasHeading: false, received: received('guide.md', 200, 'text/markdown') },
      files: { '/guide.md': noReply('refused') },
    },
    {
      name: 'a missing file that the browser did not request',
      shown: { hasHeading: false },
      files: { '/guide.md': noReply('refused') },
    },
  ])('nothing: $name', async ({ shown, files }) => {
    expect(await reported(shown, files)).toEqual([]);
  });

  it.each([
    { status: 400, mediaType: 'text/plain' },
    { status: 404, mediaType: 'text/markdown' },
    { status: 200, mediaType: 'text/html' },
  ])('a file that is missing for the browser, too: $status $mediaType', async ({ status, mediaType }) => {
    const files = { '/guide.md': reply('', { status: 404 }) };
    expect(await reported({ received: received('guide.md', status, mediaType) }, files)).toEqual([
      { rule: 'route-not-found', evidence: { route: GUIDE, target: 'guide.md', url: at('guide.md'), status } },
    ]);
  });
});

describe('rendered: the menu', () => {
  it.each<{ name: string; shown: Partial<View>; expected: readonly string[]; files?: Files }>([
    { name: 'one link of it', shown: { links: 1, received: received('navigation.md', 200, '') }, expected: [] },
    {
      name: 'no link of it',
      shown: { links: 0, received: received('navigation.md', 200, '') },
      expected: ['navigation.md'],
    },
    { name: 'not requested by the page', shown: { links: 0 }, expected: [] },
    {
      name: 'the page has all its links itself',
      shown: { links: 0, received: received('navigation.md', 200, '') },
      files: { '/guide.md': '# Guide\n\n[Setup](setup.md)\n' },
      expected: [],
    },
    {
      name: 'the fallback of the host in a folder',
      shown: { links: 0, received: received('guide/navigation.md', 200, 'text/html') },
      expected: ['guide/navigation.md'],
    },
    {
      name: 'an error page in a folder',
      shown: { links: 0, received: received('guide/navigation.md', 400, 'text/html') },
      expected: [],
    },
    {
      name: 'another HTML page',
      shown: { links: 0, received: received('guide/about.html', 200, 'text/html') },
      expected: [],
    },
    {
      name: 'Markdown in a folder',
      shown: { links: 0, received: received('guide/navigation.md', 200, 'text/markdown') },
      expected: [],
    },
  ])('$name: $expected', async ({ shown, expected, files }) => {
    const findings = await reported(shown, files);
    expect(rulesOf(findings)).toEqual(expected.map(() => 'navigation-missing'));
    expect(findings.map(({ evidence }) => evidence?.['url'])).toEqual(expected.map(at));
  });
});

describe('rendered: failed requests', () => {
  it.each<{
    kind: string;
    isOwn: boolean;
    path?: string;
    evidence: Record<string, number | string>;
    is: string | null;
  }>([
    { kind: 'script', isOwn: true, evidence: { status: 404 }, is: 'request-failed' },
    { kind: 'image', isOwn: true, evidence: { status: 404 }, is: 'request-failed' },
    { kind: 'image', isOwn: true, evidence: { reason: 'refused' }, is: 'request-failed' },
    { kind: 'image', isOwn: true, evidence: { reason: 'no-network' }, is: null },
    { kind: 'image', isOwn: true, path: 'favicon.ico', evidence: { status: 404 }, is: null },
    { kind: 'other', isOwn: true, evidence: { status: 404 }, is: null },
    { kind: 'fetch', isOwn: true, evidence: { status: 404 }, is: null },
    { kind: 'fetch', isOwn: true, evidence: { status: 499 }, is: null },
    { kind: 'fetch', isOwn: true, evidence: { status: 500 }, is: 'request-failed' },
    { kind: 'xhr', isOwn: true, evidence: { status: 404 }, is: null },
    { kind: 'xhr', isOwn: true, evidence: { reason: 'reset' }, is: 'request-failed' },
    { kind: 'script', isOwn: false, evidence: { status: 404 }, is: 'external-request-failed' },
    { kind: 'stylesheet', isOwn: false, evidence: { status: 404 }, is: 'external-request-failed' },
    { kind: 'image', isOwn: false, evidence: { status: 404 }, is: null },
  ])('$kind, own $isOwn, $evidence: $is', async ({ kind, isOwn, path = 'file', evidence, is }) => {
    const url = isOwn ? at(path) : `https://cdn.example/${path}`;
    const findings = await reported({ failed: [{ url, isOwn, kind, evidence }] });
    expect(findings).toEqual(is === null ? [] : [{ rule: is, evidence: { route: GUIDE, url, ...evidence } }]);
  });
});

describe('rendered: no view', () => {
  it('is a skip without a browser, and where the site does not respond', async () => {
    const { get } = fake(FILES);
    const requested = { ...DEFAULT_REQUEST, full: true };
    const limits = { parseMs: 5000 };
    const site = sharedSite({ base: new URL(ORIGIN), get, pooled: get, requested, limits });
    expect(rulesOf(await rendered.evaluate(await rendered.gather(site), limits))).toEqual(['no-browser']);
    const { findings, opened } = await browse({ files: { '/index.html': noReply('refused') } });
    expect(findings).toMatchObject([{ rule: 'no-answer', evidence: { reason: 'refused' } }]);
    expect(opened).toEqual([]);
  });

  it('is reported where the browser does not start; other errors are not hidden', async () => {
    const failing = (error: Error) =>
      browse({
        open: async () => {
          throw error;
        },
      });
    expect((await failing(new BrowserFailed('no usable sandbox'))).findings).toEqual([
      { rule: 'browser-failed', evidence: { error: 'no usable sandbox' } },
    ]);
    await expect(failing(new Error('a mistake'))).rejects.toThrow('a mistake');
  });

  it('is reported where the run ended, beside what was shown twice until then', async () => {
    const mixed = ['http://a.example/x.png'];
    const end = (): never => {
      throw new Ended('deadline', 1_000);
    };
    const views = { '': { mixed }, [SETUP]: end };
    const { findings, pages } = await browse({ views });
    expect(findings).toMatchObject([
      { rule: 'mixed-content' },
      { rule: 'interrupted', evidence: { deadlineMs: 1_000 } },
    ]);
    expect(pages.map(({ route }) => route)).toEqual(['', GUIDE]);
  });
});

describe('rendered: the cause in another check', () => {
  const finding = (rule: string, evidence: Finding['evidence'] = {}, severity: Finding['severity'] = 'error') =>
    ({ rule, evidence, severity }) as Finding;
  const check = (id: string, findings: readonly Finding[], more: Partial<CheckResult> = {}) =>
    ({ id, url: at(id), findings, ...more }) as CheckResult;
  const config = check('config', [finding('invalid-json')], { vital: true });
  const navigation = check('navigation', [finding('not-found')], { vital: false });
  const bundle = check('bundle', [finding('script-syntax', { kind: 'script', url: at('app.js') })]);
  const causeOf = (of: Finding, others: readonly CheckResult[]) =>
    rendered.causeOf?.(of, others, new URL(`${ORIGIN}/`));

  it.each<{ name: string; of: Finding; others: readonly CheckResult[]; is: string | null }>([
    {
      name: 'blank: a vital file first',
      of: finding('blank'),
      others: [bundle, navigation, config],
      is: 'config/invalid-json',
    },
    { name: 'blank: a broken script', of: finding('blank'), others: [bundle], is: 'bundle/script-syntax' },
    {
      name: 'blank: a broken chunk',
      of: finding('blank'),
      others: [check('bundle', [finding('missing', { kind: 'chunk' })])],
      is: 'bundle/missing',
    },
    {
      name: 'blank: never a broken image',
      of: finding('blank'),
      others: [check('bundle', [finding('missing', { kind: 'image' })])],
      is: null,
    },
    {
      name: 'blank: never a warning about a script',
      of: finding('blank'),
      others: [check('bundle', [finding('large', { kind: 'script' }, 'warning')])],
      is: null,
    },
    {
      name: 'blank: never a warning about a vital file',
      of: finding('blank'),
      others: [check('config', [finding('media-type', {}, 'warning')], { vital: true })],
      is: null,
    },
    {
      name: 'an error about JSON',
      of: finding('console-error', { message: 'bad JSON' }),
      others: [bundle, config],
      is: 'config/invalid-json',
    },
    {
      name: 'a syntax error',
      of: finding('uncaught-exception', { message: 'SyntaxError: x' }),
      others: [config, bundle],
      is: 'bundle/script-syntax',
    },
    {
      name: 'another exception',
      of: finding('uncaught-exception', { message: 'TypeError: x' }),
      others: [config, bundle],
      is: null,
    },
    {
      name: 'a request of the same URL',
      of: finding('request-failed', { url: at('app.js') }),
      others: [bundle],
      is: 'bundle/script-syntax',
    },
    {
      name: 'a request of the file of a check',
      of: finding('request-failed', { url: at('config') }),
      others: [config],
      is: 'config/invalid-json',
    },
    {
      name: 'a request of another URL',
      of: finding('request-failed', { url: at('b.js') }),
      others: [bundle, config],
      is: null,
    },
    {
      name: 'a warning about the same path',
      of: finding('request-failed', { url: at('img/a.png') }),
      others: [check('assets', [finding('missing', { path: 'img/a.png' }, 'warning')])],
      is: 'assets/missing',
    },
    {
      name: 'never what is not evaluated',
      of: finding('request-failed', { url: at('img/a.png') }),
      others: [check('assets', [finding('missing', { path: 'img/a.png' }, null)])],
      is: null,
    },
    {
      name: 'a broken link to the same target',
      of: finding('route-not-found', { target: 'guide.md', url: at('guide.md') }),
      others: [check('links', [finding('missing', { target: 'guide.md' })])],
      is: 'links/missing',
    },
    {
      name: 'the wrong page without an address: never a finding without one',
      of: finding('wrong-page', { route: '#/a' }),
      others: [check('links', [finding('other')])],
      is: null,
    },
    {
      name: 'the wrong home page: the settings',
      of: finding('wrong-page', { route: '/' }),
      others: [config],
      is: 'config/invalid-json',
    },
    {
      name: 'another wrong page: not the settings',
      of: finding('wrong-page', { route: '#/a' }),
      others: [config],
      is: null,
    },
    {
      name: 'the home page, otherwise: not the settings',
      of: finding('slow', { route: '/' }),
      others: [config],
      is: null,
    },
  ])('$name: $is', ({ of, others, is }) => {
    expect(causeOf(of, others)).toBe(is);
  });
});
