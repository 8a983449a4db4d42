/** What coordinators and runners do until they stop: the same steps again and again, each within its time. */
import { pause } from '../../http/timing.ts';
import type { Log } from '../log/write.ts';

/** What failed is tried again after so long. */
const RETRY_MS = 1_000;

/**
 * Does a step every `ms`, again at once where it resolves with `true`, until `signal` is aborted. `note` is called with the
 * error of each step that failed, and with `null` after one that did not.
 */
export async function repeat(
  ms: number,
  signal: AbortSignal,
  note: (error: Error | null) => void,
  step: () => Promise<boolean | void>,
): Promise<void> {
  while (!signal.aborted) {
    try {
      if ((await step()) === true) continue;
      note(null);
      await pause(ms, signal);
    } catch (error) {
      note(error as Error);
      await pause(RETRY_MS, signal);
    }
  }
}

/** Waits for something, but no longer than `ms`, nor when `cut` is aborted; resolves with whether it ended in time. */
export async function within(ms: number, something: Promise<unknown>, cut?: AbortSignal): Promise<boolean> {
  const over = new AbortController();
  const ended = something.then(() => true);
  const signals = cut === undefined ? [over.signal] : [over.signal, cut];
  const late = pause(ms, AbortSignal.any(signals)).then(() => false);
  return Promise.race([ended, late]).finally(() => over.abort());
}

/** Whether the queues can be reached; logs when that changes. */
export function reachabilityLog(log: Log) {
  let isLost = false;
  const note = (error: { readonly message: string } | null): void => {
    if (error !== null && !isLost) log('error', 'queue-unreachable', { error: error.message });
    if (error === null && isLost) log('info', 'queue-reachable');
    isLost = error !== null;
  };
  return { note, isLost: () => isLost };
}
