import type { Place } from '../markdown-types.ts';
import type { TextLine } from './found-blocks.ts';
import { notOrdinary } from './not-ordinary.ts';

/** The text of one block without what its lines begin with, and where each part of it stands in the whole text. */
export class InlineText {
  readonly value: string;
  readonly #whole: string;
  readonly #lines: readonly TextLine[];
  /** Where each line begins in `value`. */
  readonly #starts: readonly number[];

  constructor(whole: string, lines: readonly TextLine[]) {
    this.#whole = whole;
    this.#lines = lines;
    const [first] = lines;
    if (lines.length === 1 && first !== undefined) {
      this.value = whole.slice(first.offset, first.end);
      this.#starts = [0];
      return;
    }
    const starts: number[] = [];
    let value = '';
    let end = 0;
    for (const line of lines) {
      if (starts.length > 0) value += whole.startsWith('\r', end) ? '\r\n' : '\n';
      starts.push(value.length);
      value += whole.slice(line.offset, line.end);
      end = line.end;
    }
    this.value = value;
    this.#starts = starts;
  }

  /** Where in the whole text something of `value` stands. */
  offsetOf(at: number): number {
    const index = this.lineIndex(at);
    return (this.#lines[index]?.offset ?? 0) + at - (this.#starts[index] ?? 0);
  }

  placeOf(at: number): Place {
    const index = this.lineIndex(at);
    const { offset, line, column } = this.#lines[index] ?? { offset: 0, line: 1, column: 1 };
    const within = at - (this.#starts[index] ?? 0);
    return { offset: offset + within, line, column: column + within };
  }

  /**
   * A part of `value` as the parser has it in raw HTML: of the white space before a line only three characters are
   * left out.
   */
  html(from: number, to: number): string {
    const first = this.lineIndex(from);
    const last = this.lineIndex(to);
    if (first === last) return this.value.slice(from, to);
    let html = '';
    let at = from;
    for (let index = first + 1; index <= last; index++) {
      const start = this.#starts[index] ?? to;
      const line = this.#lines[index];
      html += this.value.slice(at, start);
      if (line !== undefined) html += this.#whole.slice(Math.min(line.indentStart + 3, line.offset), line.offset);
      if (line !== undefined && this.#whole.slice(line.indentStart, line.offset).includes('\t')) notOrdinary();
      at = start;
    }
    return html + this.value.slice(at, to);
  }

  /** Which of the lines something of `value` stands in, from 0. */
  lineIndex(at: number): number {
    let low = 0;
    let high = this.#starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#starts[middle] ?? 0) <= at) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}
