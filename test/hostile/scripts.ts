/** A docsify page whose script is made to be slow to read: what the built command needs for it, and what it reports. */
import { expect, onTestFinished } from 'vitest';
import { runCli } from '../cli/run.ts';
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

/** A docsify site with that script, until the test ends. */
export async function site(script: string, onRequest = (): void => {}): Promise<Host> {
  const index = `<!doctype html><title>Tides</title><div id="app"></div><script>${script}</script>
    <script src="docsify.min.js"></script>`;
  const host = await listen(({ url = '/' }, response) => {
    onRequest();
    const path = (url.split('?')[0] ?? '/').slice(1) || 'index.html';
    const body = path === 'index.html' ? index : FILES[path];
    const type = MEDIA_TYPES[path.slice(path.lastIndexOf('.') + 1)] ?? 'text/plain';
    response.writeHead(body === undefined ? 404 : 200, { 'content-type': type }).end(body);
  }, '/');
  onTestFinished(() => host.close().catch(() => {}));
  return host;
}

interface Checks {
  readonly checks: readonly {
    readonly id: string;
    readonly status: string;
    readonly findings: readonly { readonly rule: string }[];
  }[];
}

/** Status and rules of the configuration. */
async function checked(script: string, full = false) {
  let startedAt = Infinity;
  const { url } = await site(script, () => (startedAt = Math.min(startedAt, performance.now())));
  const args = ['check', url, '--deadline', `${DEADLINE_MS}ms`, '--format', 'json', ...(full ? ['--full'] : [])];
  const { stdout, maxRssMiB } = await runCli(args);
  // From the first request: a busy machine takes long to start the command.
  const durationMs = performance.now() - startedAt;
  const config = (JSON.parse(stdout) as Checks).checks.find(({ id }) => id === 'config');
  expect(durationMs).toBeLessThan(DEADLINE_MS + 1_000);
  expect(maxRssMiB).toBeLessThan(full ? MOST_MIB.full : MOST_MIB.core);
  return [config?.status, ...(config?.findings ?? []).map(({ rule }) => rule.replace(/^config\//, ''))];
}

const names = (count: number): string[] => Array.from({ length: count }, (_, index) => `a${index}`);

export const HOSTILE = `var v={${'a:1,'.repeat(50_000)}};window.$docsify={alias:{${'...v,'.repeat(50_000)}}}`;

const UNREAD = {
  'a variable of 100,000 members that is spread 50,000 times': `var v={${'a:1,'.repeat(100_000)}};window.$docsify={alias:{${'...v,'.repeat(12_000)}}}`,
  'a variable of 50,000 members that is spread 50,000 times': HOSTILE,
  'text that doubles': `var a0='${'x'.repeat(100_000)}';${names(16)
    .map((name, index) => `var a${index + 1}=${name}+${name};`)
    .join('')}window.$docsify={name:a16}`,
  '60,000 declarations': `window.$docsify={};let ${names(60_000).join(',')}`,
  'lists that nest': `window.$docsify={a:${'['.repeat(20_000)}${']'.repeat(20_000)}}`,
} as const;

const ALIASES = {
  options: `/${'a?'.repeat(60)}${'a'.repeat(60)}`,
  alternatives: `/${'(a|a)'.repeat(38)}b`,
  repeats: '/.*.*.*.*b',
} as const;

export async function expectUnread(name: keyof typeof UNREAD): Promise<void> {
  expect(await checked(UNREAD[name])).toEqual(['unknown', 'script-unread']);
}

/** An alias does not stop a full check. */
export async function expectAliased(name: keyof typeof ALIASES): Promise<void> {
  const script = `window.$docsify = { loadSidebar: true, alias: { '${ALIASES[name]}': '/guide.md' } }`;
  expect(await checked(script, true)).toEqual(['pass']);
}
