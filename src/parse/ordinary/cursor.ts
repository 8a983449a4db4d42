import type { Place } from '../markdown-types.ts';
import { CARRIAGE_RETURN, SPACE, TAB } from './characters.ts';
import type { TextLine } from './found-blocks.ts';

/**
 * Goes through a text line by line, and through the white space that a line begins with by columns: a tab reaches to the
 * next multiple of four (CommonMark, section 2.2), and a container may take a part of it.
 */
export class Cursor {
  readonly text: string;
  /** Of the line, from 1. */
  line = 0;
  /** Where the line begins and where it ends, without its line end. */
  lineStart = 0;
  lineEnd = 0;
  /** How far the line is taken, as an offset and as a column from 0. */
  at = 0;
  column = 0;
  /** Whether a part of the tab at `at` is taken. */
  inTab = false;
  /** The first character from there on that is no white space, or the line's end. */
  first = 0;
  /** Columns of white space between. */
  indent = 0;
  #next = 0;

  constructor(text: string) {
    this.text = text;
  }

  /** Goes to the next line; false after the last. */
  nextLine(): boolean {
    const { text } = this;
    if (this.#next >= text.length) return false;
    const feed = text.indexOf('\n', this.#next);
    const end = feed === -1 ? text.length : feed;
    this.line++;
    this.lineStart = this.#next;
    this.lineEnd = feed > this.#next && text.charCodeAt(feed - 1) === CARRIAGE_RETURN ? feed - 1 : end;
    this.#next = end + 1;
    this.at = this.lineStart;
    this.column = 0;
    this.inTab = false;
    this.#measure();
    return true;
  }

  get isBlank(): boolean {
    return this.first === this.lineEnd;
  }

  /** The first character that is no white space, as a code unit; 0 in a blank line. */
  get code(): number {
    return this.first === this.lineEnd ? 0 : this.text.charCodeAt(this.first);
  }

  /** The line from its first character that is no white space on. */
  get rest(): string {
    return this.text.slice(this.first, this.lineEnd);
  }

  /** What is left of the line, as text. */
  textLine(): TextLine {
    return { ...this.placeOf(this.first), end: this.lineEnd, indentStart: this.at };
  }

  /** The place of an offset in the line. */
  placeOf(offset: number): Place {
    return { offset, line: this.line, column: offset - this.lineStart + 1 };
  }

  /** Takes the white space and `length` characters after it, none of them a tab. */
  take(length: number): void {
    this.column += this.indent + length;
    this.at = this.first + length;
    this.inTab = false;
    this.#measure();
  }

  /** Takes columns of white space, no more than there are. */
  takeColumns(columns: number): void {
    let left = Math.min(columns, this.indent);
    while (left > 0) {
      const width = this.text.charCodeAt(this.at) === TAB ? 4 - (this.column % 4) : 1;
      this.inTab = width > left;
      const taken = Math.min(width, left);
      this.column += taken;
      left -= taken;
      if (!this.inTab) this.at++;
    }
    this.#measure();
  }

  #measure(): void {
    let column = this.column;
    let at = this.at;
    for (; at < this.lineEnd; at++) {
      const code = this.text.charCodeAt(at);
      if (code === SPACE) column++;
      else if (code === TAB) column += 4 - (column % 4);
      else break;
    }
    this.first = at;
    this.indent = column - this.column;
  }
}
