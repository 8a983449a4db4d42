import { closeSync, openSync } from 'node:fs';
import { createContext, Script, type Context } from 'node:vm';

type Limited<T> = { readonly done: true; readonly value: T } | { readonly done: false };

let call = (): void => {};
let script: Script | undefined;
let context: Context | undefined;

/**
 * Interrupts synchronous work wherever it is: its `catch` and `finally` blocks do not run, so it must change nothing
 * outside itself. Only a script that node:vm runs has a timeout, which covers what it calls. Calls may nest.
 * Throws `EMFILE` where Node, which aborts then, has too few file descriptors for the timeout.
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
