/** ISO 8601 with its zone; what is left out of the seconds is zero. */
const TIME = /^(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d)(:\d\d(?:\.\d{1,3})?)?\s?([Zz]|[+-]\d\d:?\d\d)$/;

/**
 * Milliseconds since 1970 of a time with its zone: `2026-12-01T22:00:00Z`, `2026-12-01 23:00+01:00`. A time without a
 * zone is refused: it is another one on the machine that reads it than for whoever wrote it. `undefined` for anything
 * else, the 30th of February included; never throws.
 */
export function parseTime(text: string): number | undefined {
  const [, day, minutes, seconds = ':00', zone = ''] = TIME.exec(text.trim()) ?? [];
  if (day === undefined) return undefined;
  const offset = zone.toUpperCase().replace(/^(...)(\d\d)$/, '$1:$2');
  const time = Date.parse(`${day}T${minutes}${seconds}${offset}`);
  // V8 takes the 30th of February for the 1st or 2nd of March.
  const isDay = new Date(`${day}T00:00:00Z`).toJSON()?.startsWith(day) ?? false;
  return Number.isNaN(time) || !isDay ? undefined : time;
}
