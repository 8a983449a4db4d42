/** Programs that are published as a repository alone: a release, with the packages that it requires at run time. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Found, PeerOptions } from './peer.ts';

export interface GitSource {
  readonly kind: 'git';
  readonly repository: string;
  /** The tag of the release. */
  readonly version: string;
  /** The file that Node runs. */
  readonly main: string;
}

/** A release in `<folder>/<name>`, cloned and installed unless it is there. */
export function findGit(name: string, source: GitSource, { folder, progress }: PeerOptions): Found {
  const { repository, version, main } = source;
  const root = path.join(folder, name);
  if (versionOf(root) !== version) {
    rmSync(root, { recursive: true, force: true });
    progress(`cloning ${name} ${version}`);
    const problem = run('git', ['clone', '--quiet', '--depth', '1', '--branch', version, repository, root]);
    if (problem !== undefined) return { missing: problem };
  }
  if (!existsSync(path.join(root, 'node_modules'))) {
    progress(`installing ${name} ${version}`);
    const problem = run('npm', ['ci', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund'], root);
    if (problem !== undefined) return { missing: problem };
  }
  // The web page is built by its developers; the server only wants the file to exist.
  mkdirSync(path.join(root, 'dist'), { recursive: true });
  writeFileSync(path.join(root, 'dist', 'index.html'), '<!doctype html><title>not built</title>');
  return { argv: [process.execPath, path.join(root, main)], env: {}, version };
}

function run(program: string, args: readonly string[], cwd?: string): string | undefined {
  const { status, stderr, error } = spawnSync(program, args, { cwd, encoding: 'utf8' });
  return status === 0 ? undefined : (error?.message ?? stderr.trim().split('\n').at(-1) ?? `${program}: ${status}`);
}

function versionOf(root: string): string | undefined {
  const file = path.join(root, 'package.json');
  if (!existsSync(file)) return undefined;
  return (JSON.parse(readFileSync(file, 'utf8')) as { readonly version: string }).version;
}
