/** How many columns of a terminal a text takes, and how it breaks into lines. */
import { createRequire } from 'node:module';

interface WideText {
  readonly stringWidth: typeof import('string-width').default;
  readonly wrapAnsi: typeof import('wrap-ansi').default;
}

/** Characters of one column each that join with none beside them. */
const NARROW = /^[ -~\u00a0-\u00a8\u00aa-\u00ac\u00af-\u02ff\u2010-\u2027\u2030-\u203a\u2190-\u2193✓✗]*$/;

export function textWidth(text: string): number {
  return NARROW.test(text) ? text.length : wideText().stringWidth(text);
}

export function padded(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - textWidth(text)));
}

/** Rows as lines, each column as wide as its widest cell. `right`: the columns that are aligned to the right. */
export function table(rows: readonly (readonly string[])[], right: readonly number[] = []): string {
  const columns = Math.max(...rows.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.max(...rows.map((row) => textWidth(row[column] ?? ''))),
  );
  const aligned = (text: string, column: number): string => {
    const width = widths[column] ?? 0;
    return right.includes(column) ? ' '.repeat(width - textWidth(text)) + text : padded(text, width);
  };
  return rows.map((row) => `${row.map(aligned).join('  ').trimEnd()}\n`).join('');
}

/** What a reader takes for one character each (UAX #29). */
export function charactersOf(text: string): readonly string[] {
  if (NARROW.test(text)) return text.split('');
  const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
  return Array.from(graphemes.segment(text), ({ segment }) => segment);
}

/** A text broken at its spaces; `hard`: words that are too wide are broken, too. Colours are closed at the end of a line. */
export function wrapText(text: string, columns: number, hard = false): string {
  return wrapNarrow(text, columns) ?? wideText().wrapAnsi(text, columns, { hard });
}

/** For words that single spaces separate and that all fit. */
function wrapNarrow(text: string, columns: number): string | null {
  if (!NARROW.test(text)) return null;
  const words = text.split(' ');
  if (words.some((word) => word === '' || word.length > columns)) return null;
  const lines: string[] = [];
  let line = '';
  for (const word of words) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (longer.length > columns) lines.push(line);
    line = longer.length > columns ? word : longer;
  }
  return [...lines, line].join('\n');
}

function wideText(): WideText {
  // The build bundles the file of the first call; sources have no `require`.
  return (
    typeof require === 'function' ? require('./wide-text.cts') : createRequire(import.meta.url)('./wide-text.cts')
  ) as WideText;
}
