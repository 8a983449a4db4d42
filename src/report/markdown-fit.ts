/** Puts the parts of a Markdown report together, as many as have room. Pure. */
import type { LeftOut } from './words.ts';

/** A section of the report about findings of one code, whole and with the first of them only. */
export interface Section {
  /** How many findings it tells. */
  readonly count: number;
  readonly lines: readonly string[];
  readonly short: readonly string[];
}

/** What a report is put together from, in this order. */
export interface Parts {
  readonly head: readonly string[];
  readonly tableHead: readonly string[];
  /** `weight`: the smallest are kept first. */
  readonly rows: readonly { readonly line: string; readonly weight: number }[];
  /** Stands before the sections where there are any. */
  readonly heading: string;
  /** The worst first. */
  readonly sections: readonly Section[];
  /** What goes first when there is no room. */
  readonly rest: readonly string[];
}

type Left = Pick<LeftOut, 'findings' | 'checks'>;

/**
 * The report in at most `maxBytes` of UTF-8, ending with a newline. `told` says in one line what is left out. Room that
 * is too small even for the first lines and that one leaves nothing.
 */
export function fitted(parts: Parts, maxBytes: number, reported: (left: Left) => string): string {
  const whole = textOf([
    ...parts.head,
    ...tableOf(
      parts,
      parts.rows.map(({ line }) => line),
    ),
    ...withHeading(
      parts.heading,
      parts.sections.flatMap(({ lines }) => lines),
    ),
    ...parts.rest,
  ]);
  if (Buffer.byteLength(whole) <= maxBytes) return whole;
  return cutParts(parts, maxBytes, reported);
}

function cutParts(parts: Parts, maxBytes: number, reported: (left: Left) => string): string {
  const all = parts.sections.reduce((sum, { count }) => sum + count, 0);
  // The line at the end never gets longer than these: numbers only get smaller, or nothing is left to count.
  const everything = reported({ findings: all, checks: parts.rows.length });
  const atMost = Math.max(bytesOf(['', everything]), bytesOf(['', reported({ findings: 0, checks: 0 })]));
  let room = maxBytes - bytesOf(parts.head) - atMost;
  if (room < 0) return bytesOf([everything]) <= maxBytes ? textOf([everything]) : '';
  // Half of the room at most is for the table, so that it leaves some for what is wrong.
  const rows = keptRows(parts, room / 2);
  const table = tableOf(parts, rows);
  room -= bytesOf(table);
  const { lines, count } = keptSections(parts, room);
  const left = { findings: all - count, checks: parts.rows.length - rows.length };
  return textOf([...parts.head, ...table, ...lines, '', reported(left)]);
}

/** The rows that have room, the worst first, in the order of the report. */
function keptRows(parts: Parts, room: number): string[] {
  let left = room - bytesOf(tableOf(parts, ['']));
  const kept = new Set<number>();
  const worstFirst = parts.rows.map((row, index) => ({ ...row, index })).toSorted((a, b) => a.weight - b.weight);
  for (const { line, index } of worstFirst) {
    left -= bytesOf([line]);
    if (left < 0) break;
    kept.add(index);
  }
  return parts.rows.flatMap(({ line }, index) => (kept.has(index) ? [line] : []));
}

/** The sections that have room, the worst first: each whole, or with its first finding only; none after one that has none. */
function keptSections({ heading, sections }: Parts, room: number): { lines: string[]; count: number } {
  let left = room - bytesOf(withHeading(heading, ['']));
  const kept: string[] = [];
  let count = 0;
  for (const section of sections) {
    const isWhole = bytesOf(section.lines) <= left;
    const lines = isWhole ? section.lines : section.short;
    left -= bytesOf(lines);
    if (left < 0) break;
    kept.push(...lines);
    count += isWhole ? section.count : 1;
  }
  return { lines: withHeading(heading, kept), count };
}

function tableOf({ tableHead }: Parts, rows: readonly string[]): string[] {
  return rows.length === 0 ? [] : ['', ...tableHead, ...rows];
}

function withHeading(heading: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', heading, ...lines];
}

/** Bytes of the lines in UTF-8, each with its line feed. */
function bytesOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0);
}

/** Lines as a text, without a second blank line after another. */
function textOf(lines: readonly string[]): string {
  return lines
    .filter((line, index) => line !== '' || lines[index - 1] !== '')
    .map((line) => `${line}\n`)
    .join('');
}
