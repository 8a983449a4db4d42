/** A site that is deployed again while somebody waits for it, on a real nginx. */
import { chmodSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseBaseUrl } from '../../src/core/base-url.ts';
import { checks as declared } from '../../checks/index.ts';
import type { Report } from '../../src/core/check.ts';
import type { RunRequest } from '../../src/site/types.ts';
import type { CheckSiteOptions } from '../../src/core/check-site.ts';
import { openSource } from '../../src/source/open.ts';
import type { Source } from '../../src/source/types.ts';
import { waitForSite, type Dependencies, type Waiting } from '../../src/wait/wait.ts';
import { startNginx, type Nginx } from '../hosts/nginx.ts';
import { writeSite } from '../site/sample.ts';

/** The commits of the two versions. */
export const COMMITS = { old: '3f2a91c0de', new: '9b1c77ad42' } as const;
export type Version = keyof typeof COMMITS;

const files = (version: Version): ReadonlyMap<string, string> =>
  new Map([
    ['index.html', `<!doctype html><title>Docs</title><!-- ${version} --><div id="app"></div>`],
    ['config.json', '{"homePage": "index.md"}'],
    ['navigation.md', `- [Home of the ${version} docs](index.md)\n- [Guide](guide.md)\n`],
    ['index.md', `# The ${version} docs\n`],
    ['guide.md', `# Guide\n\nThis is the ${version} version.\n`],
    ['llms.txt', `# The ${version} docs\n\n- [Home](index.md)\n`],
    ['version.json', JSON.stringify({ commit: COMMITS[version] })],
  ]);

/** A folder with both versions, and what is live of them. */
export interface Deploys {
  /** What a server has as its root: a link to one of the versions. */
  readonly current: string;
  readonly folder: (version: Version) => string;
  /** Makes a version live, all at once. */
  readonly switchTo: (version: Version) => void;
  /** Marks what the server's rules look at: `/<name>` is there. */
  readonly mark: (name: string) => void;
  readonly remove: () => void;
}

export function makeDeploys(): Deploys {
  const root = mkdtempSync(join(tmpdir(), 'docvitals-deploys-'));
  // nginx runs as somebody else when the tests run as root.
  chmodSync(root, 0o755);
  const folder = (version: Version): string => join(root, version);
  for (const [index, version] of (['old', 'new'] as const).entries()) {
    mkdirSync(folder(version));
    writeSite(files(version), folder(version));
    // nginx makes ETag and Last-Modified of time and size.
    for (const path of files(version).keys()) utimesSync(join(folder(version), path), 1e9 + index, 1e9 + index);
  }
  const current = join(root, 'current');
  const switchTo = (version: Version): void => {
    const next = join(root, 'next');
    symlinkSync(folder(version), next);
    renameSync(next, current);
  };
  switchTo('old');
  return {
    current,
    folder,
    switchTo,
    mark: (name) => writeFileSync(join(root, name), ''),
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}

/** One server for both versions: which of them answers is decided for each connection, until the mark `all-new` is set. */
const IN_TURN = `
  set $live old;
  if ($connection ~ "[02468]$") { set $live new; }
  if (-f $document_root/all-new) { set $live new; }
  rewrite ^(.*)$ /$live$1;
`;

/** Serves what is live of the deploys; `inTurn`: both versions. */
export function serveDeploys(deploys: Deploys, { inTurn = false } = {}): Promise<Nginx> {
  const root = join(deploys.current, '..');
  return inTurn ? startNginx(root, { configuration: IN_TURN }) : startNginx(deploys.current);
}

export const sourceOf = (deploys: Deploys, version: Version): Promise<Source> =>
  openSource(deploys.folder(version), deploys.current);

/** Real time, but with pauses that are a fiftieth as long. */
const HURRIED: Dependencies = {
  clock: () => performance.now(),
  now: () => Date.now(),
  random: () => 0.5,
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, ms / 50);
      signal.addEventListener('abort', () => resolve(clearTimeout(timer)), { once: true });
    }),
};

interface WaitOptions extends Partial<Waiting> {
  readonly wants?: Partial<RunRequest>;
  /** Checks beside the five. */
  readonly also?: readonly string[];
  readonly interrupt?: AbortSignal;
}

/** Waits for a site as the command does, only faster. */
export function waitFor(
  url: string,
  { wants: requested = {}, also = [], interrupt, ...waiting }: WaitOptions,
): Promise<Report> {
  const site = parseBaseUrl(url);
  if (!site.ok) throw new Error(`no URL: ${url}`);
  const options: CheckSiteOptions = {
    site,
    checks: declared.filter(({ id, full }) => full !== true || also.includes(id)),
    requested,
    ...(interrupt === undefined ? {} : { interrupt }),
  };
  return waitForSite(options, { forMs: 10_000, stable: 2, timers: HURRIED, ...waiting });
}
