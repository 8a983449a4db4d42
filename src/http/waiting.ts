import type { Socket } from 'node:net';
import type { StopSignal } from './stop.ts';

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
      // Whoever takes the socket over may do so some turns later: an error in between is told by its state.
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
