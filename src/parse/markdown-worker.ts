/**
 * The worker thread's side of parsing. Started with a prepared text it sends its facts and ends; started without one it
 * answers every text it is sent, in order, until it is ended.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { boundedFacts } from './bounded-facts.ts';
import { prepare, readFacts, readParsedFacts } from './markdown-facts.ts';
import type { MarkdownFacts, MarkdownLimit, Prepared } from './markdown-types.ts';

/** What the worker is started with: a text, or how many entries of each list it sends of the texts that follow. */
export type WorkerInput = Prepared | { readonly most: number };

/** What it sends for each text that follows: the facts, a limit that was met, or what went wrong in it. */
export type WorkerAnswer = MarkdownFacts | MarkdownLimit | { readonly ok: false; readonly error: string };

/** Sent before the first answer, and now and then between the parts of a long text. */
export type Alive = 'alive';

/** How often it tells that a long text goes on, in milliseconds: shorter than any limit that makes sense. */
const TELL_MS = 50;

let told = performance.now();

const input = workerData as WorkerInput;
if ('most' in input) {
  // What parsing needs is loaded before the first text is there.
  await readParsedFacts(prepare('[a](b)'), (stage) => stage());
  send('alive');
  let last: Promise<void> = Promise.resolve();
  parentPort?.on('message', (text: string) => {
    last = last.then(async () => send(await answerTo(text, input.most)));
  });
} else {
  send(await readFacts(input, (stage) => stage()));
}

async function answerTo(text: string, most: number): Promise<WorkerAnswer> {
  try {
    return boundedFacts(await readFacts(prepare(text, Infinity), alive), most);
  } catch (error) {
    // Out of stack.
    if (error instanceof RangeError) return { ok: false, limit: 'memory' };
    return { ok: false, error: String(error) };
  }
}

function alive<T>(stage: () => T): T {
  const value = stage();
  if (performance.now() - told >= TELL_MS) send('alive');
  return value;
}

function send(answer: WorkerAnswer | Alive): void {
  told = performance.now();
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port, not a window
  parentPort?.postMessage(answer);
}
