/** What a monitor has around it: clocks, timers and chance. Parameters, so that a night can be lived through in a minute. */

import { uptime } from 'node:os';

/** Takes back what was set. */
export type Cancel = () => void;

export interface Timers {
  /** The clock on the wall: ms since 1970. It may be set, forwards and backwards. */
  readonly wall: () => number;
  /** A clock that is never set, in ms; it may stand still while the machine sleeps. */
  readonly monotonic: () => number;
  /** Time since the machine was started, in ms, its sleep included; may be coarse. `null`: not known. */
  readonly uptime: () => number | null;
  /** Processor time that this process has used, its threads included, in ms. */
  readonly used: () => number;
  /** Calls `work` once, not before `ms` milliseconds have passed. */
  readonly after: (ms: number, task: () => void) => Cancel;
  /** 0 to 1, 1 excluded. */
  readonly random: () => number;
}

/** Node's timers end here: what is longer is cut in pieces. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** The world as it is. Its timers keep the process alive. */
export const REAL_TIMERS: Timers = {
  wall: () => Date.now(),
  monotonic: () => performance.now(),
  // Elsewhere it is made of the wall's clock, and says nothing that the wall does not.
  uptime: () => (process.platform === 'linux' ? uptime() * 1_000 : null),
  used() {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000;
  },
  random: () => Math.random(),
  after(ms, task) {
    let timer: NodeJS.Timeout;
    const wait = (left: number): void => {
      const piece = Math.min(left, LONGEST_TIMER_MS);
      timer = setTimeout(() => (left > piece ? wait(left - piece) : task()), piece);
    };
    wait(Math.max(0, ms));
    return () => clearTimeout(timer);
  },
};
