import { once } from 'node:events';
import { mapConcurrently } from '../core/concurrency.ts';

/** How many are worked on at once; how many connections that takes is the transport's business. */
export const AT_ONCE = 24;
/** How far results may run ahead of the first that is still awaited: what waits takes memory. */
const MOST_AHEAD = 2_000;

interface Ordered<T, R> {
  readonly items: readonly T[];
  readonly work: (item: T) => Promise<R>;
  /** Gets each result, in the order of the items, whatever order they come in. */
  readonly take: (result: R, item: T) => void;
  /** Once aborted nothing is begun or taken, and the call ends; what is under way is not waited for. */
  readonly stop: AbortSignal;
}

/** Works on items, several at once, and takes the results in order. Rejects only when `work` or `take` does. */
export async function inOrder<T, R>({ items, work, take, stop }: Ordered<T, R>): Promise<void> {
  const stopped = once(stop, 'abort');
  for (let start = 0; start < items.length && !stop.aborted; start += MOST_AHEAD) {
    const part = items.slice(start, start + MOST_AHEAD);
    const ready = new Map<number, R>();
    let taken = 0;
    const all = mapConcurrently(part.entries(), AT_ONCE, async ([index, item]) => {
      if (stop.aborted) return;
      ready.set(index, await work(item));
      for (; !stop.aborted && ready.has(taken); taken++) {
        take(ready.get(taken) as R, part[taken] as T);
        ready.delete(taken);
      }
    });
    await Promise.race([all, stopped]);
  }
}
