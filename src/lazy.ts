/** Makes a promise on first use, and returns the same one from then on. */
export function lazy<T>(create: () => Promise<T>): () => Promise<T> {
  let created: Promise<T> | undefined;
  return () => (created ??= create());
}
