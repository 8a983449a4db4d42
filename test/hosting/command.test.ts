/** `docvitals hosting` and `docvitals serve`, as a person runs them. */
import type { ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { GUIDED_HOSTS, HOST_KINDS } from '../../src/hosting/rules.ts';
import { LANGUAGES } from '../../src/locales/language.ts';
import { runCli, type RunResult } from '../cli/run.ts';
import { runHere } from '../cli/run-here.ts';
import { ask } from './ask.ts';
import { writeSite } from './site.ts';

let cwd: string;
beforeEach(() => {
  cwd = mkdtempSync(path.join(tmpdir(), 'docvitals-command-'));
});
afterEach(() => rmSync(cwd, { recursive: true }));

const MAIN = { server: 'docs.conf', platform: 'vercel.json', worker: 'worker.js' } as const;

describe('docvitals hosting', () => {
  it.each([
    ['server', 'nginx'],
    ['platform', 'vercel'],
    ['worker', 'cloudflare'],
  ])('%s is what %s means', async (kind, product) => {
    const ofKind = await runHere(['hosting', kind]);
    const ofProduct = await runHere(['hosting', product]);
    expect(ofProduct).toMatchObject({ status: 0, stdout: ofKind.stdout, stderr: ofKind.stderr });
  });

  it('prints JSON and nothing else for a platform', async () => {
    const { stdout } = await runHere(['hosting', 'platform', '--base', '/docs/', '--documented']);
    expect(JSON.parse(stdout)).toEqual({
      $schema: 'https://openapi.vercel.sh/vercel.json',
      trailingSlash: true,
      cleanUrls: false,
      rewrites: [
        {
          source: '/docs/:path*/',
          has: [{ type: 'header', key: 'accept', value: '.*text/markdown.*' }],
          destination: '/docs/:path*/index.md',
        },
        { source: '/docs', destination: '/docs/index.html' },
      ],
    });
  });

  it.each(HOST_KINDS)('writes the files of a %s', async (kind) => {
    const { status, stdout } = await runHere(['hosting', kind, '--out', 'deploy/config'], { cwd });
    expect(status).toBe(0);
    const told = stdout.trimEnd().split('\n');
    expect(told).toContain(path.join('deploy/config', MAIN[kind]));
    for (const file of told) expect(readFileSync(path.join(cwd, file), 'utf8')).not.toBe('');
  });

  it.each(Object.entries(GUIDED_HOSTS))('prints the section of the guide on %s', async (host, { section }) => {
    for (const lang of LANGUAGES) {
      const { status, stdout } = await runHere(['hosting', host, '--url', 'https://acme.example/', '--lang', lang]);
      expect(status).toBe(0);
      expect(stdout).toMatch(/^# .+\n\n.+/);
      expect(stdout).not.toMatch(/docs\.example\.com|\]\(/);
      expect(stdout.includes(section.split(' ', 1)[0] ?? '')).toBe(true);
    }
    await runHere(['hosting', host, '--out', 'deploy'], { cwd });
    expect(readdirSync(path.join(cwd, 'deploy'))).toEqual([`${host}.md`]);
  });

  it('overwrites nothing without --force', async () => {
    writeFileSync(path.join(cwd, 'wrangler.jsonc'), 'mine');
    const refused = await runHere(['hosting', 'worker', '--out', '.'], { cwd });
    expect({ status: refused.status, stdout: refused.stdout }).toEqual({ status: 2, stdout: '' });
    expect(refused.stderr).toMatch(/^[^\n]*wrangler\.jsonc[^\n]*--force[^\n]*\n$/);
    expect(readdirSync(cwd)).toEqual(['wrangler.jsonc']);
    const forced = await runCli(['hosting', 'worker', '--out', '.', '--force'], { cwd });
    expect(forced.status).toBe(0);
    expect(readFileSync(path.join(cwd, 'wrangler.jsonc'), 'utf8')).toContain('run_worker_first');
  });

  it('says where it cannot write', async () => {
    writeFileSync(path.join(cwd, 'deploy'), 'a file');
    const { status, stderr } = await runHere(['hosting', 'server', '--out', 'deploy'], { cwd });
    expect(status).toBe(3);
    expect(stderr).toContain('deploy');
  });

  it.each([
    ['nope'],
    [],
    ['server', 'worker'],
    ['server', '--base', '/a b/'],
    ['server', '--base', ''],
    ['server', '--base', '/a/../b'],
    ['worker', '--out', ''],
    ['server', '--snippet'],
    ['worker', '--snippet', '--base', '/docs/'],
    ['server', '--snippet', '--documented', '--base', '/docs/'],
    ['apache', '--documented'],
    ['caddy', '--base', '/docs/'],
    ['server', '--url', 'docs'],
    ['server', '--url', 'https://name:secret@docs.example/'],
    ['server', '--url', 'https://docs.example/a b/'],
    ['server', '--url', 'https://docs.example/', '--base', '/docs/'],
  ])('refuses %s %s %s', async (...args) => {
    const { status, stdout, stderr } = await runHere(['hosting', ...args], { cwd });
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
    expect(readdirSync(cwd)).toEqual([]);
  });
});

/** Starts a preview, calls `use` with its port once it says where it is, then sends `signal`. */
function serving(
  args: readonly string[],
  use: (port: number, said: string) => Promise<void>,
  signal: NodeJS.Signals = 'SIGINT',
): Promise<RunResult> {
  let using: Promise<void> = Promise.resolve();
  const onStart = (child: ChildProcess): void => {
    let said = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      const before = said;
      said += chunk.toString('utf8');
      const port = /http:\/\/127\.0\.0\.1:(\d+)\/\S*[\s\S]*\n/.exec(said)?.[1];
      if (port === undefined || before.includes('http://')) return;
      using = use(Number(port), said).finally(() => child.kill(signal));
      // It is waited for below.
      using.catch(() => {});
    });
  };
  return runCli(['serve', ...args, '--port', '0'], { cwd, onStart }).then(async (result) => {
    await using;
    return result;
  });
}

