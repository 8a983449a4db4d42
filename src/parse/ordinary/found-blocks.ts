import type { Place, TreeFacts } from '../markdown-types.ts';
import { headingText } from './block-starts.ts';
import { OPENING_BRACKET } from './characters.ts';
import { readDefinition } from './definitions.ts';
import { InlineText } from './inline-text.ts';
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
  /** Whether anything may be a definition; most texts have none. */
  readonly #defines: boolean;

  constructor(text: string) {
    this.#text = text;
    this.#defines = text.includes(']:');
  }

  addText(depth: number, lines: readonly TextLine[]): void {
    const [first] = lines;
    if (first === undefined) return;
    const { offset, line, column } = first;
    this.content.push({ depth, lines, place: { offset, line, column } });
  }

  /** Adds an ATX heading, its line given without indentation. */
  addHeading(depth: number, source: string, place: Place): void {
    const { start, end } = headingText(source, depth);
    const [offset, column] = [place.offset + start, place.column + start];
    const line = { ...place, offset, column, end: place.offset + end, indentStart: offset };
    this.content.push({ depth, lines: start < end ? [line] : [], place });
  }

  /** Adds a paragraph, or what its first lines define and the rest of it. */
  addParagraph(lines: readonly TextLine[]): void {
    const [first] = lines;
    const mayDefine = this.#defines && this.#text.charCodeAt(first?.offset ?? 0) === OPENING_BRACKET;
    this.addText(0, mayDefine ? lines.slice(this.#define(lines)) : lines);
  }

  /** Notes what the first lines define, of several definitions of one label the first; gives how many they are. */
  #define(lines: readonly TextLine[]): number {
    const text = new InlineText(this.#text, lines);
    const { value } = text;
    let at = 0;
    for (;;) {
      const definition = readDefinition(value, at);
      if (definition === null) return at === value.length ? lines.length : text.lineIndex(at);
      const { label, url, end } = definition;
      this.labels.add(label);
      const key = label.toLowerCase();
      if (!this.definitions.has(key)) this.definitions.set(key, { url, ...text.placeOf(at) });
      at = end;
    }
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
}
