/** Removes the outcomes of long ago. A clock that is years ahead, as before its network sets it, must not make all of them old. */
import type { Clock } from '../clock/clock.ts';
import type { Log } from '../log/log.ts';
import type { Retention } from '../settings.ts';
import type { Store } from '../store/store.ts';

/** How often there is something to forget. */
export const FORGET_MS = 3_600_000;
/** How far the time by which is forgotten goes on at once; after a long rest it catches up within hours or days. */
const STEP_MS = 24 * 3_600_000;
/** The name under which that time is noted. */
const NOTE = 'forgotten-at';

export interface Forgetting {
  readonly store: Pick<Store, 'note' | 'setNote' | 'prune'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly retention: Retention;
  readonly log: Log;
}

/** Forgets, unless it was done within the hour. Rejects with a `StoreError`. */
export async function forget({ store, clock, retention, log }: Forgetting): Promise<void> {
  const now = clock.now();
  const before = timeIn(await store.note(NOTE));
  if (before !== null && now >= before && now - before < FORGET_MS) return;
  // At first nothing is old, whatever the clock says.
  const at = before === null ? now : Math.min(now, before + STEP_MS);
  if (before !== null) {
    const rows = await store.prune(at, retention);
    if (rows > 0) log('debug', 'history-pruned', { rows });
  }
  await store.setNote(NOTE, String(at));
}

function timeIn(note: string | null): number | null {
  const time = note === null ? Number.NaN : Number(note);
  return Number.isSafeInteger(time) ? time : null;
}
