/** The thread that reads what a site sends: one text after another. */
import { parentPort } from 'node:worker_threads';
import { READERS, type Options, type ReaderName, type Result } from './readers.ts';
import type { ReadLimit } from './untrusted.ts';

export interface Job<Name extends ReaderName = ReaderName> {
  readonly name: Name;
  readonly text: string;
  readonly options: Options<Name>;
}

/** `begun`: the reader of the next text was loaded, and its time counts from now on; of later texts at once. */
export type WorkerAnswer = 'begun' | Result<ReaderName> | ReadLimit | { readonly error: string };

const loaded = new Set<ReaderName>();
let last: Promise<void> = Promise.resolve();
// Answers come in the order of the texts, whichever reader is loaded first.
parentPort?.on('message', (job: Job) => {
  last = last.then(() => answer(job));
});

async function answer<Name extends ReaderName>({ name, text, options }: Job<Name>): Promise<void> {
  try {
    const reader = await READERS[name]();
    if (!loaded.has(name)) send('begun');
    loaded.add(name);
    send(reader(text, options));
  } catch (error) {
    // Out of stack.
    send(error instanceof RangeError ? { ok: false, limit: 'memory' } : { error: String(error) });
  }
}

function send(message: WorkerAnswer): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port, not a window
  parentPort?.postMessage(message);
}
