/** A monitor that runs by the clock, until it is stopped. */
import type { Core } from './core.ts';
import { startHousekeeping } from './housekeeping.ts';
import type { Monitor, MonitorOptions } from './monitor.ts';
import { openCore } from './open.ts';
import { Rounds } from './rounds.ts';
import { viewOf } from './view.ts';

/** How long rounds that go on may take to end. */
const GRACE_MS = 2_000;
/** How long what was cut off may take to notice. */
const CUT_MS = 500;
/** How long what waits may be written, and what is due be sent, in the end; together. */
const FLUSH_MS = 1_500;

/** Starts to watch. Rejects with a `StoreError` when the database cannot be read. */
export async function startMonitor(options: MonitorOptions): Promise<Monitor> {
  const core = await openCore(options);
  const rounds = new Rounds(core);
  core.onGap = () => rounds.reset();
  await rounds.plan();
  const housekeeping = startHousekeeping(core);
  core.deliverer.wake();
  let stopping: Promise<boolean> | null = null;
  return {
    ...viewOf(core, (site) => rounds.nextAt(site)),
    databaseReplaced: (reason) => void core.databaseReplaced(reason),
    reload: (settings) => rounds.reload(settings),
    busy: () => core.busy() + housekeeping.busy(),
    stop: (graceMs = GRACE_MS) => (stopping ??= stop(core, { rounds, housekeeping }, graceMs)),
  };
}

interface Running {
  readonly rounds: Rounds;
  readonly housekeeping: ReturnType<typeof startHousekeeping>;
}

async function stop(core: Core, { rounds, housekeeping }: Running, graceMs: number): Promise<boolean> {
  housekeeping.stop();
  rounds.stop();
  core.closing.abort();
  await within(core, graceMs, rounds.settled());
  core.cut.abort();
  await within(core, CUT_MS, rounds.settled());
  await closeCore(core, FLUSH_MS);
  return isAllKept(core);
}

/** Whether all that was seen is in the database; what is not is told, for nobody will know it any more. */
function isAllKept({ writer: { waiting }, options: { log } }: Core): boolean {
  if (waiting.length === 0) return true;
  const incidents = new Set(waiting.flatMap((round) => round.incidents.map(({ id }) => id)));
  log('error', 'rounds-not-kept', { rounds: waiting.length, incidents: incidents.size });
  return false;
}

/**
 * Writes and sends what can be within `ms` for all of it, and ends everything: what does not end when it is broken off is
 * not waited for. Resolves with how many alerts still wait. The store stays open.
 */
export async function closeCore(core: Core, ms: number): Promise<number> {
  const endsAt = core.around.monotonic() + ms;
  const left = (): number => Math.max(0, endsAt - core.around.monotonic());
  await Promise.all([within(core, left(), core.writer.flush()), within(core, CUT_MS, core.network.settled())]);
  core.writer.stop();
  const pending = await core.deliverer.flush(left());
  await within(core, left(), core.pulse.settled());
  await within(core, CUT_MS, Promise.all([core.deliverer.stop(), core.pulse.stop()]));
  core.clock.stop();
  return pending;
}

/** Waits for something, but no longer than so many milliseconds. */
async function within({ around }: Core, ms: number, something: Promise<unknown>): Promise<void> {
  let cancel = (): void => {};
  const late = new Promise<void>((resolve) => {
    cancel = around.after(ms, resolve);
  });
  await Promise.race([something, late]).finally(() => cancel());
}
