import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const WRITER = fileURLToPath(new URL('writer.ts', import.meta.url));

/** A process that writes to a database until it is killed. */
export interface Writing {
  readonly child: ChildProcess;
  /** Resolves when the first batch has been kept, or the process has ended. */
  readonly begun: Promise<void>;
  /** Kills it at once. Resolves with the number of the last batch that it told; `null`: none. */
  kill(): Promise<number | null>;
  /** How it ended by itself. */
  ended(): Promise<{ readonly status: number | null; readonly stderr: string }>;
}

export function startWriting(file: string): Writing {
  const child = spawn(process.execPath, [WRITER, file], { stdio: ['ignore', 'pipe', 'pipe'] });
  const told = { stdout: '', stderr: '' };
  child.stderr.on('data', (chunk: Buffer) => (told.stderr += chunk.toString()));
  const closed = once(child, 'close');
  const begun = new Promise<void>((resolve) => {
    child.stdout.on('data', (chunk: Buffer) => {
      told.stdout += chunk.toString();
      resolve();
    });
    child.once('close', () => resolve());
  });
  return {
    child,
    begun,
    async kill() {
      child.kill('SIGKILL');
      await closed;
      const whole = told.stdout.slice(0, told.stdout.lastIndexOf('\n') + 1).trim();
      return whole === '' ? null : Number(whole.split('\n').at(-1));
    },
    async ended() {
      await closed;
      return { status: child.exitCode, stderr: told.stderr };
    },
  };
}
