/** Sites that are well, in every shape that SPEC.md knows. A checker that fails them is worse than none. */
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { INDEX_HTML } from '../site/engine.ts';
import { sampleSite } from '../site/sample.ts';
import { FILES, healthy, row, TEXTS, warn } from './fault.ts';
import type { Fault } from './fault.ts';
import type { FileReply } from '../site/handlers.ts';
import type { Script } from './script.ts';

const SITE = sampleSite();
const five = Object.values(FILES);
const content = (path: string): string => SITE.get(path) as string;
const configured = (settings: object): Record<string, FileReply> => ({ 'config.json': { body: JSON.stringify(settings) } });
const page = (name: string, body: string): Fault => healthy(`index.md ${name}`, { files: { 'index.md': { body } } });

const OK = 'HTTP/1.1 200 OK\r\nContent-Type: text/markdown\r\n';
const HOME = content('index.md');

/** Every one of the five, compressed. */
const compressed = (encoding: string, compress: (text: string) => Uint8Array): Fault =>
  healthy(`compressed with ${encoding}`, {
    files: Object.fromEntries(
      five.map((path) => [path, { headers: { 'content-encoding': encoding }, body: compress(content(path)) }]),
    ),
  });

/** Settings that lead to files that are there. */
const settings: readonly Fault[] = [
  ...['index.md', './index.md', '/index.md', '#/index.md', '#!index.md', '#index.md', '#/index.md#top'].map((homePage) => ({ homePage })),
  ...['stations/', '/stations/', '#/stations/', './ro/index.md', 'start/first%20steps.md', 'start/first steps.md'].map((homePage) => ({ homePage })),
  ...['ro/navigation.md', '/fr/navigation.md', './navigation.md'].map((navigationFile) => ({ navigationFile })),
  ...['/llms.txt', 'llms.txt', './llms.txt', '/ro/index.md'].map((llmsTxtUrl) => ({ llmsTxtUrl })),
  {},
  { theme: { colour: '#0b4f6c' }, plugins: ['search'], version: 3 },
].map((config) => healthy(`config.json is ${JSON.stringify(config)}`, { files: configured(config) }));

const pages: readonly Fault[] = [
  page('begins with a byte order mark', `\ufeff${HOME}`),
  page('has CRLF line ends', HOME.replaceAll('\n', '\r\n')),
  page('has front matter', `---\ntitle: Tidewater\n---\n${HOME}`),
  page('begins with an HTML block', `<div align="center">\n  <h1>Tidewater</h1>\n</div>\n\n${HOME}`),
  page('begins with a comment', `<!-- generated -->\n\n${HOME}`),
  page('quotes a whole HTML page in a fence', `# An engine\n\n\`\`\`html\n${INDEX_HTML}\`\`\`\n`),
  page('begins with a fence that quotes an HTML page', `\`\`\`html\n${INDEX_HTML}\`\`\`\n`),
  page('is one picture', '![The bridge](assets/bridge.png)'),
  page('is one word', 'Soon'),
  page('is in Chinese', '# 潮汐水位\n\n河流水位监测手册。\n'),
  page('is in Arabic', '# دليل المد والجزر\n\nمستويات المياه.\n'),
  page('explains merge conflicts in a fence', `# Conflicts\n\n\`\`\`\n<<<<<<< HEAD\na\n=======\nb\n>>>>>>> spring\n\`\`\`\n`),
];

