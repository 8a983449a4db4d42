/** Makes a promise when it is first asked for, and gives the same one from then on. */
export function lazy<T>(create: () => Promise<T>): () => Promise<T> {
  let created: Promise<T> | undefined;
  return () => (created ??= create());
}
