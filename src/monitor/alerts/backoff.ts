/** When an alert that did not arrive is tried again. Pure. */
import type { SendResult } from './send.ts';

type Failure = Pick<Extract<SendResult, { ok: false }>, 'permanent' | 'retryAfterMs'>;

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** After this an alert is news to nobody, and is given up. */
export const GIVE_UP_MS = 7 * 24 * HOUR;

/** What may pass: doubled from a second to a quarter of an hour. */
const PASSING = { first: SECOND, factor: 2, most: 15 * MINUTE };
/** What will hardly pass until somebody mends the configuration or the receiver. */
const PERMANENT = { first: 30 * SECOND, factor: 4, most: 6 * HOUR };
/** Limits of `Retry-After`: a receiver must not silence a route for longer. */
const RETRY_AFTER = { least: SECOND, most: 5 * MINUTE };
/** Who always asks for one second is not asked every second for a week. */
const SLOWED_TO = MINUTE;

/**
 * How long to wait after so many attempts in vain, 1 or more. Jittered between half of the time and all of it, so that
 * alerts that failed together do not come back together; never sooner than the receiver asks for.
 */
export function delayAfter(attempts: number, { permanent, retryAfterMs }: Failure, random: () => number): number {
  const { first, factor, most } = permanent ? PERMANENT : PASSING;
  const whole = Math.min(most, first * factor ** Math.min(attempts - 1, 40));
  const jittered = Math.round(whole * (0.5 + random() / 2));
  if (retryAfterMs === null) return jittered;
  const asked = Math.min(RETRY_AFTER.most, Math.max(RETRY_AFTER.least, retryAfterMs));
  return Math.max(asked, Math.min(jittered, SLOWED_TO));
}
