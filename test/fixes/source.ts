/** Faults of a deployment from a Git repository, and what their printed fixes say. */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Repository } from './repository.ts';
import { healthy, replace, type Printed, type Row, type Setup } from './setup.ts';

const PAGE = 'guide/setup/index.md';
const OTHER = 'guide/index.md';
/** A picture that is deployed and that no page shows: only its source leads to it. */
const PICTURE = 'guide/extra.png';
const PNG = Buffer.from('89504e470d0a1a0a', 'hex');

const SOURCES = new WeakMap<Setup, Repository>();

/** The site with the repository that it is deployed from. */
export function deployed(): Setup {
  const setup = healthy();
  setup.files.set(PICTURE, PNG);
  const repository = new Repository(setup.files);
  SOURCES.set(setup, repository);
  setup.stops.push(() => repository.delete());
  setup.args.push('--source', repository.folder);
  return setup;
}

function sourceOf(setup: Setup): Repository {
  const repository = SOURCES.get(setup);
  if (repository === undefined) throw new Error('not deployed from a repository');
  return repository;
}

/** Puts the working tree of the source on the host, and nothing else. */
function deploy(setup: Setup): void {
  setup.files.clear();
  for (const [path, body] of sourceOf(setup).files) setup.files.set(path, body);
}

/** Deploys again where the fix says so. */
const deployAgain =
  (says: string) =>
  (setup: Setup, printed: Printed): void => {
    printed.says(says);
    deploy(setup);
  };

const changed = (setup: Setup, path: string): string => `${String(setup.files.get(path))}\nA new paragraph.\n`;

/** The source has a newer commit than the host. */
function commit(setup: Setup, ...paths: readonly string[]): string {
  const repository = sourceOf(setup);
  for (const path of paths) repository.write(path, changed(setup, path));
  return repository.commit();
}

const source = (rule: string, fault: Row['fault'], fix: Row['fix'], also: readonly string[] = []): Row => ({
  rule: `source/${rule}`,
  fault,
  fix,
  also,
});

export const SOURCE: readonly (readonly Row[])[] = [
  [source('not-live', ({ files }) => files.delete(PICTURE), deployAgain('Deploy again and check whether the file is'))],
  [
    source(
      'differs',
      (setup) => setup.files.set(PAGE, changed(setup, PAGE)),
      (setup, printed) => {
        printed.says('copy the change into the source');
        sourceOf(setup).write(PAGE, String(setup.files.get(PAGE)));
        sourceOf(setup).commit();
      },
    ),
  ],
  [source('stale', (setup) => commit(setup, PAGE), deployAgain('Deploy the commit that you want to be live'))],
  [
    source(
      'mixed',
      (setup) => {
        commit(setup, PAGE, OTHER);
        setup.files.set(PAGE, String(sourceOf(setup).files.get(PAGE)));
      },
      deployAgain('Deploy the whole site again'),
    ),
  ],
  [
    source(
      'uncommitted',
      (setup) => sourceOf(setup).write(PAGE, changed(setup, PAGE)),
      (setup, printed) => {
        printed.says('Commit and deploy the changes');
        sourceOf(setup).commit();
        deploy(setup);
      },
    ),
  ],
  [
    source(
      'forbidden',
      ({ locations }) => locations.set(`= /${PICTURE}`, 'deny all;'),
      ({ locations }, printed) => {
        printed.says('rules of the host that refuse names');
        locations.delete(`= /${PICTURE}`);
      },
    ),
  ],
  [
    source(
      'lfs-pointer',
      ({ files }) =>
        files.set(PICTURE, `version https://git-lfs.github.com/spec/v1\noid sha256:${'4d7a'.repeat(16)}\nsize 8\n`),
      deployAgain('git lfs pull'),
    ),
  ],
  [
    source(
      'injected',
      ({ server }) => server.set('sub_filter', 'sub_filter_types text/markdown; sub_filter "# " "<!-- ad --># ";'),
      ({ server }, printed) => {
        printed.says('Turn the feature off for `.md` files');
        server.delete('sub_filter');
      },
      ['caching/no-validators'],
    ),
  ],
  [
    source(
      'alternates',
      // Two servers behind one name, of which one has the old file.
      ({ http, locations, stops }) => {
        const sockets = mkdtempSync(join(tmpdir(), 'docvitals-sockets-'));
        chmodSync(sockets, 0o755);
        stops.push(() => rmSync(sockets, { recursive: true, force: true }));
        const behind = (name: string, body: string): string =>
          `server { listen unix:${join(sockets, name)}; root $ROOT; location / { ${body} } }`;
        http.add(behind('old', 'default_type image/png; return 200 old;'));
        http.add(behind('new', 'try_files $uri =404;'));
        http.add(`upstream behind$ID { server unix:${join(sockets, 'old')}; server unix:${join(sockets, 'new')}; }`);
        locations.set(`= /${PICTURE}`, 'proxy_pass http://behind$ID;');
      },
      ({ http, locations }, printed) => {
        printed.says('look for a server that the deployment leaves out');
        http.clear();
        locations.delete(`= /${PICTURE}`);
      },
    ),
  ],
  [
    source(
      'gone',
      (setup) => {
        setup.files.set('guide/old.md', '# Old\n');
        for (const files of [setup.files, null]) {
          const body = `${String(setup.files.get(PAGE)).replace('\n[Old](../old.md)\n', '')}\n[Old](../old.md)\n`;
          if (files === null) sourceOf(setup).write(PAGE, body);
          else files.set(PAGE, body);
        }
        sourceOf(setup).commit();
      },
      (setup, printed) => {
        printed.says('Delete it from the host');
        printed.says('take out the links to it');
        const repository = sourceOf(setup);
        repository.write(PAGE, String(repository.files.get(PAGE)).replace('\n[Old](../old.md)\n', ''));
        repository.commit();
        deploy(setup);
      },
    ),
  ],
];

