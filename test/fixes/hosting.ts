/** Faults of media types and of answers for single files, and what their printed fixes say. */
import { ASSETS, replace, TEXT, type Row, type Setup } from './setup.ts';

const own =
  (path: string, directives: string) =>
  ({ locations }: Setup): void =>
    void locations.set(`= /${path}`, directives);

/** A type that is wrong, and the one that the fix names. */
function type(rule: string, extension: string, wrong: string | null, also: readonly string[] = []): Row {
  const right: Readonly<Record<string, string>> = {
    html: 'text/html',
    json: 'application/json',
    md: 'text/markdown',
    txt: 'text/plain',
    js: 'text/javascript',
    mjs: 'text/javascript',
    css: 'text/css',
    svg: 'image/svg+xml',
  };
  return {
    rule,
    also,
    fault: ({ types }) => void (wrong === null ? types.delete(extension) : types.set(extension, wrong)),
    fix: ({ types }, printed) => types.set(extension, printed.says(right[extension] ?? '')),
  };
}

/** What an nginx has that knows no Markdown; the other rules are reported with it. */
const NO_MARKDOWN = ['compression/markdown-uncompressed', 'home/media-type', 'navigation/media-type'];

const STYLED: Row = {
  ...type('assets/style-type', 'css', 'text/plain'),
  fault: ({ files, types }) => {
    replace(files, 'index.html', '<title>', '<link rel="stylesheet" href="style.css"><title>');
    files.set('style.css', 'body { color: black; }\n');
    types.set('css', 'text/plain');
  },
};

const MODULE: Row = {
  ...type('bundle/module-type', 'mjs', null),
  fault: ({ files, types }) => {
    replace(files, 'index.html', '<script src="app.js">', '<script type="module" src="app.mjs">');
    files.set('app.mjs', files.get('app.js') ?? '');
    files.delete('app.js');
    types.delete('mjs');
  },
};

/** Of one fault, each rule says what to do. */
const MARKDOWN = NO_MARKDOWN.map((rule): Row => ({
  ...type(rule, 'md', null),
  fix: ({ types }, printed) => {
    printed.says('text/markdown md;');
    types.set('md', 'text/markdown');
  },
}));

export const TYPES: readonly (readonly Row[])[] = [
  [
    type('config/media-type', 'json', 'text/plain'),
    type('llms-txt/media-type', 'txt', 'application/octet-stream'),
    type('bundle/script-type', 'js', 'text/csv'),
    type('assets/image-type', 'svg', 'text/plain'),
    STYLED,
  ],
  [type('bundle/media-type', 'html', 'text/plain'), ...MARKDOWN, MODULE],
  [type('assets/script-type-unusual', 'js', 'text/plain')],
];

/** An answer that is not the file. `fix` takes away what makes it. */
const answer = (rule: string, path: string, directives: string, says: string, also: readonly string[] = []): Row => {
  const before = path === 'index.html' || path === 'config.json';
  return {
    rule,
    also,
    fault: own(path, directives),
    fix: ({ locations }, printed) => {
      printed.says(says);
      if (before) locations.set(`= /${path}`, 'add_header Cache-Control "no-cache, must-revalidate";');
      else locations.delete(`= /${path}`);
    },
  };
};

const LOGIN = '<!doctype html><title>Log in</title><p>Please log in.</p>';

export const ANSWERS: readonly (readonly Row[])[] = [
  [
    answer(
      'navigation/redirected',
      'navigation.md',
      'return 302 /guide/index.md;',
      'Remove the rule that redirects this file',
    ),
    answer('home/forbidden', 'index.md', 'deny all;', 'Make the file readable'),
    answer('config/server-error', 'config.json', 'return 503;', 'error log'),
    answer(
      'llms-txt/json',
      'llms.txt',
      `default_type application/json; return 200 '{"error": "none"}';`,
      'serve the static file instead',
      ['caching/no-validators'],
    ),
  ],
  [
    {
      rule: 'llms-txt/wrong-charset',
      fault: ({ files, server }) => {
        replace(files, 'llms.txt', '# ', '# Marée, ');
        server.set('charset', 'override_charset on; charset iso-8859-1;');
      },
      fix: ({ server }, printed) => {
        server.set('charset', printed.code('charset utf-8;'));
        server.set('charset_types', printed.code('charset_types'));
      },
    },
  ],
  [
    answer('navigation/status', 'navigation.md', 'return 418;', 'must return 200'),
    answer('home/html', 'index.md', `default_type text/html; return 200 "${LOGIN}";`, 'access protection', [
      'caching/no-validators',
    ]),
    answer(
      'config/redirected',
      'config.json',
      'return 301 /guide/index.md;',
      'Remove the rule that redirects this file',
    ),
  ],
  [
    answer(
      'bundle/redirected',
      'index.html',
      'return 301 /guide/index.md;',
      'Remove the rule that redirects this file',
      ['caching/bundle-directives', 'links/missing', 'negotiation/not-negotiated', 'negotiation/wrong-markdown'],
    ),
  ],
  [
    answer(
      'home/rate-limited',
      'index.md',
      'return 429;',
      'limit_req',
      ['caching', 'compression', 'robots'].map((check) => `${check}/rate-limited`),
    ),
  ],
  [
    {
      rule: 'navigation/spa-fallback',
      // The file is missing, and a fallback hides it; the text files have no location of their own.
      fault: ({ files, locations }) => {
        files.delete('navigation.md');
        locations.delete(TEXT);
        locations.set('/', 'try_files $uri $uri/ /index.html;');
      },
      also: ['caching/heuristic-lifetime', 'not-found/soft-404-by-design'],
      fix: (setup, printed) => {
        printed.says('Deploy the file under exactly this path');
        setup.files.set('navigation.md', '- [Home](index.md)\n- [Guide](guide/)\n- [Setup](guide/setup/index.md)\n');
        // The rule for .json files is there already.
        printed.says('if there is one for `json` already, add `try_files $uri =404;` to it');
        replace(setup.locations, ASSETS, 'expires', 'try_files $uri =404; expires');
        setup.locations.set(String.raw`~ \.(md|txt)$`, 'try_files $uri =404;');
      },
    },
  ],
];
