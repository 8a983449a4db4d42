/** Commands that look at a site and report by their exit status whether it is healthy. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { run, type Command } from './command.ts';
import { FAULT_IDS, FILES, type Fault, type FaultId } from './faults.ts';
import type { Scene } from './host.ts';
import type { Contender } from './measure.ts';
import { peer, type PeerName } from './peers.ts';
import { FOLDER, newFolder } from './session.ts';
import { HEADINGS } from './site.ts';

export interface Checker {
  readonly name: string;
  readonly needs: readonly PeerName[];
  /** The five files of a site, all of it, or its pages in a browser. */
  readonly looksAt: 'core' | 'tree' | 'pages';
  /** Faults that it has to find: if it does not, its time is worth nothing. */
  readonly claims: readonly string[];
  command(scene: Scene): Command;
  /** Whether it found a fault, by its output for this site and for a healthy one. Default: by its exit status. */
  readonly finds?: (fault: Fault, output: string, healthy: string) => boolean;
  /** Why it did not do all of its work, though it found nothing wrong. */
  readonly skipped?: (output: string) => string | undefined;
  /** It answers another question: a healthy site may fail. */
  readonly isElsewhere?: true;
}

/** Measures it on a healthy site. */
export const contender =
  (checker: Checker, scene: Scene): Contender =>
  async () => {
    const { status, output, cost } = await run(checker.command(scene));
    const failed = status !== 0 && checker.isElsewhere !== true ? `${status} for a healthy site` : undefined;
    const problem = failed ?? checker.skipped?.(output);
    if (problem !== undefined) throw new Error(`${checker.name}: ${problem}\n${output.slice(-1000)}`);
    return cost;
  };

export const BIN = fileURLToPath(new URL('../../bin/docvitals.js', import.meta.url));

/** A home where nothing was ever kept. */
export function newHome(): Readonly<Record<string, string>> {
  const home = newFolder('home');
  return { HOME: home, TMPDIR: home };
}

const ours = (options: readonly string[] = [], env: () => Command['env'] = () => ({})) => ({
  needs: [],
  command: ({ url, authority }: Scene): Command => ({
    argv: [process.execPath, BIN, 'check', url, ...options],
    env: { ...(authority === undefined ? {} : { NODE_EXTRA_CA_CERTS: authority }), ...env() },
  }),
  finds: ({ rule = '' }: Fault, output: string): boolean => output.includes(`  ${rule}`),
});

const core = { looksAt: 'core', claims: FAULT_IDS } as const;
const tree = { looksAt: 'tree', claims: ['page-missing'] } as const;
const pages = { looksAt: 'pages', claims: ['script-missing', 'route-missing'] } as const;

export const docvitals: Checker = { name: 'docvitals', ...core, ...ours() };
export const docvitalsFirst: Checker = { name: 'docvitals, first run', ...core, ...ours([], newHome) };

/** The whole site, of so many pages. */
export const docvitalsFull = (count: number, name = 'docvitals --full'): Checker => ({
  name,
  ...tree,
  ...ours(['--full', '--max-pages', String(2 * count)]),
  skipped: fewerThan(count, /\bPages: ([\d,]+)/),
});

export const docvitalsBrowser: Checker = {
  name: 'docvitals --browser',
  ...pages,
  needs: ['chromium'],
  command: (scene) =>
    ours(['--browser-path', peer('chromium').argv[0] ?? '', '--browser', '--only', 'rendered']).command(scene),
  skipped: (output) => (output.includes('×6') ? undefined : 'not all pages were opened'),
};

function fewerThan(count: number, pattern: RegExp) {
  return (output: string): string | undefined => {
    const seen = Number(pattern.exec(output)?.[1]?.replaceAll(',', '') ?? 0);
    return seen < count ? `only ${seen} of ${count} pages were checked` : undefined;
  };
}

const urls = ({ url }: Scene): readonly string[] => Object.values(FILES).map((file) => url + file);

