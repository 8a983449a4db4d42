/** Debian's and Ubuntu's packages, downloaded and unpacked into a folder: no root, and nothing of the system changes. */
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { PeerOptions } from './peer.ts';

/** Where programs are in Debian, and not all of them on the PATH of every user. */
const FOLDERS = ['/usr/bin', '/usr/sbin', '/usr/lib/nagios/plugins'];

interface Program {
  readonly file: string;
  readonly env: Readonly<Record<string, string>>;
}

/** The program of the machine, or of its package, unpacked into the folder now or at an earlier time. */
export function findDebian(
  program: string,
  packageName: string,
  { folder, progress }: PeerOptions,
): Program | { readonly missing: string } {
  const installed = firstOf([...(process.env['PATH'] ?? '').split(path.delimiter), ...FOLDERS], program);
  if (installed !== undefined) return { file: installed, env: {} };
  const root = path.join(folder, packageName);
  const unpacked = (): string | undefined =>
    firstOf(
      FOLDERS.map((name) => path.join(root, name)),
      program,
    );
  let missing: string | undefined;
  if (unpacked() === undefined) {
    progress(`downloading ${packageName}`);
    missing = unpack(packageName, root);
  }
  const file = unpacked();
  if (file === undefined) return { missing: missing ?? `the package ${packageName} has no ${program}` };
  const found = libraries(root);
  return { file, env: found === '' ? {} : { LD_LIBRARY_PATH: found } };
}

const firstOf = (folders: readonly string[], program: string): string | undefined =>
  folders.map((folder) => path.join(folder, program)).find((file) => existsSync(file));

const libraries = (root: string): string =>
  globSync(['usr/lib/*-linux-gnu*', 'lib/*-linux-gnu*'], { cwd: root })
    .map((name) => path.join(root, name))
    .join(path.delimiter);

/** Says why it did not work. */
function unpack(packageName: string, root: string): string | undefined {
  const told = apt(['apt-get', '--simulate', '--no-install-recommends', 'install', packageName]);
  if (told.problem !== undefined) return told.problem;
  // What the machine has already is not in the list.
  const names = [...told.stdout.matchAll(/^Inst (\S+)/gm)].flatMap(([, name]) => name ?? []);
  rmSync(root, { recursive: true, force: true });
  mkdirSync(root, { recursive: true });
  const downloaded = apt(['apt-get', 'download', ...names], root);
  if (downloaded.problem !== undefined) return downloaded.problem;
  for (const file of globSync('*.deb', { cwd: root })) {
    const { problem } = apt(['dpkg-deb', '--extract', file, '.'], root);
    if (problem !== undefined) return problem;
    rmSync(path.join(root, file));
  }
  return undefined;
}

function apt(
  [file = '', ...args]: readonly string[],
  cwd?: string,
): { readonly stdout: string; readonly problem?: string } {
  const { stdout, stderr, status, error } = spawnSync(file, args, { cwd, encoding: 'utf8' });
  if (error !== undefined) return { stdout: '', problem: `there is no ${file} here` };
  return status === 0 ? { stdout } : { stdout, problem: stderr.trim().split('\n').at(-1) ?? `${file}: ${status}` };
}
