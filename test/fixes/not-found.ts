/** Answers for missing files, and what the printed fixes say. */
import { listen, MEDIA_TYPES } from '../site/host.ts';
import { healthy, type Group, type Host, type Row, type Setup } from './setup.ts';

const PAGE = '<!doctype html><title>Not found</title><p>There is no such page.</p>\n';

/** What nginx does with a name that is no file. */
const missing =
  (last: string) =>
  ({ locations }: Setup): void =>
    void locations.set('/', `try_files $uri $uri/ ${last};`);

/** Names with an extension of text have a location of their own here, which leaves all of them to nginx's own 404. */
export const NOT_FOUND: readonly Row[] = [
  {
    rule: 'not-found/soft-404-by-design',
    fault: missing('/index.html'),
    fix: ({ locations }, printed) => locations.set('/', printed.says('try_files $uri $uri/ =404;')),
  },
  {
    rule: 'not-found/soft-404-other',
    fault: ({ files, server }) => {
      files.set('404.html', PAGE);
      server.set('error_page', 'error_page 404 =200 /404.html;');
    },
    fix: ({ server }, printed) => server.set('error_page', printed.says('error_page 404 /404.html;')),
  },
  {
    rule: 'not-found/wildcard',
    fault: ({ locations }) => {
      locations.set('/', 'try_files $uri $uri/ @any;');
      locations.set('@any', 'default_type text/plain; return 200 "$request_id $request_id $uri";');
    },
    fix: (setup, printed) => {
      printed.says('serve the static files first and answer 404 for the rest');
      missing('=404')(setup);
    },
  },
  {
    rule: 'not-found/redirected',
    fault: ({ server, files }) => {
      files.set('sorry.md', '# There is no such page\n');
      server.set('error_page', 'error_page 404 = @sorry; location @sorry { return 302 /sorry.md; }');
    },
    fix: ({ server, files }, printed) => {
      printed.says('`error_page`');
      server.delete('error_page');
      files.delete('sorry.md');
    },
  },
  {
    rule: 'not-found/missing-forbidden',
    fault: missing('=403'),
    fix: (setup, printed) => missing(printed.says('=404'))(setup),
  },
  {
    rule: 'not-found/server-error',
    fault: missing('/gone.html'),
    fix: (setup, printed) => missing(printed.says('=404'))(setup),
  },
  {
    rule: 'not-found/status',
    fault: missing('=418'),
    fix: (setup, printed) => {
      printed.says('let it answer 404');
      missing('=404')(setup);
    },
  },
  {
    rule: 'not-found/inconsistent',
    // The first request for a name of each kind gets the bundle, as from the one server, the second 404.
    fault: ({ http, locations }) => {
      http.add(String.raw`map $uri $NAME { default none; ~\.(?<kind>\w+)$ $kind; }`);
      http.add('limit_req_zone $NAME zone=missing:1m rate=1r/m;');
      locations.set('/', 'try_files $uri $uri/ @missing;');
      locations.set('@missing', 'limit_req zone=missing; limit_req_status 404; try_files /index.html =404;');
    },
    also: ['not-found/soft-404-by-design'],
    fix: (setup, printed) => {
      printed.says('the same configuration');
      missing('=404')(setup);
    },
  },
];

/** A docsify site whose pages have addresses such as `/guide`. */
export function historySite(): Setup {
  const setup = healthy();
  const page = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Docs</title></head><body><div id="app"></div>
<script>window.$docsify = { routerMode: 'history', loadSidebar: true }</script><script src="docsify.min.js"></script></body></html>
`;
  setup.files.clear();
  setup.files.set('index.html', page).set('docsify.min.js', 'console.log("The engine.");\n'.repeat(200));
  setup.files.set('README.md', `# Docs\n\n${'How the site works. '.repeat(100)}\n`);
  setup.files.set('_sidebar.md', '- [Home](/)\n- [Guide](guide.md)\n');
  setup.files.set('guide.md', `# Guide\n\n${'How the site works. '.repeat(100)}\n`);
  setup.files.set('llms.txt', '# Docs\n\n> How the site works.\n\n## Pages\n\n- [Guide](/guide.md): all of it\n');
  missing('/index.html')(setup);
  setup.locations.set(String.raw`~ \.js$`, 'try_files $uri =404;');
  return setup;
}

export const HISTORY: readonly Row[] = [
  {
    rule: 'not-found/soft-404-history',
    fault: ({ locations }) => locations.delete(String.raw`~ \.js$`),
    fix: ({ locations }, printed) => {
      printed.says(String.raw`location ~ \.(md|json|js|txt)$ { try_files $uri =404; }`);
      locations.set(String.raw`~ \.(md|json|js|txt)$`, 'try_files $uri =404;');
    },
  },
  {
    rule: 'not-found/history-fallback-missing',
    fault: missing('=404'),
    fix: ({ locations }, printed) => locations.set('/', printed.says('try_files $uri $uri/ /index.html;')),
  },
];

/** A server that nothing is known of: it names no product, and answers the bundle for missing files. */
async function unknownHost({ files }: Setup): Promise<Host> {
  const host = await listen((request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? '/', 'http://host').pathname.slice(1)) || 'index.html';
    const name = files.has(path) ? path : 'index.html';
    const body = Buffer.from(files.get(name) ?? '');
    const headers = {
      'content-type': MEDIA_TYPES[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream',
      'cache-control': 'no-cache, must-revalidate',
      etag: `"${body.length}"`,
    };
    response.writeHead(200, headers).end(request.method === 'HEAD' ? undefined : body);
  });
  return { port: host.port, stop: () => host.close() };
}

/** What is known of a host after its kind is given. */
export const UNKNOWN_HOST: Group = {
  name: 'not-found/spa-fallback',
  start: unknownHost,
  own: ['caching/assets-not-cached', 'caching/not-revalidated', 'compression/uncompressed', 'negotiation/not-offered'],
  rows: [
    {
      rule: 'not-found/spa-fallback',
      fault: () => {},
      fix: (setup, printed) => setup.args.push(...printed.says('--host server').split(' ')),
    },
  ],
};

/** The address of a folder of the site, and the address that is suggested. */
export const WRONG_BASE: Row = {
  rule: 'bundle/wrong-base',
  also: ['config', 'llms-txt', 'navigation'].map((check) => `${check}/wrong-base`),
  fault: ({ target }) => {
    target.url = '/guide/setup/';
  },
  fix: (setup, printed) => {
    printed.says('Check the suggested address instead');
    // The host has another port then.
    setup.target.url = new URL(printed.evidence('suggestion')).pathname;
  },
};