/** What a status shows. */
const BY_STATUS: readonly FaultId[] = ['bundle-missing', 'config-missing', 'navigation-error', 'llms-missing'];

const trust = ({ authority }: Scene): Readonly<Record<string, string>> =>
  authority === undefined ? {} : { CURL_CA_BUNDLE: authority };

/** A script of contenders/, with curl and jq first on its PATH. */
const script = (name: string, file: string): Checker => ({
  name,
  ...core,
  needs: ['curl', 'jq'],
  command(scene) {
    const tools = [peer('curl'), peer('jq')];
    const folders = tools.map(({ argv: [program = ''] }) => path.dirname(program));
    const PATH = [...new Set([...folders, '/usr/bin', '/bin'])].join(path.delimiter);
    const env = { ...tools[0]?.env, ...tools[1]?.env, ...trust(scene), PATH };
    return { argv: ['/bin/sh', path.join(import.meta.dirname, 'contenders', file), scene.url], env };
  },
});
export const curlScript = script('curl × 5 + grep + jq', 'curl-five.sh');
export const curlParallelScript = script('curl -Z + grep + jq', 'curl-parallel.sh');

/** One curl that fetches the five files, and checks nothing but the status. */
const curl = (
  name: string,
  options: readonly string[] = [],
  env: (scene: Scene) => Command['env'] = trust,
): Checker => ({
  name,
  needs: ['curl'],
  looksAt: 'core',
  claims: BY_STATUS,
  command: (scene) => ({
    argv: [
      ...peer('curl').argv,
      '--parallel',
      '--fail',
      '--no-progress-meter',
      ...urls(scene).flatMap((url) => ['--output', '/dev/null', url]),
      ...options,
    ],
    env: { ...peer('curl').env, ...env(scene) },
  }),
});
export const curlParallel = curl('curl -Z');
/** It opens all connections at once, instead of waiting whether one is enough for all. */
export const curlImmediate = curl('curl -Z --parallel-immediate', ['--parallel-immediate']);
export const curlCompressed = curl('curl -Z --compressed', ['--compressed']);

/** Where Debian's curl looks for them. */
const SYSTEM_ROOTS = '/etc/ssl/certs/ca-certificates.crt';

/** It also trusts the system's authorities, as for a public site: reading that file takes a while. */
export const curlWithRoots = curl("curl -Z with the system's roots", [], ({ authority = '' }) => {
  const CURL_CA_BUNDLE = path.join(FOLDER, 'roots.pem');
  const files = [SYSTEM_ROOTS, authority].filter(existsSync);
  writeFileSync(CURL_CA_BUNDLE, files.map((file) => readFileSync(file, 'utf8')).join('\n'));
  return { CURL_CA_BUNDLE };
});

/** Five times the plugin of monitoring hosts. It parses no JSON, and verifies no certificate. */
export const checkHttp: Checker = {
  name: 'check_http × 5',
  needs: ['check_http'],
  looksAt: 'core',
  claims: FAULT_IDS.filter((id) => id !== 'config-json'),
  command({ port, authority }) {
    const { argv, env } = peer('check_http');
    const file = path.join(import.meta.dirname, 'contenders', 'check-http-five.sh');
    const tls = authority === undefined ? [] : ['-S', '--sni'];
    return { argv: ['/bin/sh', file, ...argv, String(port), ...tls], env };
  },
};

/** It checks links only: a file that is received is good. */
export const linkinator: Checker = {
  name: 'linkinator',
  needs: ['linkinator'],
  looksAt: 'core',
  claims: BY_STATUS,
  command: (scene) => ({ argv: [...peer('linkinator').argv, ...urls(scene)] }),
};

