/** A docsify page whose script is made to be slow to read: what the built command needs for it, and what it reports. */
import { afterEach, describe, expect, it } from 'vitest';
import { runCli } from '../cli/run.ts';
import { makeProject, startProcess } from '../monitor/process.ts';
import { listen, MEDIA_TYPES, type Host } from '../site/host.ts';

const MOST_MIB = { core: 200, full: 400 };
const DEADLINE_MS = 5_000;

const FILES: Readonly<Record<string, string>> = {
  'README.md': `# Tides\n\n[a](guide.md) [b](/${'a'.repeat(60)})\n`,
  'guide.md': '# Guide\n',
  'docsify.min.js': '',
  '_sidebar.md': '- [Home](/)\n- [Guide](guide.md)\n',
  'llms.txt': '# Tides\n\n- [Guide](guide.md)\n',
};

const hosts: Host[] = [];
afterEach(async () => {
  await Promise.allSettled(hosts.splice(0).map(async (host) => host.close()));
});

/** A docsify site with that script. */
async function site(script: string, onRequest: () => void): Promise<string> {
  const index = `<!doctype html><title>Tides</title><div id="app"></div><script>${script}</script>
    <script src="docsify.min.js"></script>`;
  const host = await listen(({ url = '/' }, response) => {
    onRequest();
    const path = (url.split('?')[0] ?? '/').slice(1) || 'index.html';
    const body = path === 'index.html' ? index : FILES[path];
    const type = MEDIA_TYPES[path.slice(path.lastIndexOf('.') + 1)] ?? 'text/plain';
    response.writeHead(body === undefined ? 404 : 200, { 'content-type': type }).end(body);
  }, '/');
  hosts.push(host);
  return host.url;
}

interface Checks {
  readonly checks: readonly {
    readonly id: string;
    readonly status: string;
    readonly findings: readonly { readonly code: string }[];
  }[];
}

async function checked(script: string, full = false) {
  let startedAt = Infinity;
  const url = await site(script, () => (startedAt = Math.min(startedAt, performance.now())));
  const args = ['check', url, '--deadline', `${DEADLINE_MS}ms`, '--format', 'json', ...(full ? ['--full'] : [])];
  const { stdout, maxRssMiB } = await runCli(args);
  // From the first request: a busy machine takes long to start the command.
  const durationMs = performance.now() - startedAt;
  const config = (JSON.parse(stdout) as Checks).checks.find(({ id }) => id === 'config');
  expect(durationMs).toBeLessThan(DEADLINE_MS + 1_000);
  expect(maxRssMiB).toBeLessThan(full ? MOST_MIB.full : MOST_MIB.core);
  return [config?.status, ...(config?.findings ?? []).map(({ code }) => code)];
}

const names = (count: number): string[] => Array.from({ length: count }, (_, index) => `a${index}`);

const HOSTILE = `var v={${'a:1,'.repeat(50_000)}};window.$docsify={alias:{${'...v,'.repeat(50_000)}}}`;

const UNREAD: Readonly<Record<string, string>> = {
  'a variable of 100,000 members that is spread 50,000 times': `var v={${'a:1,'.repeat(100_000)}};window.$docsify={alias:{${'...v,'.repeat(12_000)}}}`,
  'a variable of 50,000 members that is spread 50,000 times': HOSTILE,
  'text that doubles': `var a0='${'x'.repeat(100_000)}';${names(16)
    .map((name, index) => `var a${index + 1}=${name}+${name};`)
    .join('')}window.$docsify={name:a16}`,
  '60,000 declarations': `window.$docsify={};let ${names(60_000).join(',')}`,
  'lists that nest': `window.$docsify={a:${'['.repeat(20_000)}${']'.repeat(20_000)}}`,
};

describe('a script that is slow to read', () => {
  it.each(Object.keys(UNREAD))('is not known: %s', async (name) => {
    expect(await checked(UNREAD[name] ?? '')).toEqual(['unknown', 'script-unread']);
  });

  it.each([
    ['options', `/${'a?'.repeat(60)}${'a'.repeat(60)}`],
    ['alternatives', `/${'(a|a)'.repeat(38)}b`],
    ['repeats', '/.*.*.*.*b'],
  ])('does not stop a full check by an alias: %s', async (_, pattern) => {
    const script = `window.$docsify = { loadSidebar: true, alias: { '${pattern}': '/guide.md' } }`;
    expect(await checked(script, true)).toEqual(['pass']);
  });
});

describe.skipIf(process.platform === 'win32')('a monitor of a site whose script is slow to read', () => {
  it('responds, reports the outage of another site, and stops', async () => {
    const [hostile, docs] = [await site(HOSTILE, () => {}), await site('window.$docsify = {}', () => {})];
    const often = { every: '1s', confirm: { after: '100ms', times: 2 } };
    const project = makeProject({
      sites: [
        { id: 'hostile', url: hostile, ...often },
        { id: 'docs', url: docs, ...often },
      ],
      monitor: { control: [], listen: '127.0.0.1:0' },
    });
    const { child, told, lines, ended } = await startProcess(project);
    try {
      const { url } = (await told('monitor-started')) as unknown as { readonly url: string };
      // Both are checked once, at least.
      await expect.poll(async () => (await fetch(new URL('/readyz', url))).status, { timeout: 20_000 }).toBe(200);
      await hosts[1]?.close();
      expect(await told('incident-opened')).toMatchObject({ site: 'docs' });
      expect((await fetch(new URL('/healthz', url))).status).toBe(200);
      expect(lines.filter(({ event }) => event === 'blocked')).toEqual([]);
      const signalledAt = performance.now();
      child.kill('SIGTERM');
      expect((await ended).status).toBe(0);
      expect(performance.now() - signalledAt).toBeLessThan(3_000);
    } finally {
      child.kill('SIGKILL');
      await ended;
      project.remove();
    }
  }, 60_000);
});
