import type { Path } from '../problem.ts';

/**
 * What a file says for the monitor. Who checks one site need not have its secrets: the variables of a part have to be
 * set only where it is used. `heartbeat` is apart from the rest of `monitor`, which says where the database is.
 */
export const MONITOR_PARTS = ['sites', 'alerts', 'monitor', 'heartbeat'] as const;

export type MonitorPart = (typeof MONITOR_PARTS)[number];

/** The part that a value belongs to; `undefined`: what every command uses. */
export function partOf([first, second]: Path): MonitorPart | undefined {
  const name = first === 'monitor' && second === 'heartbeat' ? second : first;
  return MONITOR_PARTS.find((part) => part === name);
}
