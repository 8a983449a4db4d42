import type { Socket } from 'node:net';
import type { Timings } from '../check.ts';
import { Ended } from './ended.ts';

/** An `AbortSignal`, or the part of it that is needed here. */
export interface StopSignal {
  readonly aborted: boolean;
  readonly reason: Error;
  addEventListener(type: 'abort', listener: () => void, options?: { readonly once: true }): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/** A small `AbortController` with its signal: there is one for each request. */
class Stop implements StopSignal {
  aborted = false;
  declare reason: Error;
  #listeners: (() => void)[] = [];

  addEventListener(_type: 'abort', listener: () => void): void {
    if (!this.aborted) this.#listeners.push(listener);
  }

  removeEventListener(_type: 'abort', listener: () => void): void {
    const index = this.#listeners.indexOf(listener);
    if (index !== -1) this.#listeners.splice(index, 1);
  }

  abort(reason: Error): void {
    if (this.aborted) return;
    this.aborted = true;
    this.reason = reason;
    for (const listener of this.#listeners.splice(0)) listener();
  }
}

const ignore = (): void => {};

/** Waits for a socket's event; destroys the socket when it fails or the signal comes first. */
export function untilEvent<S extends Socket>(
  socket: S,
  event: 'connect' | 'secureConnect' | 'readable',
  signal: StopSignal,
): Promise<S> {
  return new Promise((resolve, reject) => {
    const settle = (): void => {
      signal.removeEventListener('abort', onAbort);
      socket.removeListener(event, onEvent);
      socket.removeListener('error', onError);
      socket.removeListener('close', onClose);
    };
    const fail = (error: Error): void => {
      settle();
      socket.on('error', ignore);
      socket.destroy();
      reject(error);
    };
    const onAbort = (): void => fail(signal.reason);
    const onError = (error: Error): void => fail(error);
    const onClose = (): void => fail(Object.assign(new Error('closed'), { code: 'ECONNRESET' }));
    const onEvent = (): void => {
      settle();
      // The next owner of the socket may add its listener later: an error in between is visible in the socket's state.
      if (!socket.listeners('error').includes(ignore)) socket.on('error', ignore);
      resolve(socket);
    };
    if (signal.aborted) return onAbort();
    if (socket.destroyed) return onClose();
    signal.addEventListener('abort', onAbort);
    socket.on(event, onEvent).on('error', onError).on('close', onClose);
  });
}

/** Settles with the promise, or rejects when the signal comes first. */
export function untilAborted<T>(promise: Promise<T>, signal: StopSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason);
    if (signal.aborted) return onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}

/** What a request is busy with; names the timeout when it ends there. */
export type Phase = 'dns' | 'connect' | 'tls' | 'headers' | 'body';

/** Measures the phases of one attempt on a monotonic clock. A later hop of a redirect adds to the earlier one's times. */
export class Phases {
  /** The phase under way. */
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
    return {
      dnsMs: rounded(this.#spent.dns),
      connectMs: rounded(this.#spent.connect),
      tlsMs: rounded(this.#spent.tls),
      firstByteMs: rounded(this.#spent.headers),
      totalMs: rounded(this.#clock() - this.#started) ?? 0,
    };
  }
}

function rounded(ms: number | undefined): number | null {
  return ms === undefined ? null : Math.round(ms * 10) / 10;
}

/** Bounds one attempt of one request. Time counts from `start` to `stop`, as often as they are called. */
export class TimeLimit {
  readonly #limit = new Stop();
  readonly #limitMs: number;
  readonly #clock: () => number;
  #leftMs: number;
  #startedAt = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(limitMs: number, clock: () => number) {
    this.#limitMs = this.#leftMs = limitMs;
    this.#clock = clock;
  }

  /** Aborted with an {@link Ended} when the time is over, or with the reason given to `end`. */
  get signal(): StopSignal {
    return this.#limit;
  }

  start(): void {
    if (this.#timer !== undefined || this.#limit.aborted) return;
    this.#startedAt = this.#clock();
    // Timers of the same length are one to Node.
    const ms = Math.ceil(this.#leftMs);
    this.#timer = setTimeout(() => this.#limit.abort(new Ended('timeout', this.#limitMs)), ms);
  }

  stop(): void {
    if (this.#timer === undefined) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#leftMs = Math.max(1, this.#leftMs - (this.#clock() - this.#startedAt));
  }

  /** Ends the attempt before its time. */
  end(reason: Error): void {
    this.stop();
    this.#limit.abort(reason);
  }
}
