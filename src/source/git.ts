import path from 'node:path';
import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { spawn } from 'node:child_process';
import os from 'node:os';
import { lazy } from '../core/concurrency.ts';
import {
  isCompared,
  isDeployable,
  LARGEST_FILE,
  LARGEST_TEXT,
  MOST_ENTRIES,
  readable,
  SourceError,
  sourceHasher,
  tooMany,
} from './content.ts';
import type { Source, SourceFile } from './types.ts';

/** Regular files; not symbolic links (120000) nor submodules (160000). */
const FILE_MODES = new Set(['100644', '100755']);
/** How far back earlier versions are looked for. */
const MOST_COMMITS = 1_000;

interface GitTree extends Where {
  readonly tree: string;
  /** The commit that it belongs to, and its path from the repository's root; `null`: no commit (a bare tree). */
  readonly commit: string | null;
  readonly folder: string;
}

/** Where Git runs, and what ends it. */
interface Where {
  readonly cwd: string;
  readonly signal: AbortSignal | undefined;
}

/** What a ref names: `main`, `v1.2`, `HEAD:docs`. Rejects with a `SourceError` where Git does not know it, and without Git or a repository. */
export async function gitSource(name: string, where: Where): Promise<Source> {
  const tree = await findTree(name, where);
  const read = lazy(() => readable(() => readTree(tree), where.signal));
  return {
    name,
    kind: 'git',
    files: async () => (await read()).files,
    skipped: async () => (await read()).skipped,
    unread: async () => (await read()).unread,
    repositoryFolder: () => Promise.resolve(tree.commit === null ? null : tree.folder),
    async read(file) {
      const known = (await read()).files.get(file);
      return known === undefined || known.bytes > LARGEST_TEXT
        ? null
        : succeeded(['cat-file', 'blob', known.object], where);
    },
    history: lazy(() => gitHistory(tree)),
  };
}

async function findTree(ref: string, where: Where): Promise<GitTree> {
  const { cwd, ...options } = where;
  const [revision = '', ...rest] = ref.split(':');
  const tree = (await revParse(`${ref}^{tree}`, where).catch(() => null)) ?? (await revParse(ref, where));
  if (tree === null) throw new SourceError('not found');
  const type = (await git(['cat-file', '-t', tree], cwd, options)).text();
  if (type !== 'tree') throw new SourceError(`a ${type}, not a tree`);
  const commit = await revParse(`${revision}^{commit}`, where).catch(() => null);
  // The path from the repository's root, as written after the colon: `docs`, or `./docs` from here.
  const written = rest.join(':');
  const isFromHere = /^\.\.?(?:\/|$)/.test(written);
  const prefix = isFromHere ? (await git(['rev-parse', '--show-prefix'], cwd, options)).text() : '';
  return { ...where, tree, commit, folder: path.posix.normalize(prefix + written || '.').replace(/^\.$|\/$/g, '') };
}

async function revParse(name: string, { cwd, signal }: Where, options: readonly string[] = []): Promise<string | null> {
  const args = [...options, 'rev-parse', '--verify', '--quiet', '--end-of-options', name];
  const { status, text, stderr } = await git(args, cwd, { signal });
  if (status === 0) return text();
  const detail = stderr.trim().split('\n')[0] ?? '';
  if (detail === '') return null;
  // What helps for a repository of another owner is in a later line.
  const remedy = /^\s*(git config .*)$/m.exec(stderr)?.[1];
  throw new SourceError(remedy === undefined ? detail : `${detail}; ${remedy}`);
}

/** The commit of a folder's work tree and the folder's path in it; `null` outside of repositories. */
export async function workTree(where: Where): Promise<GitTree | null> {
  try {
    const commit = await revParse('HEAD^{commit}', where, IN_WORK_TREE);
    const prefix = await succeeded([...IN_WORK_TREE, 'rev-parse', '--show-prefix'], where);
    const folder = prefix.toString('utf8').trim().replace(/\/$/, '');
    return commit === null ? null : { ...where, tree: '', commit, folder };
  } catch {
    return null;
  }
}

