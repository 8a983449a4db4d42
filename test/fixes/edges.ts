/** Faults of a platform's routes, run by its own library, and of a worker in workerd. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'jsonc-parser';
import { runCli } from '../cli/run.ts';
import { startVercel } from '../hosting/vercel.ts';
import { startWorkerd } from '../hosting/workerd.ts';
import { healthy, replace, writeFiles, type Group, type Row, type Setup } from './setup.ts';

/** What `docvitals hosting` prints for a host, as files. */
async function printedBy(args: readonly string[]): Promise<Map<string, string>> {
  const { stdout } = await runCli(['hosting', ...args]);
  const [first = '', ...more] = stdout.split(/^==> (.+) <==\n/m);
  const files = new Map<string, string>(more.length === 0 ? [['vercel.json', first]] : []);
  for (let at = 0; at < more.length; at += 2) files.set(more[at] ?? '', more[at + 1] ?? '');
  return files;
}

const startPlatform = ({ files, settings }: Setup): ReturnType<NonNullable<Group['start']>> =>
  startVercel(files, settings.get('vercel.json') ?? '{}');

/** The documented rules, with headers for caching. */
async function onPlatform(): Promise<Setup> {
  const setup = small();
  const settings = JSON.parse((await printedBy(['vercel', '--documented'])).get('vercel.json') ?? '') as object;
  const cached = (source: string, value: string): object => ({ source, headers: [{ key: 'Cache-Control', value }] });
  const headers = [
    cached(String.raw`/(.*)\.(svg|png|jpg|woff2)`, 'public, max-age=2592000, no-transform'),
    cached('/index.html', 'no-cache, must-revalidate'),
  ];
  setup.settings.set('vercel.json', JSON.stringify({ ...settings, headers }));
  return setup;
}

/** The files are short enough to be sent uncompressed. */
function small(): Setup {
  const setup = healthy();
  setup.files.set('app.js', 'console.log("The engine.");\n');
  setup.files.set('guide/index.md', '# Guide\n\n[Setup](setup/)\n\n![Photo](photo.png)\n');
  return setup;
}

async function onWorker(): Promise<Setup> {
  const setup = small();
  for (const [name, text] of await printedBy(['cloudflare'])) setup.settings.set(name, text);
  return setup;
}

async function startWorker(setup: Setup): ReturnType<NonNullable<Group['start']>> {
  const root = mkdtempSync(join(tmpdir(), 'docvitals-worker-'));
  writeFiles(root, setup);
  const workerd = await startWorkerd(
    root,
    [...setup.settings].map(([name, text]) => ({ name, text })),
  );
  return {
    port: workerd.port,
    async stop() {
      await workerd.stop();
      rmSync(root, { recursive: true });
    },
  };
}

/** Changes the settings of a worker's assets. */
function assets({ settings }: Setup, changes: object): void {
  const { assets: before, ...rest } = parse(settings.get('wrangler.jsonc') ?? '') as { assets: object };
  settings.set('wrangler.jsonc', JSON.stringify({ ...rest, assets: { ...before, ...changes } }));
}

const routed = (rule: string, fault: Row['fault'] = () => {}): Row => ({
  rule,
  fault,
  async fix({ settings }, printed) {
    printed.says('`docvitals hosting platform`');
    for (const [name, text] of await printedBy(['vercel'])) settings.set(name, text);
  },
});

const ON_PLATFORM = ['negotiation/filesystem-first', 'negotiation/q-values-ignored'] as const;
const VARY = 'negotiation/vary-missing';

interface VercelJson {
  readonly headers: readonly { readonly source: string; readonly headers: readonly object[] }[];
  readonly rewrites: readonly { readonly source: string; readonly has?: readonly object[] }[];
}

function change({ settings }: Setup, changes: (before: VercelJson) => Partial<VercelJson>): void {
  const before = JSON.parse(settings.get('vercel.json') ?? '') as VercelJson;
  settings.set('vercel.json', JSON.stringify({ ...before, ...changes(before) }));
}

const header = (source: string, value: string): VercelJson['headers'][number] => ({
  source,
  headers: [{ key: 'Cache-Control', value }],
});

/** The rules of the documentation without headers of the user's own, or with others. */
const sending =
  (...all: VercelJson['headers']) =>
  (setup: Setup): void =>
    change(setup, () => ({ headers: all }));

const FRESH = 'no-cache, must-revalidate';
const KEPT = 'public, max-age=2592000, no-transform';
const [BUNDLE, ASSETS] = [header('/index.html', FRESH), header(String.raw`/(.*)\.(svg|png|jpg|woff2)`, KEPT)];
const JSON_TOO = header(String.raw`/(.*)\.(svg|png|jpg|woff2|json)`, KEPT);

