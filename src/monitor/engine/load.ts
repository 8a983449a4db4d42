/** Whether this process has as much to do as it can. */
import { performance } from 'node:perf_hooks';

/** Over how long it is told, in ms: one long task says nothing. */
const SPAN_MS = 100;
/** How much of that time it works. */
const BUSY = 0.9;

/** Makes the function that tells it, as of the last time that it was asked and {@link SPAN_MS} had passed. */
export function createLoadMeter(): () => boolean {
  let before = performance.eventLoopUtilization();
  let isBusy = false;
  return () => {
    const { active, idle, utilization } = performance.eventLoopUtilization(before);
    if (active + idle >= SPAN_MS) {
      isBusy = utilization > BUSY;
      before = performance.eventLoopUtilization();
    }
    return isBusy;
  };
}
