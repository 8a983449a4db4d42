/** A line of nothing but what may stand in a delimiter row and before it; the table extension costs a quarter more time. */
const DELIMITERS = /^[ \t>*+\d.)]*[|:-][ \t|:>-]*$/gm;

/** Whether a text may hold a GFM table; only then the parser looks for some. */
export function mayHoldTable(text: string): boolean {
  for (const [line] of text.matchAll(DELIMITERS)) {
    if (line.includes('-') && /[|:]/.test(line)) return true;
  }
  return false;
}