/** The rewrite that gives agents Markdown, with another condition or none. */
const rewrites =
  (edit: (rewrite: VercelJson['rewrites'][number]) => readonly VercelJson['rewrites'][number][]) =>
  (setup: Setup): void =>
    change(setup, ({ rewrites: [first, ...more] }) => ({ rewrites: first ? [...edit(first), ...more] : more }));

const accepting = (value: string): ReturnType<typeof rewrites> =>
  rewrites((rewrite) => [{ ...rewrite, has: [{ type: 'header', key: 'accept', value }] }]);

/** Rewrites of every path to the bundle. */
const fallback = (source: string) => (setup: Setup) =>
  change(setup, (before) => ({
    rewrites: [...before.rewrites, { source, destination: '/index.html' } as VercelJson['rewrites'][number]],
  }));

/** What the documented rules bring with them. */
const OF_THE_RULES: readonly string[] = [...ON_PLATFORM, VARY];

/** A fault in `vercel.json`, which `hides` findings of the rules, and what the fix puts into it. */
const onVercel = (
  rule: string,
  fault: (setup: Setup) => void,
  says: string,
  fix: (setup: Setup) => void,
  hides: readonly string[] = [],
): Group => ({
  name: `${rule} on a platform`,
  host: 'platform',
  base: onPlatform,
  start: startPlatform,
  own: OF_THE_RULES.filter((own) => !hides.includes(own)),
  ownAfter: OF_THE_RULES,
  rows: [
    {
      rule,
      fault,
      fix: (setup, printed) => {
        printed.says(says);
        fix(setup);
      },
    },
  ],
});

const VERCEL: readonly Group[] = [
  onVercel(
    'caching/bundle-cached',
    sending(ASSETS, header('/index.html', 'public, max-age=3600')),
    'Set the header for both paths under `headers` in `vercel.json`',
    sending(ASSETS, header('/', FRESH), BUNDLE),
  ),
  onVercel(
    'caching/config-cached',
    sending(BUNDLE, JSON_TOO),
    'Set the header for this path in `headers` after the rule for `.json`',
    sending(BUNDLE, JSON_TOO, header('/config.json', FRESH)),
  ),
  onVercel(
    'caching/assets-not-cached',
    sending(BUNDLE),
    'Add a rule for these extensions under `headers` in `vercel.json`, and after it the one for `/config.json`',
    sending(BUNDLE, JSON_TOO, header('/config.json', FRESH)),
  ),
  onVercel(
    'not-found/soft-404',
    fallback('/(.*)'),
    'remove the rewrite of all paths to `/index.html` (`"source": "/(.*)"`)',
    (setup) => change(setup, ({ rewrites: all }) => ({ rewrites: all.filter(({ source }) => source !== '/(.*)') })),
  ),
  onVercel(
    'not-found/soft-404-without-extension',
    fallback(String.raw`/((?!.*\.).*)`),
    'Remove the rewrite of paths without an extension to `/index.html`',
    (setup) => change(setup, ({ rewrites: all }) => ({ rewrites: all.filter(({ source }) => !source.includes('?!')) })),
  ),
  onVercel(
    'negotiation/not-negotiated',
    accepting('text/markdown'),
    'where the header `accept` matches `.*text/markdown.*`, with `.*` at both ends',
    accepting('.*text/markdown.*'),
    ['negotiation/q-values-ignored'],
  ),
  onVercel(
    'negotiation/not-negotiated',
    rewrites(() => []),
    'with `trailingSlash` set to `true` and `cleanUrls` to `false`',
    (setup) =>
      change(setup, ({ rewrites: all }) => ({
        rewrites: [
          {
            source: '/:path*/',
            has: [{ type: 'header', key: 'accept', value: '.*text/markdown.*' }],
            destination: '/:path*/index.md',
          } as VercelJson['rewrites'][number],
          ...all,
        ],
      })),
    OF_THE_RULES,
  ),
];

/** A fault in the code of a worker, and what the fix makes of it. */
const inWorker = (rule: string, right: string, wrong: string, says: string, also: readonly string[] = []): Row => ({
  rule,
  fault: ({ settings }) => replace(settings, 'worker.js', right, wrong),
  also,
  fix: ({ settings }, printed) => {
    printed.says(says);
    replace(settings, 'worker.js', wrong, right);
  },
});

