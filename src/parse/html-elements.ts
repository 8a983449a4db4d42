/** Goes through the elements of an HTML text, in bounded time. Pure. */
import { Parser } from 'htmlparser2';
import { takeTurns } from '../take-turns.ts';

export type Attributes = Readonly<Record<string, string>>;

/** What is told of a text. Elements that end without a closing tag are told to end as well. */
export interface ElementReader {
  /** `offset`: of the element's `<` (UTF-16 code units). `false`: nothing more is wanted. */
  open(name: string, attributes: Attributes, offset: number): boolean;
  /** `false`: nothing more is wanted. */
  close(name: string): boolean;
  /** A part of the text that stands in the innermost open element, entities decoded. */
  text?(text: string): void;
  /** In lower case, `!doctype` among them. */
  instruction?(name: string): void;
}

/** Deepest nesting; the parser takes time that grows with it. */
const DEEPEST = 500;
/** The parser is given so much at a time (UTF-16 code units). */
const PIECE = 32 * 1024;
/** Most attributes of one element: the parser takes memory for each, and time that grows with them. */
const MOST_ATTRIBUTES = 10_000;
/**
 * Most work for one text: the length of each piece times the depth that it reaches, because each closing tag is looked
 * for among all open elements.
 */
const MOST_WORK = 1_000_000_000;

/** Tells a reader of all elements. `false`: not to the end, because the reader wants no more or it takes too much. */
export function readElements(html: string, reader: ElementReader): boolean {
  const pieces = readPieces(html, reader);
  for (;;) {
    const piece = pieces.next();
    if (piece.done === true) return piece.value;
  }
}

/** The same for a long text: other work of this process goes on between its pieces. */
export async function readElementsInTurns(html: string, reader: ElementReader): Promise<boolean> {
  const pieces = readPieces(html, reader);
  for (;;) {
    const piece = pieces.next();
    if (piece.done === true) return piece.value;
    await takeTurns();
  }
}

function* readPieces(html: string, reader: ElementReader): Generator<undefined, boolean> {
  let goesOn = true;
  let depth = 0;
  let deepest = 0;
  let attributes = 0;
  const stop = (): void => {
    goesOn = false;
    parser.pause();
  };
  const parser = new Parser({
    onprocessinginstruction: (name) => reader.instruction?.(name.toLowerCase()),
    onattribute: () => {
      if (++attributes > MOST_ATTRIBUTES) stop();
    },
    onopentag: (name, values) => {
      attributes = 0;
      deepest = Math.max(deepest, ++depth);
      if (!reader.open(name, values, parser.startIndex) || depth >= DEEPEST) stop();
    },
    ontext: (text) => reader.text?.(text),
    onclosetag: (name) => {
      depth--;
      if (goesOn && !reader.close(name)) stop();
    },
  });
  let work = 0;
  for (let at = 0; at < html.length; at += PIECE) {
    if (!goesOn) break;
    const piece = html.slice(at, at + PIECE);
    deepest = depth;
    parser.write(piece);
    work += piece.length * (deepest + 1);
    if (work > MOST_WORK) stop();
    yield;
  }
  parser.end();
  return goesOn;
}
