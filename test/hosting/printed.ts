/** A folder on real hosts, by what `docvitals hosting` prints for them. */
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import type { HostFile } from '../../src/hosting/configuration.ts';
import { runHere } from '../cli/run-here.ts';
import { nginxWanted, startNginx } from '../hosts/nginx.ts';
import { startNetlify } from './netlify.ts';
import { startVercel } from './vercel.ts';
import { startWorkerd } from './workerd.ts';

export type HostName = 'nginx' | 'vercel' | 'cloudflare' | 'netlify';

/** Those whose software runs here. */
export const HOSTS = (['nginx', 'vercel', 'cloudflare', 'netlify'] as const).filter(
  (host) => host !== 'nginx' || nginxWanted(),
);

export const KIND = { nginx: 'server', vercel: 'platform', cloudflare: 'worker', netlify: 'platform' } as const;

/** The files that the command prints, and its notes. */
export async function printed(
  args: readonly string[],
): Promise<{ readonly files: readonly HostFile[]; readonly all: string }> {
  const { status, stdout, stderr } = await runHere(['hosting', ...args]);
  if (status !== 0) throw new Error(`docvitals hosting ${args.join(' ')}: status ${status}\n${stderr}`);
  const parts = stdout.split(/^==> (.+) <==\n/m);
  const [only = ''] = parts;
  const names = parts.length === 1 ? [{ name: 'docs.conf', text: only }] : [];
  for (let at = 1; at < parts.length; at += 2)
    names.push({ name: parts[at] ?? '', text: (parts[at + 1] ?? '').trimEnd() });
  return { files: names, all: stdout + stderr };
}

export interface PrintedHost {
  /** Base URL of the site. */
  readonly url: string;
  stop(): Promise<void>;
}

/** Serves a copy of a folder below a base path with the software of a host; of Vercel the routing library. */
export async function startPrinted(
  host: HostName,
  base: string,
  files: readonly HostFile[],
  folder: string,
): Promise<PrintedHost> {
  const root = mkdtempSync(join(tmpdir(), 'docvitals-printed-'));
  // nginx finds a site at the root of the copy, whatever its base path.
  const site = host === 'nginx' ? root : join(root, base);
  mkdirSync(site, { recursive: true });
  cpSync(folder, site, { recursive: true });
  const running = await start[host](root, base, files);
  return {
    url: running.url,
    async stop() {
      await running.stop();
      rmSync(root, { recursive: true });
    },
  };
}

type Start = (root: string, base: string, files: readonly HostFile[]) => Promise<PrintedHost>;

const urlOf = (port: number, base: string): string => `http://127.0.0.1:${port}${base}`;

const start: Readonly<Record<HostName, Start>> = {
  nginx: (root, base, files) => startNginx(root, { base, block: files[0]?.text ?? '' }),
  async netlify(root, base, files) {
    const running = await startNetlify(root, base, files);
    return { url: running.url, stop: () => running.close() };
  },
  async cloudflare(root, base, files) {
    const running = await startWorkerd(root, files);
    return { url: urlOf(running.port, base), stop: () => running.stop() };
  },
  async vercel(root, base, files) {
    const running = await startVercel(filesBelow(root), files[0]?.text ?? '');
    return { url: urlOf(running.port, base), stop: () => running.stop() };
  },
};

function filesBelow(root: string): ReadonlyMap<string, Uint8Array> {
  const entries = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const files = entries.map((entry) => join(entry.parentPath, entry.name));
  return new Map(files.map((file) => [relative(root, file).replaceAll('\\', '/'), readFileSync(file)]));
}