async function readTree({ tree, ...where }: GitTree) {
  const entries: { readonly mode: string; readonly object: string; readonly file: string }[] = [];
  const unread: string[] = [];
  const onRecord = (record: Buffer): void => {
    const [, mode = '', object = '', file = ''] = /^(\d+) \w+ (\w+)\t([^]+)$/.exec(record.toString('utf8')) ?? [];
    if (file === '' || !isDeployable(file)) return;
    if (isUtf8(record)) entries.push({ mode, object, file });
    else unread.push(file);
  };
  await succeeded(['ls-tree', '-r', '-z', '--full-tree', '--end-of-options', tree], where, {
    onData: recordReader(onRecord),
  });
  const wanted = entries.filter(({ mode, file }) => FILE_MODES.has(mode) && isCompared(file));
  const contents = await readObjects([...new Set(wanted.map(({ object }) => object))], where);
  const files = wanted.flatMap(({ file, object }) => {
    const content = contents.get(object);
    if (content !== undefined) return [[file, { ...content, object }] as const];
    unread.push(file);
    return [];
  });
  const skipped = entries.filter(({ mode }) => !FILE_MODES.has(mode)).map(({ file }) => file);
  return { files: new Map(files), skipped, unread: unread.toSorted() };
}

/** Lists of files and of commits end here: 200,000 paths of usual length. */
const LONGEST_LIST = 32 * 1024 * 1024;

/** Takes apart records that end in NUL. Throws a `SourceError` where there are more than a site has files. */
function recordReader(onRecord: (record: Buffer) => void) {
  let rest: Buffer = Buffer.alloc(0);
  let [records, bytes] = [0, 0];
  return (chunk: Buffer): void => {
    const all = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let from = 0;
    for (let end = all.indexOf(0); end !== -1; end = all.indexOf(0, from)) {
      records += 1;
      if (records > MOST_ENTRIES) throw tooMany();
      onRecord(all.subarray(from, end));
      from = end + 1;
    }
    rest = all.subarray(from);
    bytes += chunk.length;
    if (bytes > LONGEST_LIST) throw tooMany();
  };
}

/** The last commits of the branch that a tree belongs to, with what they changed in its folder; `null`: no commit. */
export async function gitHistory({ cwd, signal, commit, folder }: GitTree): Promise<History | null> {
  if (commit === null) return null;
  // Deploys are made from a branch: of merged ones only the merge counts.
  const format = '-z --raw --no-abbrev --no-renames --first-parent -m --no-show-signature --format=%H'.split(' ');
  const where = folder === '' ? [] : ['--', `:(top,literal)${folder}`];
  const [log, shallow] = await Promise.all([
    git(['log', ...format, `--max-count=${MOST_COMMITS}`, '--end-of-options', commit, ...where], cwd, {
      signal,
      longest: LONGEST_LIST,
    }),
    git(['rev-parse', '--is-shallow-repository'], cwd, { signal }),
  ]);
  if (log.status !== 0 && !log.isCut) return null;
  const whole = log.stdout.subarray(0, log.stdout.lastIndexOf(0) + 1);
  return readHistory(whole.toString('utf8'), folder === '' ? '' : `${folder}/`, log.isCut || shallow.text() === 'true');
}

/** The files of a folder that Git tracks, by their path in it; none without Git, outside of repositories, and of too many. */
export async function trackedFiles(where: Where): Promise<readonly string[]> {
  const files: string[] = [];
  const onData = recordReader((record) => files.push(record.toString('utf8')));
  const listed = succeeded([...IN_WORK_TREE, 'ls-files', '-z', '--', '.'], where, { onData });
  return listed.then(
    () => files,
    () => [],
  );
}

/** The contents of objects, by their name; without those that are too large. */
async function readObjects(names: readonly string[], where: Where): Promise<ReadonlyMap<string, SourceFile>> {
  const contents = new Map<string, SourceFile>();
  if (names.length === 0) return contents;
  const listed = await succeeded(['cat-file', '--batch-check'], where, { input: `${names.join('\n')}\n` });
  const objects = listed.toString('utf8').trim().split('\n');
  const missing = objects.filter((line) => line.endsWith(' missing')).length;
  if (missing > 0) {
    throw new SourceError(`${missing} objects are missing; for a partial clone run: git fetch --refetch --no-filter`);
  }
  const small = objects.filter((line) => Number(line.split(' ')[2]) <= LARGEST_FILE);
  if (small.length === 0) return contents;
  await succeeded([...STREAMED, 'cat-file', '--batch'], where, {
    input: `${small.map((line) => line.split(' ')[0]).join('\n')}\n`,
    onData: batchReader((name, file) => contents.set(name, file)),
  });
  return contents;
}

/** Git holds what is in a pack and smaller than this in its memory, by default up to 512 MiB. */
const STREAMED = ['-c', 'core.bigFileThreshold=1m'];

