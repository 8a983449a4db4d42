import type { Socket } from 'node:net';

/** An `AbortSignal`, or the part of it that is needed here. */
export interface StopSignal {
  readonly aborted: boolean;
  readonly reason: Error;
  addEventListener(type: 'abort', listener: () => void, options?: { readonly once: true }): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/** A small `AbortController` with its signal: there is one for each request. */
export class Stop implements StopSignal {
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
