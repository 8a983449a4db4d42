import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { ROOT, writeOutput } from './output.ts';

/** Not published: package.json excludes it. It is deleted with the rest of `dist` before a build. */
const FILE = 'dist/.digest';

/** What the build reads beside the packages, which `package-lock.json` stands for. */
export const INPUTS = [
  'src',
  'checks',
  'bin',
  'docs/guides/hosting.md',
  'docs/ro/guides/hosting.md',
  'docs/fr/guides/hosting.md',
  'action.yml',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'tsconfig.build.json',
];

const isInput = (file: string): boolean =>
  !file.startsWith(path.join('src', 'generated')) && !file.endsWith('.test.ts');

async function filesIn(name: string): Promise<string[]> {
  if (path.extname(name) !== '') return [name];
  const entries = await readdir(path.join(ROOT, name), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(ROOT, path.join(entry.parentPath, entry.name)))
    .filter(isInput);
}

/** SHA-256 of the sources, by name and content, and of the Node version that builds them. */
export async function digestOfSources(): Promise<string> {
  const files = (await Promise.all(INPUTS.map(filesIn))).flat().toSorted();
  const hash = createHash('sha256').update(process.version);
  for (const file of files) {
    const bytes = await readFile(path.join(ROOT, file));
    hash.update(`\0${file}\0${bytes.length}\0`).update(bytes);
  }
  return hash.digest('hex');
}

/** Whether `dist` and `src/generated` were built from these sources. */
export async function isBuiltFrom(digest: string): Promise<boolean> {
  if (!existsSync(path.join(ROOT, 'src/generated'))) return false;
  return digest === (await readFile(path.join(ROOT, FILE), 'utf8').catch(() => ''));
}

export const saveDigest = async (digest: string): Promise<void> => writeOutput(FILE, digest);
