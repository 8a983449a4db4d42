import { setImmediate } from 'node:timers/promises';

/** Makes a promise on first use, and returns the same one from then on. */
export function lazy<T>(create: () => Promise<T>): () => Promise<T> {
  let created: Promise<T> | undefined;
  return () => (created ??= create());
}

/**
 * Maps with at most `most` items at work at a time, in order. For what needs memory while it is at work, such as bodies:
 * how many requests go out at once is the transport's business.
 */
export async function mapConcurrently<T, R>(items: Iterable<T>, most: number, task: (item: T) => Promise<R>) {
  const results: R[] = [];
  const pending = [...items].entries();
  const worker = async (): Promise<void> => {
    for (const [index, item] of pending) results[index] = await task(item);
  };
  await Promise.all(Array.from({ length: most }, worker));
  return results;
}

/** How long work may take before signals, timers and the network get their turn. */
const SLICE_MS = 20;

let turnedAt = 0;
let turn: Promise<void> | undefined;

async function nextTurn(): Promise<void> {
  await setImmediate();
  turnedAt = performance.now();
  turn = undefined;
}

/** To be awaited between the steps of long work: lets the other work of this process continue, now and then. */
export async function yieldToEventLoop(): Promise<void> {
  // Of several that waited, the first may use up the next slice.
  while (performance.now() - turnedAt >= SLICE_MS) await (turn ??= nextTurn());
}
