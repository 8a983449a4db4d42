/**
 * The blocks of an ordinary text (CommonMark, chapters 4 and 5, and GFM's tables), found in one pass over its lines.
 * What the parser does otherwise than the specification says is done here as the parser does it, or given up.
 */
import type { Place } from '../markdown-types.ts';
import {
  beginsBlock,
  headingDepth,
  isClosingFence,
  isThematicBreak,
  openingFence,
  startedBy,
  underlineDepth,
} from './block-starts.ts';
import { LESS_THAN, OPENING_BRACKET } from './characters.ts';
import { type Container, matchContainers, openContainer } from './containers.ts';
import { Cursor } from './cursor.ts';
import { decoded } from './decode.ts';
import { FoundBlocks } from './found-blocks.ts';
import { htmlStart } from './html.ts';
import type { Leaf, Paragraph } from './leaf.ts';
import { notOrdinary } from './not-ordinary.ts';
import { delimiterCells } from './tables.ts';

/** How many containers may be open; each line goes through all of them. */
const DEEPEST = 50;

/** Finds the blocks of a text. */
export function readBlocks(text: string): FoundBlocks {
  return new BlockReader(text).read();
}

class BlockReader {
  readonly #text: string;
  readonly #cursor: Cursor;
  readonly #containers: Container[] = [];
  #leaf: Leaf | null = null;
  readonly #found: FoundBlocks;

  constructor(text: string) {
    this.#text = text;
    this.#cursor = new Cursor(text);
    this.#found = new FoundBlocks(text);
  }

