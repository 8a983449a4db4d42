/** Measures for how long a command's event loop is blocked: in processor time, which a busy machine does not stretch. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// A timer that is due all the time runs as soon as the loop turns.
const MEASURE = (file: string): string => `
import { writeFileSync } from 'node:fs';
if (isMainThread) {
  const used = () => { const { user, system } = process.threadCpuUsage(); return (user + system) / 1000; };
  let longest = 0, last = used();
  const look = () => { const now = used(); longest = Math.max(longest, now - last); last = now; };
  // Starting the command is no work for a site.
  setTimeout(() => { last = used(); setInterval(look, 5).unref(); }, 0).unref();
  process.on('exit', () => { look(); writeFileSync(${JSON.stringify(file)}, String(longest)); });
}
`;

export interface Blocked {
  /** Source of a module that is loaded before the command. */
  readonly preload: string;
  /** The longest time between two turns of the event loop, in milliseconds of processor time; once the command has ended. */
  readonly longestMs: () => number;
  readonly remove: () => void;
}

export function measureBlocked(): Blocked {
  const folder = mkdtempSync(join(tmpdir(), 'docvitals-blocked-'));
  const file = join(folder, 'longest');
  return {
    preload: MEASURE(file),
    longestMs: () => Number(readFileSync(file, 'utf8')),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Whether this version of Node counts the processor time of one thread. */
export const countsThreadTime = 'threadCpuUsage' in process;
