/** A folder given as `--source` may hold what somebody has only proposed: nothing that its `.git` names is started. */
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runCli } from '../cli/run.ts';
import { listen, type Host } from '../site/host.ts';

/** Keys whose value is a program, a command line, or what leads to one, by the names that Git's own list has (`git help --config`). */
const STARTS =
  /command|cmd$|program$|helper$|hook$|pager|editor$|external$|textconv$|clean$|smudge$|process$|askpass$|proxy$|fsmonitor$|uploadpack$|receivepack$|vcs$|driver$|viewer$|tool$|diffFilter$|^alias\.|^credential\./i;

/** With another value than true or false, Git ends before it reads anything. */
const IS_SWITCH = /^(?:advice|color|column)\.|\.cachetextconv$/;

/** Those that matter most, whatever this version of Git lists. */
const KNOWN = [
  'core.fsmonitor',
  'core.sshCommand',
  'core.pager',
  'core.editor',
  'core.askPass',
  'core.gitProxy',
  'core.alternateRefsCommand',
  'credential.helper',
  'diff.external',
  'diff.<driver>.command',
  'diff.<driver>.textconv',
  'filter.<driver>.clean',
  'filter.<driver>.smudge',
  'filter.<driver>.process',
  'gpg.program',
  'gpg.ssh.program',
  'gpg.ssh.defaultKeyCommand',
  'uploadpack.packObjectsHook',
  'remote.<name>.uploadpack',
  'remote.<name>.vcs',
  'alias.rev-parse',
  'pager.log',
];

const HOOKS = ['fsmonitor-watchman', 'post-index-change', 'reference-transaction', 'post-checkout', 'pre-commit'];

let folder: string;
let host: Host;
let marker: string;
let program: string;

const git = (...args: readonly string[]): string =>
  execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@example.org', ...args], {
    cwd: folder,
    encoding: 'utf8',
  }).trim();

beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'docvitals-git-'));
  marker = path.join(folder, 'ran');
  program = path.join(folder, 'program');
  writeFileSync(program, `#!/bin/sh\ntouch '${marker}'\nexit 1\n`);
  chmodSync(program, 0o755);
  mkdirSync(path.join(folder, 'docs'));
  writeFileSync(path.join(folder, 'docs/index.md'), '# Home\n');
  writeFileSync(path.join(folder, 'docs/.gitattributes'), '* filter=any diff=any merge=any\n');
  git('init', '--quiet');
  git('add', 'docs');
  git('commit', '--quiet', '--message', 'docs');
  host = await listen(({ url = '' }, response) => {
    const there = url === '/index.md';
    response.writeHead(there ? 200 : 404, { 'content-type': 'text/markdown' }).end(there ? '# Home\n' : '');
  });
});
afterEach(async () => {
  rmSync(folder, { recursive: true, force: true });
  await host.close();
});

/** Sections without a name in angle brackets, and `any` for those with one. */
function configure(keys: readonly string[]): void {
  const lines = keys.map((key) => {
    const parts = key.replaceAll(/<[^>]*>|\*/g, 'any').split('.');
    const [section, name] = [parts[0], parts.at(-1)];
    const middle = parts.slice(1, -1).join('.');
    return `[${section}${middle === '' ? '' : ` "${middle}"`}]\n\t${name} = ${program}\n`;
  });
  writeFileSync(path.join(folder, '.git/more'), lines.join(''));
  git('config', 'include.path', 'more');
  for (const hooks of [path.join(folder, 'hooks'), path.join(folder, '.git/hooks')]) {
    mkdirSync(hooks, { recursive: true });
    for (const hook of HOOKS) {
      writeFileSync(path.join(hooks, hook), `#!/bin/sh\ntouch '${marker}'\n`);
      chmodSync(path.join(hooks, hook), 0o755);
    }
  }
  git('config', 'core.hooksPath', path.join(folder, 'hooks'));
  git('config', 'log.showSignature', 'true');
}

/** What a check of the source reports: its status and findings, or the error that ends the command. */
async function check(source: string): Promise<string> {
  const args = ['check', host.url, '--only', 'source', '--source', source, '--format', 'json'];
  const { stdout, stderr } = await runCli(args, { cwd: folder });
  if (stdout === '') return stderr;
  const { checks } = JSON.parse(stdout) as {
    readonly checks: readonly { readonly status: string; readonly findings: readonly object[] }[];
  };
  return checks
    .map(({ status, findings }) => [status, ...findings.map((each) => JSON.stringify(each))].join(' '))
    .join();
}

describe.skipIf(process.platform === 'win32')('a repository that names programs', () => {
  it('is read without starting any of them', async () => {
    const listed = execFileSync('git', ['help', '--config'], { encoding: 'utf8' }).split('\n');
    const keys = new Set([...KNOWN, ...listed.filter((key) => STARTS.test(key) && !IS_SWITCH.test(key))]);
    configure([...keys]);
    expect(keys.size).toBeGreaterThan(50);
    expect(await Promise.all(['docs', 'HEAD:docs'].map(check))).toEqual(['pass', 'pass']);
    expect(existsSync(marker)).toBe(false);
  });

  it('and that lacks objects is not completed from the remote that it names', async () => {
    const object = git('rev-parse', 'HEAD:docs/index.md');
    configure(KNOWN);
    for (const [key, value] of [
      ['extensions.partialClone', 'origin'],
      ['core.repositoryFormatVersion', '1'],
      ['remote.origin.promisor', 'true'],
      ['remote.origin.url', folder],
      ['remote.origin.uploadpack', program],
      ['protocol.allow', 'always'],
    ] as const)
      git('config', key, value);
    rmSync(path.join(folder, '.git/objects', object.slice(0, 2), object.slice(2)));
    const [ofFolder, ofTree] = await Promise.all(['docs', 'HEAD:docs'].map(check));
    expect(existsSync(marker)).toBe(false);
    expect([ofFolder, ofTree]).toEqual(['pass', expect.stringContaining('git fetch --refetch --no-filter')]);
  });
});
