/** A machine that runs out of file descriptors: nothing may be held against the site. */
import { all, healthy, row, unknown } from './fault.ts';
import type { Fault } from './fault.ts';

/**
 * Spends every descriptor but `left` when the first connection is about to be opened. How many Node needs for itself
 * differs by version and platform, so a number for `ulimit -n` alone would not say what is left for the command.
 */
export const spendDescriptors = (left: number): string => `
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { closeSync, openSync } from 'node:fs';
function spend() {
  unsubscribe('net.client.socket', spend);
  const opened = [];
  try { for (;;) opened.push(openSync('/dev/null')); } catch {}
  for (const descriptor of opened.slice(0, ${left})) closeSync(descriptor);
}
if (isMainThread) subscribe('net.client.socket', spend);
`;

export const descriptors: readonly Fault[] = [
  healthy('ulimit -n 40 is enough', {}, {}, { descriptors: 40 }),
  row('ulimit -n 40, and none left to connect with', {}, all(unknown('out-of-descriptors')), {
    descriptors: 40,
    preload: spendDescriptors(0),
  }),
];