  read(): FoundBlocks {
    while (this.#cursor.nextLine()) this.#readLine();
    this.#close();
    return this.#found;
  }

  #readLine(): void {
    const matched = matchContainers(this.#containers, this.#cursor);
    const all = matched === this.#containers.length;
    const type = this.#leaf?.type;
    // No container begins within a block that only its own end, or that of its container, ends.
    if (all && (type === 'fence' || type === 'html')) {
      this.#goOnRaw();
      return;
    }
    const opened = this.#openContainers(matched, all && (type === 'paragraph' || type === 'code'));
    this.#readFlow(all || opened ? null : matched);
  }

  #openContainers(matched: number, interrupts: boolean): boolean {
    let opened = false;
    for (;;) {
      const container = openContainer(this.#cursor, interrupts);
      if (container === null) return opened;
      if (!opened) {
        this.#close();
        this.#containers.length = matched;
      }
      opened = true;
      this.#containers.push(container);
      if (this.#containers.length > DEEPEST) notOrdinary();
    }
  }

  /** A line of fenced code or of a block of HTML, or what ends it. */
  #goOnRaw(): void {
    const leaf = this.#leaf;
    const { lineEnd } = this.#cursor;
    if (leaf?.type === 'fence') {
      if (this.#cursor.indent <= 3 && isClosingFence(this.#cursor.rest, leaf.fence)) this.#leaf = null;
    } else if (leaf?.type === 'html') {
      if (leaf.ends === null && this.#cursor.isBlank) {
        this.#close();
        return;
      }
      if (this.#cursor.inTab) notOrdinary();
      const line = this.#text.slice(this.#cursor.at, lineEnd);
      leaf.value += this.#text.slice(leaf.end, this.#cursor.lineStart) + line;
      leaf.end = lineEnd;
      if (leaf.ends?.(line) === true) this.#closeHtml(leaf);
    }
  }

  /** What is left of a line. `lazyFrom`: how many containers go on, where not all of them do and none began. */
  #readFlow(lazyFrom: number | null): void {
    const isLazy = lazyFrom !== null;
    if (!this.#cursor.isBlank && this.#goesOn(isLazy)) return;
    if (this.#cursor.isBlank && this.#leaf?.type === 'code' && !isLazy) return;
    const wasTable = this.#leaf?.type === 'table';
    this.#close();
    if (isLazy) this.#containers.length = lazyFrom;
    if (this.#cursor.isBlank) return;
    // Where containers end, a block of code is divided after its first line, and what follows a table is no header.
    if (isLazy && (wasTable || this.#cursor.indent > 3)) notOrdinary();
    this.#begin();
  }

  /** Whether a line that is not empty goes on with the block before it. */
  #goesOn(isLazy: boolean): boolean {
    const leaf = this.#leaf;
    if (leaf?.type === 'paragraph') return isLazy ? this.#goesOnLazily(leaf) : this.#goesOnWith(leaf);
    if (isLazy) return false;
    if (leaf?.type === 'code') return this.#cursor.indent > 3;
    if (leaf?.type !== 'table' || this.#cursor.indent > 3 || beginsBlock(this.#cursor.rest, false)) return false;
    this.#found.addRow(this.#cursor.textLine());
    return true;
  }

  /** A line that leaves out the marks of a container underlines nothing and delimits no cells. */
  #goesOnLazily(paragraph: Paragraph): boolean {
    const isDeep = this.#cursor.indent > 3;
    const { rest } = this.#cursor;
    if (!isDeep && beginsBlock(rest, true)) return false;
    // What else of HTML begins here has an end of its own.
    if (!isDeep && beginsBlock(rest, false)) notOrdinary();
    paragraph.lines.push(this.#cursor.textLine());
    paragraph.canBeHeader = !isDeep;
    paragraph.isLazy = true;
    return true;
  }

  #goesOnWith(paragraph: Paragraph): boolean {
    const isDeep = this.#cursor.indent > 3;
    if (!isDeep && this.#endsParagraph(paragraph)) return this.#leaf !== paragraph;
    paragraph.lines.push(this.#cursor.textLine());
    paragraph.canBeHeader = !isDeep;
    paragraph.isLazy = false;
    return true;
  }

  /** Whether a line ends a paragraph; where it makes a heading or a table of it, that is done. */
  #endsParagraph(paragraph: Paragraph): boolean {
    const { rest } = this.#cursor;
    const depth = underlineDepth(rest);
    if (depth > 0) {
      // The lines may be definitions, and then this is no underline.
      if (this.#text.charCodeAt(paragraph.lines[0]?.offset ?? 0) === OPENING_BRACKET) notOrdinary();
      this.#found.addText(depth, paragraph.lines);
      this.#leaf = null;
      return true;
    }
    return beginsBlock(rest, true) || this.#beginsTable(paragraph, rest);
  }

  /** The last line of a paragraph is the header of a table where a delimiter row of as many cells follows. */
  #beginsTable(paragraph: Paragraph, rest: string): boolean {
    const columns = delimiterCells(rest);
    const header = paragraph.lines.at(-1);
    if (columns === 0 || header === undefined || !paragraph.canBeHeader) return false;
    if (this.#found.cellsIn(header).length !== columns) return false;
    // The header is looked at anew, and may turn out to be HTML.
    if (paragraph.isLazy || this.#text.charCodeAt(header.offset) === LESS_THAN) notOrdinary();
    paragraph.lines.pop();
    this.#close();
    this.#found.addTable(header, columns);
    this.#leaf = { type: 'table' };
    return true;
  }

  /** Begins a block. */
  #begin(): void {
    const cursor = this.#cursor;
    if (cursor.indent > 3) {
      this.#leaf = { type: 'code' };
      this.#found.code.push({ language: null, ...this.#cursor.placeOf(cursor.inTab ? cursor.at + 1 : cursor.at) });
      return;
    }
    if (this.#beginMarked()) return;
    this.#leaf = { type: 'paragraph', lines: [this.#cursor.textLine()], canBeHeader: true, isLazy: false };
  }

  #beginMarked(): boolean {
    const start = startedBy(this.#cursor.code);
    if (start === null) return false;
    const { rest } = this.#cursor;
    if (start === 'heading') return this.#beginHeading(rest);
    if (start === 'fence') return this.#beginFence(rest);
    return start === 'html' ? this.#beginHtml(rest) : isThematicBreak(rest);
  }

  #beginHeading(rest: string): boolean {
    const depth = headingDepth(rest);
    if (depth === 0) return false;
    this.#found.addHeading(depth, rest, this.#cursor.placeOf(this.#cursor.first));
    return true;
  }

  #beginFence(rest: string): boolean {
    const fence = openingFence(rest);
    if (fence === null) return false;
    this.#leaf = { type: 'fence', fence };
    const language = fence.language === null ? null : decoded(fence.language);
    this.#found.code.push({ language, ...this.#cursor.placeOf(this.#cursor.first) });
    return true;
  }

  #beginHtml(rest: string): boolean {
    const html = htmlStart(rest);
    if (html === null) return false;
    const { at, lineEnd, inTab } = this.#cursor;
    if (inTab) notOrdinary();
    const value = this.#text.slice(at, lineEnd);
    const leaf = { type: 'html', place: this.#cursor.placeOf(at), ends: html.ends, value, end: lineEnd } as const;
    this.#leaf = leaf;
    if (html.ends?.(rest) === true) this.#closeHtml(leaf);
    return true;
  }

  #close(): void {
    const leaf = this.#leaf;
    this.#leaf = null;
    if (leaf?.type === 'paragraph') this.#found.addParagraph(leaf.lines);
    if (leaf?.type !== 'html') return;
    // What has no end of its own ends with the text, empty lines included.
    if (leaf.ends !== null) notOrdinary();
    this.#closeHtml(leaf);
  }

  #closeHtml({ value, place }: { readonly value: string; readonly place: Place }): void {
    this.#leaf = null;
    this.#found.content.push({ value, ...place });
  }
}
