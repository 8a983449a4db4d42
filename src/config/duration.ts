/** Why a text is no duration that can be used. */
export type DurationProblem = 'syntax' | 'no-unit' | 'zero' | 'too-short' | 'too-long';

/** The durations that a key takes, in milliseconds. */
export interface DurationBounds {
  /** 0: nothing at all is fine. */
  readonly least: number;
  readonly most: number;
}

/** The longest duration where nothing else is said: one day. Timers of Node end at 2^31 - 1 ms. */
export const MAX_DURATION_MS = 24 * 60 * 60 * 1000;

/** What is taken where nothing else is said. */
export const UP_TO_A_DAY: DurationBounds = { least: 1, most: MAX_DURATION_MS };

const UNITS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** Whether durations within these bounds may be written in days. */
export function takesDays({ most }: DurationBounds): boolean {
  return most > MAX_DURATION_MS;
}

/**
 * Reads a duration with its unit: `500ms`, `1.5s`, `2m`, `1h`; `7d` where more than a day is taken. White space around it
 * and before the unit is free. A number alone is refused (`no-unit`), since `10` is seconds to one reader and
 * milliseconds to another. Never throws; the result is a whole number of milliseconds within the bounds, which are
 * 1 ms and one day.
 */
export function parseDuration(
  text: string,
  bounds: DurationBounds = UP_TO_A_DAY,
): { readonly ok: true; readonly ms: number } | { readonly ok: false; readonly problem: DurationProblem } {
  const trimmed = text.trim();
  if (/^\d+(\.\d+)?$/.test(trimmed)) return { ok: false, problem: 'no-unit' };
  const match = /^(\d{1,15}(?:\.\d{1,15})?)\s*(ms|s|m|h|d)$/.exec(trimmed);
  if (match === null || (match[2] === 'd' && !takesDays(bounds))) return { ok: false, problem: 'syntax' };
  const ms = Math.round(Number(match[1]) * UNITS[match[2] as keyof typeof UNITS]);
  if (ms > bounds.most) return { ok: false, problem: 'too-long' };
  if (ms >= bounds.least) return { ok: true, ms };
  return { ok: false, problem: ms === 0 ? 'zero' : 'too-short' };
}

/** In the largest unit that divides it: `90s`, `2h`, `14d`. */
export function renderDuration(ms: number): string {
  const fitting = Object.entries(UNITS).findLast(([, size]) => ms % size === 0 && ms >= size);
  return fitting === undefined ? `${ms}ms` : `${ms / fitting[1]}${fitting[0]}`;
}
