/** Lengths of time, and times in UTC, of ms since 1970. */

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** For programs: ISO 8601. */
export function iso(ms: number): string {
  return new Date(ms).toISOString();
}

export function isoOrNull(ms: number | null | undefined): string | null {
  return ms === null || ms === undefined ? null : iso(ms);
}

/** For people: `2026-11-20 18:00:41 UTC`. */
export function timeOf(ms: number): string {
  return `${iso(ms).slice(0, 19).replace('T', ' ')} UTC`;
}
