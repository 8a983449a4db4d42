/**
 * The programs that docvitals is held against: those of the machine, or of Debian, npm and a release of Git in a folder of their own,
 * where they stay for the next time. Nothing is installed into the system.
 */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { findDebian } from './debian.ts';
import { findGit, type GitSource } from './git.ts';
import { findNpm } from './npm.ts';
import type { Found, PeerOptions } from './peer.ts';

interface DebianSource {
  readonly kind: 'debian';
  readonly package: string;
  /** Arguments that make it tell its version. */
  readonly version: readonly string[];
}

interface NpmSource {
  readonly kind: 'npm';
  /** The version that is compared. */
  readonly version: string;
}

const debian = (name: string, version: string): DebianSource => ({
  kind: 'debian',
  package: name,
  version: [version],
});

/** Every peer, by the name of its command. */
const SOURCES = {
  curl: debian('curl', '--version'),
  jq: debian('jq', '--version'),
  nginx: debian('nginx', '-v'),
  check_http: debian('monitoring-plugins-basic', '--version'),
  'prometheus-blackbox-exporter': debian('prometheus-blackbox-exporter', '--version'),
  mariadbd: debian('mariadb-server', '--version'),
  chromium: debian('chromium', '--version'),
  playwright: { kind: 'npm', version: '1.65.1' },
  lighthouse: { kind: 'npm', version: '13.5.0' },
  linkinator: { kind: 'npm', version: '8.1.0' },
  afdocs: { kind: 'npm', version: '0.22.2' },
  'uptime-kuma': {
    kind: 'git',
    repository: 'https://github.com/louislam/uptime-kuma',
    version: '2.5.3',
    main: 'server/server.js',
  },
} as const satisfies Readonly<Record<string, DebianSource | NpmSource | GitSource>>;

export type PeerName = keyof typeof SOURCES;

/** Looks for them all, and installs what is not there. */
export function findPeers(names: readonly PeerName[], options: PeerOptions): ReadonlyMap<PeerName, Found> {
  return new Map(names.map((name) => [name, find(name, options)]));
}

function find(name: PeerName, options: PeerOptions): Found {
  const source = SOURCES[name];
  if (source.kind === 'git') return findGit(name, source, options);
  if (source.kind === 'npm') return findNpm(name, source.version, options);
  const found = findDebian(name, source.package, options);
  if ('missing' in found) return found;
  const { stdout, stderr } = spawnSync(found.file, source.version, {
    encoding: 'utf8',
    env: { ...process.env, ...found.env },
  });
  return { argv: [found.file], env: found.env, version: versionIn(stdout + stderr) };
}

/** The first that looks like one. */
const versionIn = (text: string): string => /\d+\.\d+(\.\d+)?/.exec(text)?.[0] ?? 'unknown';

/** The folder that peers are installed into by default. */
export const PEERS = path.join(import.meta.dirname, '../../../node_modules/.cache/docvitals-bench');
