/**
 * Faults of deployed sites, and what a person who opens the pages expects to read. The exact findings: nothing is
 * missing, and nothing is reported that nobody sees.
 */
import { describe, expect, it } from 'vitest';
import { chromiumWanted } from '../hosts/chromium.ts';
import { freePort } from '../hosts/port.ts';
import { browse, causesOf, folderWith } from './browse.ts';
import { bundle, ENGINES, filesOf, HOME, HOME_FILE, scriptOf, serve } from './engines.ts';
import type { BundleParts, Engine, Files, HostOptions } from './engines.ts';
import { certutilWanted, trustedCertificate } from './trust.ts';

interface Fault {
  readonly name: string;
  readonly engine: Engine;
  /** Files that differ from the healthy site. */
  readonly files?: Files;
  readonly bundle?: BundleParts;
  readonly host?: HostOptions;
  readonly args?: readonly string[];
  readonly configuration?: string;
  readonly status: 'pass' | 'warn' | 'fail' | 'unknown';
  /** In alphabetical order; each with the finding that caused it, `null` where no other check can know. */
  readonly codes: Readonly<Record<string, string | null>>;
}

const FULL = ['--full'];
/** No server listens there. */
const CLOSED = `http://127.0.0.2:${await freePort()}`;

const policy = (value: string): HostOptions => ({ headers: { 'content-security-policy': value } });
const menuOf = (link: string): string => `- [Home](index.md)\n- [Setup](guide/setup.md)\n- [Linked](${link})\n`;
const HTML = { headers: { 'content-type': 'text/html' }, body: '<!doctype html><title>Host</title><p>Welcome</p>' };

const pluginSettings = (plugin: string): string =>
  `{ loadSidebar: true, alias: { '/.*/_sidebar.md': '/_sidebar.md' }, plugins: [(hook) => ${plugin}] }`;

const BLANK: readonly Fault[] = [
  {
    name: 'config.json has a trailing comma',
    engine: 'old VertiWiki',
    files: { 'config.json': '{ "title": "Docs", }' },
    status: 'fail',
    codes: { blank: 'config/trailing-comma' },
  },
  {
    name: 'config.json has an unclosed quote',
    engine: 'old VertiWiki',
    files: { 'config.json': '{ "title": "Docs }' },
    status: 'fail',
    codes: { blank: 'config/unclosed-string' },
  },
  {
    name: 'config.json gives an error of the server',
    engine: 'old VertiWiki',
    files: { 'config.json': { status: 500 } },
    args: ['--retries', '0'],
    status: 'fail',
    codes: { blank: 'config/server-error' },
  },
  {
    name: 'config.json is missing',
    engine: 'old VertiWiki',
    files: { 'config.json': null },
    status: 'fail',
    codes: { blank: 'config/not-found' },
  },
  {
    name: 'the bundle comes instead of config.json',
    engine: 'old VertiWiki',
    files: { 'config.json': null },
    host: { isFallback: true },
    status: 'fail',
    codes: { blank: 'config/spa-fallback' },
  },
  {
    name: 'the script of the engine is missing',
    engine: 'old VertiWiki',
    files: { 'engine.js': null },
    args: FULL,
    status: 'fail',
    codes: { blank: 'bundle/script-missing' },
  },
  {
    name: 'the script of the engine is missing and only core checks run',
    engine: 'MDwiki',
    files: { 'engine.js': null },
    status: 'fail',
    codes: { blank: null },
  },
  {
    name: 'the script of docsify is missing',
    engine: 'docsify',
    files: { 'docsify.min.js': null },
    args: FULL,
    status: 'fail',
    codes: { blank: 'bundle/script-missing' },
  },
  {
    name: 'HTML comes instead of the menu',
    engine: 'MDwiki',
    files: { 'navigation.md': HTML },
    status: 'fail',
    codes: { blank: 'navigation/html' },
  },
  {
    name: 'a script fails before anything is shown',
    engine: 'VertiWiki',
    files: { 'engine.js': 'const site = undefined;\nsite.start();\n' },
    status: 'fail',
    codes: { blank: null },
  },
  {
    name: 'the policy of the host stops the engine',
    engine: 'VertiWiki',
    host: policy("script-src 'none'"),
    status: 'fail',
    codes: { blank: null, 'csp-blocked': null },
  },
];

