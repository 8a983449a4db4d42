/** Notices that a file is another one than before, however it came about. */
import { watch, type FSWatcher } from 'node:fs';
import { stat } from 'node:fs/promises';

/** What a file system is asked, and how often; milliseconds. */
export interface FollowTimes {
  /** Where no events come (a link, network folders, a single file mounted into a container), this often it is looked. */
  readonly pollMs: number;
  /** A file that stays as it is for so long is no longer being written. */
  readonly settleMs: number;
}

const FOLLOW_TIMES: FollowTimes = { pollMs: 2_000, settleMs: 150 };

/** A file that is written without a pause is read all the same after so many looks. */
const MOST_LOOKS = 20;

/**
 * Calls `onStir` when the file at `file` may hold something else: it was written, replaced by another one (as editors do),
 * reached through a symbolic link that was set anew (as Kubernetes does), removed, or came back. The file itself is
 * watched, and not its folder, where others (a database) may write all the time; beside that it is looked at now and
 * then, which is how a link or a file that comes back is seen. Keeps no process alive. Returns what ends it.
 */
export function followFile(file: string, onStir: () => void, times: FollowTimes = FOLLOW_TIMES): () => void {
  let known: string | undefined;
  let isLooking = false;
  const closing = new AbortController();
  const { signal } = closing;
  const look = async (): Promise<void> => {
    if (isLooking || signal.aborted) return;
    isLooking = true;
    let observed = await signatureOf(file);
    known ??= observed;
    while (observed !== known && !signal.aborted) {
      known = await settled(file, observed, times.settleMs);
      if (signal.aborted) break;
      watching.renew();
      onStir();
      // It may have become another one just before it was watched.
      observed = await signatureOf(file);
    }
    isLooking = false;
  };
  const watching = watchFile(file, () => void look());
  watching.renew();
  void look();
  const timer = setInterval(() => void look(), times.pollMs).unref();
  return () => {
    closing.abort();
    clearInterval(timer);
    watching.close();
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

/** Watches what the file is now. One that takes its place is another one: `renew` turns to that. */
function watchFile(file: string, onEvent: () => void): { renew(): void; close(): void } {
  let watcher: FSWatcher | null = null;
  const close = (): void => {
    watcher?.close();
    watcher = null;
  };
  return {
    close,
    renew() {
      close();
      try {
        // What can no more be watched is looked at by the clock all the same.
        watcher = watch(file, { persistent: false }, onEvent).on('error', close);
      } catch {
        // It is not there, or nothing can be watched here.
      }
    },
  };
}
