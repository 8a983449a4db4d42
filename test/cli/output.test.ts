/** Reports that are written: to pipes, devices and files; whole, or told to be missing. */
import { spawn } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import type { ChildProcess } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ReportDocument } from '../../src/report/document.ts';
import { listen } from '../site/host.ts';
import type { Host } from '../site/host.ts';
import { canBeBound, runCli } from './run.ts';

const BIN = fileURLToPath(new URL('../../bin/docvitals.js', import.meta.url));
const posix = process.platform !== 'win32';
const hasFull = existsSync('/dev/full');

const FILES: Readonly<Record<string, readonly [type: string, body: string]>> = {
  'index.html': ['text/html', '<!doctype html><title>Docs</title><div id="app"></div>'],
  'config.json': ['application/json', '{}'],
  'navigation.md': ['text/markdown', '- [Home](index.md)\n'],
  'index.md': ['text/markdown', '# Docs\n'],
  'llms.txt': ['text/plain', '# Docs\n\n- [Home](index.md)\n'],
};

let host: Host;
let requests = 0;
beforeAll(async () => {
  host = await listen(({ url = '' }, response) => {
    requests++;
    const [type, body] = FILES[url.split('/').at(-1) ?? ''] ?? [];
    if (type === undefined) response.writeHead(404).end();
    else response.writeHead(200, { 'content-type': type }).end(body);
  });
});
afterAll(async () => host.close());

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'docvitals-output-'));
});

const parsed = (text: string): ReportDocument => JSON.parse(text) as ReportDocument;
const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
const LANGUAGES = ['en', 'ro', 'fr'] as const;

/** Runs `docvitals <line>` in a shell. */
async function inShell(line: string): Promise<{ status: number | null; stdout: string; stderr: string }> {
  const child = spawn('sh', ['-c', `"${process.execPath}" "${BIN}" ${line}`], {
    stdio: ['ignore', 'pipe', 'pipe'],
    cwd: folder,
  });
  const printed = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => (printed.stdout += chunk.toString('utf8')));
  child.stderr.on('data', (chunk: Buffer) => (printed.stderr += chunk.toString('utf8')));
  const status = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { status, ...printed };
}

describe('standard output that is full', () => {
  const commands: readonly { name: string; args: () => string[] }[] = [
    { name: 'check', args: () => ['check', host.url] },
    { name: 'check --format json', args: () => ['check', host.url, '--format', 'json'] },
    { name: 'explain without an argument', args: () => ['explain'] },
    { name: 'explain', args: () => ['explain', 'config'] },
    { name: 'completion', args: () => ['completion', 'bash'] },
    { name: '--help', args: () => ['--help'] },
    { name: 'check --help', args: () => ['check', '--help'] },
    { name: '--version', args: () => ['--version'] },
  ];

  it.runIf(hasFull).each(commands)('$name: reported in one line, exit 3', async ({ args }) => {
    const full = openSync('/dev/full', 'w');
    const { status, stderr } = await runCli(args(), { stdout: full });
    closeSync(full);
    expect(stderr).toMatch(/^docvitals: .*ENOSPC.*\n$/);
    expect(status).toBe(3);
  });

  it.runIf(hasFull)('is reported in each language', async () => {
    const full = openSync('/dev/full', 'w');
    const results = await Promise.all(
      LANGUAGES.map((language) => runCli(['check', host.url, '--lang', language], { stdout: full })),
    );
    closeSync(full);
    expect(new Set(results.map(({ stderr }) => stderr)).size).toBe(3);
    for (const { stderr } of results.slice(1)) expect(stderr).not.toContain('standard output');
  });
});

describe('standard error that is full', () => {
  it.runIf(hasFull).each([
    { name: 'a usage error', line: () => 'check file:///srv', status: 2 },
    {
      name: 'a report that cannot be written',
      line: () => `check ${host.url} --report json=/dev/full`,
      status: 3,
    },
  ])('does not change the status of $name', async ({ line, status }) => {
    expect((await inShell(`${line()} 2>/dev/full`)).status).toBe(status);
  });
});

