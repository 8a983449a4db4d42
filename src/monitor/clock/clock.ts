/**
 * The monitor's clock: the wall's time, carried on by the monotonic clock. It detects when the wall's clock is set, and
 * when this machine or process was suspended, after which nothing that was in progress can be trusted.
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

export type Clock = ReturnType<typeof startClock>;

/** How often the two clocks are compared. */
const BEAT_MS = 1_000;
/** Clocks that differ by less agree. */
const IN_STEP_MS = 100;
/** A wall's clock that is this far off was set: a slewed clock moves less between two beats. */
const JUMP_MS = 1_000;
/** A beat that is this late, later than on a busy machine, comes from a process that was stopped or blocked. */
const STALL_MS = 5_000;
/** The share of processor time that a blocked process uses at least, even on a crowded machine; a stopped one uses none. */
const LEAST_SHARE = 0.05;
/** How long a network may take to come back after a sleep. */
const SETTLING_MS = 15_000;

/** `onGap` is called once for each gap, as soon as it is detected. */
export function startClock(timers: Timers, onGap: (gap: Gap) => void) {
  let anchor = momentOf(timers);
  let reported = anchor.wall;
  let gaps = 0;
  let blocks = 0;
  let resumedAt = Number.NEGATIVE_INFINITY;
  let cancel: Cancel = () => {};

  const compare = (): void => {
    const now = momentOf(timers);
    const gap = gapBetween(anchor, now);
    // A slewed clock must not run backwards.
    reported = gap === null ? Math.max(reported, now.wall) : now.wall;
    anchor = now;
    if (gap === null) return;
    if (gap.kind === 'blocked') blocks += 1;
    else gaps += 1;
    if (gap.kind === 'resumed') resumedAt = now.monotonic;
    onGap(gap);
  };
  const wait = (): void => {
    cancel = timers.after(BEAT_MS, () => {
      compare();
      wait();
    });
  };
  wait();

  /** Before the beat: a machine that slept has a wall's clock that is ahead. */
  const compareIfApart = (): void => {
    const passed = timers.monotonic() - anchor.monotonic;
    const isInStep = passed <= BEAT_MS + IN_STEP_MS && Math.abs(timers.wall() - anchor.wall - passed) <= IN_STEP_MS;
    if (!isInStep) compare();
  };
  return {
    /** ms since 1970, whole. Goes back only where the wall's clock was set back. */
    now(): number {
      reported = Math.max(reported, anchor.wall + timers.monotonic() - anchor.monotonic);
      return Math.floor(reported);
    },
    /** How often this process was blocked, and how many other gaps there were: what began before one is interrupted. */
    interruptions() {
      compareIfApart();
      return { gaps, blocks };
    },
    /** Whether this machine, or process, was suspended moments ago: its network may still be missing. */
    hasJustResumed: (): boolean => timers.monotonic() - resumedAt < SETTLING_MS,
    stop: (): void => cancel(),
  };
}

type Moment = ReturnType<typeof momentOf>;

function momentOf({ wall, monotonic, uptime: up, used }: Timers) {
  return { wall: wall(), monotonic: monotonic(), uptime: up(), used: used() };
}

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

export type Cancel = () => void;

/** Clocks, timers and chance, as parameters, so that a test can go through a night in a minute. All times in ms. */
export type Timers = Readonly<typeof REAL_TIMERS>;

/** Resolves after `ms`, or when the signal is aborted. */
export async function sleep(timers: Pick<Timers, 'after'>, ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const cancel = timers.after(ms, resolve);
  const end = (): void => resolve();
  signal.addEventListener('abort', end);
  await promise;
  cancel();
  signal.removeEventListener('abort', end);
}

/** Node's longest timer. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Its timers keep the process alive. */
export const REAL_TIMERS = {
  /** Since 1970. It may be set, forwards and back. */
  wall: (): number => Date.now(),
  /** Never set; it may pause while the machine sleeps. */
  monotonic: (): number => performance.now(),
  /** Since the start of the machine, sleep included; coarse. `null`: not known, where it is derived from the wall's clock. */
  uptime: (): number | null => (process.platform === 'linux' ? uptime() * 1_000 : null),
  /** Processor time of this process, its threads included. */
  used(): number {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000;
  },
  /** 0 to 1, 1 excluded. */
  random: (): number => Math.random(),
  /** Calls `task` once, not before `ms` have passed. */
  after(ms: number, task: () => void): Cancel {
    let timer: NodeJS.Timeout;
    const wait = (left: number): void => {
      const piece = Math.min(left, LONGEST_TIMER_MS);
      timer = setTimeout(() => (left > piece ? wait(left - piece) : task()), piece);
    };
    wait(Math.max(0, ms));
    return () => clearTimeout(timer);
  },
};
