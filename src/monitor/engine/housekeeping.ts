/** What a monitor does beside its runs: maintenance started by hand, reminders, forgetting what is too old. */
import type { OutboxChanges } from '../alerts/alert.ts';
import type { Cancel, Clock } from '../clock/clock.ts';
import type { Core } from './core.ts';
import type { Log } from '../log/write.ts';
import type { Retention } from '../settings.ts';
import type { Store } from '../store/store.ts';

/** Soon after the start. */
const MINUTE_MS = 60_000;
/** How often the database is requested maintenance that another process started, and open incidents for reminders. */
const OFTEN_MS = 3_000;

export interface Housekeeping {
  /** How much goes on right now. */
  busy(): number;
  stop(): void;
}

export function startHousekeeping(core: Core): Housekeeping {
  const pending: OutboxChanges[] = [];
  let busy = 0;
  let stopped = false;
  const cancels = new Map<string, Cancel>();

  const repeat = (name: string, firstMs: number, everyMs: number, work: () => Promise<void>): void => {
    const wait = (ms: number): void => {
      if (stopped) return;
      const run = async (): Promise<void> => {
        busy += 1;
        try {
          await work();
        } catch (error) {
          core.options.log('warn', 'housekeeping-failed', { task: name, error: (error as Error).message });
        } finally {
          busy -= 1;
        }
        wait(everyMs);
      };
      cancels.set(
        name,
        core.timers.after(ms, () => void run()),
      );
    };
    wait(firstMs);
  };

  repeat('maintenance', OFTEN_MS, OFTEN_MS, () => core.readMaintenance());
  repeat('reminders', OFTEN_MS, OFTEN_MS, () => remind(core, pending));
  repeat('prune', MINUTE_MS, FORGET_MS, () => prune(core));
  return {
    busy: () => busy,
    stop: () => {
      stopped = true;
      for (const cancel of cancels.values()) cancel();
    },
  };
}

/** Removes the outcomes of long ago, if it is time to. */
export function prune({ clock, settings, options: { store, log } }: Core): Promise<void> {
  return forget({ store, clock, retention: settings.retention, log });
}

/** Writes what time makes of open incidents; what could not be written is tried again with the next. */
export async function remind(core: Core, pending: OutboxChanges[] = []): Promise<void> {
  // What an incident opened with has to be in the database before.
  if (core.writer.problem !== null) return;
  const now = core.clock.now();
  const inMaintenance = [...core.watched.values()].filter((watched) => core.maintenanceOf(watched, now) !== null);
  const changes = core.book.reminders(now, new Set(inMaintenance.map(({ site }) => site.id)));
  if (changes.add.length > 0 || changes.cancel.length > 0) pending.push(changes);
  while (pending[0] !== undefined) {
    await core.options.store.changeOutbox(pending[0]);
    pending.shift();
    core.deliverer.wake();
  }
}

/* Removes the outcomes of long ago. A clock that is years ahead, as before its network sets it, must not make all of them old. */

/** How often there is something to forget. */
export const FORGET_MS = 3_600_000;
/** How far the time by which is forgotten goes on at once; after a long rest it catches up within hours or days. */
const STEP_MS = 24 * 3_600_000;
/** The name under which that time is noted. */
const NOTE = 'forgotten-at';

interface Forgetting {
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
