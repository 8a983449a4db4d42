import { parentPort, workerData } from 'node:worker_threads';
import { prepare } from './markdown-text.ts';
import { boundedFacts, type MarkdownFacts, type MarkdownLimit, type MarkdownOutline, type Wanted } from './markdown.ts';

export interface WorkerInput {
  /** What of an outline is wanted; `null`: facts. */
  readonly wanted: readonly Wanted[] | null;
  /** In UTF-16 code units. */
  readonly longest: number;
  /** Most entries of each list of facts. */
  readonly most: number;
}

export type WorkerAnswer = 'ready' | MarkdownFacts | MarkdownOutline | MarkdownLimit | { readonly error: string };

const { wanted, longest, most } = workerData as WorkerInput;

async function loadReader(): Promise<(text: string) => MarkdownFacts | MarkdownOutline> {
  if (wanted !== null) {
    const { readOutline } = await import('./markdown-outline.ts');
    return (text) => readOutline(prepare(text, longest), wanted);
  }
  const { readFacts } = await import('./markdown-facts.ts');
  return (text) => boundedFacts(readFacts(prepare(text, longest)), most);
}

const read = await loadReader();
parentPort?.on('message', (text: string) => {
  try {
    send(read(text));
  } catch (error) {
    // Out of stack.
    send(error instanceof RangeError ? { ok: false, limit: 'memory' } : { error: String(error) });
  }
});
send('ready');

function send(answer: WorkerAnswer): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port, not a window
  parentPort?.postMessage(answer);
}
