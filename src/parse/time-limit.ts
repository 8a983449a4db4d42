import { closeSync, openSync } from 'node:fs';
import { createContext, Script } from 'node:vm';
import type { Context } from 'node:vm';

export type Limited<T> = { readonly done: true; readonly value: T } | { readonly done: false };

let call = (): void => {};
let script: Script | undefined;
let context: Context | undefined;

/**
 * Runs synchronous `work` for at most `ms` milliseconds and really interrupts it after that, wherever it is: its
 * `catch` and `finally` blocks do not run, so it must touch nothing outside itself. Errors of `work` pass through.
 *
 * Only a script that node:vm runs has a timeout, and it covers whatever that script calls: so the script is one call,
 * in a context that holds nothing else. Calls may nest. Under one millisecond nothing is run.
 *
 * The timeout takes file descriptors of its own, and Node aborts when it has none: throws `EMFILE` before that.
 */
export function withinTime<T>(ms: number, work: () => T): Limited<T> {
  if (ms < 1) return { done: false };
  needDescriptors(WATCHDOG_DESCRIPTORS);
  script ??= new Script('call()', { filename: 'time-limit' });
  context ??= createContext({ call: () => call() });
  let value: Limited<T> = { done: false };
  const outer = call;
  call = () => {
    value = { done: true, value: work() };
  };
  try {
    script.runInContext(context, { timeout: Math.ceil(ms) });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
  } finally {
    call = outer;
  }
  return value;
}

/** What Node's watchdog and a worker's event loop open (epoll, eventfd, signal pipe), with room to spare. */
const WATCHDOG_DESCRIPTORS = 12;

function needDescriptors(count: number): void {
  const opened: number[] = [];
  try {
    while (opened.length < count) opened.push(openSync(process.execPath, 'r'));
  } finally {
    for (const descriptor of opened) closeSync(descriptor);
  }
}
