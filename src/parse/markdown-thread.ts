import type { Worker } from 'node:worker_threads';
// As a type only: it puts the worker's file into the compiled library without running it here.
import type { WorkerInput } from './markdown-worker.ts';

/** Starts a thread that parses, with a heap of at most `memoryMb` MiB. Throws when this machine cannot. */
export function startThread(input: WorkerInput, memoryMb: number): Worker {
  // Most runs start none.
  const threads = process.getBuiltinModule('node:worker_threads');
  return new threads.Worker(workerUrl(), {
    workerData: input,
    // Of young objects Node would let 192 MiB pile up, which makes parsing no faster.
    resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: memoryMb / 4 },
    // Nothing of this process may reach the worker (loaders, NODE_OPTIONS) and nothing it prints may come out.
    execArgv: [],
    env: {},
    stdout: true,
    stderr: true,
  });
}

/** Running out of heap, as a worker tells it. */
export function isOutOfHeap(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY';
}

/** Set by the build in a bundle that has no files beside it: a thread is started from the bundle itself. */
declare const DOCVITALS_ONE_FILE: boolean | undefined;

/** Beside this file: `.ts` in the sources (Node strips the types), `.js` in the library and in the bundle. */
function workerUrl(): URL {
  if (typeof DOCVITALS_ONE_FILE === 'boolean') return new URL(import.meta.url);
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  return new URL(`./markdown-worker.${extension}`, import.meta.url);
}
