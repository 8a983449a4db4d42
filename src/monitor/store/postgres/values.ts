/** How values are written so that PostgreSQL takes them. */

/** The years 1 to 9999: queries for all time are bounded by them. */
const [FIRST, LAST] = [-62_135_596_800_000, 253_402_300_799_999];

export function time(ms: number): string {
  return new Date(Math.round(Math.min(Math.max(ms, FIRST), LAST))).toISOString();
}

/** PostgreSQL's texts, also those in a list, cannot contain the character 0. */
export function text(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(text);
  return typeof value === 'string' ? value.replaceAll('\0', '\u{FFFD}') : value;
}

/** Rows for `json_to_recordset`: one parameter, however many there are. */
export const recordset = (rows: readonly object[]): string =>
  JSON.stringify(rows, (_key, value: unknown) => (typeof value === 'string' ? text(value) : value));
