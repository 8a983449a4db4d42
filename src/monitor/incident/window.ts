/** The most moments that are remembered. */
const MOST = 50;

/** Those of some moments that are not longer ago than a time: oldest first, a bounded number. All in milliseconds. */
export function within(moments: readonly number[], ms: number, now: number): readonly number[] {
  // What lies ahead was written before the clock was set back.
  return moments.filter((at) => at <= now && now - at <= ms).slice(-MOST);
}
