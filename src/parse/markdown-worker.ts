/** The worker thread's side of parseMarkdown: one prepared text in, its facts out, then it ends. */
import { parentPort, workerData } from 'node:worker_threads';
import { readFacts } from './markdown-facts.ts';
import type { Prepared } from './markdown-types.ts';

/** What the worker is started with. */
export type WorkerInput = Prepared;

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port, not a window
parentPort?.postMessage(await readFacts(workerData as WorkerInput, (stage) => stage()));
