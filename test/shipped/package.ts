/** The package as it is published: packed by npm, unpacked where `npm install` would put it. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

export const ROOT = path.join(import.meta.dirname, '../..');

export const manifest = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as {
  readonly version: string;
};

const run = promisify(execFile);

/** A project that has the package installed. */
export interface Installed {
  readonly folder: string;
  /** The package's own folder in it. */
  readonly unpacked: string;
  readonly bin: string;
}

export interface Package {
  readonly tarball: string;
  /** Installs it into a new project, without a registry. */
  readonly install: (name: string) => Promise<Installed>;
  readonly remove: () => void;
}

/** Packs as npm does for publishing, but without building: the tests run on the build that is there. */
export async function packed(): Promise<Package> {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'docvitals-package-')));
  const args = ['pack', '--ignore-scripts', '--json', '--pack-destination', folder];
  const { stdout } = await run('npm', args, { cwd: ROOT, shell: process.platform === 'win32', maxBuffer: 2 ** 26 });
  // npm 12 and later give an object by package name, earlier ones a list.
  const [entry] = Object.values(JSON.parse(stdout) as Record<string, { filename: string }>);
  if (!entry) throw new Error('npm packed nothing');
  const tarball = path.join(folder, entry.filename);
  return {
    tarball,
    install: (name) => install(path.join(folder, name), tarball),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

async function install(folder: string, tarball: string): Promise<Installed> {
  const unpacked = path.join(folder, 'node_modules/docvitals');
  await mkdir(unpacked, { recursive: true });
  // Relative paths: some tars take `C:` for a host.
  const archive = path.relative(unpacked, tarball).replaceAll(path.sep, '/');
  await run('tar', ['-xzf', archive, '--strip-components=1'], { cwd: unpacked });
  await writeFile(path.join(folder, 'package.json'), '{ "type": "module" }');
  return { folder, unpacked, bin: path.join(unpacked, 'bin/docvitals.js') };
}
