/** Reads a text of any length piece by piece, so that time and memory stay in proportion to its length. */
import { type Cut, findCut } from './markdown-cut.ts';
import { parseTree } from './markdown-grammar.ts';
import { definitionsOf, type Piece, type Pieces, type RunStage } from './markdown-piece.ts';
import { readTree } from './markdown-tree.ts';
import type { Place } from './markdown-types.ts';

/** Lengths in UTF-16 code units. */
export interface PieceSizes {
  /** A text up to this length is one piece: the parser takes up to 3.5 KB of heap for each code unit. */
  readonly whole: number;
  /** Of a longer one, how much is parsed at once: in small pieces it takes half the time, because they fit the caches. */
  readonly usual: number;
  /** A block that cannot be cut is read whole up to this length. */
  readonly largest: number;
}

const SIZES: PieceSizes = { whole: 8 * 1024, usual: 8 * 1024, largest: 512 * 1024 };

/** The pieces of a text, and whether every cut was one that changes nothing. Pure; each piece is a stage of its own. */
export function readPieces(text: string, run: RunStage, sizes = SIZES): Pieces {
  const pieces: Piece[] = [];
  let clean = true;
  let start: Place = { offset: 0, line: 1, column: 1 };
  let next: Pick<Cut, 'carry' | 'inside'> = { carry: '', inside: null };
  do {
    const { carry, inside } = next;
    // Lines that are empty take time, too.
    if (carry === '' && start.column === 1) start = advanced(start, emptyLines(text, start.offset));
    const { part, cut } = run(() => readPart(text, start.offset, carry, sizes));
    pieces.push({ ...part, start, continues: inside });
    clean &&= cut.clean && !(inside === 'paragraph' && beginsWithHeading(part));
    start = advanced(start, part.text.slice(part.carried, part.end));
    next = cut;
  } while (start.offset < text.length);
  if (pieces.length === 1) return { pieces, clean };
  const labels = new Set(pieces.flatMap((piece) => definitionsOf(piece).map(([label]) => label)));
  return { pieces: pieces.map((piece) => run(() => knowing(labels, piece))), clean };
}

/** A paragraph that was cut may turn out to be the text of a heading, by the underline at its end. */
function beginsWithHeading({ text, carried, facts }: Part['part']): boolean {
  const heading = facts.headings.find(({ offset }) => offset >= carried);
  return heading !== undefined && text.slice(carried, heading.offset).trim() === '';
}

interface Part {
  readonly part: Pick<Piece, 'text' | 'carried' | 'end' | 'facts'>;
  readonly cut: Pick<Cut, 'carry' | 'inside'> & { readonly clean: boolean };
}

const NO_LABELS: ReadonlySet<string> = new Set();

/** Reads what begins at `from`, as long as need be to find a cut. */
function readPart(whole: string, from: number, carry: string, sizes: PieceSizes): Part {
  const carried = carry.length;
  const least = whole.length <= sizes.whole ? sizes.whole : sizes.usual;
  for (let length = least; ; length *= 2) {
    // Never between \r and \n.
    const to = from + length + (whole.startsWith('\r\n', from + length - 1) ? 1 : 0);
    const rest = to < whole.length;
    const window = whole.slice(from, to);
    const text = carry + (rest ? wholeLines(window) : window);
    const root = parseTree(text, NO_LABELS);
    const sure = rest ? findCut(root, text, carried) : { offset: text.length, carry: '', inside: null };
    if (sure === null && length < sizes.largest) continue;
    const cut = sure ?? { offset: roughCut(text, carried), carry: '', inside: null };
    const facts = readTree(root, text);
    return { part: { text, carried, end: cut.offset, facts }, cut: { ...cut, clean: sure !== null } };
  }
}

/** Without a line that is cut off, unless it is most of the text. */
function wholeLines(text: string): string {
  const end = Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r')) + 1;
  return end * 2 > text.length ? text.slice(0, end) : text;
}

/** After the last whole line, or where there is none at the end. */
function roughCut(text: string, carried: number): number {
  const end = Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r')) + 1;
  return end > carried ? end : text.length;
}

function emptyLines(text: string, from: number): string {
  const next = /[^ \t\r\n]/g;
  next.lastIndex = from;
  const blank = text.slice(from, next.exec(text)?.index ?? text.length);
  return blank.slice(0, Math.max(blank.lastIndexOf('\n'), blank.lastIndexOf('\r')) + 1);
}

function advanced({ offset, line, column }: Place, by: string): Place {
  let ends = 0;
  let last = 0;
  for (const { 0: end, index } of by.matchAll(/\r\n|\n|\r/g)) {
    ends++;
    last = index + end.length;
  }
  const after = ends === 0 ? column + by.length : by.length - last + 1;
  return { offset: offset + by.length, line: line + ends, column: after };
}

/** Reads a piece again where it refers to what others define: a reference to an unknown label is plain text. */
function knowing(labels: ReadonlySet<string>, piece: Piece): Piece {
  const { text, facts } = piece;
  const foreign = labels.size === 0 ? NO_LABELS : labelsIn(text, labels, facts.definitions);
  return foreign.size === 0 ? piece : { ...piece, facts: readTree(parseTree(text, foreign), text) };
}

/** Anything in brackets, without brackets in it. A label has at most 999 characters (CommonMark, section 6.3). */
const IN_BRACKETS = /\[((?:[^[\]\\]|\\[^]){1,999})\]/g;

/** The labels of `all` that stand in brackets in a text and that it does not define, in the parser's normal form. */
function labelsIn(text: string, all: ReadonlySet<string>, own: ReadonlyMap<string, unknown>): ReadonlySet<string> {
  const found = new Set<string>();
  for (const [, label = ''] of text.matchAll(IN_BRACKETS)) {
    // As micromark normalises them: white space, then case, both ways for letters such as ß.
    const upper = label
      .replace(/[\t\n\r ]+/g, ' ')
      .trim()
      .toLowerCase()
      .toUpperCase();
    const key = upper.toLowerCase();
    if (all.has(key) && !own.has(key)) found.add(upper);
  }
  return found;
}
