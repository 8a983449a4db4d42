/** Faults of a platform's routes, run by its own library, and of a worker in workerd. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'jsonc-parser';
import { runCli } from '../cli/run.ts';
import { startVercel } from '../hosting/vercel.ts';
import { startWorkerd } from '../hosting/workerd.ts';
import { healthy, writeFiles, type Group, type Row, type Setup } from './setup.ts';

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

export const EDGES: readonly Group[] = [
  {
    name: 'the order of a platform',
    host: 'platform',
    base: onPlatform,
    start: startPlatform,
    rows: [
      ...ON_PLATFORM.map((rule) => routed(rule)),
      routed('negotiation/slash-dropped', ({ files }) => {
        files.set('v1.2/index.md', '# Version 1.2\n');
        files.set('guide/index.md', '# Guide\n\n[Setup](setup/), [Version 1.2](../v1.2/)\n\n![Photo](photo.png)\n');
      }),
    ],
    own: [VARY, 'negotiation/no-html'],
  },
  {
    name: `${VARY} on a platform`,
    host: 'platform',
    base: onPlatform,
    start: startPlatform,
    own: [...ON_PLATFORM, 'negotiation/no-html'],
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
    name: 'negotiation/assets-first on a worker',
    host: 'worker',
    base: onWorker,
    start: startWorker,
    rows: [
      {
        rule: 'negotiation/assets-first',
        fault: (setup) => assets(setup, { run_worker_first: false, html_handling: 'auto-trailing-slash' }),
        // The worker sets these headers.
        also: ['caching/assets-not-cached', 'compression/vary-accept-encoding'],
        fix: (setup, printed) => {
          printed.says('Set `run_worker_first` to `true`');
          assets(setup, { run_worker_first: true });
        },
      },
      {
        rule: 'bundle/redirected',
        fault: () => {},
        fix: (setup, printed) => {
          printed.says('set `html_handling` of the static assets to `none`');
          assets(setup, { html_handling: 'none' });
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
