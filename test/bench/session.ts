/** What all rows share: a folder, a way to stop, and what is printed meanwhile. */
import { chmodSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** nginx's workers, which read the sites in it, run as another user if the master is root. */
function enterable(prefix: string): string {
  const folder = mkdtempSync(prefix);
  chmodSync(folder, 0o755);
  return folder;
}

/** Removed when the process ends. */
export const FOLDER = enterable(path.join(realpathSync(tmpdir()), 'docvitals-bench-'));
process.once('exit', () => rmSync(FOLDER, { recursive: true, force: true }));

export const newFolder = (name: string): string => enterable(path.join(FOLDER, `${name}-`));

const stop = new AbortController();

/** The next pause or progress throws, so that everything that was started is stopped. */
export function stopOnSignals(): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => stop.abort());
}

export const isStopped = (): boolean => stop.signal.aborted;

export const pause = (seconds: number): Promise<void> => sleep(seconds * 1000, undefined, { signal: stop.signal });

/** Replaces the last line on a terminal. */
export function progress(text: string): void {
  stop.signal.throwIfAborted();
  if (process.stderr.isTTY) process.stderr.write(`\r\u001B[K${text}`);
}

export function print(line: string): void {
  if (process.stderr.isTTY) process.stderr.write('\r\u001B[K');
  console.error(line);
}
