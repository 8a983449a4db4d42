import type { Log } from '../monitor/log/log.ts';

/** Errors that nobody expected within {@link WINDOW_MS}: more say that nothing works any more. */
const MOST = 20;
const WINDOW_MS = 60_000;

export interface Unexpected {
  /** Resolves when there were too many: whoever started this process had better start it anew. */
  readonly gaveUp: Promise<void>;
  hasGivenUp(): boolean;
}

/**
 * Errors that nobody expected are told, and do not end a process that has a thousand other sites to watch. In place of
 * what the command line does with them.
 */
export function keepAlive(log: Log): Unexpected {
  const { promise: gaveUp, resolve } = Promise.withResolvers<void>();
  let given = false;
  let lately: readonly number[] = [];
  const onError = (error: unknown): void => {
    const { message, stack = null } = error instanceof Error ? error : { message: String(error) };
    log('error', 'unexpected-error', { error: message, stack });
    const now = performance.now();
    lately = [...lately.filter((at) => now - at < WINDOW_MS), now];
    if (lately.length <= MOST) return;
    given = true;
    resolve();
  };
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.removeAllListeners(event);
    process.on(event, onError);
  }
  return { gaveUp, hasGivenUp: () => given };
}
