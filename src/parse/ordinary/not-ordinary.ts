/** Thrown, and caught by the reader, where a text holds what only the full parser is sure of. One object: it is no fault. */
const NOT_ORDINARY = new Error('not ordinary Markdown');

/** Gives the text up to the full parser. */
export function notOrdinary(): never {
  throw NOT_ORDINARY;
}

/** What `read` gives; `null` when it gave the text up. */
export function ifOrdinary<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (error === NOT_ORDINARY) return null;
    throw error;
  }
}
