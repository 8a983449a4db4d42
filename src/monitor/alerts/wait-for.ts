import type { Timers, Cancel } from '../clock/clock.ts';

/** What goes on, as somebody sees it who waits for its end. */
export interface Going extends Pick<Timers, 'after'> {
  /** 0: nothing goes on. */
  busy(): number;
  /** What goes on now has ended. */
  settled(): Promise<void>;
  /** How long until something begins again by itself; may reject. */
  nextInMs(): Promise<number>;
}

/** How often it is looked whether what is waited for has begun. */
const LOOK_MS = 100;

/**
 * Waits until nothing goes on and nothing begins again within `patienceMs`, for `ms` milliseconds at most. Never rejects
 * for what cannot be told.
 */
export async function waitFor(going: Going, ms: number, patienceMs: number): Promise<void> {
  let isOver = (): boolean => false;
  let cancel: Cancel = () => {};
  const over = new Promise<void>((resolve) => {
    cancel = going.after(ms, () => {
      isOver = () => true;
      resolve();
    });
  });
  while (!isOver()) {
    while (going.busy() > 0 && !isOver()) await Promise.race([going.settled(), over]);
    const nextInMs = patienceMs === 0 ? Infinity : await going.nextInMs().catch(() => Infinity);
    if (nextInMs > patienceMs) break;
    await Promise.race([over, new Promise<void>((resolve) => void going.after(LOOK_MS, resolve))]);
  }
  cancel();
}
