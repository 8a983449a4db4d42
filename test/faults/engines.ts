/** Sites of engines that have other files than those of the core checks: healthy ones, and their own faults. */
import type { FileReply } from '../site/handlers.ts';
import { fail, file, row, skip, unknown, warn, type Fault, type Outcome, type Serving } from './fault.ts';

const pass = (...codes: string[]): Outcome => ({ status: 'pass', codes });

const GONE: FileReply = { status: 404, type: 'text/plain', body: 'Not found\n' };

const bundle = (head: string): FileReply => ({
  body: `<!doctype html>\n<html>\n${head}\n<div id="app"></div>\n</html>\n`,
});
const MDWIKI = bundle('<!-- This is MDwiki v0.6.2 -->');
const VERTIWIKI = bundle('<footer>VertiWiki 0.5.1</footer>');
const docsify = (settings: string): FileReply =>
  bundle(`<script>window.$docsify = ${settings}</script>\n<script src="docsify@5/dist/docsify.min.js"></script>`);

/** The files of a docsify site, and none of another engine's. */
const docsifySite = (settings: string, files: Serving['files'] = {}): Serving => ({
  files: {
    'index.html': docsify(settings),
    'config.json': GONE,
    'navigation.md': GONE,
    'index.md': GONE,
    'llms.txt': GONE,
    'robots.txt': GONE,
    'README.md': { body: '# Tidewater\n\nA handbook.\n' },
    '_sidebar.md': { body: '- [Home](/)\n' },
    'docsify@5/dist/docsify.min.js': { body: 'window.Docsify = {};\n', type: 'text/javascript' },
    'assets/harbour.md': GONE,
    ...files,
  },
});

/** Settings without an engine. */
const SETTINGS = '<script>window.$docsify = { loadSidebar: true }</script>';

const BUSY: FileReply = { status: 503, type: 'text/plain', body: 'Busy.\n' };

const ABSENT = { 'llms-txt': pass('absent') };

