/** The whole fault table. */
import { bodies } from './bodies.ts';
import { configuration } from './configuration.ts';
import { connecting } from './connecting.ts';
import { engines } from './engines.ts';
import { descriptors } from './descriptors.ts';
import { encodings } from './encodings.ts';
import type { Fault } from './fault.ts';
import { floods } from './floods.ts';
import { framing } from './framing.ts';
import { healthySites } from './healthy.ts';
import { hostile } from './hostile.ts';
import { ownChecks } from './own.ts';
import { redirects } from './redirects.ts';
import { statuses } from './statuses.ts';
import { timeouts } from './timeouts.ts';
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
  framing,
  floods,
  timeouts,
  tls,
  connecting,
  // Limits of a process are set by a POSIX shell.
  descriptors: process.platform === 'win32' ? [] : descriptors,
  own: ownChecks,
};
