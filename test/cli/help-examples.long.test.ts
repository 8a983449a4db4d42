import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startReceiver, type Receiver } from '../alerts/receiver.ts';
import { startHost, type Host } from '../site/host.ts';
import { writeSite } from '../site/sample.ts';
import { runCli } from './run.ts';

const BIN = fileURLToPath(new URL('../../bin/docvitals.js', import.meta.url));
const SITE_COMMANDS = ['check', 'init', 'config', 'explain', 'hosting', 'serve', 'manifest', 'completion'];
/** Those whose examples need a configuration and a database. */
const MONITOR_COMMANDS = ['monitor', 'maintenance', 'incidents', 'history', 'alert', 'status', 'drill', 'example'];
const COMMANDS = [...SITE_COMMANDS, ...MONITOR_COMMANDS];
const HELPS = [[], ...COMMANDS.map((command) => [command])];

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

/** `fpath` is zsh's own; test/hosting and test/monitor run what has no end, and what needs PostgreSQL. */
const NOT_RUN = /fpath|postgres:|^docvitals serve |^docvitals monitor(?!.* --once)/;

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
