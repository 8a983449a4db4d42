/** Writes commands for a POSIX shell. Pure. */
import { posix } from 'node:path';

/** A word of a POSIX shell's command line. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** A path as an argument: quoted, and never taken for an option. */
export function shellPath(path: string): string {
  return shellWord(path.startsWith('-') ? `./${path}` : path);
}

/** The command that renames a file in its repository; `null` for names that cannot be shown as they are. */
export function renameCommand(from: string, to: string): string | null {
  if (/[\p{C}\p{Zl}\p{Zp}]/u.test(from + to)) return null;
  const [before, after] = [posix.dirname(from), posix.dirname(to)];
  const folder = before === after ? '' : `mkdir -p -- ${shellWord(after)} && `;
  return `${folder}git mv -- ${shellWord(from)} ${shellWord(to)}`;
}
