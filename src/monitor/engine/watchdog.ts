/**
 * Sites that stopped this process. A thread beside this one ends the process when it is blocked, and notes the runs in
 * progress in a file. The next start holds back the run that was alone in progress. Of several, each then runs without the
 * others, so that the next time shows which one it was.
 */
import type { Scope } from '../incident/incident.ts';
import type { Log } from '../log/write.ts';
import { iso } from '../../core/time.ts';
import { partsOf, readBlocks, suspectsOf, writeBlocks } from './blocks.ts';
import type { Probe } from './local-probe.ts';
import type { WatchdogData } from './watchdog-thread.ts';

/** Processor time without a turn of the event loop. */
const LIMIT_MS = 10_000;
const TURN_MS = 250;
const MOST_BYTES = 64 * 1024;
/** Of the heap of the thread, in MiB: it needs hardly any. */
const THREAD_MB = 8;

export type Watchdog = ReturnType<typeof startWatchdog>;

export interface WatchdogOptions {
  /** Where blocks are noted. */
  readonly file: string;
  readonly log: Log;
  readonly now?: () => number;
}

/** The problem of a process that holds a run back, which does not keep it from checking other sites. */
export const SITE_HELD_BACK = 'site-held-back';

/** Starts the thread, which keeps no process alive. */
export function startWatchdog({ file, log, now = Date.now }: WatchdogOptions) {
  const turns = new Int32Array(new SharedArrayBuffer(8));
  const shared = new Uint8Array(new SharedArrayBuffer(MOST_BYTES));
  const running: string[] = [];
  const share = (): void => {
    let text = Buffer.from(JSON.stringify(running));
    if (text.length > MOST_BYTES) text = Buffer.from('[]');
    shared.set(text);
    Atomics.store(turns, 1, text.length);
  };
  share();
  let blocks = readBlocks(file);
  const suspects = suspectsOf(blocks);
  for (const [run, { heldUntil }] of suspects) {
    if (heldUntil === null) log('warn', 'site-suspected', partsOf(run));
    else log('error', SITE_HELD_BACK, { ...partsOf(run), retryAt: iso(heldUntil) });
  }
  const thread = startThread({ turns, running: shared, file, limitMs: LIMIT_MS });
  const timer = setInterval(() => Atomics.add(turns, 0, 1), TURN_MS);
  timer.unref();
  let last: Promise<unknown> = Promise.resolve();

  const isHeld = (run: string): boolean => (suspects.get(run)?.heldUntil ?? 0) > now();
  const clear = (run: string): void => {
    suspects.delete(run);
    blocks = blocks.map((block) => ({ ...block, runs: block.runs.filter((one) => one !== run) }));
    blocks = blocks.filter(({ runs }) => runs.length > 0);
    writeBlocks(file, blocks);
    log('info', 'site-let-in', partsOf(run));
  };
  return {
    /** Runs that are held back now. */
    troubles: (): readonly string[] => ([...suspects.keys()].some(isHeld) ? [SITE_HELD_BACK] : []),

    /** Does a run, or holds it back: `null`. Suspected runs are done one after the other. */
    async guard<T>(site: string, scope: Scope, work: () => Promise<T>): Promise<T | null> {
      const run = `${site} ${scope}`;
      // What the core checks read, every other run reads, too.
      if (isHeld(run) || isHeld(`${site} core`)) return null;
      if (!suspects.has(run)) return track(run, work);
      const before = last;
      const { promise, resolve } = Promise.withResolvers<void>();
      last = promise;
      await before;
      try {
        const done = await track(run, work);
        // Not where it was cut off.
        if (done !== null) clear(run);
        return done;
      } finally {
        resolve();
      }
    },

    async stop(): Promise<void> {
      clearInterval(timer);
      await thread.terminate();
    },
  };

  async function track<T>(run: string, work: () => Promise<T>): Promise<T> {
    running.push(run);
    share();
    try {
      return await work();
    } finally {
      running.splice(running.indexOf(run), 1);
      share();
    }
  }
}

/** A probe whose runs are watched, and held back. */
export function guarded(probe: Probe, watchdog: Watchdog | undefined): Probe {
  if (watchdog === undefined) return probe;
  return {
    ...probe,
    measure: (watched, scope, options) =>
      watchdog.guard(watched.site.id, scope, () => probe.measure(watched, scope, options)),
    troubles: () => [...probe.troubles(), ...watchdog.troubles()],
  };
}

function startThread(workerData: WatchdogData) {
  const { Worker } = process.getBuiltinModule('node:worker_threads');
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  const thread = new Worker(new URL(`./watchdog-thread.${extension}`, import.meta.url), {
    workerData,
    execArgv: [],
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: THREAD_MB, maxYoungGenerationSizeMb: 1 },
  });
  thread.unref();
  return thread;
}
