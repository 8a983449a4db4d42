/** What a monitor does beside its runs: maintenance started by hand, reminders, deletion of old results. */
import type { OutboxChanges } from '../alerts/alert.ts';
import { sleep } from '../clock/clock.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../time.ts';
import type { Core } from './core.ts';

/** How often maintenance that another process started is read, and reminders are planned. */
const OFTEN_MS = 3_000;

/** Repeats its tasks until no run may begin any more; returns how many are in progress, when it is called. */
export function startHousekeeping(core: Core): () => number {
  const { signal } = core.closing;
  const pending: OutboxChanges[] = [];
  let busy = 0;

  const repeat = async (task: string, firstMs: number, everyMs: number, work: () => Promise<void>): Promise<void> => {
    for (let ms = firstMs; ; ms = everyMs) {
      await sleep(core.timers, ms, signal);
      if (signal.aborted) return;
      busy += 1;
      await work().catch((error: Error) =>
        core.options.log('warn', 'housekeeping-failed', { task, error: error.message }),
      );
      busy -= 1;
    }
  };
  void repeat('maintenance', OFTEN_MS, OFTEN_MS, () => core.readMaintenance());
  void repeat('reminders', OFTEN_MS, OFTEN_MS, () => remind(core, pending));
  // The first deletion is soon after the start.
  void repeat('prune', MINUTE_MS, PRUNE_MS, () => prune(core));
  return () => busy;
}

/** Writes the alerts that become due as time passes; what could not be written is tried again with the next. */
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

export const PRUNE_MS = HOUR_MS;
/** Longest step of the time by which results are old: a clock that is years ahead must not make all of them old. */
const STEP_MS = DAY_MS;
/** The note with that time. */
const NOTE = 'forgotten-at';

/** Deletes old results, unless that was done within the hour. Rejects with a `StoreError`. */
export async function prune({ clock, settings, options: { store, log } }: Core): Promise<void> {
  const now = clock.now();
  const note = Number((await store.note(NOTE)) ?? Number.NaN);
  const before = Number.isSafeInteger(note) ? note : null;
  if (before !== null && now >= before && now - before < PRUNE_MS) return;
  // At first nothing is old, whatever the clock shows.
  const at = before === null ? now : Math.min(now, before + STEP_MS);
  if (before !== null) {
    const rows = await store.prune(at, settings.retention);
    if (rows > 0) log('debug', 'history-pruned', { rows });
  }
  await store.setNote(NOTE, String(at));
}
