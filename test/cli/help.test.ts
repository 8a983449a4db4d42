import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import stringWidth from 'string-width';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checks } from '../../checks/index.ts';
import { LANGUAGES } from '../../src/texts.ts';
import { startReceiver, type Receiver } from '../alerts/receiver.ts';
import { startHost, type Host } from '../site/host.ts';
import { writeSite } from '../site/sample.ts';
import { runCli } from './run.ts';

const BIN = fileURLToPath(new URL('../../bin/docvitals.js', import.meta.url));
const SITE_COMMANDS = ['check', 'init', 'config', 'list', 'explain', 'hosting', 'serve', 'manifest', 'completion'];
/** Those whose examples need a configuration and a database. */
const MONITOR_COMMANDS = ['monitor', 'maintenance', 'incidents', 'history', 'alert', 'status', 'drill', 'example'];
const COMMANDS = [...SITE_COMMANDS, ...MONITOR_COMMANDS];
const HELPS = [[], ...COMMANDS.map((command) => [command])];
const IDS = checks.map(({ id }) => id);

const SITE = new Map([
  ['index.html', '<!doctype html><title>Docs</title><div id="app"></div>'],
  ['config.json', '{}'],
  ['navigation.md', '- [Home](index.md)\n'],
  ['index.md', '# Docs\n'],
  ['llms.txt', '# Docs\n\n- [Home](index.md)\n'],
  ['version.json', '{"commit": "3f2a91c"}'],
]);
// The examples speak of a site at the root and of one below `/docs/`.
const SITES = new Map([...SITE].flatMap(([path, text]) => [[path, text] as const, [`docs/${path}`, text] as const]));

/** The command lines that a help text shows. */
const examplesOf = (help: string): string[] =>
  [...help.matchAll(/^ {2}(docvitals .*)$/gm)].map(([, line]) => line ?? '');

/** A folder that holds a command `docvitals`, for a shell to find, and the folders that the examples write into. */
function makeHome(): string {
  const home = mkdtempSync(join(tmpdir(), 'docvitals-home-'));
  writeFileSync(join(home, 'docvitals'), `#!/bin/sh\nexec "${process.execPath}" "${BIN}" "$@"\n`);
  chmodSync(join(home, 'docvitals'), 0o755);
  for (const folder of ['.local/share/bash-completion/completions', '.config/fish/completions']) {
    mkdirSync(join(home, folder), { recursive: true });
  }
  writeSite(SITE, join(home, 'docs'));
  return home;
}

/** The same with a monitor's configuration in it, and the database of its first look. */
async function makeMonitorHome(site: string): Promise<string> {
  const home = makeHome();
  writeFileSync(
    join(home, 'docvitals.yaml'),
    `url: ${site}\nsites: [{ id: docs, url: "${site}" }]\nalerts: [{ id: ops, webhook: { url: "\${OPS_WEBHOOK}" } }]\n`,
  );
  // What deploys in the example: here the site is live already.
  writeFileSync(join(home, 'rsync'), '#!/bin/sh\nexit 0\n', { mode: 0o755 });
  await runInShell('docvitals monitor --once', home);
  return home;
}

function runInShell(
  line: string,
  home: string,
  more: Readonly<Record<string, string>> = {},
): Promise<{ status: number | null; stderr: string }> {
  const env = {
    PATH: `${home}:${process.env['PATH'] ?? ''}`,
    OPS_WEBHOOK: 'http://127.0.0.1:9/',
    ...more,
    HOME: home,
    TOKEN: 'x',
    GITHUB_SHA: '3f2a91c',
    LC_ALL: 'C',
  };
  const child = spawn('sh', ['-c', line], { cwd: home, env, stdio: ['ignore', 'ignore', 'pipe'] });
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString('utf8')));
  return new Promise((resolve) => child.once('close', (status) => resolve({ status, stderr })));
}

describe.concurrent('help', () => {
  it.each(HELPS)('docvitals %s --help, in 80 columns', async (...command) => {
    const long = await runCli([...command, '--help']);
    expect({ status: long.status, stderr: long.stderr }).toEqual({ status: 0, stderr: '' });
    expect(long.stdout).toMatch(/^Usage: docvitals/);
    const prose = long.stdout.split('\n').filter((line) => !line.startsWith('  docvitals '));
    expect(prose.filter((line) => stringWidth(line) > 80)).toEqual([]);
  });

  it('docvitals help <command> is its --help', async () => {
    const [help, asked] = [await runCli(['help', 'serve']), await runCli(['serve', '--help'])];
    expect([help.status, help.stdout]).toEqual([0, asked.stdout]);
  });

  it('names every command, also as -h', async () => {
    const { stdout } = await runCli(['-h']);
    for (const command of COMMANDS) expect(stdout).toContain(`\n  ${command} `);
  });

  it('names every option of the check', async () => {
    const { stdout } = await runCli(['check', '--help']);
    const options = ['only', 'skip', 'format', 'report', 'lang', 'timeout', 'deadline', 'retries', 'header', 'resolve'];
    const more = ['ipv4', 'ipv6', 'config', 'strict', 'verbose', 'quiet', 'no-color'];
    for (const option of [...options, ...more]) expect(stdout).toMatch(new RegExp(`^ +--${option}\\b`, 'm'));
    expect(examplesOf(stdout)).not.toEqual([]);
  });

  it('is shown, and the status says so, when nothing is asked for', async () => {
    const { status, stdout, stderr } = await runCli([]);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toMatch(/^Usage: docvitals/);
  });

  it('--version is that of the package', async () => {
    const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
      version: string;
    };
    const results = await Promise.all([runCli(['--version']), runCli(['-V'])]);
    for (const { status, stdout, stderr } of results) {
      expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: `${version}\n`, stderr: '' });
    }
  });
});

