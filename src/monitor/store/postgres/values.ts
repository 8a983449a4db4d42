/** How values are written so that PostgreSQL takes them. */

/** The years 1 to 9999: queries for all time are bounded by them. */
const [FIRST, LAST] = [-62_135_596_800_000, 253_402_300_799_999];

/** A time as a literal, from ms since 1970. */
export function time(ms: number): string {
  return new Date(Math.round(Math.min(Math.max(ms, FIRST), LAST))).toISOString();
}

export const timeOrNull = (ms: number | null): string | null => (ms === null ? null : time(ms));

export const msOrNull = (at: Date | null): number | null => at?.getTime() ?? null;

/** PostgreSQL's texts cannot contain the character 0. */
export const text = (value: string): string => value.replaceAll('\0', '\u{FFFD}');

/** Rows for `json_to_recordset`: one parameter, however many there are. */
export const recordset = (rows: readonly object[]): string =>
  JSON.stringify(rows, (_key, value: unknown) => (typeof value === 'string' ? text(value) : value));
