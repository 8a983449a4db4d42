/**
 * Maps with at most `most` items at work at a time, in order. For what needs memory while it is at work, such as bodies:
 * how many requests go out at once is the transport's business.
 */
export async function mapConcurrently<T, R>(
  items: Iterable<T>,
  most: number,
  task: (item: T) => Promise<R>,
): Promise<readonly R[]> {
  const results: R[] = [];
  const pending = [...items].entries();
  const worker = async (): Promise<void> => {
    for (const [index, item] of pending) results[index] = await task(item);
  };
  await Promise.all(Array.from({ length: most }, worker));
  return results;
}
