interface Entry<T> {
  readonly until: number;
  readonly value: Promise<T>;
}

/**
 * Remembers values between requests, so that many visitors cost a monitor no more than one. Returns what looks a value up
 * by its owner and key, and makes it again where it is older than `ms` (`now`: ms since 1970). Of each owner, the newest
 * `most` values are kept; a value that could not be made is not.
 */
export function remembering<T>(most: number) {
  const owners = new WeakMap<object, Map<string, Entry<T>>>();
  return (owner: object, key: string, now: number, ms: number, create: () => Promise<T>): Promise<T> => {
    const entries = owners.get(owner) ?? new Map<string, Entry<T>>();
    owners.set(owner, entries);
    const kept = entries.get(key);
    // A clock that was set back must not keep a value for hours.
    if (kept !== undefined && now < kept.until && kept.until - now <= ms) return kept.value;
    const value = create();
    entries.delete(key);
    entries.set(key, { until: now + ms, value });
    const [oldest] = entries.keys();
    if (entries.size > most && oldest !== undefined) entries.delete(oldest);
    value.catch(() => {
      if (entries.get(key)?.value === value) entries.delete(key);
    });
    return value;
  };
}
