/** The whole fault table. */
import { bodies } from './bodies.ts';
import { configuration } from './configuration.ts';
import { connecting } from './connecting.ts';
import { engines } from './engines.ts';
import { descriptors } from './descriptors.ts';
import { bombs, encodings } from './encodings.ts';
import { DEFAULTS, type Fault } from './fault.ts';
import { floods } from './floods.ts';
import { framing } from './framing.ts';
import { healthySites } from './healthy.ts';
import { hostile } from './hostile.ts';
import { ownChecks } from './own.ts';
import { redirects } from './redirects.ts';
import { scripts } from './scripts.ts';
import { statuses } from './statuses.ts';
import { deadlines, timeouts } from './timeouts.ts';
import { tls } from './tls.ts';

/** Rows by kind. */
export const TABLE: Readonly<Record<string, readonly Fault[]>> = {
  healthy: healthySites,
  statuses,
  redirects,
  bodies,
  configuration,
  engines,
  scripts,
  hostile,
  encodings,
  bombs,
  framing,
  floods,
  timeouts,
  deadlines,
  tls,
  connecting,
  // Limits of a process are set by a POSIX shell.
  descriptors: process.platform === 'win32' ? [] : descriptors,
  own: ownChecks,
};

/** Kinds whose purpose is memory: two rows of each have a process of their own, whose memory can be limited. */
const MEMORY = new Set(['hostile', 'bombs', 'floods']);

/**
 * Whether a row starts the built command: the first row of each kind, the last of those about memory, and those that
 * set limits of a process. The other rows are checked in the process of the tests.
 */
export function startsCommand(kind: string, row: Fault): boolean {
  const rows = TABLE[kind] ?? [];
  const isSample = rows[0] === row || (MEMORY.has(kind) && rows.at(-1) === row);
  const hasLimits = row.descriptors !== undefined || row.preload !== undefined || row.mostMiB !== DEFAULTS.mostMiB;
  return isSample || hasLimits;
}
