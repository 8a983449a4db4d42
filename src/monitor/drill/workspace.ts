import { rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** An empty folder for one drill. */
export interface Workspace {
  /** An absolute path. */
  readonly folder: string;
  /** Removes it, unless it is to be kept. */
  end(): Promise<void>;
}

/**
 * Makes an empty folder among the system's temporary files. It is removed at the end, also where the process is ended
 * before; `keep`: it is not. Rejects with the system's error.
 */
export async function makeWorkspace(keep: boolean): Promise<Workspace> {
  const folder = await mkdtemp(path.join(tmpdir(), 'docvitals-drill-'));
  if (keep) return { folder, end: () => Promise.resolve() };
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  process.once('exit', remove);
  return {
    folder,
    async end() {
      await rm(folder, { recursive: true, force: true, maxRetries: 3 });
      process.off('exit', remove);
    },
  };
}
