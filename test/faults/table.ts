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
import type { Served } from './serve.ts';
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

/** Kinds whose purpose is memory or hostile input: a limit of memory can only be asserted of a process of its own. */
const OWN_PROCESS = new Set(['hostile', 'bombs', 'floods']);

/**
 * Whether a row starts the built command: the first row of each kind, and those that need a process of their own, for
 * its environment, its limits or its memory. The other rows are checked in the process of the tests.
 */
export function startsCommand(kind: string, row: Fault, served: Served): boolean {
  const isFirst = TABLE[kind]?.[0] === row;
  const needsEnvironment = row.env !== undefined || Object.keys(served.env).length > 0;
  const hasLimits = row.descriptors !== undefined || row.preload !== undefined || row.mostMiB !== DEFAULTS.mostMiB;
  return isFirst || OWN_PROCESS.has(kind) || needsEnvironment || hasLimits;
}
