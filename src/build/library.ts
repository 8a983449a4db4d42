/** Emits the library (`dist/src`, `dist/checks`) with tsc. */
import { execFile } from 'node:child_process';
import path from 'node:path';
import { BuildError } from './errors.ts';
import { ROOT } from './output.ts';

const TSC = path.join(ROOT, 'node_modules/typescript/bin/tsc');

/** Returns the files it wrote, as paths from the root. @throws BuildError with tsc's own lines. */
export async function emitLibrary(): Promise<string[]> {
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
