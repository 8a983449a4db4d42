/** Why a text is no duration that can be used. */
export type DurationProblem = 'syntax' | 'no-unit' | 'zero' | 'too-long';

/** The longest duration that is accepted: one day. Timers of Node end at 2^31 - 1 ms. */
export const MAX_DURATION_MS = 24 * 60 * 60 * 1000;

const UNITS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 } as const;

/**
 * Reads a duration with its unit: `500ms`, `1.5s`, `2m`, `1h`. White space around it and before the unit is free.
 * A number alone is refused (`no-unit`), since `10` is seconds to one reader and milliseconds to another.
 * Never throws; the result is a whole number of milliseconds, 1 to one day.
 */
export function parseDuration(
  text: string,
): { readonly ok: true; readonly ms: number } | { readonly ok: false; readonly problem: DurationProblem } {
  const trimmed = text.trim();
  if (/^\d+(\.\d+)?$/.test(trimmed)) return { ok: false, problem: 'no-unit' };
  const match = /^(\d{1,15}(?:\.\d{1,15})?)\s*(ms|s|m|h)$/.exec(trimmed);
  if (match === null) return { ok: false, problem: 'syntax' };
  const ms = Math.round(Number(match[1]) * UNITS[match[2] as keyof typeof UNITS]);
  if (ms === 0) return { ok: false, problem: 'zero' };
  return ms > MAX_DURATION_MS ? { ok: false, problem: 'too-long' } : { ok: true, ms };
}
