/** How far results may run ahead of the first that is still awaited: what waits takes memory. */
const MOST_AHEAD = 2_000;

/** Work on many items. */
export interface Ordered<T, R> {
  readonly items: readonly T[];
  /** How many are worked on at once. */
  readonly atOnce: number;
  /** Never rejects. */
  readonly work: (item: T) => Promise<R>;
  /** Gets each result, in the order of the items, whatever order they come in. */
  readonly take: (result: R, item: T) => void;
  /** Once aborted nothing is begun or taken any more, and the call ends; what is under way is not waited for. */
  readonly stop: AbortSignal;
}

/** Works on items, several at once, and hands the results on in order. Rejects only when `work` or `take` does. */
export async function inOrder<T, R>({ items, atOnce, work: task, take, stop }: Ordered<T, R>): Promise<void> {
  const ready = new Map<number, R>();
  const ended = Promise.withResolvers<void>();
  let [begun, taken, running] = [0, 0, 0];
  const done = (index: number, result: R): void => {
    if (stop.aborted) return;
    running -= 1;
    ready.set(index, result);
    for (; ready.has(taken); taken++) {
      const next = ready.get(taken) as R;
      ready.delete(taken);
      take(next, items[taken] as T);
    }
    begin();
  };
  const run = async (index: number): Promise<void> => {
    try {
      done(index, await task(items[index] as T));
    } catch (error) {
      ended.reject(error);
    }
  };
  const begin = (): void => {
    while (!stop.aborted && running < atOnce && begun < items.length && begun - taken < MOST_AHEAD) {
      const index = begun++;
      running += 1;
      void run(index);
    }
    if (stop.aborted || taken === items.length) ended.resolve();
  };
  const onStop = (): void => ended.resolve();
  stop.addEventListener('abort', onStop);
  try {
    begin();
    await ended.promise;
  } finally {
    stop.removeEventListener('abort', onStop);
  }
}
