/** Faults on the real Apache and Caddy with the configuration of the hosting guide, and what the printed fixes say. */
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { apacheWanted, startApache } from '../hosts/apache.ts';
import { caddyWanted, startCaddy } from '../hosts/caddy.ts';
import { historySite } from './not-found.ts';
import { healthy, replace, writeFiles, type Printed, type Group, type Host, type Row, type Setup } from './setup.ts';

/** The configuration in a section of the hosting guide. */
function inGuide(heading: string, language: string): string {
  const guide = readFileSync('docs/guides/hosting.md', 'utf8');
  const section = guide.split(/^## /m).find((text) => text.startsWith(`${heading}\n`)) ?? '';
  return new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``).exec(section)?.[1] ?? '';
}

async function serve(setup: Setup, start: (prefix: string) => Promise<Host>): Promise<Host> {
  const prefix = mkdtempSync(join(tmpdir(), 'docvitals-server-'));
  chmodSync(prefix, 0o755);
  writeFiles(join(prefix, 'site'), setup);
  const host = await start(prefix);
  const end = async (): Promise<void> => {
    await host.stop();
    rmSync(prefix, { recursive: true });
  };
  return { port: host.port, stop: end };
}

/* Apache */

export const HTACCESS = '.htaccess';
export const SERVER = 'apache.conf';
const NO_SUFFIX = 'DeflateAlterETag NoChange';

export function onApache(site: () => Setup = healthy): Setup {
  const setup = site();
  setup.files.set(HTACCESS, inGuide('Apache', 'apache'));
  setup.settings.set(SERVER, NO_SUFFIX);
  return setup;
}

const startWithApache = (setup: Setup): Promise<Host> =>
  serve(setup, (prefix) => startApache(prefix, [setup.settings.get(SERVER) ?? '']));

export const add = ({ files }: Setup, ...lines: readonly string[]): void =>
  void files.set(HTACCESS, `${String(files.get(HTACCESS))}${lines.join('\n')}\n`);

const inFile = (name: string, line: string): readonly string[] => [`<Files ${name}>`, line, '</Files>'];

/** A file with another lifetime, and the fix that adds the right one. */
const kept = (rule: string, name: string, value: string): Row => ({
  rule,
  fault: (setup) => add(setup, ...inFile(name, `Header set Cache-Control "${value}"`)),
  fix: (setup, printed) => {
    printed.says(`inside \`<Files ${name}>\``);
    add(setup, ...inFile(name, printed.code('Header set Cache-Control')));
  },
});

/** A media type that is wrong, and the directive that the fix names. */
const typed = (rule: string, fault: (setup: Setup) => unknown, also: readonly string[] = []): Row => ({
  rule,
  fault,
  also,
  fix: (setup, printed) => add(setup, printed.code('AddType')),
});

const wrongType =
  (type: string, ...extensions: readonly string[]) =>
  (setup: Setup): void =>
    add(setup, `AddType ${type} ${extensions.join(' ')}`);

const BLOCKING = `Header set Content-Security-Policy "default-src 'self'; connect-src 'none'"`;
const FALLBACK = 'FallbackResource /index.html';
const REWRITES = [
  'RewriteEngine On',
  'RewriteCond %{REQUEST_FILENAME} !-f',
  'RewriteCond %{REQUEST_FILENAME} !-d',
  'RewriteRule ^ /index.html [L]',
];

/** A missing file, and a fallback that answers the bundle. */
const without =
  (file: string, ...lines: readonly string[]) =>
  (setup: Setup): void => {
    setup.files.delete(file);
    add(setup, ...lines);
  };

const exclude: Row['fix'] = (setup, printed) => {
  add(setup, printed.code('<If'), printed.code('FallbackResource disabled'), printed.code('</If>'));
};

