import { once } from 'node:events';
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Timings } from '../core/answer.ts';
import { Ended } from './failure.ts';

const ignore = (): void => {};

/** Destroys the socket when it fails or the signal comes first. */
export async function untilEvent<S extends Socket>(socket: S, event: 'connect' | 'secureConnect', signal: AbortSignal) {
  // The next owner of the socket may add its listener later: an error in between is visible in the socket's state.
  if (!socket.listeners('error').includes(ignore)) socket.on('error', ignore);
  const settled = new AbortController();
  try {
    if (socket.destroyed) throw connectionClosed();
    const closed = once(socket, 'close', { signal: settled.signal }).then(() => Promise.reject(connectionClosed()));
    await Promise.race([once(socket, event, { signal }), closed]);
    return socket;
  } catch (error) {
    socket.destroy();
    throw signal.aborted ? (signal.reason as Error) : error;
  } finally {
    settled.abort();
  }
}

export function connectionClosed(): Error {
  return Object.assign(new Error('closed'), { code: 'ECONNRESET' });
}

export function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason as Error);
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}

export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch(ignore);
}

/** Names the timeout when a request ends in it. */
export type Phase = 'dns' | 'connect' | 'tls' | 'headers' | 'body';

/**
 * Measures the phases of one attempt of one request on a monotonic clock, and bounds its time. A later hop of a redirect
 * adds to the earlier one's times. `signal` is aborted with an {@link Ended} when the time is over.
 */
export class Stopwatch {
  phase: Phase = 'dns';
  readonly #clock: () => number;
  readonly #limitMs: number;
  readonly #controller = new AbortController();
  readonly #spent: Partial<Record<Phase, number>> = {};
  #started: number;
  #entered: number;
  #timer: NodeJS.Timeout | undefined;

  constructor(clock: () => number, limitMs = Infinity) {
    this.#clock = clock;
    this.#limitMs = limitMs;
    this.#started = this.#entered = clock();
    this.#startTimer();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Charges the current phase with its time, and begins the next. */
  enter(next: Phase): void {
    this.charge();
    this.phase = next;
  }

  charge(): void {
    const now = this.#clock();
    this.#spent[this.phase] = (this.#spent[this.phase] ?? 0) + now - this.#entered;
    this.#entered = now;
  }

  /** Enters a phase without charging: the time since the last phase belongs to none. */
  restart(phase: Phase): void {
    this.phase = phase;
    this.#entered = this.#clock();
  }

  /** The time that it waits does not count. */
  async pausedUntil<T>(slot: Promise<T>): Promise<T> {
    const pausedAt = this.#clock();
    clearTimeout(this.#timer);
    try {
      return await slot;
    } finally {
      const paused = this.#clock() - pausedAt;
      this.#started += paused;
      this.#entered += paused;
      if (!this.signal.aborted) this.#startTimer();
    }
  }

  end(reason: Error): void {
    this.stop();
    this.#controller.abort(reason);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  timings(): Timings {
    const rounded = (ms: number): number => Math.round(ms * 10) / 10;
    const spent = (phase: Phase): number | null => {
      const ms = this.#spent[phase];
      return ms === undefined ? null : rounded(ms);
    };
    return {
      dnsMs: spent('dns'),
      connectMs: spent('connect'),
      tlsMs: spent('tls'),
      firstByteMs: spent('headers'),
      totalMs: rounded(this.#clock() - this.#started),
    };
  }

  #startTimer(): void {
    if (this.#limitMs === Infinity) return;
    const leftMs = this.#limitMs - (this.#clock() - this.#started);
    const end = (): void => this.#controller.abort(new Ended('timeout', this.#limitMs));
    this.#timer = setTimeout(end, Math.max(1, Math.ceil(leftMs)));
  }
}

export async function timed<T>(
  options: { readonly timeoutMs: number; readonly clock: () => number; readonly signal: AbortSignal },
  work: (watch: Stopwatch) => Promise<T>,
): Promise<T> {
  const { timeoutMs, clock, signal } = options;
  const watch = new Stopwatch(clock, timeoutMs);
  // A signal that lives long would keep what AbortSignal.any() derives from it.
  const onAbort = (): void => watch.end(signal.reason as Error);
  signal.addEventListener('abort', onAbort);
  if (signal.aborted) onAbort();
  try {
    return await work(watch);
  } finally {
    signal.removeEventListener('abort', onAbort);
    watch.stop();
  }
}