const CONTENT: readonly Fault[] = [
  {
    name: 'a trailing comma in config.json, which this version survives',
    engine: 'VertiWiki',
    files: { 'config.json': '{ "title": "Docs", }' },
    status: 'pass',
    codes: {},
  },
  {
    name: 'no config.json, which this version survives',
    engine: 'VertiWiki',
    files: { 'config.json': null },
    status: 'pass',
    codes: {},
  },
  {
    name: 'an error of the server for config.json',
    engine: 'VertiWiki',
    files: { 'config.json': { status: 500 } },
    args: ['--retries', '0'],
    status: 'warn',
    codes: { 'request-failed': 'config/server-error' },
  },
  {
    name: 'a page of the menu is missing',
    engine: 'VertiWiki',
    files: { 'navigation.md': menuOf('guide/gone.md') },
    args: FULL,
    status: 'fail',
    codes: { 'route-not-found': 'links/missing' },
  },
  {
    name: 'a page of the menu is missing and only core checks run',
    engine: 'MDwiki',
    files: { 'navigation.md': menuOf('guide/gone.md') },
    status: 'fail',
    codes: { 'route-not-found': null },
  },
  {
    name: 'a link of the menu is written in the wrong case',
    engine: 'VertiWiki',
    files: { 'navigation.md': menuOf('guide/Usage.md') },
    args: FULL,
    status: 'fail',
    codes: { 'route-not-found': 'links/letter-case' },
  },
  {
    name: 'a link of the menu is written in the wrong case',
    engine: 'MDwiki',
    files: { 'navigation.md': menuOf('Guide/usage.md') },
    args: FULL,
    status: 'fail',
    codes: { 'route-not-found': 'links/letter-case' },
  },
  {
    name: 'the bundle comes instead of a page',
    engine: 'VertiWiki',
    files: { 'navigation.md': menuOf('guide/gone.md') },
    host: { isFallback: true },
    args: FULL,
    status: 'fail',
    codes: { 'route-not-found': 'links/missing' },
  },
  {
    name: 'the bundle comes instead of a page',
    engine: 'docsify',
    files: { '_sidebar.md': '- [Setup](/guide/setup.md)\n- [Gone](/guide/gone.md)\n' },
    host: { isFallback: true },
    status: 'fail',
    codes: { 'route-not-found': null },
  },
  ...ENGINES.map((engine): Fault => ({
    name: 'the home page is missing',
    engine,
    files: { [HOME_FILE[engine]]: null },
    status: 'fail',
    codes: { 'route-not-found': 'home/not-found' },
  })),
  {
    name: 'the page of one route is shown for another',
    engine: 'VertiWiki',
    bundle: { head: `<script>const get = fetch; fetch = (path) => get(path.replace('setup', 'usage'))</script>` },
    status: 'fail',
    codes: { 'wrong-page': null },
  },
  {
    name: 'a plugin shows another text',
    engine: 'docsify',
    bundle: { settings: pluginSettings("hook.beforeEach((text) => (text.includes('# Usage') ? '# Soon' : text))") },
    status: 'fail',
    codes: { 'wrong-page': null },
  },
];

const NAVIGATION: readonly Fault[] = [
  {
    name: 'navigation.md is missing',
    engine: 'VertiWiki',
    files: { 'navigation.md': null },
    status: 'fail',
    codes: { 'navigation-missing': 'navigation/not-found' },
  },
  {
    name: 'the bundle comes instead of navigation.md',
    engine: 'VertiWiki',
    files: { 'navigation.md': null },
    host: { isFallback: true },
    status: 'fail',
    codes: { 'navigation-missing': 'navigation/spa-fallback' },
  },
  {
    name: 'navigation.md is missing, which this engine does without',
    engine: 'MDwiki',
    files: { 'navigation.md': null },
    status: 'pass',
    codes: {},
  },
  {
    name: '_sidebar.md is missing',
    engine: 'docsify',
    files: { '_sidebar.md': null },
    status: 'fail',
    codes: { 'navigation-missing': 'navigation/not-found' },
  },
  {
    name: 'the bundle comes instead of the menu of a folder',
    engine: 'docsify',
    bundle: { settings: '{ loadSidebar: true }' },
    files: {
      '_sidebar.md': '- [Setup](/guide/setup.md)\n- [Usage](/guide/usage.md)\n- [Help](/help.md)\n',
      'help.md': '# Help\n\nAsk us.\n',
    },
    host: { isFallback: true },
    status: 'fail',
    codes: { 'navigation-missing': null },
  },
  {
    name: 'the engine does not show the menu',
    engine: 'VertiWiki',
    files: { 'engine.js': scriptOf('VertiWiki').replace("find('nav').innerHTML = render(menu, '');", '') },
    status: 'fail',
    codes: { 'navigation-missing': null },
  },
];