const APACHE: readonly (readonly Row[])[] = [
  [
    kept('caching/bundle-cached', 'index.html', 'max-age=86400'),
    kept('caching/config-cached', 'config.json', 'max-age=86400'),
  ],
  [kept('caching/bundle-briefly-cached', 'index.html', 'max-age=300')],
  [
    {
      ...kept('caching/bundle-undeclared', 'index.html', ''),
      fault: (setup) => add(setup, ...inFile('index.html', 'Header unset Cache-Control')),
    },
  ],
  [
    {
      rule: 'caching/heuristic-lifetime',
      fault: ({ files }) => replace(files, HTACCESS, 'Header set Cache-Control "no-cache"\n', ''),
      fix: (setup, printed) => {
        add(setup, printed.code('<FilesMatch'), printed.code('Header set Cache-Control'), '</FilesMatch>');
      },
    },
  ],
  [
    {
      rule: 'caching/not-revalidated',
      fault: ({ settings }) => settings.set(SERVER, ''),
      fix: ({ settings }, printed) => settings.set(SERVER, printed.code('DeflateAlterETag')),
    },
  ],
  [
    {
      rule: 'caching/etag-unstable',
      fault: (setup) => {
        setup.files.set('other/index.html', setup.files.get('index.html') ?? '');
        add(
          setup,
          'FileETag INode MTime Size',
          'RewriteEngine On',
          'RewriteCond %{HTTP:If-None-Match} .',
          String.raw`RewriteRule ^index\.html$ other/index.html [L]`,
        );
      },
      fix: (setup, printed) => add(setup, printed.code('FileETag')),
    },
  ],
  [
    {
      rule: 'compression/uncompressed',
      fault: ({ files }) => {
        const text = String(files.get(HTACCESS));
        files.set(HTACCESS, text.replace(/^AddOutputFilterByType.*\n/m, ''));
      },
      fix: (setup, printed) => {
        const types = ['text/html', 'text/plain', 'text/markdown', 'text/javascript', 'application/json'];
        add(setup, `${printed.code('AddOutputFilterByType DEFLATE')} ${types.join(' ')}`);
      },
    },
  ],
  [typed('config/media-type', wrongType('text/plain', '.json'))],
  [typed('bundle/media-type', (setup) => add(setup, 'AddType text/plain .html'))],
  [
    typed('navigation/media-type', wrongType('application/octet-stream', '.md'), ['compression/markdown-uncompressed']),
    { ...typed('home/media-type', () => {}), fix: (_, printed) => void printed.code('AddType') },
  ],
  [
    {
      rule: 'llms-txt/wrong-charset',
      fault: (setup) => {
        replace(setup.files, 'llms.txt', '# ', '# Marée, ');
        add(setup, 'AddCharset iso-8859-1 .txt');
      },
      fix: (setup, printed) => {
        replace(setup.files, HTACCESS, 'AddCharset iso-8859-1 .txt', printed.code('AddCharset'));
      },
    },
  ],
  [
    typed('bundle/script-type', (setup) =>
      add(setup, 'AddType text/plain .js', 'Header set X-Content-Type-Options nosniff'),
    ),
  ],
  [
    typed('bundle/module-type', (setup) => {
      replace(setup.files, 'index.html', '<script src="app.js">', '<script type="module" src="app.mjs">');
      setup.files.set('app.mjs', setup.files.get('app.js') ?? '');
      setup.files.delete('app.js');
      add(setup, 'AddType text/plain .mjs');
    }),
  ],
  [
    {
      rule: 'navigation/spa-fallback',
      also: ['not-found/soft-404-by-design'],
      fault: without('navigation.md', FALLBACK),
      fix: exclude,
    },
  ],
  [
    {
      rule: 'config/spa-fallback',
      also: ['not-found/soft-404-by-design'],
      fault: without('config.json', FALLBACK),
      fix: exclude,
    },
  ],
  [
    {
      rule: 'navigation/spa-fallback',
      also: ['not-found/soft-404-by-design'],
      fault: without('navigation.md', ...REWRITES),
      fix: ({ files }, printed) => {
        const rule = printed.code('RewriteRule \\.');
        printed.says('above it and its `RewriteCond` lines');
        replace(files, HTACCESS, 'RewriteCond', `${rule}\nRewriteCond`);
      },
    },
  ],
  [
    {
      rule: 'not-found/soft-404-by-design',
      fault: (setup) => add(setup, FALLBACK),
      fix: ({ files }, printed) => replace(files, HTACCESS, printed.code('FallbackResource'), ''),
    },
  ],
  [
    {
      rule: 'bundle/policy-blocks-engine',
      fault: (setup) => add(setup, BLOCKING),
      fix: ({ files }, printed) => {
        printed.code('Header set Content-Security-Policy');
        printed.says("`'self'` in `connect-src`");
        replace(files, HTACCESS, BLOCKING, BLOCKING.replace("'none'", "'self'"));
      },
    },
  ],
  [
    {
      rule: 'negotiation/root-missing',
      fault: ({ files }) => replace(files, HTACCESS, 'DirectoryIndex index.html', 'DirectoryIndex disabled'),
      fix: (setup, printed) => add(setup, printed.code('DirectoryIndex')),
    },
  ],
];

