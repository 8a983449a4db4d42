import type { Place, TreeFacts } from '../markdown-types.ts';
import { readDefinition } from './definitions.ts';
import { type Cell, rowCells } from './tables.ts';

/** A line of inline text, or the part of one: offsets of where it begins and ends, without the white space before it. */
export interface TextLine extends Place {
  readonly end: number;
  /** Where the white space before it begins. */
  readonly indentStart: number;
}

/** A block that holds inline text. */
export interface TextBlock {
  /** 0: it is no heading. */
  readonly depth: number;
  readonly lines: readonly TextLine[];
  /** Where the heading begins; otherwise where the text does. */
  readonly place: Place;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] extends readonly (infer E)[] ? E[] : T[K] };
export type Html = Mutable<TreeFacts>['html'][number];

/** What a text is made of, in order, and what it defines. */
export class FoundBlocks {
  readonly content: (TextBlock | Html)[] = [];
  readonly definitions = new Map<string, Place & { url: string }>();
  /** Labels that are defined, in the parser's normal form. */
  readonly labels = new Set<string>();
  readonly code: TreeFacts['code'][number][] = [];
  readonly tables: (Place & { readonly columns: number; readonly rows: number[] })[] = [];
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  addText(depth: number, lines: readonly TextLine[]): void {
    const [first] = lines;
    if (first === undefined) return;
    const { offset, line, column } = first;
    this.content.push({ depth, lines, place: { offset, line, column } });
  }

  /** Adds a paragraph, or what its first lines define and the rest of it. */
  addParagraph(lines: readonly TextLine[]): void {
    let first = 0;
    while (first < lines.length && this.#define(lines, first)) first++;
    this.addText(0, first === 0 ? lines : lines.slice(first));
  }

  /** Begins a table; its rows follow. */
  addTable(header: TextLine, columns: number): void {
    const { offset, line, column } = header;
    this.tables.push({ columns, rows: [], offset, line, column });
    this.#addCells(header);
  }

  /** Adds a row to the last table. */
  addRow(row: TextLine): void {
    this.tables.at(-1)?.rows.push(row.offset);
    this.#addCells(row);
  }

  /** How many cells a line has as a row. */
  cellsIn(line: TextLine): readonly Cell[] {
    return rowCells(this.#text, line.offset, line.end);
  }

  #addCells(row: TextLine): void {
    for (const { start, end } of this.cellsIn(row)) {
      const column = row.column + start - row.offset;
      if (start < end) this.addText(0, [{ offset: start, line: row.line, column, end, indentStart: start }]);
    }
  }

  /** Notes what a line defines, if it does; of several definitions of one label the first counts. */
  #define(lines: readonly TextLine[], index: number): boolean {
    const line = lines[index];
    if (line === undefined || this.#text.charCodeAt(line.offset) !== 0x5b) return false;
    const definition = readDefinition(this.#textOf(line), this.#textsFrom(lines, index + 1));
    if (definition === null) return false;
    const { label, url } = definition;
    this.labels.add(label);
    const key = label.toLowerCase();
    const { offset, column } = line;
    if (!this.definitions.has(key)) this.definitions.set(key, { url, offset, line: line.line, column });
    return true;
  }

  *#textsFrom(lines: readonly TextLine[], first: number): Generator<string> {
    for (let index = first; index < lines.length; index++) {
      const line = lines[index];
      if (line !== undefined) yield this.#textOf(line);
    }
  }

  #textOf({ offset, end }: TextLine): string {
    return this.#text.slice(offset, end);
  }
}
