/** Applies a configuration that was changed while the monitor runs; an invalid one changes nothing. */
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { watch, type FSWatcher } from 'node:fs';
import { MONITOR_PARTS } from '../../config/config.ts';
import { isModule } from '../../config/load.ts';
import { renderProblem } from '../../config/messages.ts';
import { ConfigError } from '../../project/usage-error.ts';
import { loadSettings, type ProjectSettings } from '../../project/settings.ts';
import type { Language } from '../../texts.ts';
import type { Log } from '../log/write.ts';
import { messagesIn } from '../../locales/messages.ts';

export interface WatchOptions {
  /** The file as found or given, relative to `cwd`; `null`: there was none, nothing is watched. */
  readonly file: string | null;
  /** What it held when the running configuration was read; absent: what it holds now. */
  readonly text?: string | null | undefined;
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** The language of the mistakes that are logged. */
  readonly language: Language;
  readonly log: Log;
  /** Called with a new configuration that is in order and has something to watch, one after the other. */
  readonly onChange: (settings: ProjectSettings) => void | Promise<void>;
  /** How often the file is checked; for tests. */
  readonly times?: FollowTimes;
}

export interface ConfigWatch {
  /** Reads the file again now, as SIGHUP does. Resolves once it was taken up, refused, or found to be the same. */
  reload(): Promise<void>;
  /** Ends the watching. Idempotent. */
  close(): void;
}

/** Why the file is read. */
type Cause = 'signal' | 'file';

/**
 * Follows the file that the monitor was started with, and SIGHUP. An invalid configuration is logged, and the old one
 * stays in use. A module (`.ts`, `.js`, `.mjs`) is run again, at SIGHUP always; what it imports is not, so that a change
 * there needs a restart.
 */
export function watchConfig(options: WatchOptions): ConfigWatch {
  const { file, cwd, times } = options;
  if (file === null) return { reload: () => Promise.resolve(), close: () => {} };
  const address = path.resolve(cwd, file);
  const reader = readerOf({ ...options, file }, address);
  let working = reader.remember();
  const queue = (cause: Cause): Promise<void> => {
    working = working.then(() => reader.read(cause));
    return working;
  };
  const onSignal = (): void => void queue('signal');
  process.on('SIGHUP', onSignal);
  const unfollow = followFile(address, () => void queue('file'), times);
  // It may have been changed while the monitor started.
  void queue('file');
  return {
    reload: () => queue('signal'),
    close: () => {
      process.off('SIGHUP', onSignal);
      reader.close();
      unfollow();
    },
  };
}

/** Reads the file. Its functions do not reject. */
function readerOf(options: WatchOptions & { readonly file: string }, address: string) {
  const { file, log, onChange } = options;
  let observed: string | null = null;
  /** What the running configuration was read from. */
  let accepted: string | null = null;
  let versions = 0;
  let isClosed = false;
  const take = async (content: string | null): Promise<void> => {
    const loaded = await load(options, `${process.pid}-${++versions}`);
    if (isClosed) return;
    if (!loaded.ok) return log('error', 'config-refused', { file, mistakes: loaded.mistakes });
    await onChange(loaded.settings);
    accepted = content;
    const { sites, alerts } = loaded.settings.config.monitor;
    log('info', 'config-reloaded', { file, sites: sites.length, routes: alerts.length });
  };
  return {
    /** What the file holds now is what the monitor runs with. */
    async remember(): Promise<void> {
      accepted = observed = options.text ?? (await contentOf(address));
    },
    async read(cause: Cause): Promise<void> {
      if (isClosed) return;
      const content = await contentOf(address);
      const isForced = cause === 'signal' && isModule(file);
      // A refused file is reported once, and again on request.
      const isKnown = content === accepted || (content === observed && cause === 'file');
      observed = content;
      if (isKnown && !isForced) {
        if (cause === 'signal') log('info', 'config-unchanged', { file });
        return;
      }
      try {
        await take(content);
      } catch (error) {
        log('error', 'config-refused', { file, mistakes: [error instanceof Error ? error.message : String(error)] });
      }
    },
    close: (): void => {
      isClosed = true;
    },
  };
}

type Loaded =
  | { readonly ok: true; readonly settings: ProjectSettings }
  | { readonly ok: false; readonly mistakes: readonly string[] };

async function load(
  { file, cwd, env, language }: WatchOptions & { readonly file: string },
  version: string,
): Promise<Loaded> {
  try {
    const settings = await loadSettings({ config: file }, env, cwd, { needed: MONITOR_PARTS, version });
    if (settings.config.monitor.sites.length > 0) return { ok: true, settings };
    const messages = messagesIn(language);
    return { ok: false, mistakes: [`${file}: ${messages.nothingToWatch()}`] };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return { ok: false, mistakes: error.problems.map((problem) => renderProblem(problem, language)) };
  }
}

/** What a file holds, without a byte order mark; `null`: it cannot be read. */
async function contentOf(address: string): Promise<string | null> {
  try {
    return (await readFile(address, 'utf8')).replace(/^\uFEFF/, '');
  } catch {
    return null;
  }
}

/** Milliseconds. */
interface FollowTimes {
  /** Where there are no events (links, network folders, a file mounted into a container), the file is checked this often. */
  readonly pollMs: number;
  /** A file that is unchanged for so long is no longer being written. */
  readonly settleMs: number;
}

const FOLLOW_TIMES: FollowTimes = { pollMs: 2_000, settleMs: 150 };

/** A file that is written without a pause is read all the same after so many looks. */
const MOST_LOOKS = 20;

/**
 * Calls `onStir` when a file may have changed: it was written, replaced (as editors do), linked to another one (as
 * Kubernetes does), removed, or created again. The file is watched, not its folder, where a database may be written all
 * the time; links and files that come back are found by polling. Keeps no process alive. Returns what ends it.
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

/** What distinguishes two states of a file; a link is followed. Never rejects. */
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
    await sleep(pauseMs, undefined, { ref: false });
    const now = await signatureOf(file);
    if (now === before) break;
    before = now;
  }
  return before;
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
        // What can no more be watched is checked by the clock all the same.
        watcher = watch(file, { persistent: false }, onEvent).on('error', close);
      } catch {
        // It is not there, or nothing can be watched here.
      }
    },
  };
}
