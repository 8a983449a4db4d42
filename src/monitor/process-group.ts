/** A program in a process group of its own, so that all that it started can be ended with it. */
import type { ChildProcess, SpawnOptions } from 'node:child_process';

/** With these a program is started. There are no groups on Windows. */
export const OWN_GROUP = {
  detached: process.platform !== 'win32',
  windowsHide: true,
} as const satisfies SpawnOptions;

/** How long a program may take to end by itself once it is asked to. */
const GRACE_MS = 2_000;

export interface ProcessGroup {
  /** Asks all of it to end, and sees to it after a while. */
  readonly end: () => void;
  /** Ends all of it at once. */
  readonly kill: () => void;
  /** The program itself has ended: what it left running goes on, unless it was asked to end. */
  readonly release: () => void;
}

/** The group of a program that was started with `OWN_GROUP`. */
export function processGroup(child: ChildProcess): ProcessGroup {
  let killer: NodeJS.Timeout | undefined;
  const kill = (): void => signalGroup(child, 'SIGKILL');
  return {
    kill,
    end() {
      if (killer !== undefined) return;
      signalGroup(child, 'SIGTERM');
      killer = setTimeout(kill, GRACE_MS);
    },
    release() {
      // What the program started may not have listened.
      if (killer !== undefined) kill();
      clearTimeout(killer);
    },
  };
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (!OWN_GROUP.detached || child.pid === undefined) child.kill(signal);
    else process.kill(-child.pid, signal);
  } catch {
    // It has ended meanwhile.
  }
}
