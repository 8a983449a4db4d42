/**
 * The programs that docvitals is compared with: those of the machine, or of Debian, npm and a release in Git in a folder
 * of their own, where they stay for the next time. Nothing is installed into the system.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { print } from './session.ts';

export interface Peer {
  readonly argv: readonly string[];
  /** Where its libraries are. */
  readonly env: Readonly<Record<string, string>>;
  readonly version: string;
}

/** Packages of Debian, by the name of the command. */
const DEBIAN = {
  curl: 'curl',
  jq: 'jq',
  nginx: 'nginx',
  check_http: 'monitoring-plugins-basic',
  'prometheus-blackbox-exporter': 'prometheus-blackbox-exporter',
  mariadbd: 'mariadb-server',
  chromium: 'chromium',
};
/** Versions of npm's packages, which have the name of the command. */
const NPM = { playwright: '1.65.1', lighthouse: '13.5.0', linkinator: '8.1.0', afdocs: '0.22.2' };
const KUMA = { repository: 'https://github.com/louislam/uptime-kuma', version: '2.5.3', main: 'server/server.js' };

export type PeerName = keyof typeof DEBIAN | keyof typeof NPM | 'uptime-kuma';

const FOLDER = path.join(import.meta.dirname, '../../node_modules/.cache/docvitals-bench');
/** Where programs are in Debian, not all of them on the PATH of every user. */
const PROGRAMS = ['/usr/bin', '/usr/sbin', '/usr/lib/nagios/plugins'];

const found = new Map<PeerName, Peer | Error>();

/** Looks for a program, and installs it if it is not there. Throws where that is not possible. */
export function peer(name: PeerName): Peer {
  const result = found.get(name) ?? look(name);
  found.set(name, result);
  if (result instanceof Error) throw result;
  return result;
}

function look(name: PeerName): Peer | Error {
  try {
    if (name === 'uptime-kuma') return uptimeKuma(path.join(FOLDER, name));
    return name in NPM ? ofNpm(name as keyof typeof NPM) : ofDebian(name as keyof typeof DEBIAN);
  } catch (error) {
    return new Error(`${name}: ${(error as Error).message}`);
  }
}

function run(file: string, args: readonly string[], cwd?: string): string {
  const { stdout, stderr, status, error } = spawnSync(file, args, { cwd, encoding: 'utf8' });
  if (error !== undefined) throw error;
  if (status !== 0) throw new Error(stderr.trim().split('\n').at(-1) ?? `${file} ended with ${status}`);
  return stdout;
}

function ofDebian(name: keyof typeof DEBIAN): Peer {
  const root = path.join(FOLDER, DEBIAN[name]);
  const programIn = (folders: readonly string[]): string | undefined =>
    folders.map((folder) => path.join(folder, name)).find((file) => existsSync(file));
  const unpacked = PROGRAMS.map((folder) => path.join(root, folder));
  let file = programIn([...(process.env['PATH'] ?? '').split(path.delimiter), ...PROGRAMS, ...unpacked]);
  if (file === undefined) {
    unpack(DEBIAN[name], root);
    file = programIn(unpacked);
  }
  if (file === undefined) throw new Error(`the package ${DEBIAN[name]} does not contain it`);
  const libraries = globSync(['usr/lib/*-linux-gnu*', 'lib/*-linux-gnu*'], { cwd: root });
  const LD_LIBRARY_PATH = libraries.map((folder) => path.join(root, folder)).join(path.delimiter);
  const env = file.startsWith(root) ? { LD_LIBRARY_PATH } : {};
  if (name === 'nginx') {
    // The servers of the tests start it by its name.
    Object.assign(process.env, env);
    process.env['PATH'] += path.delimiter + path.dirname(file);
  }
  const asked = spawnSync(file, [name === 'nginx' ? '-v' : '--version'], {
    encoding: 'utf8',
    env: { ...process.env, ...env },
  });
  const version = /\d+\.\d+(\.\d+)?/.exec(asked.stdout + asked.stderr)?.[0] ?? 'unknown';
  return { argv: [file], env, version };
}

/** Downloads a package, and what it requires and the machine does not have. */
function unpack(name: string, root: string): void {
  print(`downloading ${name}`);
  const simulated = run('apt-get', ['--simulate', '--no-install-recommends', 'install', name]);
  const names = [...simulated.matchAll(/^Inst (\S+)/gm)].flatMap(([, each]) => each ?? []);
  rmSync(root, { recursive: true, force: true });
  mkdirSync(root, { recursive: true });
  run('apt-get', ['download', ...names], root);
  for (const file of globSync('*.deb', { cwd: root })) {
    run('dpkg-deb', ['--extract', file, '.'], root);
    rmSync(path.join(root, file));
  }
}

interface Manifest {
  readonly version: string;
  readonly bin: string | Readonly<Record<string, string>>;
}

const manifestOf = (folder: string): Manifest | undefined => {
  const file = path.join(folder, 'package.json');
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Manifest) : undefined;
};

/** Run by this Node: what npx and the shebang line would add is not counted. */
function ofNpm(name: keyof typeof NPM): Peer {
  const root = path.join(FOLDER, name);
  const folder = path.join(root, 'node_modules', name);
  const version = NPM[name];
  if (manifestOf(folder)?.version !== version) {
    print(`installing ${name} ${version}`);
    run('npm', ['install', '--prefix', root, '--ignore-scripts', '--no-audit', '--no-fund', `${name}@${version}`]);
  }
  const bin = manifestOf(folder)?.bin;
  const file = typeof bin === 'string' ? bin : bin?.[name];
  if (file === undefined) throw new Error('the package has no command');
  return { argv: [process.execPath, path.join(folder, file)], env: {}, version };
}

function uptimeKuma(root: string): Peer {
  const { repository, version, main } = KUMA;
  if (manifestOf(root)?.version !== version) {
    rmSync(root, { recursive: true, force: true });
    print(`cloning uptime-kuma ${version}`);
    run('git', ['clone', '--quiet', '--depth', '1', '--branch', version, repository, root]);
  }
  if (!existsSync(path.join(root, 'node_modules')))
    run('npm', ['ci', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund'], root);
  // Its developers build the web page; the server only requires that the file exists.
  mkdirSync(path.join(root, 'dist'), { recursive: true });
  writeFileSync(path.join(root, 'dist', 'index.html'), '<!doctype html><title>not built</title>');
  return { argv: [process.execPath, path.join(root, main)], env: {}, version };
}