const WORKER: readonly Group[] = [
  [
    inWorker(
      'caching/bundle-cached',
      `if (path === BUNDLE) {\n    answer.headers.set('Cache-Control', 'no-cache, must-revalidate');`,
      `if (path === BUNDLE) {\n    answer.headers.set('Cache-Control', 'max-age=3600');`,
      'in a worker, set it on the HTML response',
    ),
    inWorker(
      'caching/config-cached',
      "path === '/config.json'",
      "path === '/settings.json'",
      'in a worker, set it on this path',
    ),
  ],
  [
    inWorker(
      'caching/assets-not-cached',
      "'public, no-transform, max-age=2592000'",
      "'public, no-transform'",
      'in a worker, set the headers by the extension of the path, in lower case',
    ),
  ],
  [
    inWorker(
      'negotiation/vary-missing',
      "answer.headers.append('Vary', 'Accept');",
      'void answer;',
      'In the worker, copy the response and append `Vary` to its headers',
    ),
  ],
  [
    inWorker(
      'negotiation/not-negotiated',
      'if (isPage && prefersMarkdown',
      'if (false && prefersMarkdown',
      'and `url.pathname` does not end in `.md`',
    ),
  ],
  [
    inWorker(
      'negotiation/not-negotiated',
      "prefersMarkdown(request.headers.get('Accept') ?? '')",
      "request.headers.get('Accept') === 'text/markdown'",
      "if `accept.includes('text/markdown')`",
    ),
  ],
  [
    inWorker(
      'negotiation/head-differs',
      'if (isPage && prefersMarkdown',
      "if (request.method === 'GET' && isPage && prefersMarkdown",
      'Do not test for `GET` alone in the worker',
    ),
  ],
  [
    inWorker(
      'negotiation/cache-mixes-variants',
      '  const folder = url',
      "  if (request.headers.has('If-None-Match')) return new Response(null, { status: 304 });\n  const folder = url",
      'answers `If-None-Match` before it has chosen the variant',
    ),
  ],
  [
    inWorker(
      'negotiation/wrong-type',
      "answer.headers.append('Vary', 'Accept');",
      "answer.headers.append('Vary', 'Accept'); answer.headers.set('Content-Type', 'text/html');",
      "Pass on the headers of the asset's response in the worker",
    ),
  ],
  [
    inWorker(
      'not-found/server-error',
      '  return asset(url.pathname);\n}',
      "  throw new Error('no such file');\n}",
      'In the worker, catch the exception and return the response of the static assets with its status',
    ),
  ],
].map((rows) => ({
  name: `${rows.map(({ rule }) => rule).join(', ')} on a worker`,
  host: 'worker',
  base: onWorker,
  start: startWorker,
  rows,
}));

export const EDGES: readonly Group[] = [
  ...VERCEL,
  ...WORKER,
  {
    name: 'the order of a platform',
    host: 'platform',
    base: onPlatform,
    start: startPlatform,
    rows: [
      ...ON_PLATFORM.map((rule) => routed(rule)),
      routed('negotiation/filesystem-first', ({ files }) => {
        files.set('v1.2/index.md', '# Version 1.2\n');
        files.set('guide/index.md', '# Guide\n\n[Setup](setup/), [Version 1.2](../v1.2/)\n\n![Photo](photo.png)\n');
      }),
    ],
    own: [VARY],
  },
  {
    name: `${VARY} on a platform`,
    host: 'platform',
    base: onPlatform,
    start: startPlatform,
    own: ON_PLATFORM,
    rows: [
      {
        rule: VARY,
        fault: () => {},
        fix({ settings }, printed) {
          const { headers: before = [], ...rest } = JSON.parse(settings.get('vercel.json') ?? '') as {
            headers?: object[];
          };
          const { headers } = JSON.parse(`{${printed.code('"headers"')}}`) as { headers: object[] };
          settings.set('vercel.json', JSON.stringify({ ...rest, headers: [...before, ...headers] }));
        },
      },
    ],
  },
  {
    name: 'assets before the worker',
    host: 'worker',
    base: onWorker,
    start: startWorker,
    rows: [
      {
        rule: 'negotiation/not-negotiated',
        fault: (setup) => assets(setup, { run_worker_first: false, html_handling: 'auto-trailing-slash' }),
        // The worker sets these headers.
        also: ['caching/assets-not-cached', 'compression/vary-accept-encoding', 'bundle/clean-url'],
        fix: (setup, printed) => {
          printed.says('Set `run_worker_first` to `true`');
          assets(setup, { run_worker_first: true, html_handling: 'none' });
        },
      },
    ],
  },
  {
    name: 'not-found/soft-404 on a worker',
    host: 'worker',
    base: onWorker,
    start: startWorker,
    rows: [
      {
        rule: 'not-found/soft-404',
        fault: (setup) => assets(setup, { not_found_handling: 'single-page-application' }),
        fix: (setup, printed) => {
          printed.says('set `not_found_handling` of the static assets to `404-page` or `none`');
          assets(setup, { not_found_handling: '404-page' });
        },
      },
    ],
  },
];