const COMMIT = '3f2a91c5d0e64b7f8a19c2d3e4f5061728394a5b';
const OLD = '0c9de71a2b3c4d5e6f708192a3b4c5d6e7f80910';

/** A version that the next run is to expect, and where. */
const version = (rule: string, args: readonly string[], fault: (setup: Setup) => unknown, fix: Row['fix']): Row => ({
  rule: `deployed-version/${rule}`,
  fault: (setup) => {
    setup.args.push(...args);
    return fault(setup);
  },
  fix,
});

export const VERSION: readonly (readonly Row[])[] = [
  [
    version(
      'old-version',
      ['--expect-version', COMMIT],
      // A deployment that has ended, behind a rule for all `.json` files.
      ({ files }) => files.set('version.json', `{"commit": "${OLD}"}\n`),
      (setup, printed) => {
        printed.says('Wait until the deployment has reached every server');
        setup.files.set('version.json', `{"commit": "${COMMIT}"}\n`);
        printed.says('give it `Cache-Control: no-cache`');
      },
    ),
  ],
  [
    version(
      'no-version',
      ['--expect-version', COMMIT],
      () => {},
      (setup, printed) => {
        const cwd = mkdtempSync(join(tmpdir(), 'docvitals-version-'));
        const command = printed.code('echo ');
        spawnSync('sh', ['-c', command], { cwd, env: { GITHUB_SHA: COMMIT } });
        setup.files.set('version.json', readFileSync(join(cwd, 'version.json'), 'utf8'));
        rmSync(cwd, { recursive: true });
      },
    ),
  ],
  [
    version(
      'version-not-found',
      ['--expect-version', COMMIT, '--version-from', 'build.json#/git/commit'],
      ({ files }) => files.set('build.json', `{"commit": "${COMMIT}"}\n`),
      (setup, printed) => {
        printed.says('compare it with `--version-from`');
        setup.args[setup.args.indexOf('build.json#/git/commit')] = 'build.json#/commit';
      },
    ),
  ],
  [
    version(
      'not-changed',
      ['--since', '2026-02-03T04:05:06Z'],
      () => {},
      ({ files, dates }, printed) => {
        printed.says('Wait until the deployment has reached every server');
        replace(files, 'index.html', '<title>Docs', '<title>The docs');
        dates.set('index.html', new Date('2026-02-03T05:00:00Z'));
      },
    ),
  ],
];
