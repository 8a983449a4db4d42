/** Runs the real command, as a person would: another process, its own folder, an environment without surprises. */
import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';

const BIN = fileURLToPath(new URL('../../bin/docvitals.js', import.meta.url));

// Told on descriptor 3 at the very end: the peak resident size of the whole process, its threads included, in KiB
// (VmHWM of proc(5) on Linux, where getrusage(2) would give the peak of the process that started it if that is greater).
// A preloaded module, because polling would miss short peaks.
const TELL_MEMORY = `
import { readFileSync, writeSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';
const peak = () => {
  if (process.platform !== 'linux') return process.resourceUsage().maxRSS;
  return Number(/^VmHWM:\\s+(\\d+)/m.exec(readFileSync('/proc/self/status', 'utf8'))[1]);
};
if (isMainThread) process.on('exit', () => { try { writeSync(3, String(peak())); } catch {} });
`;

const module = (source: string): string => `data:text/javascript,${encodeURIComponent(source)}`;

// What a process needs to start at all. Nothing that changes the command's behaviour: no proxies, no CI, no language.
const KEPT = new Set(['PATH', 'SYSTEMROOT', 'TEMP', 'TMP', 'TMPDIR', 'USERPROFILE', 'WINDIR']);

let emptyFolder: string | undefined;

/** A folder without any configuration, for the whole test file. */
function empty(): string {
  if (emptyFolder === undefined) {
    const made = mkdtempSync(join(tmpdir(), 'docvitals-cwd-'));
    process.once('exit', () => rmSync(made, { recursive: true, force: true }));
    emptyFolder = made;
  }
  return emptyFolder;
}

export interface RunOptions {
  /** Added to a minimal environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** Default: an empty folder, so that no configuration is found. */
  readonly cwd?: string;
  /** Standard input. Default: none. */
  readonly input?: string;
  /** Where standard output goes: kept (default), or a file descriptor. */
  readonly stdout?: 'pipe' | number;
  /** `ulimit -n` for the command. */
  readonly descriptors?: number;
  /** Bound by the permissions of files, also where the tests run as root. Only where `canBeBound`. */
  readonly bound?: boolean;
  /** Source of a module that is loaded before the command. */
  readonly preload?: string;
  /** The file to run. Default: the checkout's `bin/docvitals.js`. */
  readonly bin?: string;
  /** Killed after this many milliseconds. Default 60,000. */
  readonly killAfterMs?: number;
  /** Called as soon as it runs: to send signals, or to close its output early. */
  readonly onStart?: (child: ChildProcess) => void;
}

export interface RunResult {
  /** Exit status, `null` when a signal ended it. */
  readonly status: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Peak resident set size in MiB; `null` when a signal ended it. */
  readonly maxRssMiB: number | null;
  readonly durationMs: number;
}

function environment(extra: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => KEPT.has(name.toUpperCase()));
  // Node itself warns on standard error where both are set, even to nothing.
  const plain = 'FORCE_COLOR' in extra && !extra['NO_COLOR'] ? { NO_COLOR: undefined } : {};
  return { ...Object.fromEntries(kept), LC_ALL: 'C', NO_COLOR: '1', ...extra, ...plain };
}

/**
 * Takes from root the right to ignore the permissions of files (capabilities(7)); root still reads its own files. Another
 * user would not do: the checkout may be in a folder that only root can read.
 */
const BOUND = ['setpriv', '--bounding-set', '-dac_override,-dac_read_search'] as const;
const isRoot = process.getuid?.() === 0;

/** Whether commands can be bound by the permissions of files on this system. */
export const canBeBound: boolean =
  process.platform !== 'win32' && (!isRoot || spawnSync(BOUND[0], [...BOUND.slice(1), 'true']).status === 0);

function command(args: readonly string[], options: RunOptions): [file: string, args: string[]] {
  const { descriptors, preload = '', bound = false, bin = BIN } = options;
  const node = ['--import', module(TELL_MEMORY + preload), bin, ...args];
  if (bound && isRoot) return [BOUND[0], [...BOUND.slice(1), process.execPath, ...node]];
  if (descriptors === undefined) return [process.execPath, node];
  return ['sh', ['-c', `ulimit -n ${descriptors}; exec "$0" "$@"`, process.execPath, ...node]];
}

async function text(stream: Readable | null | undefined): Promise<string> {
  const chunks: Buffer[] = [];
  // A stream that the test itself destroys (a closed pager) ends the text there.
  await new Promise<void>((resolve) => {
    if (!stream) return resolve();
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('close', resolve).on('error', () => resolve());
  });
  return Buffer.concat(chunks).toString('utf8');
}

/** Runs `docvitals <args>` from the checkout and waits for its end. Never rejects because the command failed. */
export async function runCli(args: readonly string[], options: RunOptions = {}): Promise<RunResult> {
  const started = performance.now();
  const [file, argv] = command(args, options);
  const child = spawn(file, argv, {
    cwd: options.cwd ?? empty(),
    env: environment(options.env ?? {}),
    stdio: [options.input === undefined ? 'ignore' : 'pipe', options.stdout ?? 'pipe', 'pipe', 'pipe'],
  });
  const ended = new Promise<[number | null, NodeJS.Signals | null]>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (status, signal) => resolve([status, signal]));
  });
  const killer = setTimeout(() => child.kill('SIGKILL'), options.killAfterMs ?? 60_000);
  child.stdin?.on('error', () => undefined).end(options.input);
  options.onStart?.(child);
  const output = Promise.all([text(child.stdout), text(child.stderr), text(child.stdio[3] as Readable)]);
  const [status, signal] = await ended.finally(() => clearTimeout(killer));
  const [stdout, stderr, kibibytes] = await output;
  const maxRssMiB = kibibytes === '' ? null : Number(kibibytes) / 1024;
  return { status, signal, stdout, stderr, maxRssMiB, durationMs: performance.now() - started };
}
