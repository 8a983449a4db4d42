/** How long the durations of the monitor's keys may be. */
import type { DurationBounds } from '../duration.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Of each kind of duration, in milliseconds. */
export const BOUNDS = {
  /** No site is asked more often than once a second. */
  every: { least: SECOND, most: 14 * DAY },
  jitter: { least: 0, most: HOUR },
  objective: { least: SECOND, most: 14 * DAY },
  confirmAfter: { least: 1, most: 10 * MINUTE },
  window: { least: SECOND, most: 31 * DAY },
  escalation: { least: 0, most: 14 * DAY },
  reminder: { least: SECOND, most: 31 * DAY },
  heartbeat: { least: SECOND, most: DAY },
  command: { least: 1, most: 10 * MINUTE },
  retention: { least: HOUR, most: 36_500 * DAY },
} as const satisfies Record<string, DurationBounds>;

const WATCHING = {
  every: BOUNDS.every,
  jitter: BOUNDS.jitter,
  'full.every': BOUNDS.every,
  'full.jitter': BOUNDS.jitter,
  objective: BOUNDS.objective,
  'confirm.after': BOUNDS.confirmAfter,
} as const;

const at = (prefix: string): Readonly<Record<string, DurationBounds>> =>
  Object.fromEntries(Object.entries(WATCHING).map(([key, bounds]) => [`${prefix}.${key}`, bounds]));

/** By key, as the table of expectations writes it; a key that is not here takes up to a day. */
export const DURATION_BOUNDS: Readonly<Record<string, DurationBounds>> = {
  ...at('sites[]'),
  'sites[].maintenance[].for': BOUNDS.window,
  'alerts[].after': BOUNDS.escalation,
  'alerts[].reminder': BOUNDS.reminder,
  'alerts[].command.timeout': BOUNDS.command,
  ...at('monitor'),
  'monitor.heartbeat.every': BOUNDS.heartbeat,
  'monitor.retention.rounds': BOUNDS.retention,
  'monitor.retention.minutes': BOUNDS.retention,
  'monitor.retention.hours': BOUNDS.retention,
  'monitor.retention.days': BOUNDS.retention,
};