/** `fpath` is zsh's own; these two have no end (test/hosting and test/monitor run them). */
const NOT_RUN = /fpath|^docvitals serve |^docvitals monitor(?!.* --once)/;

describe.skipIf(process.platform === 'win32')('every example of the help', () => {
  let host: Host;
  let receiver: Receiver;
  beforeAll(async () => {
    [host, receiver] = await Promise.all([startHost(SITES, { fallback: false }), startReceiver()]);
  });
  afterAll(async () => Promise.all([host.close(), receiver.stop()]));

  it.each(HELPS)('of docvitals %s runs', async (...command) => {
    const { stdout } = await runCli([...command, '--help'], { env: { COLUMNS: '200' } });
    const isMonitors = MONITOR_COMMANDS.includes(command[0] ?? '');
    const home = isMonitors ? await makeMonitorHome(host.url) : makeHome();
    const lines = examplesOf(stdout).filter((line) => !NOT_RUN.test(line));
    expect(isMonitors && lines.length === 0).toBe(false);
    for (const line of lines) {
      const here = line
        .replace(/https:\/\/([^/]+)\//, `http://$1:${host.port}/`)
        .replace(/:443:192\.0\.2\.7/, `:${host.port}:127.0.0.1`)
        .replace(/^docvitals check http\S+/, `$& --resolve '*:${host.port}:127.0.0.1' --retries 0`)
        .replaceAll(/\/(?:var\/lib\/docvitals|srv\/www)\//g, `${home}/`)
        .replace(/http\S+\.git/, 'docs')
        .replace(/ --url http:\/\/[^/]+/, ` --url http://127.0.0.1:${host.port}`);
      expect({ line, ...(await runInShell(here, home, { OPS_WEBHOOK: receiver.url })) }).toEqual({
        line,
        status: 0,
        stderr: '',
      });
    }
  });
});

describe.concurrent('list', () => {
  it.each(LANGUAGES)('tells one check a line (%s)', async (language) => {
    const { status, stdout, stderr } = await runCli(['list', '--lang', language]);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const rows = stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.split(/ {2,}/));
    expect(rows.map(([id]) => id)).toEqual(IDS);
    expect(rows.map(([, , target]) => target)).toEqual(checks.map(({ target }) => `GET /${target}`));
    expect(new Set(rows.map(([, title]) => title)).size).toBe(IDS.length);
  });

  it('tells the checks of the configuration too', async () => {
    const cwd = mkdtempSync(join(tmpdir(), 'docvitals-list-'));
    writeFileSync(
      join(cwd, 'docvitals.yaml'),
      'checks:\n  - id: robots-file\n    title: Robots file\n    path: robots.txt\n',
    );
    const { stdout } = await runCli(['list'], { cwd });
    expect(stdout.trimEnd().split('\n').at(-1)).toMatch(/^robots-file +Robots file +GET \/robots\.txt$/);
  });
});

describe.concurrent('explain', () => {
  // Their width is asserted of the texts themselves, in all languages.
  it.each(IDS)('%s', async (id) => {
    const { status, stdout, stderr } = await runCli(['explain', id, '--lang', 'ro']);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toMatch(/^# \S/);
    expect(stdout).toMatch(/^## /m);
  });

  it.each(LANGUAGES)('one finding in %s', async (language) => {
    const { status, stdout, stderr } = await runCli(['explain', 'config/trailing-comma', '--lang', language]);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toMatch(/^# config\/trailing-comma\n/);
    expect(stdout).toContain('--only config');
    expect(stdout).toContain('config/trailing-comma: off');
  });

  it('a rule by its bare name, and the checks that report it', async () => {
    const { status, stdout } = await runCli(['explain', 'spa-fallback']);
    expect(status).toBe(0);
    expect(stdout).toMatch(/^Reported by: .*\bnavigation\b/m);
  });

  it('a check with all its rules, those that it shares included', async () => {
    const { stdout } = await runCli(['explain', 'navigation']);
    expect(stdout).toContain('`navigation/no-links` (');
    expect(stdout).toContain('`navigation/spa-fallback` (error)');
  });

  it('as JSON', async () => {
    const [one, all] = await Promise.all([
      runCli(['explain', 'navigation/spa-fallback', '--format', 'json']),
      runCli(['explain', 'navigation', '--format', 'json']),
    ]);
    expect(JSON.parse(one.stdout)).toMatchObject({
      check: 'navigation',
      rule: 'navigation/spa-fallback',
      severity: 'error',
    });
    const { rules } = JSON.parse(all.stdout) as { rules: { rule: string }[] };
    expect(rules.map(({ rule }) => rule)).toContain('navigation/dns-not-found');
  });

  it('a check of the configuration, with the title and the fix of the user', async () => {
    const cwd = mkdtempSync(join(tmpdir(), 'docvitals-explain-'));
    const fix = 'fix: {en: Put it back., ro: "Puneți-l la loc.", fr: Remettez-le.}';
    writeFileSync(
      join(cwd, 'docvitals.yaml'),
      `checks:\n  - {id: robots-file, title: Robots file, path: robots.txt, ${fix}}\n`,
    );
    const [page, finding] = await Promise.all([
      runCli(['explain', 'robots-file'], { cwd }),
      runCli(['explain', 'robots-file/not-found', '--lang', 'ro'], { cwd }),
    ]);
    expect([page.status, finding.status]).toEqual([0, 0]);
    expect(page.stdout).toMatch(/^# Robots file\n/);
    expect(finding.stdout).toContain('Puneți-l la loc.');
  });
});