/** Takes apart what `git cat-file --batch` prints, object after object: `<name> <type> <size>`, the bytes, a line feed. */
function batchReader(onObject: (name: string, file: SourceFile) => void) {
  let header = '';
  let object: { readonly name: string; readonly hasher: ReturnType<typeof sourceHasher>; left: number } | null = null;
  return (chunk: Buffer): void => {
    let at = 0;
    while (at < chunk.length) {
      if (object === null) {
        const end = chunk.indexOf('\n', at);
        header += chunk.toString('latin1', at, end === -1 ? chunk.length : end);
        if (end === -1) return;
        const [name = '', , size] = header.split(' ');
        object = { name, hasher: sourceHasher(), left: Number(size) };
        header = '';
        at = end + 1;
      }
      const piece = chunk.subarray(at, at + object.left);
      object.hasher.update(piece);
      object.left -= piece.length;
      at += piece.length;
      if (object.left === 0 && at < chunk.length) {
        onObject(object.name, object.hasher.end());
        object = null;
        at += 1;
      }
    }
  };
}

/** Digits of a commit's name, as people write it. */
const SHORT = 10;

/** One change of a file, newest first: the commit's number, and what the file was before and after it (`null`: absent). */
interface Change {
  readonly commit: number;
  readonly before: string | null;
  readonly after: string | null;
}

/** The last commits of a branch, by number: 0 is the newest. */
export type History = ReturnType<typeof readHistory>;

/**
 * A history from the output of `git log -z --raw --no-abbrev --format=%H`: a commit's name, then for each changed file
 * `:<modes> <object before> <object after> <status>` and its path, all ended by NUL. `isShallow`: the repository has not
 * been fetched whole, there may be more commits.
 */
export function readHistory(log: string, below: string, isShallow: boolean) {
  const commits: string[] = [];
  const changes = new Map<string, Change[]>();
  // Git writes zeros for a file that does not exist.
  const present = (object = ''): string | null => (/^0*$/.test(object) ? null : object);
  const tokens = log.split('\0').values();
  for (const token of tokens) {
    const raw = /^\n?:\d+ \d+ (\w+) (\w+) \w/.exec(token);
    if (raw === null) {
      if (token.trim() !== '') commits.push(token.trim().slice(0, SHORT));
      continue;
    }
    const changed = tokens.next().value;
    if (changed?.startsWith(below) !== true) continue;
    const list = changes.get(changed.slice(below.length)) ?? [];
    list.push({ commit: commits.length - 1, before: present(raw[1]), after: present(raw[2]) });
    changes.set(changed.slice(below.length), list);
  }
  return {
    isShallow,
    /** The newest version of a file that has these bytes, or the same with other line ends; `null`: none has. */
    find: (file: string, bytes: Uint8Array) => find(changes.get(file) ?? [], bytes, commits),
    /** What a file was as of a commit: the name of its bytes, `null` where the file did not exist or it is not known. */
    objectAt: (file: string, commit: number): string | null => {
      const all = changes.get(file) ?? [];
      const change = all.find((one) => one.commit >= commit);
      return change === undefined ? (all.at(-1)?.before ?? null) : change.after;
    },
    /**
     * The newest commit that changed the bytes of a file, or made it; `null`: none that is known. A commit may change
     * nothing but the mode, and that at which a shallow history ends seems to make every file.
     */
    lastChange: (file: string): number | null => {
      const last = changes.get(file)?.find(({ before, after }) => before !== after);
      const isEnd = isShallow && last?.before === null && last.commit === commits.length - 1;
      return last === undefined || isEnd ? null : last.commit;
    },
    paths: () => changes.keys(),
  };
}

/** A version of a file, and the commits that have it. */
export type FileVersion = NonNullable<ReturnType<typeof find>>;

function find(changes: readonly Change[], bytes: Uint8Array, commits: readonly string[]) {
  const [first] = changes.flatMap(({ before, after }) => after ?? before ?? []);
  if (first === undefined) return null;
  const withLineFeeds = Buffer.from(Buffer.from(bytes).toString('latin1').replaceAll('\r\n', '\n'), 'latin1');
  const objects = new Set([bytes, withLineFeeds].map((content) => objectName(content, first.length)));
  const at = changes.findIndex(({ after }) => after !== null && objects.has(after));
  const change = changes[at];
  if (change === undefined) return null;
  const newer = changes[at - 1];
  return {
    /** The abbreviated name of the commit that made it. */
    commit: commits[change.commit] ?? '',
    /** The newest and the oldest commit that have it. */
    newest: newer === undefined ? 0 : newer.commit + 1,
    oldest: change.commit,
    /** How many versions of the file are newer. */
    newerVersions: at,
  };
}

/** What Git calls a file of these bytes: the hash of `blob <size>`, NUL and the bytes; SHA-1, or SHA-256 of 64 digits. */
function objectName(bytes: Uint8Array, digits: number): string {
  const hash = createHash(digits === 64 ? 'sha256' : 'sha1');
  return hash.update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}

