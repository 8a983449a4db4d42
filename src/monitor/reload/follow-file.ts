/** Notices that a file is another one than before, however it came about. */
import { watch, type FSWatcher } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';

/** What a file system is asked, and how often; milliseconds. */
export interface FollowTimes {
  /** Where no events come (network folders, a single file mounted into a container), this often it is looked. */
  readonly pollMs: number;
  /** A file that stays as it is for so long is no longer being written. */
  readonly settleMs: number;
}

const FOLLOW_TIMES: FollowTimes = { pollMs: 2_000, settleMs: 150 };

/** A file that is written without a pause is read all the same after so many looks. */
const MOST_LOOKS = 20;

/**
 * Calls `onStir` when the file at `file` may hold something else: it was written, replaced by another one (as editors do),
 * reached through a symbolic link that was set anew (as Kubernetes does), removed, or came back. Its folder and the one
 * that it really lies in are watched; beside that the file is looked at now and then. Keeps no process alive.
 * Returns what ends it.
 */
export function followFile(file: string, onStir: () => void, times: FollowTimes = FOLLOW_TIMES): () => void {
  let known: string | undefined;
  let isLooking = false;
  let isClosed = false;
  const look = async (): Promise<void> => {
    if (isLooking || isClosed) return;
    isLooking = true;
    try {
      const seen = await signatureOf(file);
      known ??= seen;
      if (seen === known) return;
      known = await settled(file, seen, times.settleMs);
      watchers.renew();
      if (!isClosed) onStir();
    } finally {
      isLooking = false;
    }
  };
  const watchers = watchFolders(file, () => void look());
  watchers.renew();
  void look();
  const timer = setInterval(() => void look(), times.pollMs).unref();
  return () => {
    isClosed = true;
    clearInterval(timer);
    watchers.close();
  };
}

/** What tells one state of a file from another; a link is followed. Never rejects. */
async function signatureOf(file: string): Promise<string> {
  try {
    const { dev, ino, size, mtimeNs, ctimeNs } = await stat(file, { bigint: true });
    return [dev, ino, size, mtimeNs, ctimeNs].join(' ');
  } catch {
    return 'none';
  }
}

/** Waits until the file stays as it is: half of a file may be valid, too. */
async function settled(file: string, first: string, pauseMs: number): Promise<string> {
  let before = first;
  for (let looks = 0; looks < MOST_LOOKS; looks++) {
    await pause(pauseMs);
    const now = await signatureOf(file);
    if (now === before) break;
    before = now;
  }
  return before;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });
}

/**
 * Watches the folder of a file, and the one that it really lies in. Folders are watched, and not the file, since a file
 * that takes its place is another one. `renew` looks anew where the file lies.
 */
function watchFolders(file: string, onEvent: () => void): { renew(): void; close(): void } {
  let watchers: readonly FSWatcher[] = [];
  let generation = 0;
  const close = (): void => {
    generation++;
    for (const watcher of watchers) watcher.close();
    watchers = [];
  };
  const renew = async (): Promise<void> => {
    close();
    const mine = generation;
    const real = await realpath(file).catch(() => file);
    if (mine !== generation) return;
    const names = new Set([path.basename(file), path.basename(real)]);
    const folders = new Set([path.dirname(path.resolve(file)), path.dirname(real)]);
    watchers = [...folders].flatMap((folder) => watchFolder(folder, names, onEvent) ?? []);
  };
  return { renew: () => void renew(), close };
}

/** Many files of a folder may change all the time (a database): only the file's own name and links beside it count. */
function watchFolder(folder: string, names: ReadonlySet<string>, onEvent: () => void): FSWatcher | undefined {
  try {
    const watcher = watch(folder, { persistent: false }, (_, name) => {
      if (name === null || names.has(name) || name.startsWith('..')) onEvent();
    });
    // A folder that is gone, or no more that can be watched: it is looked at by the clock all the same.
    watcher.on('error', () => watcher.close());
    return watcher;
  } catch {
    return undefined;
  }
}
