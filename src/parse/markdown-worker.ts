/** The worker thread's side of parseMarkdown: one prepared text in, its facts out, then it ends. */
import { parentPort, workerData } from 'node:worker_threads';
import { readFacts } from './markdown-facts.ts';
import type { Prepared } from './markdown-facts.ts';

/** What the worker is started with. */
export type WorkerInput = Prepared;

parentPort?.postMessage(await readFacts(workerData as WorkerInput, (stage) => stage()));
