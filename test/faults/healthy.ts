/** Sites that are well, in every shape that SPEC.md knows. A checker that fails them is worse than none. */
import { INDEX_HTML } from '../site/engine.ts';
import { sampleSite } from '../site/sample.ts';
import { FILES, healthy, row, warn } from './fault.ts';
import type { Fault } from './fault.ts';
import type { FileReply } from '../site/handlers.ts';
import { healthyWires } from './healthy-wires.ts';

const SITE = sampleSite();
const configured = (settings: object): Record<string, FileReply> => ({
  'config.json': { body: JSON.stringify(settings) },
});
const page = (name: string, body: string): Fault => healthy(`index.md ${name}`, { files: { 'index.md': { body } } });

const HOME = SITE.get('index.md') as string;

/** Settings that lead to files that are there. */
const settings: readonly Fault[] = [
  ...['index.md', './index.md', '/index.md', '#/index.md', '#!index.md', '#index.md', '#/index.md#top'].map(
    (homePage) => ({ homePage }),
  ),
  ...['stations/', '/stations/', '#/stations/', './ro/index.md', 'start/first%20steps.md', 'start/first steps.md'].map(
    (homePage) => ({ homePage }),
  ),
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
  page(
    'explains merge conflicts in a fence',
    `# Conflicts\n\n\`\`\`\n<<<<<<< HEAD\na\n=======\nb\n>>>>>>> spring\n\`\`\`\n`,
  ),
];

const hosts: readonly Fault[] = [
  healthy('the base path without its slash', { base: '/docs/', address: (url) => url.slice(0, -1) }),
  healthy('a base path', { base: '/docs/' }),
  healthy('a deep base path', { base: '/a/b/docs/' }),
  healthy('an address pasted from the browser', {
    base: '/docs/',
    address: (url) => `${url}index.html#/start/install.md`,
  }),
  healthy('an address with a query', { base: '/docs/', address: (url) => `${url}?utm_source=mail#/` }),
  healthy('settings with a leading slash below a base path', {
    base: '/docs/',
    files: configured({ homePage: '/index.md', llmsTxtUrl: '/llms.txt' }),
  }),
  healthy('settings that carry the base path themselves', {
    base: '/docs/',
    files: configured({ homePage: '/docs/index.md', llmsTxtUrl: '/docs/llms.txt' }),
  }),
  healthy('settings that carry the base path themselves, on a host with a fallback', {
    base: '/docs/',
    files: {
      ...configured({ homePage: '/docs/index.md', llmsTxtUrl: '/docs/llms.txt' }),
      'docs/index.md': { type: 'text/html', body: INDEX_HTML },
      'docs/llms.txt': { type: 'text/html', body: INDEX_HTML },
    },
  }),
  healthy('parameters and letter case of media types', {
    files: {
      'index.html': { type: 'Text/HTML; Charset="UTF-8"' },
      'config.json': { type: 'application/vnd.api+JSON' },
      'index.md': { type: 'TEXT/x-markdown; variant=GFM' },
    },
  }),
  healthy('no media type on text', {
    files: { 'navigation.md': { type: null }, 'index.md': { type: null }, 'llms.txt': { type: null } },
  }),
  healthy('text/plain for Markdown', {
    files: { 'navigation.md': { type: 'text/plain' }, 'index.md': { type: 'text/plain' } },
  }),
  healthy('text/markdown for the agent index', { files: { 'llms.txt': { type: 'text/markdown' } } }),
  row(
    'octet-stream for Markdown, as Debian has it',
    {
      files: {
        'navigation.md': { type: 'application/octet-stream' },
        'index.md': { type: 'application/octet-stream' },
      },
    },
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
    files: {
      'llms.txt': {
        body: '# Tidewater\n\nhttps://docs.example.org/index.md\n\n# More\n\n- https://docs.example.org/api/\n',
      },
    },
  }),
  healthy(
    'a navigation of a megabyte',
    {
      files: {
        'navigation.md': {
          body: Array.from(
            { length: 16_000 },
            (_, at) => `- [Station ${at}](stations/number-${at}.md) on the river\n`,
          ).join(''),
        },
      },
    },
    {},
    // A busy machine is given its time: here, size is what matters.
    { config: { limits: { parse: '30s' } }, mostMs: 45_000, mostMiB: 900 },
  ),
];

export const healthySites: readonly Fault[] = [
  healthy('the sample site as it is', {}),
  ...settings,
  ...pages,
  ...hosts,
  ...healthyWires,
];
