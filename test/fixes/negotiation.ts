/** Faults of content negotiation on an nginx that negotiates, and what their printed fixes say for nginx. */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { healthy, replace, type Row, type Setup } from './setup.ts';

const PAGES = '~ /$';
const VARY = 'add_header Vary Accept always;';

/** Lines of the map, in the order in which nginx tries them. */
const map = (...lines: readonly string[]): string => `map $http_accept $NAME { ${lines.join(' ')} }`;
const DEFAULT = 'default index.html;';
/** Markdown is ruled out, or wanted less than HTML. */
const LESSER = String.raw`"~*(text/markdown\s*;\s*q=0(\.0*)?\s*(,|$)|text/html\s*,.*text/markdown\s*;\s*q=0)" index.html;`;
const NAMED = '~*text/markdown index.md;';

/** A host that negotiates by every rule. */
export function negotiating(): Setup {
  const setup = healthy();
  setup.http.add(map(DEFAULT, LESSER, NAMED));
  setup.locations.set(
    PAGES,
    `${VARY} add_header Cache-Control "no-cache, must-revalidate"; try_files $uri$NAME /index.html =404;`,
  );
  return setup;
}

/** Another map instead of the right one. */
const mapped =
  (...lines: readonly string[]) =>
  ({ http }: Setup): void => {
    http.clear();
    http.add(map(...lines));
  };

const pages =
  (from: string, to: string) =>
  ({ locations }: Setup): void =>
    replace(locations, PAGES, from, to);

export const NEGOTIATION: readonly Row[] = [
  {
    rule: 'negotiation/not-negotiated',
    fault: ({ locations }) =>
      locations.set(PAGES, 'add_header Cache-Control "no-cache, must-revalidate"; try_files /index.html =404;'),
    fix: ({ locations }, printed) => {
      printed.says('The condition on `$http_accept` must be reached before `try_files` finds the bundle');
      locations.set(PAGES, negotiating().locations.get(PAGES) ?? '');
    },
  },
  {
    rule: 'negotiation/vary-missing',
    fault: pages(VARY, ''),
    fix: ({ locations }, printed) => locations.set(PAGES, `${printed.says(VARY)} ${locations.get(PAGES) ?? ''}`),
  },
  {
    rule: 'negotiation/not-negotiated',
    fault: mapped(DEFAULT, '~*^text/markdown$ index.md;'),
    fix: (setup, printed) => {
      printed.says('a pattern without `^` and `$`');
      mapped(DEFAULT, LESSER, NAMED)(setup);
    },
  },
  {
    rule: 'negotiation/q-values-ignored',
    fault: mapped(DEFAULT, NAMED),
    fix: (setup, printed) => mapped(DEFAULT, `${printed.code('"~*')} index.html;`, NAMED)(setup),
  },
  {
    rule: 'negotiation/html-not-served',
    fault: mapped('default index.md;', LESSER, NAMED, '~*text/html index.html;'),
    fix: (setup, printed) => {
      printed.says('check the `default` of the `map`');
      mapped(DEFAULT, LESSER, NAMED)(setup);
    },
  },
  {
    rule: 'negotiation/wrong-type',
    fault: pages(VARY, `${VARY} types { text/html html md; }`),
    fix: (setup, printed) => {
      printed.says('text/markdown md;');
      pages(' types { text/html html md; }', '')(setup);
    },
  },
  {
    rule: 'negotiation/wrong-markdown',
    fault: pages('$uri$NAME', '/$NAME'),
    fix: (setup, printed) => {
      printed.says('The target of the rule must be the requested path plus `index.md`');
      pages('/$NAME', '$uri$NAME')(setup);
    },
  },
  {
    rule: 'negotiation/wrong-markdown',
    fault: pages(VARY, `${VARY} sub_filter_types text/markdown; sub_filter "# " "# Draft: ";`),
    also: ['caching/no-validators'],
    fix: (setup, printed) => {
      printed.says('injects into it');
      pages(' sub_filter_types text/markdown; sub_filter "# " "# Draft: ";', '')(setup);
    },
  },
  {
    rule: 'negotiation/cache-mixes-variants',
    fault: pages(VARY, `${VARY} if ($http_if_none_match) { return 304; }`),
    fix: (setup, printed) => {
      printed.says('answers `If-None-Match` before it has chosen the variant');
      pages(' if ($http_if_none_match) { return 304; }', '')(setup);
    },
  },
  {
    rule: 'negotiation/head-differs',
    fault: pages(VARY, `${VARY} if ($request_method = HEAD) { return 204; }`),
    fix: (setup, printed) => {
      printed.says('no `if` on `$request_method`');
      pages(' if ($request_method = HEAD) { return 204; }', '')(setup);
    },
  },
  {
    rule: 'negotiation/not-negotiated',
    fault: pages(VARY, `${VARY} if ($is_args) { rewrite ^ /index.html last; }`),
    fix: (setup, printed) => {
      printed.says('`$uri`, not `$request_uri`');
      pages(' if ($is_args) { rewrite ^ /index.html last; }', '')(setup);
    },
  },
  {
    rule: 'negotiation/not-negotiated',
    fault: ({ locations }) =>
      locations.set(
        '~ ^/guide(/setup)?$',
        'add_header Vary Accept always; add_header Cache-Control "no-cache, must-revalidate"; try_files /index.html =404;',
      ),
    fix: ({ locations }, printed) => {
      printed.says('See that no fallback for single-page applications answers first');
      locations.delete('~ ^/guide(/setup)?$');
    },
  },
  {
    rule: 'negotiation/md-path-changed',
    fault: ({ server }) =>
      server.set(
        'if',
        'set $NAMEmd "$http_accept:$uri"; if ($NAMEmd ~ ^text/markdown:.*\\.md$) { rewrite ^ $uri/index.md; }',
      ),
    fix: ({ server }, printed) => {
      printed.says('keep the rewrite to paths that end in a slash');
      server.delete('if');
    },
  },
  {
    rule: 'negotiation/converted-html',
    fault: (setup) => {
      for (const folder of ['', 'guide/', 'guide/setup/']) setup.files.set(`${folder}shell.md`, '# Docs\n');
      mapped(DEFAULT, LESSER, '~*text/markdown shell.md;')(setup);
      pages(VARY, `${VARY} add_header x-markdown-tokens 3;`)(setup);
    },
    fix: (setup, printed) => {
      printed.says('Switch the conversion off');
      mapped(DEFAULT, LESSER, NAMED)(setup);
      pages(' add_header x-markdown-tokens 3;', '')(setup);
    },
  },
  {
    rule: 'not-found/soft-404-without-extension',
    fault: ({ locations }) => {
      locations.set('/', 'try_files $uri $uri/ /index.html;');
      locations.set(String.raw`~ \.\w+$`, 'try_files $uri =404;');
    },
    fix: ({ locations }, printed) => {
      printed.says('Remove the rewrite of paths without an extension to `/index.html`');
      locations.set('/', 'try_files $uri $uri/ =404;');
    },
  },
  {
    rule: 'robots/spa-fallback',
    fault: ({ files, locations }) => {
      files.delete('robots.txt');
      locations.set('= /robots.txt', 'try_files $uri /index.html =404;');
    },
    fix: (setup, printed) => printed.nginx(setup, 'location = /robots.txt'),
  },
];