describe('a reader that goes away', () => {
  const leave = (child: ChildProcess): void => {
    child.stdout?.destroy();
  };

  it.each([
    { name: 'check', args: () => ['check', host.url] },
    { name: 'check --format json', args: () => ['check', host.url, '--format', 'json'] },
    { name: 'explain without an argument', args: () => ['explain'] },
    { name: 'explain', args: () => ['explain', 'config'] },
    { name: 'completion', args: () => ['completion', 'zsh'] },
    { name: '--help', args: () => ['--help'] },
  ])('$name: nothing is said of it', async ({ args }) => {
    const { status, stderr } = await runCli(args(), { onStart: leave });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });

  it('does not change what is said of the site', async () => {
    const { status, stderr } = await runCli(['check', `${host.url}nowhere`, '--only', 'home', '--strict'], {
      onStart: leave,
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const refused = await runCli(['check', 'http://127.0.0.1:1/', '--retries', '0'], { onStart: leave });
    expect({ status: refused.status, stderr: refused.stderr }).toEqual({ status: 1, stderr: '' });
  });

  it.runIf(posix)('through a shell: | head -1', async () => {
    const { stdout, stderr } = await inShell(`check ${host.url} --verbose | head -1`);
    expect({ stdout, stderr }).toEqual({ stdout: `${host.url}\n`, stderr: '' });
  });
});

describe('a large report', () => {
  it('arrives whole through a pipe and in a file', async () => {
    const contains = Array.from(
      { length: 20 },
      (_, index) => `${String(index).padStart(3, '0')} ${'is not there '.repeat(14)}`,
    );
    const checks = Array.from({ length: 60 }, (_, index) => ({
      id: `own-${index}`,
      title: `Own ${index}`,
      path: 'index.md',
      expect: { contains },
    }));
    writeFileSync(join(folder, 'docvitals.json'), JSON.stringify({ checks }));
    const { status, stdout } = await runCli(['check', host.url, '--format', 'json', '--report', 'json=copy.json'], {
      cwd: folder,
    });
    expect(status).toBe(1);
    expect(stdout.length).toBeGreaterThan(500_000);
    expect(parsed(stdout).checks).toHaveLength(65);
    expect(stdout.endsWith('}\n')).toBe(true);
    expect(read('copy.json')).toBe(stdout);
  });
});

describe('--report', () => {
  const check = (...reports: string[]) =>
    runCli(['check', host.url, ...reports.flatMap((report) => ['--report', report])], { cwd: folder });

  it('several reports cost one run', async () => {
    requests = 0;
    const { status, stdout } = await check('json=a.json', 'json=b.json', 'pretty=c.txt');
    expect([status, requests]).toEqual([0, 5]);
    expect(readdirSync(folder).toSorted()).toEqual(['a.json', 'b.json', 'c.txt']);
    expect(read('a.json')).toBe(read('b.json'));
    expect(read('c.txt')).toBe(stdout);
    expect(parsed(read('a.json')).verdict).toBe('healthy');
  });

  it('is whole whatever standard output shows', async () => {
    const { stdout } = await runCli(['check', host.url, '--quiet', '--report', 'json=a.json'], { cwd: folder });
    expect(stdout).not.toContain('index.md');
    expect(parsed(read('a.json')).checks).toHaveLength(5);
  });

  it('takes a name with an equals sign, spaces and letters of any script', async () => {
    await check('json=ra=port é 用.json');
    expect(parsed(read('ra=port é 用.json')).schemaVersion).toBe(1);
  });

  it('replaces what was there and leaves nothing behind', async () => {
    writeFileSync(join(folder, 'a.json'), 'x'.repeat(100_000));
    await check('json=a.json');
    expect(parsed(read('a.json')).verdict).toBe('healthy');
    expect(readdirSync(folder)).toEqual(['a.json']);
  });

  it.runIf(posix).each(['600', '640', '664', '666'])('keeps the mode %s of a file that was there', async (octal) => {
    const mode = Number.parseInt(octal, 8);
    writeFileSync(join(folder, 'a.json'), '');
    chmodSync(join(folder, 'a.json'), mode);
    await check('json=a.json');
    expect(statSync(join(folder, 'a.json')).mode & 0o777).toBe(mode);
    expect(parsed(read('a.json')).verdict).toBe('healthy');
  });

  it.runIf(posix)('makes a new file as any program does', async () => {
    await check('json=a.json');
    writeFileSync(join(folder, 'b.json'), '');
    expect(statSync(join(folder, 'a.json')).mode).toBe(statSync(join(folder, 'b.json')).mode);
  });

  it.runIf(posix)('follows a link', async () => {
    mkdirSync(join(folder, 'real'));
    writeFileSync(join(folder, 'real/a.json'), '');
    symlinkSync('real/a.json', join(folder, 'link.json'));
    await check('json=link.json');
    expect(lstatSync(join(folder, 'link.json')).isSymbolicLink()).toBe(true);
    expect(parsed(read('real/a.json')).verdict).toBe('healthy');
    expect(readdirSync(join(folder, 'real'))).toEqual(['a.json']);
  });

  it.runIf(posix)('follows a link to a file that is not there yet', async () => {
    mkdirSync(join(folder, 'real'));
    symlinkSync('real/a.json', join(folder, 'link.json'));
    await check('json=link.json');
    expect(lstatSync(join(folder, 'link.json')).isSymbolicLink()).toBe(true);
    expect(parsed(read('real/a.json')).verdict).toBe('healthy');
  });

  it.runIf(posix)('goes to a pipe', async () => {
    // A shell's pipe: the ones of child processes are sockets, which /dev/stdout cannot open.
    const { stdout, stderr } = await inShell(`check ${host.url} --quiet --report json=/dev/stdout | cat`);
    expect(stderr).toBe('');
    expect(parsed(stdout.slice(stdout.indexOf('{'))).verdict).toBe('healthy');
  });

  const hopeless: readonly { name: string; file: string; code: RegExp; runs: boolean }[] = [
    { name: 'a full device', file: '/dev/full', code: /ENOSPC/, runs: hasFull },
    { name: 'a name that is too long', file: `${'a'.repeat(300)}.json`, code: /ENAMETOOLONG|ENOENT/, runs: true },
  ];

  it.each(hopeless.filter(({ runs }) => runs))('to $name: reported in one line, exit 3', async ({ file, code }) => {
    writeFileSync(join(folder, 'docvitals.yaml'), 'strict: false\n');
    const { status, stdout, stderr } = await check(`json=${file}`, 'json=other.json');
    expect(stderr).toMatch(/^docvitals: .*\n$/);
    expect(stderr).toMatch(code);
    expect(stderr).toContain(file);
    expect(status).toBe(3);
    // Nothing else is lost.
    expect(stdout).toContain('healthy');
    expect(parsed(read('other.json')).verdict).toBe('healthy');
    expect(readdirSync(folder).toSorted()).toEqual(['docvitals.yaml', 'other.json']);
  });

  it.runIf(hasFull)('to several places that cannot be written: each is reported', async () => {
    const { status, stderr } = await check('json=/dev/full', 'pretty=/dev/full');
    expect([status, stderr.trimEnd().split('\n').length]).toEqual([3, 2]);
  });

  it.each([
    { name: 'a folder that is not there', reports: ['json=nowhere/a.json'], told: ['nowhere/a.json'] },
    { name: 'a folder', reports: ['json=.'], told: [': . '] },
    { name: 'a file in a file', reports: ['json=docvitals.yaml/a.json'], told: ['docvitals.yaml/a.json'] },
    { name: 'one file twice', reports: ['json=a.json', 'html=./a.json'], told: ['a.json', './a.json'] },
  ])('to $name: reported before anything is sent, exit 2', async ({ reports, told }) => {
    writeFileSync(join(folder, 'docvitals.yaml'), 'strict: false\n');
    requests = 0;
    const { status, stdout, stderr } = await check('json=other.json', ...reports);
    expect({ status, stdout, requests }).toEqual({ status: 2, stdout: '', requests: 0 });
    expect(stderr).toMatch(/^docvitals: --report: .*\n$/);
    for (const text of told) expect(stderr).toContain(text);
    expect(readdirSync(folder)).toEqual(['docvitals.yaml']);
  });

  it('to a name with an escape sequence: nothing of it reaches the terminal', async () => {
    const { status, stderr } = await check('json=nowhere\u001b[31m\n\u202e/a.json');
    expect(status).toBe(2);
    expect(stderr).toMatch(/^docvitals: [^\p{Cc}\p{Cf}]+\n$/u);
  });

  it.runIf(canBeBound).each([
    { name: 'a folder that is read-only', prepare: (): void => chmodSync(folder, 0o555) },
    {
      name: 'a file that is read-only',
      prepare: (): void => {
        writeFileSync(join(folder, 'a.json'), 'kept', { mode: 0o444 });
        chmodSync(folder, 0o777);
      },
    },
  ])('to $name: reported in one line before anything is sent, exit 2', async ({ prepare }) => {
    prepare();
    const args = ['check', host.url, '--quiet', '--report', `json=${join(folder, 'a.json')}`];
    const { status, stderr } = await runCli(args, { cwd: '/', bound: true });
    chmodSync(folder, 0o755);
    expect(stderr).toMatch(/^docvitals: --report: .*(EACCES|EPERM|EROFS).*\n$/);
    expect(status).toBe(2);
    expect(readdirSync(folder).filter((file) => file !== 'a.json')).toEqual([]);
  });
});
