/** A monitor that runs by the clock, until it is stopped. */
import type { Core } from './core.ts';
import { startHousekeeping } from './housekeeping.ts';
import type { Monitor, MonitorOptions } from './monitor.ts';
import { openCore } from './open.ts';
import { Scheduler } from './scheduler.ts';
import { viewOf } from './view.ts';

/** How long runs that go on may take to end. */
const GRACE_MS = 2_000;
/** How long what was cut off may take to notice. */
const CUT_MS = 500;
/** How long what waits may be written, and what is due be sent, in the end; together. */
const FLUSH_MS = 1_500;

/** Starts to watch. Rejects with a `StoreError` when the database cannot be read. */
export async function startMonitor(options: MonitorOptions): Promise<Monitor> {
  const core = await openCore(options);
  const runs = new Scheduler(core);
  core.onGap = () => runs.reset();
  await runs.plan();
  const housekeeping = startHousekeeping(core);
  core.deliverer.wake();
  let stopping: Promise<boolean> | null = null;
  return {
    ...viewOf(core, (site) => runs.nextAt(site)),
    databaseReplaced: (reason) => void core.databaseReplaced(reason),
    reload: (settings) => runs.reload(settings),
    busy: () => core.busy() + housekeeping.busy(),
    stop: (graceMs = GRACE_MS) => (stopping ??= stop(core, { runs, housekeeping }, graceMs)),
  };
}

interface Running {
  readonly runs: Scheduler;
  readonly housekeeping: ReturnType<typeof startHousekeeping>;
}

async function stop(core: Core, { runs, housekeeping }: Running, graceMs: number): Promise<boolean> {
  housekeeping.stop();
  runs.stop();
  core.closing.abort();
  await within(core, graceMs, runs.settled());
  core.cut.abort();
  await within(core, CUT_MS, runs.settled());
  await closeCore(core, FLUSH_MS);
  return isAllKept(core);
}

/** Whether all that was seen is in the database; what is not is told, for nobody will know it any more. */
function isAllKept({ writer: { waiting }, options: { log } }: Core): boolean {
  if (waiting.length === 0) return true;
  const incidents = new Set(waiting.flatMap((run) => run.incidents.map(({ id }) => id)));
  log('error', 'rounds-not-kept', { rounds: waiting.length, incidents: incidents.size });
  return false;
}

/**
 * Writes and sends what can be within `ms` for all of it, and ends everything: what does not end when it is broken off is
 * not waited for. Resolves with how many alerts still wait. The store stays open.
 */
export async function closeCore(core: Core, ms: number): Promise<number> {
  const endsAt = core.timers.monotonic() + ms;
  const left = (): number => Math.max(0, endsAt - core.timers.monotonic());
  await Promise.all([within(core, left(), core.writer.flush()), within(core, CUT_MS, core.network.settled())]);
  core.writer.stop();
  const pending = await core.deliverer.flush(left());
  await within(core, left(), core.pulse.settled());
  await within(core, CUT_MS, Promise.all([core.deliverer.stop(), core.pulse.stop()]));
  core.clock.stop();
  return pending;
}

/** Waits for something, but no longer than so many milliseconds. */
async function within({ timers }: Core, ms: number, something: Promise<unknown>): Promise<void> {
  let cancel = (): void => {};
  const late = new Promise<void>((resolve) => {
    cancel = timers.after(ms, resolve);
  });
  await Promise.race([something, late]).finally(() => cancel());
}
