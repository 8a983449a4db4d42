/** Counts and logs results that were removed from the queue because they are invalid or too large. */
import type { Log } from '../log/write.ts';
import type { Rejected } from './queue.ts';

/** The problem is over when nothing was removed for so long. */
const CALM_MS = 10 * 60_000;

/** What names no location that `isKnown` counts under `null`. */
export function rejectionLog(
  log: Log,
  isKnown: (location: string) => boolean,
  monotonic = (): number => performance.now(),
) {
  /** By location. */
  const known = new Map<string | null, { readonly count: number; readonly lastAt: number }>();
  return {
    note(rejected: readonly Rejected[]): void {
      for (const { location: named, reason, count } of rejected) {
        const location = named !== null && isKnown(named) ? named : null;
        const before = known.get(location) ?? { count: 0, lastAt: -Infinity };
        const isNew = monotonic() - before.lastAt >= CALM_MS;
        known.set(location, { count: before.count + count, lastAt: monotonic() });
        if (isNew) log('error', 'results-rejected', { location: location ?? 'unknown', reason });
      }
    },
    /** Whether something was removed lately: of a location, or, without one, of any. */
    isCurrent: (location?: string): boolean =>
      [...known].some(
        ([id, { lastAt }]) => (location === undefined || id === location) && monotonic() - lastAt < CALM_MS,
      ),
    /** How much was removed since the start: of a location, or, without one, of all. */
    count: (location?: string): number =>
      location === undefined
        ? [...known.values()].reduce((sum, { count }) => sum + count, 0)
        : (known.get(location)?.count ?? 0),
  };
}
