/** The package as it is published, unpacked where `npm install` would put it. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { inject } from 'vitest';

export const ROOT = path.join(import.meta.dirname, '../..');

export const manifest = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as {
  readonly version: string;
};

/** Packed once for all tests of this folder, which remove what is beside it when they end. */
export const tarball = inject('tarball');

const run = promisify(execFile);

/** A project that has the package installed. */
export interface Installed {
  readonly folder: string;
  /** The package's own folder in it. */
  readonly unpacked: string;
  readonly bin: string;
}

/** Installs the package into a new project, without a registry. */
export async function install(name: string): Promise<Installed> {
  const folder = path.join(path.dirname(tarball), name);
  const unpacked = path.join(folder, 'node_modules/docvitals');
  await mkdir(unpacked, { recursive: true });
  // Relative paths: some tars take `C:` for a host.
  const archive = path.relative(unpacked, tarball).replaceAll(path.sep, '/');
  await run('tar', ['-xzf', archive, '--strip-components=1'], { cwd: unpacked });
  await writeFile(path.join(folder, 'package.json'), '{ "type": "module" }');
  return { folder, unpacked, bin: path.join(unpacked, 'bin/docvitals.js') };
}