const SCRIPTS: readonly Fault[] = [
  {
    name: 'a script writes an error to the console',
    engine: 'VertiWiki',
    bundle: { body: `<script>console.error('The search index is empty')</script>` },
    status: 'warn',
    codes: { 'console-error': null },
  },
  {
    name: 'a script fails',
    engine: 'MDwiki',
    bundle: { body: `<script>setTimeout(() => search.start(), 50)</script>` },
    status: 'warn',
    codes: { 'uncaught-exception': null },
  },
  {
    name: 'a plugin fails',
    engine: 'docsify',
    bundle: {
      settings: pluginSettings('hook.doneEach(() => search.start())'),
    },
    status: 'warn',
    codes: { 'console-error': null },
  },
  {
    name: 'the settings have a syntax error: the engine has its defaults, and no menu',
    engine: 'docsify',
    bundle: { settings: '{ loadSidebar: true, name: }' },
    status: 'warn',
    codes: { 'uncaught-exception': 'config/script-syntax' },
  },
];

const REQUESTS: readonly Fault[] = [
  {
    name: 'a script of the site is missing',
    engine: 'VertiWiki',
    bundle: { body: '<script src="search.js"></script>' },
    args: FULL,
    status: 'warn',
    codes: { 'request-failed': 'bundle/script-missing' },
  },
  {
    name: 'an image of a page is missing',
    engine: 'MDwiki',
    files: { 'index.md': HOME.replace('dot.svg', 'gone.svg') },
    args: FULL,
    status: 'warn',
    codes: { 'request-failed': 'links/missing-image' },
  },
  {
    name: 'an image of a page is missing and only core checks run',
    engine: 'docsify',
    files: { 'README.md': HOME.replace('dot.svg', 'gone.svg') },
    status: 'warn',
    codes: { 'request-failed': null },
  },
  {
    name: 'the host of a script is not reached',
    engine: 'VertiWiki',
    bundle: { body: `<script src="${CLOSED}/counter.js"></script>` },
    status: 'warn',
    codes: { 'external-request-failed': null },
  },
  {
    name: 'the host of a script is not reached',
    engine: 'docsify',
    bundle: { body: `<script src="${CLOSED}/search.min.js"></script>` },
    args: FULL,
    status: 'warn',
    codes: { 'external-request-failed': 'assets/external-failed' },
  },
  {
    name: 'the host of an image is not reached, which the page does without',
    engine: 'VertiWiki',
    files: { 'index.md': HOME.replace('dot.svg', `${CLOSED}/badge.svg`) },
    status: 'pass',
    codes: {},
  },
  {
    name: 'the policy of the host stops a script in the bundle',
    engine: 'VertiWiki',
    bundle: { body: '<script>console.log("Welcome")</script>' },
    host: policy("script-src 'self'"),
    status: 'warn',
    codes: { 'csp-blocked': null },
  },
  {
    name: 'the policy of the host stops an image',
    engine: 'docsify',
    files: { 'README.md': HOME.replace('dot.svg', `${CLOSED}/badge.svg`) },
    host: policy("img-src 'self'"),
    status: 'warn',
    codes: { 'csp-blocked': null },
  },
  {
    name: 'the connection of each page in a browser is cut',
    engine: 'VertiWiki',
    host: { isCutForBrowsers: true },
    status: 'unknown',
    codes: { 'not-opened': null },
  },
];

const SHOWN: readonly Fault[] = [
  {
    name: 'a page is slow',
    engine: 'VertiWiki',
    files: { 'index.md': { body: HOME, delayMs: 1_500 } },
    configuration: 'browser: { slow: 1200ms }',
    status: 'warn',
    codes: { slow: null },
  },
  {
    name: 'the bundle is slow',
    engine: 'docsify',
    files: { 'index.html': { body: bundle('docsify'), delayMs: 1_500 } },
    configuration: 'browser: { slow: 1200ms }',
    status: 'warn',
    codes: { slow: null },
  },
  {
    name: 'a table is wider than a phone',
    engine: 'VertiWiki',
    files: { 'index.md': `${HOME}\n|${'Station|'.repeat(12)}\n|${'-|'.repeat(12)}\n|${'Bucharest|'.repeat(12)}\n` },
    status: 'warn',
    codes: { 'layout-broken': null },
  },
  {
    name: 'an image is wider than a phone',
    engine: 'MDwiki',
    bundle: { body: '<img alt="A black dot" src="dot.svg" style="width: 900px; max-width: none">' },
    status: 'warn',
    codes: { 'layout-broken': null },
  },
  {
    name: 'an image has no text',
    engine: 'VertiWiki',
    bundle: { body: '<img src="dot.svg">' },
    status: 'warn',
    codes: { 'not-accessible': null },
  },
  {
    name: 'a field has no label',
    engine: 'docsify',
    bundle: { body: '<input type="text">' },
    status: 'warn',
    codes: { 'not-accessible': null },
  },
  {
    name: 'text is too pale',
    engine: 'MDwiki',
    bundle: { head: '<style>p { color: #bbb }</style>' },
    status: 'warn',
    codes: { 'not-accessible': null },
  },
];

