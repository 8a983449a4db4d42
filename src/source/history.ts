/** Tells which commit a file's bytes are of. */
import { createHash } from 'node:crypto';
import type { FileVersion, History } from './types.ts';

/** Digits of a commit's name, as people write it. */
const SHORT = 10;

/** One change of a file, newest first: the commit's number, and what the file was before and after it (`null`: absent). */
interface Change {
  readonly commit: number;
  readonly before: string | null;
  readonly after: string | null;
}

/**
 * A history from the output of `git log -z --raw --no-abbrev --format=%H`: a commit's name, then for each changed file
 * `:<modes> <object before> <object after> <status>` and its path, all ended by NUL.
 */
export function readHistory(log: string, below: string, isShallow: boolean): History {
  const commits: string[] = [];
  const changes = new Map<string, Change[]>();
  const tokens = log.split('\0').values();
  for (const token of tokens) {
    const raw = /^\n?:\d+ \d+ (\w+) (\w+) \w/.exec(token);
    if (raw === null) {
      if (token.trim() !== '') commits.push(token.trim().slice(0, SHORT));
      continue;
    }
    const path = String(tokens.next().value);
    if (!path.startsWith(below)) continue;
    const list = changes.get(path.slice(below.length)) ?? [];
    list.push({ commit: commits.length - 1, before: present(raw[1]), after: present(raw[2]) });
    changes.set(path.slice(below.length), list);
  }
  return {
    isShallow,
    find: (path, bytes) => find(changes.get(path) ?? [], bytes, commits),
    objectAt: (path, commit) => objectAt(changes.get(path) ?? [], commit),
    // A commit may change nothing of a file but its mode; and that at which a shallow history ends seems to make every file.
    lastChange: (path) => {
      const last = changes.get(path)?.find(({ before, after }) => before !== after);
      const isEnd = isShallow && last?.before === null && last.commit === commits.length - 1;
      return last === undefined || isEnd ? null : last.commit;
    },
    paths: () => changes.keys(),
  };
}

/** Git writes zeros for a file that is not there. */
function present(object = ''): string | null {
  return /^0*$/.test(object) ? null : object;
}

function find(changes: readonly Change[], bytes: Uint8Array, commits: readonly string[]): FileVersion | null {
  const [first] = changes.flatMap(({ before, after }) => after ?? before ?? []);
  if (first === undefined) return null;
  const objects = new Set([objectName(bytes, first.length), objectName(withLineFeeds(bytes), first.length)]);
  const at = changes.findIndex(({ after }) => after !== null && objects.has(after));
  const change = changes[at];
  if (change === undefined) return null;
  const newer = changes[at - 1];
  const newest = newer === undefined ? 0 : newer.commit + 1;
  return { commit: commits[change.commit] ?? '', newest, oldest: change.commit, newerVersions: at };
}

function objectAt(changes: readonly Change[], commit: number): string | null {
  const change = changes.find((one) => one.commit >= commit);
  return change === undefined ? (changes.at(-1)?.before ?? null) : change.after;
}

/** What Git calls a file of these bytes: the hash of `blob <size>`, NUL and the bytes; SHA-1, or SHA-256 of 64 digits. */
function objectName(bytes: Uint8Array, digits: number): string {
  const hash = createHash(digits === 64 ? 'sha256' : 'sha1');
  return hash.update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}

function withLineFeeds(bytes: Uint8Array): Uint8Array {
  return Buffer.from(Buffer.from(bytes).toString('latin1').replaceAll('\r\n', '\n'), 'latin1');
}