/**
 * For a folder of a work tree. It may hold a proposed change: Git would take a folder with the files of a bare repository
 * for one, and run what its configuration names.
 */
export const IN_WORK_TREE = ['-c', 'safe.bareRepository=explicit'];

/** What a repository's own configuration may name and the commands here could start: hooks, and a check of signatures. */
export const INERT = ['core.fsmonitor=false', `core.hooksPath=${os.devNull}`, 'log.showSignature=false'].flatMap(
  (option) => ['-c', option],
);

/**
 * No pager, no prompt, no optional locks: a check changes nothing. An object that a partial clone lacks is not fetched:
 * the repository's configuration names the remote, and the program that serves it. Git before 2.39.4 does not know
 * `GIT_NO_LAZY_FETCH`; no protocol is called `none`, so it finds none that is allowed.
 */
const ENVIRONMENT = {
  GIT_OPTIONAL_LOCKS: '0',
  GIT_TERMINAL_PROMPT: '0',
  GIT_NO_LAZY_FETCH: '1',
  GIT_ALLOW_PROTOCOL: 'none',
  LC_ALL: 'C',
};

interface GitOptions {
  readonly input?: string;
  /** Takes the output, which is not collected then. */
  readonly onData?: (chunk: Buffer) => void;
  readonly env?: NodeJS.ProcessEnv;
  /** After it Git is ended, and `status` is `null`. */
  readonly timeoutMs?: number;
  /** Ends Git, and rejects. */
  readonly signal?: AbortSignal | undefined;
  /** Git is ended where it prints more bytes, and the output is cut. */
  readonly longest?: number;
}

/** Variables that Git sets for hooks; they would lead it to another repository. */
const OF_A_REPOSITORY =
  /^GIT_(?:ALTERNATE_OBJECT_DIRECTORIES|COMMON_DIR|DIR|INDEX_FILE|NAMESPACE|OBJECT_DIRECTORY|PREFIX|WORK_TREE)$/;

export function gitEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !OF_A_REPOSITORY.test(name)));
}

/** The output of Git. Rejects with a `SourceError` when it fails. */
async function succeeded(args: readonly string[], { cwd, signal }: Where, options?: GitOptions): Promise<Buffer> {
  const { status, stdout, stderr } = await git(args, cwd, { ...options, signal });
  if (status !== 0) throw new SourceError(stderr.trim());
  return stdout;
}

/** More of what Git reports is not kept. In UTF-16 code units. */
const LONGEST_MESSAGE = 64 * 1024;

/**
 * Runs Git without a shell. `text`: the output without white space around it. Rejects with a `SourceError` when it cannot
 * be started or the signal ends it, and with what `onData` throws.
 */
export async function git(args: readonly string[], cwd: string, options: GitOptions = {}) {
  const { input, timeoutMs: timeout, signal, longest = Infinity } = options;
  const env = { ...(options.env ?? process.env), ...ENVIRONMENT };
  const stdin = input === undefined ? 'ignore' : 'pipe';
  const child = spawn('git', ['--no-pager', ...INERT, ...args], {
    cwd,
    env,
    timeout,
    killSignal: 'SIGKILL',
    ...(signal && { signal }),
    stdio: [stdin, 'pipe', 'pipe'],
  });
  const chunks: Buffer[] = [];
  let [length, stderr] = [0, ''];
  const collect = (chunk: Buffer): void => {
    chunks.push(chunk);
    length += chunk.length;
    if (length > longest) child.kill('SIGKILL');
  };
  const { promise, resolve, reject } = Promise.withResolvers<number | null>();
  const onData = options.onData ?? collect;
  child.stdout?.on('data', (chunk: Buffer) => {
    try {
      onData(chunk);
    } catch (error) {
      reject(error);
      child.stdout?.removeAllListeners('data').destroy();
      child.kill('SIGKILL');
    }
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr = (stderr + text).slice(0, LONGEST_MESSAGE)));
  // It may end before it has read everything; its status says so.
  child.stdin?.on('error', () => {}).end(input);
  child.once('error', (error) => reject(new SourceError(`git: ${error.message}`))).once('close', resolve);
  // What a wrapper of Git started may hold its output open.
  child.once('exit', (code) => code === null && [child.stdout, child.stderr].forEach((stream) => stream?.destroy()));
  const status = await promise;
  const stdout = Buffer.concat(chunks);
  return { status, stdout, stderr, isCut: length > longest, text: () => stdout.toString('utf8').trim() };
}