const FAULTS = [...BLANK, ...CONTENT, ...NAVIGATION, ...SCRIPTS, ...REQUESTS, ...SHOWN];

describe.runIf(chromiumWanted())('in a browser', { timeout: 90_000 }, () => {
  it.each(ENGINES)('%s: a healthy site has no findings', async (engine) => {
    const { url } = await serve(filesOf(engine));
    const { report, rendered } = await browse(url);
    expect(report.checks.flatMap(({ findings }) => findings)).toEqual([]);
    expect(rendered.pages?.map(({ ok }) => ok)).toEqual([true, true, true]);
  });

  it.each(FAULTS.map((fault) => [`${fault.engine}: ${fault.name}`, fault] as const))(
    '%s',
    async (_title, { engine, files, host, args = [], configuration = '', ...fault }) => {
      const own = fault.bundle === undefined ? {} : { 'index.html': bundle(engine, fault.bundle) };
      const { url } = await serve({ ...filesOf(engine), ...own, ...files }, host);
      const { rendered } = await browse(url, args, { cwd: folderWith(configuration) });
      expect({ status: rendered.status, codes: causesOf(rendered) }).toEqual({
        status: fault.status,
        codes: Object.entries(fault.codes),
      });
    },
  );
});

/** A secure site requests something from `http://cdn.test`. */
const MIXED: readonly (Pick<Fault, 'name' | 'status' | 'codes'> & { readonly parts: (cdn: string) => BundleParts })[] =
  [
    {
      name: 'a script is requested insecurely',
      parts: (cdn) => ({ body: `<script src="${cdn}/plugin.js"></script>` }),
      status: 'warn',
      codes: { 'mixed-content': null },
    },
    {
      name: 'an image is requested insecurely',
      parts: (cdn) => ({ body: `<img alt="A black dot" src="${cdn}/dot.svg">` }),
      status: 'warn',
      codes: { 'mixed-content': null },
    },
  ];

describe.runIf(chromiumWanted() && certutilWanted())(
  'in a browser that trusts the certificate',
  { timeout: 90_000 },
  () => {
    it.each(MIXED.map((fault) => [fault.name, fault] as const))('%s', async (_title, { parts, status, codes }) => {
      const { tls, env } = await trustedCertificate({ byBrowser: true });
      const cdn = await serve({ 'plugin.js': '', 'dot.svg': filesOf('VertiWiki')['dot.svg'] ?? null });
      const files = {
        ...filesOf('VertiWiki'),
        'index.html': bundle('VertiWiki', parts(`http://cdn.test:${cdn.port}`)),
      };
      const { url } = await serve(files, { tls });
      const { rendered } = await browse(url, ['--resolve', `cdn.test:${cdn.port}:127.0.0.1`], { env });
      expect({ status: rendered.status, codes: causesOf(rendered) }).toEqual({ status, codes: Object.entries(codes) });
    });

    it('the engine is requested insecurely', async () => {
      const { tls, env } = await trustedCertificate({ byBrowser: true });
      const cdn = await serve({ 'engine.js': scriptOf('VertiWiki') });
      const insecure = bundle('VertiWiki').replace('engine.js', `http://cdn.test:${cdn.port}/engine.js`);
      const { url } = await serve({ ...filesOf('VertiWiki'), 'index.html': insecure }, { tls });
      const { rendered } = await browse(url, ['--resolve', `cdn.test:${cdn.port}:127.0.0.1`], { env });
      expect(causesOf(rendered)).toEqual([
        ['blank', null],
        ['mixed-content', null],
      ]);
    });
  },
);

it.runIf(chromiumWanted())('a browser that does not trust the certificate: no statement about the pages', async () => {
  const { tls, env } = await trustedCertificate({ byBrowser: false });
  const { url } = await serve(filesOf('VertiWiki'), { tls });
  const { rendered } = await browse(url, [], { env });
  expect({ status: rendered.status, codes: causesOf(rendered) }).toEqual({
    status: 'unknown',
    codes: [['not-opened', null]],
  });
});