const hosts: readonly Fault[] = [
  healthy('the base path without its slash', { base: '/docs/', address: (url) => url.slice(0, -1) }),
  healthy('a base path', { base: '/docs/' }),
  healthy('a deep base path', { base: '/a/b%20c/docs/' }),
  healthy('an address pasted from the browser', { base: '/docs/', address: (url) => `${url}index.html#/start/install.md` }),
  healthy('an address with a query', { base: '/docs/', address: (url) => `${url}?utm_source=mail#/` }),
  healthy('settings with a leading slash below a base path', { base: '/docs/', files: configured({ homePage: '/index.md', llmsTxtUrl: '/llms.txt' }) }),
  healthy('settings that carry the base path themselves', { base: '/docs/', files: configured({ homePage: '/docs/index.md', llmsTxtUrl: '/docs/llms.txt' }) }),
  healthy('parameters and letter case of media types', {
    files: {
      'index.html': { type: 'Text/HTML; Charset="UTF-8"' },
      'config.json': { type: 'application/vnd.api+JSON' },
      'index.md': { type: 'TEXT/x-markdown; variant=GFM' },
    },
  }),
  healthy('no media type on text', { files: { 'navigation.md': { type: null }, 'index.md': { type: null }, 'llms.txt': { type: null } } }),
  healthy('text/plain for Markdown', { files: { 'navigation.md': { type: 'text/plain' }, 'index.md': { type: 'text/plain' } } }),
  healthy('text/markdown for the agent index', { files: { 'llms.txt': { type: 'text/markdown' } } }),
  row(
    'octet-stream for Markdown, as Debian has it',
    { files: { 'navigation.md': { type: 'application/octet-stream' }, 'index.md': { type: 'application/octet-stream' } } },
    { navigation: warn('media-type'), home: warn('media-type') },
  ),
  healthy('browsers are sent from x.md to #/x.md', {
    files: Object.fromEntries(
      [FILES.navigation, FILES.home].map((path) => [
        path,
        { whenAccept: 'text/html', status: 302, type: null, body: '', headers: { location: `/#/${path}` } },
      ]),
    ),
  }),
  healthy('an agent index with bare URLs and several headings', {
    files: { 'llms.txt': { body: '# Tidewater\n\nhttps://docs.example.org/index.md\n\n# More\n\n- https://docs.example.org/api/\n' } },
  }),
  healthy('a navigation of a megabyte', {
    files: { 'navigation.md': { body: Array.from({ length: 16_000 }, (_, at) => `- [Station ${at}](stations/number-${at}.md) on the river\n`).join('') } },
  }, {}, { mostMiB: 900 }),
];

const scripts = (name: string, script: Script): Fault => healthy(`index.md: ${name}`, { scripts: { 'index.md': script } });

const wires: readonly Fault[] = [
  compressed('gzip', (text) => gzipSync(text)),
  compressed('br', (text) => brotliCompressSync(text)),
  compressed('zstd', (text) => zstdCompressSync(text)),
  compressed('deflate', (text) => deflateSync(text)),
  compressed('identity', (text) => Buffer.from(text)),
  compressed('X-GZIP', (text) => gzipSync(text)),
  scripts('HTTP/1.0, ended by closing', [{ send: `HTTP/1.0 200 OK\r\nContent-Type: text/markdown\r\n\r\n${HOME}` }, 'end']),
  scripts('HTTP/1.1, ended by closing', [{ send: `${OK}\r\n${HOME}` }, 'end']),
  scripts('kept open after its end', [{ send: `${OK}Content-Length: ${Buffer.byteLength(HOME)}\r\nConnection: keep-alive\r\n\r\n${HOME}` }, 'hold']),
  scripts('early hints first', [{ send: `HTTP/1.1 103 Early Hints\r\nLink: </style.css>; rel=preload\r\n\r\n${OK}\r\n${HOME}` }, 'end']),
  scripts('chunked, with an extension and a trailer', [
    { send: `${OK}Transfer-Encoding: chunked\r\n\r\n6;x=y\r\n# Tide\r\n5\r\nwater\r\n0\r\nx-sum: 1\r\n\r\n` },
    'hold',
  ]),
  scripts('no reason phrase, odd header case', [{ send: `HTTP/1.1 200\r\ncOnTeNt-TyPe:text/markdown\r\n\r\n${HOME}` }, 'end']),
  scripts('slow, but steadily on its way', [
    { waitMs: 300 },
    { send: `${OK}Content-Length: 40\r\n\r\n` },
    { loop: '# Tide\n\n', times: 5, everyMs: 100 },
    'end',
  ]),
  healthy('four of them close, one stays open', {
    scripts: Object.fromEntries(
      TEXTS.map((id) => [FILES[id], [{ send: `HTTP/1.1 200 OK\r\nContent-Type: ${id === 'config' ? 'application/json' : 'text/plain'}\r\n\r\n${content(FILES[id])}` }, 'end']]),
    ),
  }),
];

export const healthySites: readonly Fault[] = [healthy('the sample site as it is', {}), ...settings, ...pages, ...hosts, ...wires];
