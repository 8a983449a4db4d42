import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Timings } from '../check.ts';
import { Ended } from './ended.ts';

const ignore = (): void => {};

/** Waits for a socket's event; destroys the socket when it fails or the signal comes first. */
export function untilEvent<S extends Socket>(
  socket: S,
  event: 'connect' | 'secureConnect' | 'readable',
  signal: AbortSignal,
): Promise<S> {
  return new Promise((resolve, reject) => {
    const settle = (): void => {
      signal.removeEventListener('abort', onAbort);
      socket.off(event, onEvent).off('error', fail).off('close', onClose);
    };
    const fail = (error: Error): void => {
      settle();
      socket.on('error', ignore).destroy();
      reject(error);
    };
    const onAbort = (): void => fail(signal.reason as Error);
    const onClose = (): void => fail(connectionClosed());
    const onEvent = (): void => {
      settle();
      // The next owner of the socket may add its listener later: an error in between is visible in the socket's state.
      if (!socket.listeners('error').includes(ignore)) socket.on('error', ignore);
      resolve(socket);
    };
    if (signal.aborted) return onAbort();
    if (socket.destroyed) return onClose();
    signal.addEventListener('abort', onAbort);
    socket.on(event, onEvent).on('error', fail).on('close', onClose);
  });
}

export function connectionClosed(): Error {
  return Object.assign(new Error('closed'), { code: 'ECONNRESET' });
}

/** Settles with the promise, or rejects when the signal comes first. */
export function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason as Error);
    if (signal.aborted) return onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}

/** Resolves after so many milliseconds, or as soon as the signal is aborted. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch(ignore);
}

/** What a request is busy with; names the timeout when it ends there. */
export type Phase = 'dns' | 'connect' | 'tls' | 'headers' | 'body';

/** Measures the phases of one attempt on a monotonic clock. A later hop of a redirect adds to the earlier one's times. */
export class Phases {
  current: Phase = 'dns';
  readonly #clock: () => number;
  #started: number;
  #entered: number;
  #suspended: number | undefined;
  readonly #spent: Partial<Record<Phase, number>> = {};

  constructor(clock: () => number) {
    this.#clock = clock;
    this.#started = this.#entered = clock();
  }

  /** Ends the phase under way, charging it with its time, and begins the next. */
  enter(next: Phase): void {
    this.charge();
    this.current = next;
  }

  /** Charges the phase under way with the time since it began. */
  charge(): void {
    const now = this.#clock();
    this.#spent[this.current] = (this.#spent[this.current] ?? 0) + now - this.#entered;
    this.#entered = now;
  }

  /** Enters a phase without charging: the time since the last phase belongs to none. */
  restart(phase: Phase): void {
    this.current = phase;
    this.#entered = this.#clock();
  }

  /** Time from now on does not count, until `resume`. */
  suspend(): void {
    this.#suspended ??= this.#clock();
  }

  resume(): void {
    if (this.#suspended === undefined) return;
    const apart = this.#clock() - this.#suspended;
    this.#suspended = undefined;
    this.#started += apart;
    this.#entered += apart;
  }

  timings(): Timings {
    const rounded = (ms: number): number => Math.round(ms * 10) / 10;
    const spent = (phase: Phase): number | null => {
      const ms = this.#spent[phase];
      return ms === undefined ? null : rounded(ms);
    };
    const phases = {
      dnsMs: spent('dns'),
      connectMs: spent('connect'),
      tlsMs: spent('tls'),
      firstByteMs: spent('headers'),
    };
    return { ...phases, totalMs: rounded(this.#clock() - this.#started) };
  }
}

export interface TimeLimit {
  readonly signal: AbortSignal;
  readonly start: () => void;
  readonly stop: () => void;
  readonly end: (reason: Error) => void;
}

/**
 * Bounds one attempt of one request. Time counts from `start` to `stop`, as often as they are called. `signal` is aborted
 * with an {@link Ended} when the time is over, or with the reason given to `end`, which ends the attempt before its time.
 */
export function timeLimit(limitMs: number, clock: () => number): TimeLimit {
  const controller = new AbortController();
  const { signal } = controller;
  let leftMs = limitMs;
  let startedAt = 0;
  let timer: NodeJS.Timeout | undefined;
  const start = (): void => {
    if (timer !== undefined || signal.aborted) return;
    startedAt = clock();
    timer = setTimeout(() => controller.abort(new Ended('timeout', limitMs)), Math.ceil(leftMs));
  };
  const stop = (): void => {
    if (timer === undefined) return;
    clearTimeout(timer);
    timer = undefined;
    leftMs = Math.max(1, leftMs - (clock() - startedAt));
  };
  const end = (reason: Error): void => {
    stop();
    controller.abort(reason);
  };
  return { signal, start, stop, end };
}

/** Does what may take so long at most, or until the signal is aborted. */
export async function limited<T>(
  {
    timeoutMs,
    clock,
    signal,
  }: { readonly timeoutMs: number; readonly clock: () => number; readonly signal: AbortSignal },
  work: (limit: TimeLimit) => Promise<T>,
): Promise<T> {
  const limit = timeLimit(timeoutMs, clock);
  // AbortSignal.any() on a signal that lives long is remembered by it for ever.
  const onAbort = (): void => limit.end(signal.reason as Error);
  signal.addEventListener('abort', onAbort);
  limit.start();
  if (signal.aborted) onAbort();
  try {
    return await work(limit);
  } finally {
    signal.removeEventListener('abort', onAbort);
    limit.stop();
  }
}
