/**
 * The monitor's clock: the wall's time, carried on by the monotonic clock. It notices when the wall's clock is set, and
 * when this machine or this process stood still, after which nothing that was under way can be trusted.
 */
import { uptime } from 'node:os';

/** A time in which nothing that was in progress can be trusted. */
export type Gap =
  /** The wall's clock was set; negative: back. */
  | { readonly kind: 'clock-jump'; readonly byMs: number }
  /** The machine was suspended, or the process was stopped, for about so long. */
  | { readonly kind: 'resumed'; readonly afterMs: number }
  /** This process did one thing for so long: its timeouts cannot be trusted, but the machine was awake. */
  | { readonly kind: 'blocked'; readonly forMs: number };

export interface Clock {
  /** ms since 1970, whole. Goes back only where the wall's clock was set back. */
  now(): number;
  /** How many gaps there were: what began before one and ended after it was interrupted. */
  gaps(): number;
  /** How many times this process was blocked. */
  blocks(): number;
  /** Whether this machine, or this process, was suspended moments ago: its network may still be missing. */
  hasJustResumed(): boolean;
  stop(): void;
}

/** How often the two clocks are compared. */
const BEAT_MS = 1_000;
/** A wall's clock that is this far off was set: a slewed clock moves less between two beats. */
const JUMP_MS = 1_000;
/** A beat that is this late, later than on a busy machine, comes from a process that was stopped or blocked. */
const STALL_MS = 5_000;

/** How long a network may take to come back after a sleep. */
const SETTLING_MS = 15_000;

/** `onGap` is called once for each gap, as soon as it is noticed. */
export function startClock(timers: Timers, onGap: (gap: Gap) => void): Clock {
  let anchor = momentOf(timers);
  let reported = anchor.wall;
  let gaps = 0;
  let blocks = 0;
  let resumedAt = Number.NEGATIVE_INFINITY;
  let cancel: Cancel = () => {};

  const look = (): void => {
    const observed = momentOf(timers);
    const gap = gapBetween(anchor, observed);
    // A slewed clock must not run backwards.
    reported = gap === null ? Math.max(reported, observed.wall) : observed.wall;
    anchor = observed;
    if (gap === null) return;
    if (gap.kind === 'blocked') blocks += 1;
    else gaps += 1;
    if (gap.kind === 'resumed') resumedAt = observed.monotonic;
    onGap(gap);
  };
  const beat = (): void => {
    look();
    cancel = timers.after(BEAT_MS, beat);
  };
  cancel = timers.after(BEAT_MS, beat);

  /** Both clocks are compared before the beat where they disagree: a machine that slept has a wall's clock that is ahead. */
  const lookIfApart = (): void => {
    const passed = timers.monotonic() - anchor.monotonic;
    const isInStep = passed <= BEAT_MS + IN_STEP_MS && Math.abs(timers.wall() - anchor.wall - passed) <= IN_STEP_MS;
    if (!isInStep) look();
  };
  return {
    now() {
      reported = Math.max(reported, anchor.wall + timers.monotonic() - anchor.monotonic);
      return Math.floor(reported);
    },
    gaps() {
      lookIfApart();
      return gaps;
    },
    blocks() {
      lookIfApart();
      return blocks;
    },
    hasJustResumed: () => timers.monotonic() - resumedAt < SETTLING_MS,
    stop: () => cancel(),
  };
}

const IN_STEP_MS = 100;

interface Moment {
  readonly wall: number;
  readonly monotonic: number;
  /** Counts while the machine sleeps as well; `null`: not known here. Coarse. */
  readonly uptime: number | null;
  /** Processor time of this process. */
  readonly used: number;
}

function momentOf(timers: Timers): Moment {
  return { wall: timers.wall(), monotonic: timers.monotonic(), uptime: timers.uptime(), used: timers.used() };
}

/** The share of processor time that a blocked process uses at least, even on a crowded machine; a stopped one uses none. */
const LEAST_SHARE = 0.05;

function gapBetween(before: Moment, after: Moment): Gap | null {
  const passed = after.monotonic - before.monotonic;
  const isStalled = passed > BEAT_MS + STALL_MS;
  if (isStalled && after.used - before.used < LEAST_SHARE * passed)
    return { kind: 'resumed', afterMs: Math.round(passed) };
  const asleep = before.uptime === null || after.uptime === null ? 0 : after.uptime - before.uptime - passed;
  if (asleep > STALL_MS) return { kind: 'resumed', afterMs: Math.round(asleep) };
  if (isStalled) return { kind: 'blocked', forMs: Math.round(passed) };
  const byMs = Math.round(after.wall - before.wall - passed);
  return Math.abs(byMs) > JUMP_MS ? { kind: 'clock-jump', byMs } : null;
}

/* Clocks, timers and chance are parameters, so that a test can go through a night in a minute. */

export type Cancel = () => void;

export interface Timers {
  /** The wall's clock, in ms since 1970. It may be set, forwards and back. */
  readonly wall: () => number;
  /** A clock that is never set, in ms; it may pause while the machine sleeps. */
  readonly monotonic: () => number;
  /** Time since the machine was started, in ms, sleep included; may be coarse. `null`: not known. */
  readonly uptime: () => number | null;
  /** Processor time that this process has used, its threads included, in ms. */
  readonly used: () => number;
  /** Calls `task` once, not before `ms` have passed. */
  readonly after: (ms: number, task: () => void) => Cancel;
  /** 0 to 1, 1 excluded. */
  readonly random: () => number;
}

/** Node's longest timer. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Its timers keep the process alive. */
export const REAL_TIMERS: Timers = {
  wall: () => Date.now(),
  monotonic: () => performance.now(),
  // Elsewhere it is derived from the wall's clock.
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