const SOFT_404 = { rule: 'not-found/soft-404-history', also: ['robots/fallback-by-design'] };

/** A docsify site with `routerMode: 'history'`: only names without an extension have a fallback. */
const APACHE_HISTORY: readonly (readonly Row[])[] = [
  [{ ...SOFT_404, fault: (setup) => add(setup, FALLBACK), fix: exclude }],
  [
    {
      rule: 'not-found/history-fallback-missing',
      fault: () => {},
      fix: (setup, printed) => {
        add(setup, printed.code('FallbackResource /index.html'));
        return exclude(setup, printed);
      },
    },
  ],
];

/* Caddy */

export const CADDYFILE = 'Caddyfile';

export function onCaddy(site: () => Setup = healthy): Setup {
  const setup = site();
  const [, block = ''] = /^docs\.example\.com \{\n([^]*)\}\n$/.exec(inGuide('Caddy', 'text')) ?? [];
  setup.settings.set(CADDYFILE, block);
  return setup;
}

const startWithCaddy = (setup: Setup): Promise<Host> =>
  serve(setup, (prefix) =>
    startCaddy(prefix, (setup.settings.get(CADDYFILE) ?? '').replace('/var/www/docs', join(prefix, 'site'))),
  );

const change = ({ settings }: Setup, from: string, to: string): void => replace(settings, CADDYFILE, from, to);

/** Below the other directives. */
export const atEnd = ({ settings }: Setup, ...lines: readonly string[]): void =>
  void settings.set(CADDYFILE, `${settings.get(CADDYFILE) ?? ''}${lines.join('\n')}\n`);

/** Code of a fix on lines of their own. */
const onLines = (code: string): string => code.replace(/\{ (.*) \}$/, '{\n$1\n}');

const onlyPages = (printed: Printed): string => `${printed.code('@page')}\n${onLines(printed.code('handle @page'))}`;

const TRY_FILES = 'try_files {path} /index.html';
const FRESH = 'header @fresh Cache-Control "no-cache, must-revalidate"';

const freshBundle: Row['fix'] = (setup, printed) =>
  atEnd(setup, printed.code('@bundle'), printed.code('header @bundle'));