describe('docvitals serve', () => {
  let site: string;
  beforeEach(() => ({ site } = writeSite('/')));
  afterEach(() => rmSync(site, { recursive: true }));

  it.each([...HOST_KINDS, 'nginx'])('serves as a %s until Ctrl-C', async (host) => {
    const { status, stderr } = await serving([site, '--host', host, '--base', 'docs'], async (port) => {
      const told = await ask(port, { target: '/docs/index.html' });
      expect([told.status, told.headers['content-type']?.split(';')[0]]).toEqual([200, 'text/html']);
      const outside = await ask(port, { target: '/../../../../etc/passwd' });
      expect(outside.status).not.toBe(200);
      const missing = await ask(port, { target: '/docs/missing.md' });
      expect(missing.status).toBe(404);
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });

  it('says which files an empty folder lacks', async () => {
    for (const lang of LANGUAGES) {
      const { status, stderr } = await serving(['.', '--lang', lang], async (port) => {
        expect((await ask(port, { target: '/' })).status).toBe(404);
      });
      expect(status).toBe(0);
      expect(stderr).toMatch(/^[^\n]*index\.html, config\.json, navigation\.md, index\.md, llms\.txt[^\n]*\n$/);
    }
  });

  it('ends on SIGTERM, too, also while a connection is open', async () => {
    const { status } = await serving(
      [site],
      async (port) => {
        await fetch(`http://127.0.0.1:${port}/index.md`, { headers: { connection: 'keep-alive' } });
      },
      'SIGTERM',
    );
    expect(status).toBe(0);
  });

  it.each(LANGUAGES)('says where it is (%s)', async (lang) => {
    await serving([site, '--lang', lang, '--host', 'worker'], async (port, said) => {
      expect(said).toContain(`http://127.0.0.1:${port}/`);
      expect(said).toContain('--full --host worker');
      await Promise.resolve();
    });
  });

  it('says in one line that the port is taken', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const { status, stdout, stderr } = await runCli(['serve', site, '--port', String(port)]);
    await new Promise((resolve) => server.close(resolve));
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toMatch(new RegExp(`^[^\\n]*${port}[^\\n]*\\n$`));
  });

  it.each([
    [],
    ['nowhere'],
    ['.', '--host', 'nope'],
    ['.', '--port', '65536'],
    ['.', '--port', 'x'],
    ['.', '--base', '..'],
  ])('refuses %s %s %s', async (...args) => {
    const { status, stdout, stderr } = await runHere(['serve', ...args], { cwd });
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  });

  it('refuses a file', async () => {
    const { status } = await runHere(['serve', path.join(site, 'index.html')]);
    expect(status).toBe(2);
    expect(existsSync(site)).toBe(true);
  });
});