/** A cache in front of the pages, for addresses that it does not know yet: those with a query. */
export const CACHED: Row = {
  rule: 'negotiation/cache-mixes-variants',
  fault: ({ http, locations, stops }) => {
    const folder = mkdtempSync(join(tmpdir(), 'docvitals-cache-'));
    stops.push(() => rmSync(folder, { recursive: true, force: true }));
    chmodSync(folder, 0o777);
    const socket = `unix:${join(folder, 'pages')}`;
    const types = 'types { text/html html; text/markdown md; } charset utf-8; charset_types text/markdown;';
    http.add(`proxy_cache_path ${folder}/kept keys_zone=pages$ID:1m;`);
    http.add(`upstream pages$ID { server ${socket}; }`);
    http.add(`server { listen ${socket}; root $ROOT; ${types} location ${PAGES} { ${locations.get(PAGES)} } }`);
    http.add('map $args $NAMEplain { default 0; "" 1; }');
    const kept =
      'proxy_cache pages$ID; proxy_no_cache $NAMEplain; proxy_cache_bypass $NAMEplain; ' +
      'proxy_ignore_headers Vary Cache-Control; proxy_cache_valid 200 1m;';
    locations.set(PAGES, `proxy_pass http://pages$ID; ${kept} proxy_cache_key $uri$args;`);
  },
  fix: ({ locations }, printed) => {
    printed.says('put a `map` of `$http_accept` into `proxy_cache_key`');
    replace(locations, PAGES, 'proxy_cache_key $uri$args;', 'proxy_cache_key $uri$args$NAME;');
  },
};

/** The site's own address. */
export const ROOT: Row = {
  rule: 'negotiation/root-missing',
  fault: ({ server }) => server.set('index', 'index start.html;'),
  fix: ({ server }, printed) => server.set('index', printed.says('index index.html;')),
};
