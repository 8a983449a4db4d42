/** Declares the library (`dist/types`): what tsc emits of the sources, as far as `src/index.ts` exports it. */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { BuildError, ROOT, writeOutput } from './output.ts';

const TSC = path.join(ROOT, 'node_modules/typescript/bin/tsc');
const IMPORTED = /(?:from |import\()['"](\.[^'"]+)['"]/g;

/** @throws BuildError with tsc's own lines */
export async function declareLibrary(): Promise<void> {
  const emitted = await mkdtemp(path.join(ROOT, 'node_modules/.declarations-'));
  try {
    await emit(emitted);
    const declarations = new Map<string, string>();
    await collect(emitted, 'src/index.d.ts', declarations);
    await Promise.all([...declarations].map(([file, text]) => writeOutput(`dist/types/${file}`, text)));
  } finally {
    await rm(emitted, { recursive: true, force: true });
  }
}

async function emit(folder: string): Promise<void> {
  const args = [TSC, '-p', 'tsconfig.build.json', '--outDir', folder, '--pretty', 'false'];
  await promisify(execFile)(process.execPath, args, { cwd: ROOT, maxBuffer: 2 ** 26 }).catch(
    ({ stdout, stderr }: { readonly stdout: string; readonly stderr: string }) => {
      throw new BuildError(`tsc:\n${stdout}${stderr}`);
    },
  );
}

async function collect(folder: string, file: string, into: Map<string, string>): Promise<void> {
  if (into.has(file)) return;
  const text = await readFile(path.join(folder, file), 'utf8');
  into.set(file, text);
  for (const [, specifier = ''] of text.matchAll(IMPORTED)) {
    const imported = path.posix.join(path.posix.dirname(file), specifier);
    await collect(folder, imported.replace(/(?:\.d)?\.[cm]?[jt]s$/, '.d.ts'), into);
  }
}
