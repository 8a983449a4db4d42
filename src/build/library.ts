/** Emits the library (`dist/src`, `dist/checks`) with tsc. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { BuildError } from './errors.ts';
import { readSource, ROOT, writeOutput } from './output.ts';

const TSC = path.join(ROOT, 'node_modules/typescript/bin/tsc');

/** Returns the files it wrote, as paths from the root. @throws BuildError with tsc's own lines. */
export async function emitLibrary(): Promise<string[]> {
  const [emitted, copied] = await Promise.all([tsc(), copyValidators()]);
  return [...emitted, ...copied];
}

async function tsc(): Promise<string[]> {
  const args = [TSC, '-p', 'tsconfig.build.json', '--listEmittedFiles', '--pretty', 'false'];
  const { output, failed } = await new Promise<{ output: string; failed: boolean }>((resolve) => {
    execFile(process.execPath, args, { cwd: ROOT, maxBuffer: 2 ** 26 }, (error, stdout, stderr) => {
      resolve({ output: stdout + stderr, failed: error !== null });
    });
  });
  const lines = output.split(/\r?\n/).filter((line) => line !== '');
  if (failed) throw new BuildError(`tsc:\n${lines.filter((line) => !line.startsWith('TSFILE: ')).join('\n')}`);
  return lines.flatMap((line) => {
    const [, file] = /^TSFILE: (.+)$/.exec(line) ?? [];
    return file === undefined ? [] : [path.relative(ROOT, path.resolve(ROOT, file))];
  });
}

/** tsc emits what it compiles; the compiled validators are JavaScript already, so they are copied. */
async function copyValidators(): Promise<string[]> {
  const folder = 'src/generated/validators';
  if (!existsSync(path.join(ROOT, folder))) return [];
  const names = (await readdir(path.join(ROOT, folder))).filter((name) => /\.(js|d\.ts)$/.test(name));
  return Promise.all(
    names.map(async (name) => writeOutput(`dist/${folder}/${name}`, await readSource(`${folder}/${name}`))),
  );
}
