/** Packs the package as npm does for publishing. */
import { execFile } from 'node:child_process';
import { cp, mkdtemp, realpath, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { TestProject } from 'vitest/node';
import { INPUTS } from '../../src/build/digest.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The packed package. */
    tarball: string;
  }
}

const ROOT = path.join(import.meta.dirname, '../..');

/** What the build reads, so that the copy is up to date; what it wrote; what else is packed. */
const FILES = [...INPUTS, 'dist', 'CHANGELOG.md', 'LICENSE', 'README.md'];

const NOT_PACKED = new Set(['dist/action', 'dist/site'].map((name) => path.join(ROOT, name)));

export interface Packed {
  readonly tarball: string;
  readonly remove: () => Promise<void>;
}

/** Runs `npm pack` in a copy of the checkout, since it changes package.json while it runs. */
export async function pack(): Promise<Packed> {
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), 'docvitals-package-')));
  const copy = path.join(folder, 'checkout');
  const filter = (source: string): boolean => !NOT_PACKED.has(source);
  await Promise.all(FILES.map((name) => cp(path.join(ROOT, name), path.join(copy, name), { recursive: true, filter })));
  await symlink(path.join(ROOT, 'node_modules'), path.join(copy, 'node_modules'), 'junction');
  const options = { cwd: copy, shell: process.platform === 'win32', maxBuffer: 2 ** 26 };
  const { stdout } = await promisify(execFile)('npm', ['pack', '--pack-destination', '..'], options);
  // Before the name is what `prepack` and `postpack` print.
  const name = stdout.trim().split('\n').at(-1) ?? '';
  return { tarball: path.join(folder, name), remove: () => rm(folder, { recursive: true, force: true }) };
}

/** The global set-up of the tests in this folder: all of them read the same tarball. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { tarball, remove } = await pack();
  project.provide('tarball', tarball);
  return remove;
}
