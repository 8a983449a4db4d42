/** A real nginx on a free loopback port, with the configuration that `docvitals hosting server` makes, for tests. */
import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { NGINX_ROOT, nginxConfiguration } from '../../src/hosting/configuration.ts';
import { freePort } from './port.ts';

/** The user that workers run as when the master is root. */
const WORKER = { name: 'nobody', id: 65_534 } as const;

export interface NginxOptions {
  /** The path that the site lives under, e.g. `/docs/`. Default `/`. */
  readonly base?: string;
  /** The rules that pass every check, instead of the documented ones. */
  readonly improved?: boolean;
  /** Further directives for the server block. */
  readonly configuration?: string;
  /** What `docvitals hosting` printed, or another text with its `listen` and `root`. Default: the documented rules. */
  readonly block?: string;
  /** Where it listens; a free port by default. To come back where it was. */
  readonly port?: number;
  /** Run the master, too, as a user without privileges. Only means something when the tests run as root. */
  readonly unprivileged?: boolean;
}

export interface Nginx {
  /** Base URL, ends with a slash. */
  readonly url: string;
  readonly port: number;
  /** Lets requests end, then ends the master and its workers. */
  stop(): Promise<void>;
}

/**
 * Whether tests against nginx are to run: where it is installed, and in CI in any case, so that they fail there instead
 * of being left out.
 */
export function nginxWanted(): boolean {
  const available = spawnSync('nginx', ['-v']).status === 0;
  if (!available && process.env['CI'] !== 'true') console.warn('nginx is not installed here: its tests are left out.');
  return available || process.env['CI'] === 'true';
}

/** The folder of the system's own configuration, where `mime.types` is. */
function systemFolder(): string {
  const { stderr } = spawnSync('nginx', ['-V'], { encoding: 'utf8' });
  return dirname(/--conf-path=(\S+)/.exec(stderr)?.[1] ?? '/etc/nginx/nginx.conf');
}

const isRoot = (): boolean => process.getuid?.() === 0;

/** The generated server block, and around it only what lets it run beside others: own port, own folders, no daemon. */
function configuration(prefix: string, port: number, options: NginxOptions): string {
  const { base = '/', improved = false, configuration: extra = '', unprivileged = false } = options;
  const types = join(systemFolder(), 'mime.types');
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (kind) => `${kind}_temp_path ${prefix}/temp/${kind};`,
  );
  const block = (options.block ?? nginxConfiguration({ kind: 'server', base, improved }))
    .replace('listen 80;', `listen 127.0.0.1:${port};`)
    .replaceAll(`root ${NGINX_ROOT};`, `root ${prefix}/root;`)
    .replace(/}\n$/, `${extra}\n}\n`);
  return `${unprivileged ? '' : workersUser()}
daemon off;
worker_processes 1;
pid ${prefix}/nginx.pid;
error_log stderr warn;
events { worker_connections 256; }
http {
  ${existsSync(types) ? `include ${types};` : 'types { text/html html; application/javascript js; text/plain txt; application/json json; }'}
  default_type application/octet-stream;
  access_log off;
  ${temporary.join('\n  ')}
  ${block}
}
`;
}

/**
 * The directive that gives workers a user without privileges where the master is root. Debian calls that user's group
 * `nogroup`, most others `nobody`.
 */
export function workersUser(): string {
  if (!isRoot()) return '';
  const group = spawnSync('getent', ['group', 'nogroup']).status === 0 ? 'nogroup' : 'nobody';
  return `user ${WORKER.name} ${group};`;
}

function accepts(port: number, address: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, address, () => resolve(true)).on('error', () => resolve(false));
    socket.on('connect', () => socket.destroy());
  });
}

/** Waits until the port answers; shows what nginx said when it ended instead. */
async function ready(child: ChildProcess, port: number, address: string): Promise<void> {
  let said = '';
  let missing: Error | undefined;
  child.once('error', (error) => (missing = error));
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (said += text));
  for (let tries = 0; tries < 200; tries++) {
    if (missing !== undefined) throw missing;
    if (child.exitCode !== null) throw new Error(`nginx ended with ${child.exitCode}: ${said.trim()}`);
    if (await accepts(port, address)) return;
    await sleep(25);
  }
  throw new Error(`nginx does not listen on port ${port} of ${address}: ${said.trim()}`);
}

async function stop(child: ChildProcess, prefix: string): Promise<void> {
  if (child.pid !== undefined && child.exitCode === null) {
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGQUIT');
    const killer = setTimeout(() => child.kill('SIGKILL'), 5000);
    await ended.finally(() => clearTimeout(killer));
  }
  rmSync(prefix, { recursive: true, force: true });
}

/** The server's own folder: the configuration, temporary files, and `root`, where the site appears below its base path. */
function prepare(dir: string, base: string, unprivileged: boolean): string {
  const prefix = mkdtempSync(join(tmpdir(), 'docvitals-nginx-'));
  mkdirSync(join(prefix, 'temp'));
  // mkdtemp makes folders that only their owner may enter; workers are somebody else when the tests run as root.
  for (const folder of [prefix, dir]) chmodSync(folder, 0o755);
  if (base !== '/') mkdirSync(join(prefix, 'root', dirname(base.replace(/\/$/, ''))), { recursive: true });
  symlinkSync(dir, join(prefix, 'root', base).replace(/\/$/, ''));
  if (isRoot() && unprivileged)
    for (const folder of [prefix, join(prefix, 'temp')]) chownSync(folder, WORKER.id, WORKER.id);
  return prefix;
}

/** Serves `dir` until `stop()`. Rejects when nginx does not start. */
export async function startNginx(dir: string, options: NginxOptions = {}): Promise<Nginx> {
  const { base = '/', unprivileged = false } = options;
  for (let tries = 1; ; tries++) {
    const prefix = prepare(dir, base, unprivileged);
    // Tried again with another port when somebody took this one in the meantime.
    const port = options.port ?? (await freePort());
    try {
      const end = await runNginx(prefix, configuration(prefix, port, options), port, { unprivileged });
      return { url: `http://127.0.0.1:${port}${base}`, port, stop: end };
    } catch (error) {
      if (tries === 3) throw error;
    }
  }
}

/**
 * Runs nginx with a configuration as it stands, in a folder that is its own; resolves with what ends it and removes the
 * folder. Rejects when it does not come to listen.
 */
export async function runNginx(
  prefix: string,
  text: string,
  port: number,
  { address = '127.0.0.1', unprivileged = false } = {},
): Promise<() => Promise<void>> {
  writeFileSync(join(prefix, 'nginx.conf'), text);
  const identity = isRoot() && unprivileged ? { uid: WORKER.id, gid: WORKER.id } : {};
  const child = spawn('nginx', ['-e', 'stderr', '-p', prefix, '-c', join(prefix, 'nginx.conf')], {
    stdio: ['ignore', 'ignore', 'pipe'],
    ...identity,
  });
  try {
    await ready(child, port, address);
  } catch (error) {
    await stop(child, prefix);
    throw error;
  }
  return () => stop(child, prefix);
}