export const engines: readonly Fault[] = [
  row(
    'MDwiki without config.json, navigation.md and llms.txt',
    {
      files: { 'index.html': MDWIKI, 'config.json': GONE, 'navigation.md': GONE, 'llms.txt': GONE, 'robots.txt': GONE },
    },
    { config: pass('defaults'), navigation: pass('no-file'), ...ABSENT },
  ),
  row(
    'MDwiki with a broken config.json',
    {
      files: { 'index.html': MDWIKI, 'config.json': { body: '{"title": "x",}' } },
    },
    { config: fail('trailing-comma') },
  ),
  row(
    'MDwiki that declines llms.txt',
    {
      files: { 'index.html': MDWIKI, 'config.json': { body: '{"llmsTxtUrl": null}' }, 'llms.txt': GONE },
    },
    { 'llms-txt': skip('off') },
  ),
  row(
    'MDwiki whose robots.txt declares llms.txt',
    {
      files: {
        'index.html': MDWIKI,
        'robots.txt': { body: 'User-agent: *\nAllow: /\n# LLMs: /llms.txt\n', type: 'text/plain' },
        'llms.txt': GONE,
      },
    },
    { 'llms-txt': fail('not-found') },
  ),
  row(
    'VertiWiki without config.json',
    {
      files: { 'index.html': VERTIWIKI, 'config.json': GONE },
    },
    { config: pass('defaults') },
  ),
  row(
    'VertiWiki without llms.txt',
    {
      files: { 'index.html': VERTIWIKI, 'llms.txt': GONE },
    },
    { 'llms-txt': fail('not-found') },
  ),
  row('docsify', docsifySite('{ loadSidebar: true }'), ABSENT),
  row(
    'docsify whose home page is HTML',
    docsifySite("{ loadSidebar: true, homepage: 'home.html' }", {
      'home.html': { body: '<!doctype html>\n<h1>Tidewater</h1>\n<p>A handbook.</p>\n', type: 'text/html' },
    }),
    ABSENT,
  ),
  row(
    'docsify whose files are UTF-16 with a mark, and in the charset that the response names',
    docsifySite('{ loadSidebar: true }', {
      'README.md': { body: Buffer.from('\ufeff# Marée\n\nA handbook.\n', 'utf16le') },
      '_sidebar.md': { body: Buffer.from('- [Marée](/)\n', 'latin1'), type: 'text/markdown; charset=iso-8859-1' },
    }),
    ABSENT,
  ),
  row(
    'docsify whose files are UTF-8 under another charset',
    docsifySite('{ loadSidebar: true }', {
      'README.md': { body: '# Marée\n\nA handbook.\n', type: 'text/markdown; charset=ISO-8859-1' },
      '_sidebar.md': { body: '- [Marée](/)\n', type: 'text/markdown; charset=ISO-8859-1' },
    }),
    { home: fail('wrong-charset'), navigation: fail('wrong-charset'), ...ABSENT },
  ),
  file(
    'llms-txt',
    'UTF-8 under another charset',
    { body: '# Marée\n\n- [Home](index.md)\n', type: 'text/plain; charset=ISO-8859-1' },
    fail('wrong-charset'),
  ),
  row(
    'VertiWiki whose files are UTF-8 under another charset',
    {
      files: {
        'index.html': VERTIWIKI,
        'index.md': { body: '# Marée\n\nA handbook.\n', type: 'text/markdown; charset=ISO-8859-1' },
      },
    },
    {},
  ),
  row(
    'docsify with its settings in a script',
    docsifySite('{}', {
      'index.html': bundle('<script src="js/main.js"></script>\n<script src="docsify@5/dist/docsify.min.js"></script>'),
      'js/main.js': { body: "window.$docsify = { loadSidebar: 'menu.md' };\n", type: 'text/javascript' },
      'menu.md': { body: '- [Home](/)\n' },
      '_sidebar.md': GONE,
    }),
    ABSENT,
  ),
  row(
    'docsify whose languages have sidebars, and the root has none',
    docsifySite('{ loadSidebar: true, coverpage: true }', {
      '_sidebar.md': GONE,
      '_coverpage.md': { body: '# Tidewater\n\n[Français](/fr/)\n' },
      'fr/_sidebar.md': { body: '- [Accueil](/fr/)\n' },
    }),
    ABSENT,
  ),
  row(
    'docsify whose home page is its cover alone',
    docsifySite('{ loadSidebar: true, coverpage: ["/"], onlyCover: true }', {
      'README.md': GONE,
      '_coverpage.md': { body: '# Tidewater\n\n[Read](/guide)\n' },
    }),
    ABSENT,
  ),
  row(
    'docsify whose home page is a cover that is missing',
    docsifySite('{ loadSidebar: true, coverpage: true, onlyCover: true }', { '_coverpage.md': GONE }),
    { home: fail('wrong-setting'), ...ABSENT },
  ),
  row('docsify without its script', docsifySite('{}', { 'index.html': bundle(SETTINGS) }), {
    bundle: fail('engine-not-loaded'),
    ...ABSENT,
  }),
  row(
    'docsify with its plugins only',
    docsifySite('{}', {
      'index.html': bundle(
        `${SETTINGS}<script src="https://cdn.jsdelivr.net/npm/docsify@4/lib/plugins/search.min.js"></script>`,
      ),
    }),
    { bundle: fail('engine-not-loaded'), ...ABSENT },
  ),
  row(
    'docsify in a script of the site',
    docsifySite('{}', {
      'index.html': bundle(`${SETTINGS}<script src="js/main.js"></script>`),
      'js/main.js': { body: `window.DocsifyCompiler = {};\n`, type: 'text/javascript' },
    }),
    ABSENT,
  ),
  row(
    'docsify whose home page is empty',
    docsifySite('{ loadSidebar: true }', { 'README.md': { body: '' } }),
    { home: fail('empty'), ...ABSENT },
    { verdict: 'down' },
  ),
  row(
    'docsify whose home page is missing',
    docsifySite('{ loadSidebar: true }', { 'README.md': GONE }),
    { home: fail('not-found'), ...ABSENT },
    { verdict: 'degraded' },
  ),
  row(
    'a page with text of its own, of no known engine, without a configuration',
    { files: { 'index.html': bundle(`<p>${'This handbook is about the tide. '.repeat(5)}</p>`), 'config.json': GONE } },
    { config: fail('not-found') },
    { verdict: 'degraded' },
  ),
  row(
    'a page without text, of no known engine, without a configuration',
    { files: { 'index.html': bundle(''), 'config.json': GONE } },
    { config: fail('not-found') },
    { verdict: 'down' },
  ),
  row(
    'every page is unavailable',
    { files: { 'index.md': BUSY, 'navigation.md': BUSY } },
    { home: fail('server-error'), navigation: fail('server-error') },
    { verdict: 'down' },
  ),
  row(
    'the home page is unavailable',
    { files: { 'index.md': BUSY } },
    { home: fail('server-error') },
    { verdict: 'degraded' },
  ),
  row(
    'docsify whose script is empty',
    docsifySite('{ loadSidebar: true }', { 'docsify@5/dist/docsify.min.js': { body: '', type: 'text/javascript' } }),
    { bundle: fail('script-empty'), ...ABSENT },
  ),
  row(
    'docsify with a wrong base path',
    docsifySite("{ loadSidebar: true, basePath: 'content/' }"),
    {
      home: fail('wrong-setting'),
      navigation: fail('wrong-setting'),
      ...ABSENT,
    },
    { verdict: 'down' },
  ),
  row(
    'docsify with a wrong base path, and names of its files',
    docsifySite("{ loadSidebar: 'menu.md', homepage: 'start.md', basePath: '/content/' }", {
      'start.md': { body: '# Start\n' },
      'menu.md': { body: '- [Start](/)\n' },
    }),
    { home: fail('wrong-setting'), navigation: fail('wrong-setting'), ...ABSENT },
    { verdict: 'down' },
  ),
  row('docsify with a wrong extension', docsifySite("{ loadSidebar: true, ext: '.markdown' }"), {
    navigation: fail('wrong-setting'),
    ...ABSENT,
  }),
  row('docsify without its cover', docsifySite('{ loadSidebar: true, coverpage: true }', { '_coverpage.md': GONE }), {
    home: warn('cover-missing'),
    ...ABSENT,
  }),
  row('docsify without a sidebar', docsifySite('{ name: "Tidewater" }', { '_sidebar.md': GONE }), {
    navigation: skip('off'),
    ...ABSENT,
  }),
  row('docsify whose sidebar is missing', docsifySite('{ loadSidebar: true }', { '_sidebar.md': GONE }), {
    navigation: fail('not-found'),
    ...ABSENT,
  }),
  row('docsify whose home page has another name', docsifySite("{ loadSidebar: true, homepage: 'welcome.md' }"), {
    home: fail('wrong-setting'),
    ...ABSENT,
  }),
  row('docsify with a broken script', docsifySite('{ name: "Tidewater" loadSidebar: true }'), {
    config: fail('script-syntax'),
    ...ABSENT,
  }),
  row(
    'docsify whose script spreads a variable again and again',
    docsifySite(`{}, v = {${'a:1,'.repeat(50_000)}}; $docsify.alias = {${'...v,'.repeat(50_000)}}`),
    { config: unknown('script-unread'), ...ABSENT },
  ),
  row('docsify with an llms.txt', docsifySite('{ loadSidebar: true }', { 'llms.txt': {} }), {}),
  row(
    'MDwiki without navigation.md on a host with a fallback',
    {
      files: { 'index.html': MDWIKI, 'navigation.md': { ...MDWIKI, type: 'text/html' } },
    },
    { navigation: fail('spa-fallback') },
  ),
  row(
    'an unknown engine that the user names',
    {
      files: { 'config.json': GONE, 'navigation.md': GONE },
    },
    { config: pass('defaults'), navigation: pass('no-file') },
    { args: ['--engine', 'mdwiki', '--retries', '0'] },
  ),
];
