/**
 * `npm run demo`: serves docvitals' own documentation on loopback, checks it, then checks a copy with three faults.
 * Exits 0 when docvitals said of both what it should, 1 otherwise.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { styleText } from 'node:util';
import { buildSite } from '../../src/build/site/build.ts';
import { startHost } from '../site/host.ts';
import type { SiteFiles } from '../site/sample.ts';

const BIN = fileURLToPath(new URL('../../bin/docvitals.js', import.meta.url));
const BUILT = fileURLToPath(new URL('../../dist/cli.cjs', import.meta.url));
const REPORT = 'report.json';

interface Outcome {
  readonly exit: number | null;
  /** Ids of the checks that failed; `null` when no report was written. */
  readonly failed: readonly string[] | null;
}

/** The documentation site, as `npm run docs` builds it. */
async function documentation(folder: string): Promise<SiteFiles> {
  await buildSite(folder);
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return new Map(
    entries.map(({ parentPath, name }) => {
      const file = join(parentPath, name);
      return [relative(folder, file).replaceAll(sep, '/'), readFileSync(file)];
    }),
  );
}

/** A copy with three faults of the kind that a deployment brings. */
function brokenSite(healthy: SiteFiles): SiteFiles {
  const site = new Map(healthy);
  site.set('config.json', String(site.get('config.json')).replace(/\n\}\n$/, ',\n}\n'));
  site.delete('navigation.md');
  // In memory, because not every file system can tell Index.md from index.md.
  site.set('Index.md', site.get('index.md') ?? '');
  site.delete('index.md');
  return site;
}

function say(...lines: readonly string[]): void {
  for (const line of lines) console.log(line);
}

const heading = (text: string): void => say('', styleText('bold', text), '');

/** Runs the real command on an address; its output goes where this script's own goes, colours included. */
function run(url: string, cwd: string): Promise<Outcome> {
  const args = ['check', url, '--report', `json=${REPORT}`];
  say(styleText('dim', `$ docvitals ${args.join(' ')}`), '');
  // A proxy in the environment would be requested the loopback address, too.
  const env = { ...process.env, NO_PROXY: '127.0.0.1', no_proxy: '127.0.0.1' };
  const child = spawn(process.execPath, [BIN, ...args], { cwd, env, stdio: 'inherit' });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (exit) => resolve({ exit, failed: failedChecks(join(cwd, REPORT)) }));
  });
}

function failedChecks(file: string): string[] | null {
  if (!existsSync(file)) return null;
  const { checks } = JSON.parse(readFileSync(file, 'utf8')) as { checks: { id: string; status: string }[] };
  rmSync(file);
  return checks.filter(({ status }) => status === 'fail').map(({ id }) => id);
}

/** Serves a site as a single-page host does: what is not there is answered with index.html. */
async function checkSite(site: SiteFiles, cwd: string): Promise<Outcome> {
  const host = await startHost(site, { fallback: true });
  try {
    return await run(host.url, cwd);
  } finally {
    await host.close();
  }
}

function inWords({ failed }: Outcome): string {
  if (failed === null) return 'unknown, for no report was written';
  return failed.length === 0 ? 'none' : failed.join(', ');
}

const isAsExpected = (outcome: Outcome, exit: number, failed: string): boolean =>
  outcome.exit === exit && outcome.failed?.join(' ') === failed;

async function demo(cwd: string): Promise<boolean> {
  heading('1. The documentation of docvitals, freshly deployed');
  const site = await documentation(join(cwd, 'site'));
  const healthy = await checkSite(site, cwd);

  heading('2. The same site with three faults');
  say(
    'config.json has a trailing comma; navigation.md was not deployed; index.md was deployed as Index.md.',
    'This host answers index.html, with status 200, for every file that is not there.',
    '',
  );
  const broken = await checkSite(brokenSite(site), cwd);

  const right = isAsExpected(healthy, 0, '') && isAsExpected(broken, 1, 'config navigation home');
  heading(right ? 'What you saw' : 'This is not what docvitals should have said');
  say(
    `The healthy site: exit status ${healthy.exit}, failed: ${inWords(healthy)}.`,
    `The broken copy:  exit status ${broken.exit}, failed: ${inWords(broken)}.`,
  );
  return right;
}

if (!existsSync(BUILT)) {
  say('The command has not been built yet. Run `npm ci` (or `npm run build`) first.');
  process.exitCode = 1;
} else {
  const cwd = mkdtempSync(join(tmpdir(), 'docvitals-demo-'));
  const right = await demo(cwd).finally(() => rmSync(cwd, { recursive: true, force: true }));
  say('', 'Next, check a site of yours:  npm start -- check https://docs.example.org/', '');
  process.exitCode = right ? 0 : 1;
}