/** It checks how well agents can read a site: a healthy site fails some of its checks. */
export const afdocs: Checker = {
  name: 'afdocs',
  needs: ['afdocs'],
  looksAt: 'core',
  claims: [],
  command: ({ url }) => ({ argv: [...peer('afdocs').argv, 'check', url, '--quiet'] }),
  isElsewhere: true,
  // Lines such as `✗ llms-txt-exists: …`.
  finds(_, output, healthy) {
    const failed = (text: string): string[] => [...text.matchAll(/✗ ([\w-]+):/g)].flatMap(([, check]) => check ?? []);
    return failed(output).some((check) => !failed(healthy).includes(check));
  },
};

/**
 * In the folder of the sources, which it serves to itself and renders: the only way in which it reads Markdown. It looks
 * for missing files, not for headings (`--check-fragments`), as `docvitals --full` does.
 */
export const linkinatorTree = (count: number): Checker => ({
  name: 'linkinator --recurse --markdown',
  ...tree,
  needs: ['linkinator'],
  command: ({ root }) => ({
    argv: [...peer('linkinator').argv, '**/*.md', '--recurse', '--markdown'],
    cwd: root,
  }),
  skipped: fewerThan(count, /scanned (\d+) links/),
});

/** All files of a site, fetched and thrown away, six at once. */
const curlTreeWith = (name: string, options: readonly string[]): Checker => ({
  name,
  needs: ['curl'],
  looksAt: 'tree',
  claims: [],
  command({ root, url }) {
    const entries = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const paths = entries.map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)));
    const list = path.join(FOLDER, 'urls.txt');
    writeFileSync(list, paths.map((file) => `url = "${url}${file}"\noutput = "/dev/null"\n`).join(''));
    const { argv, env } = peer('curl');
    return { argv: [...argv, '--silent', '--parallel', '--parallel-max', '6', '--config', list, ...options], env };
  },
});
export const curlTree = curlTreeWith('curl, six at once', []);
export const curlTreeCompressed = curlTreeWith('curl --compressed, six at once', ['--compressed']);

/** It asserts one heading on each page, and nothing else. */
export const playwright: Checker = {
  name: 'playwright test, one heading a page',
  ...pages,
  needs: ['chromium', 'playwright'],
  command({ url }) {
    const { argv } = peer('playwright');
    const executablePath = peer('chromium').argv[0];
    const launchOptions = { executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'] };
    const settings = { testDir: FOLDER, testMatch: 'pages.spec.mjs', reporter: 'line', use: { launchOptions } };
    const config = path.join(FOLDER, 'playwright.config.mjs');
    writeFileSync(config, `export default ${JSON.stringify(settings)};\n`);
    const library = path.join(path.dirname(argv[1] ?? ''), 'test.mjs');
    const tests = HEADINGS.map(
      ([route = '', name]) => `test(${JSON.stringify(route)}, async ({ page }) => {
  await page.goto(${JSON.stringify(url + route)});
  await expect(page.getByRole('heading', { name: ${JSON.stringify(name)}, exact: true }).first()).toBeVisible();
});\n`,
    );
    writeFileSync(
      path.join(FOLDER, 'pages.spec.mjs'),
      `import { expect, test } from ${JSON.stringify(library)};\n${tests.join('')}`,
    );
    return { argv: [...argv, 'test', '--config', config] };
  },
  skipped: (output) => (output.includes('6 passed') ? undefined : 'not all pages were opened'),
};

/** It measures much more of a page, and opens one page a run. */
export const lighthouse: Checker = {
  name: 'lighthouse, six runs',
  looksAt: 'pages',
  claims: [],
  needs: ['chromium', 'lighthouse'],
  command({ url }) {
    const flags = ['--quiet', '--output=json', '--output-path=/dev/null', '--chrome-flags=--headless --no-sandbox'];
    const loop = 'for url in $URLS; do "$@" "$url" || exit 1; done';
    const URLS = HEADINGS.map(([route = '']) => url + route).join(' ');
    const env = { URLS, CHROME_PATH: peer('chromium').argv[0] ?? '' };
    return { argv: ['/bin/sh', '-c', loop, 'sh', ...peer('lighthouse').argv, ...flags], env };
  },
};