const CADDY: readonly (readonly Row[])[] = [
  [
    {
      rule: 'caching/bundle-cached',
      fault: (setup) => change(setup, FRESH, 'header @fresh Cache-Control "max-age=86400"'),
      fix: freshBundle,
    },
    {
      rule: 'caching/config-cached',
      fault: () => {},
      fix: (setup, printed) => atEnd(setup, printed.code('@config'), printed.code('header @config')),
    },
  ],
  [
    {
      rule: 'caching/bundle-briefly-cached',
      fault: (setup) => atEnd(setup, '@brief path / /index.html', 'header @brief Cache-Control "max-age=300"'),
      fix: freshBundle,
    },
  ],
  [
    {
      rule: 'caching/bundle-undeclared',
      fault: (setup) => change(setup, '@fresh path / /index.html /config.json', '@fresh path /config.json'),
      fix: freshBundle,
    },
  ],
  [
    {
      rule: 'caching/heuristic-lifetime',
      fault: (setup) => change(setup, '  header @pages Cache-Control "no-cache"\n', ''),
      fix: (setup, printed) => {
        change(setup, '  @pages path *.md *.txt\n', '');
        atEnd(setup, printed.code('@pages'), printed.code('header @pages'));
      },
    },
  ],
  [
    {
      rule: 'compression/uncompressed',
      fault: (setup) => change(setup, '  encode zstd gzip\n', ''),
      fix: (setup, printed) => change(setup, '  file_server', `  ${printed.code('encode')}\n  file_server`),
    },
  ],
  [
    {
      rule: 'navigation/media-type',
      fault: (setup) => change(setup, 'text/markdown; charset=utf-8', 'application/octet-stream'),
      also: ['compression/markdown-uncompressed'],
      fix: (setup, printed) => {
        change(setup, '  @markdown path *.md\n', '');
        change(setup, '  header @markdown Content-Type "application/octet-stream"\n', '');
        atEnd(setup, printed.code('@markdown'), printed.code('header @markdown'));
      },
    },
    { rule: 'home/media-type', fault: () => {}, fix: (_, printed) => void printed.code('header @markdown') },
  ],
  [
    {
      rule: 'navigation/spa-fallback',
      also: ['not-found/soft-404-by-design'],
      fault: (setup) => {
        setup.files.delete('navigation.md');
        change(setup, '  file_server', `  ${TRY_FILES}\n  file_server`);
      },
      fix: (setup, printed) => {
        printed.says(TRY_FILES);
        change(setup, TRY_FILES, onlyPages(printed));
      },
    },
  ],
  [
    {
      rule: 'not-found/soft-404-by-design',
      fault: (setup) => change(setup, '  file_server', `  ${TRY_FILES}\n  file_server`),
      fix: (setup, printed) => change(setup, printed.code('try_files'), ''),
    },
  ],
];

const CADDY_HISTORY: readonly (readonly Row[])[] = [
  [
    {
      ...SOFT_404,
      fault: (setup) => change(setup, '  file_server', `  ${TRY_FILES}\n  file_server`),
      fix: (setup, printed) => change(setup, TRY_FILES, onlyPages(printed)),
    },
  ],
  [
    {
      rule: 'not-found/history-fallback-missing',
      fault: () => {},
      fix: (setup, printed) => change(setup, '  file_server', `${onlyPages(printed)}\n  file_server`),
    },
  ],
];

export const on = (
  server: string,
  all: readonly (readonly Row[])[],
  rest: Pick<Group, 'base' | 'start'>,
): readonly Group[] =>
  all.map((rows) => {
    // The file that the fallback hid is still missing.
    const ownAfter = rows.flatMap(({ rule }) =>
      rule.endsWith('/spa-fallback') ? rule.replace('spa-fallback', 'not-found') : [],
    );
    return { name: `${rows.map(({ rule }) => rule).join(', ')} on ${server}`, rows, ownAfter, ...rest };
  });

export const SERVERS: readonly Group[] = [
  ...on('Apache', APACHE, { base: () => onApache(), start: startWithApache }),
  ...on('Apache', APACHE_HISTORY, { base: () => onApache(historySite), start: startWithApache }),
  ...on('Caddy', CADDY, { base: () => onCaddy(), start: startWithCaddy }),
  ...on('Caddy', CADDY_HISTORY, { base: () => onCaddy(historySite), start: startWithCaddy }),
];

/** Those whose server is installed. */
export const onServersHere = (groups: readonly Group[]): readonly Group[] => {
  const here = [...(apacheWanted() ? ['Apache'] : []), ...(caddyWanted() ? ['Caddy'] : [])];
  return groups.filter(({ name }) => here.some((server) => name.endsWith(` on ${server}`)));
};
