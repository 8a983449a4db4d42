import { blankStart, frontMatterLength } from './front-matter.ts';
import { readHeadings, type Headings } from './markdown-headings.ts';
import { definitionsOf, type Piece, type Pieces, type RunStage, within } from './markdown-piece.ts';
import type { PieceSizes } from './markdown-pieces.ts';
import { readOrdinary } from './ordinary/read-ordinary.ts';
import { position } from './position.ts';
import type { MarkdownFacts, MarkdownLink, Place, Prepared, TreeHeading, TreeLink, Wanted } from './markdown-types.ts';

export type { RunStage } from './markdown-piece.ts';

/** What is parsed of a text where nothing else is said, in UTF-16 code units: enough to judge a page. */
const FIRST = 64 * 1024;

/** Takes front matter out (lines keep their numbers) and cuts the text to the first `longest` code units or less. */
export function prepare(text: string, longest = FIRST): Prepared {
  const start = frontMatterLength(text);
  const body = blankStart(text, start);
  if (body.length <= longest) return { text: body, whole: true, moreContent: false };
  const head = body.slice(0, longest);
  const end = Math.max(head.lastIndexOf('\n'), head.lastIndexOf('\r')) + 1;
  // Without a line end it is one endless line. A half surrogate pair at the cut does no harm.
  const cut = end === 0 || head.slice(0, end).trim() === '' ? longest : end;
  return { text: body.slice(0, cut), whole: false, moreContent: /\S/.test(body.slice(cut)) };
}

/** Reads the facts of a prepared text: quickly where it is ordinary, otherwise with the parser. */
export async function readFacts(prepared: Prepared, run: RunStage, enough?: readonly Wanted[]): Promise<MarkdownFacts> {
  return (await readOrdinaryFacts(prepared, run, enough)) ?? readParsedFacts(prepared, run);
}

/**
 * The facts of an ordinary text; `null` where it is none. It takes time in proportion to its length, so that only raw HTML
 * is a stage to bound. Where all of `enough` is found, what comes after it may be missing.
 */
export async function readOrdinaryFacts(
  prepared: Prepared,
  run: RunStage,
  enough?: readonly Wanted[],
): Promise<MarkdownFacts | null> {
  const { text } = prepared;
  const facts = readOrdinary(text, enough);
  if (facts === null) return null;
  const start = { offset: 0, line: 1, column: 1 };
  const whole: Piece = { text, carried: 0, end: text.length, continues: null, start, facts };
  return gathered(prepared, { pieces: [whole], clean: true }, run);
}

/**
 * The facts as the parser finds them. It is loaded here, so that nothing of it is loaded before it is needed.
 */
export async function readParsedFacts(prepared: Prepared, run: RunStage, sizes?: PieceSizes): Promise<MarkdownFacts> {
  const { readPieces } = await import('./markdown-pieces.ts');
  return gathered(prepared, readPieces(prepared.text, run, sizes), run);
}

/** Raw HTML and headings bring what they need themselves. */
async function gathered(prepared: Prepared, { pieces, clean }: Pieces, run: RunStage): Promise<MarkdownFacts> {
  const html = await htmlFacts(pieces, run);
  const { headings, ids } = headingFacts(pieces);
  return {
    ok: true,
    // Of a text that was cut nothing is known for certain, so it is never called empty.
    hasContent: prepared.moreContent || pieces.some(({ facts }) => facts.hasContent),
    whole: prepared.whole && clean,
    links: mergedLinks(pieces, html.links),
    headings,
    ids: [...ids, ...html.ids],
    code: pieces.flatMap((piece) =>
      piece.facts.code
        .filter(within(piece))
        .map(({ language, ...place }) => ({ language, line: lineOf(piece, place) })),
    ),
    tables: mergedTables(pieces),
  };
}

function lineOf({ text, carried, start }: Piece, { line }: Pick<Place, 'line'>): number {
  return line + start.line - 1 - carriedLines(text, carried);
}

function carriedLines(text: string, carried: number): number {
  return carried === 0 ? 0 : text.slice(0, carried).split('\n').length - 1;
}

/** A line and column in a piece as those in the whole text. */
function placeOf(piece: Piece, { line, column }: Pick<Place, 'line' | 'column'>): { line: number; column: number } {
  const first = line === carriedLines(piece.text, piece.carried) + 1;
  return { line: lineOf(piece, { line }), column: first ? column + piece.start.column - 1 : column };
}

/** Whether a place in a piece is in its own part. */
function linesWithin({ text, carried, end }: Piece): (place: Pick<Place, 'line' | 'column'>) => boolean {
  const first = carriedLines(text, carried) + 1;
  const last = position(text, end);
  return ({ line, column }) => line >= first && (line < last.line || (line === last.line && column < last.column));
}

function headingsOf(piece: Piece): TreeHeading[] {
  const own = piece.facts.headings.filter(within(piece));
  return own.map((heading) => ({ ...heading, line: lineOf(piece, heading) }));
}

function headingFacts(pieces: readonly Piece[]): Headings {
  const found = pieces.flatMap(headingsOf);
  if (found.length === 0) return { headings: [], ids: [] };
  return readHeadings(found);
}

interface HtmlFacts {
  readonly links: MarkdownLink[];
  readonly ids: string[];
}

async function htmlFacts(pieces: readonly Piece[], run: RunStage): Promise<HtmlFacts> {
  const found: HtmlFacts = { links: [], ids: [] };
  if (pieces.every(({ facts }) => facts.html.length === 0)) return found;
  const { readHtml } = await import('./markdown-html.ts');
  for (const piece of pieces) {
    // A block that was cut begins with what is carried, and ends after the cut.
    const fragments = piece.facts.html.filter(({ offset }) => offset < piece.end);
    const { links, ids } = run(() => readHtml(fragments, piece.text));
    const inPart = linesWithin(piece);
    for (const link of links) if (inPart(link)) found.links.push({ ...link, ...placeOf(piece, link) });
    for (const id of ids) found.ids.push(id);
  }
  return found;
}

function mergedLinks(pieces: readonly Piece[], html: readonly MarkdownLink[]): MarkdownLink[] {
  const definitions = new Map<string, string>();
  for (const piece of pieces) {
    for (const [label, { url }] of definitionsOf(piece)) if (!definitions.has(label)) definitions.set(label, url);
  }
  const links: MarkdownLink[] = [];
  for (const piece of pieces) {
    const inPart = within(piece);
    for (const link of piece.facts.links) {
      const url = inPart(link) ? urlOf(link, definitions) : undefined;
      if (url !== undefined) links.push({ url, kind: link.kind, ...placeOf(piece, link) });
    }
  }
  if (html.length === 0) return links;
  return [...links, ...html].toSorted((a, b) => a.line - b.line || a.column - b.column);
}

function urlOf({ url, label }: TreeLink, definitions: ReadonlyMap<string, string>): string | undefined {
  return label === undefined ? url : definitions.get(label);
}

function mergedTables(pieces: readonly Piece[]): MarkdownFacts['tables'] {
  const tables: { columns: number; rows: number; line: number }[] = [];
  for (const piece of pieces) {
    const inPart = within(piece);
    for (const table of piece.facts.tables) {
      const rows = table.rows.filter((offset) => inPart({ offset })).length;
      const before = tables.at(-1);
      if (inPart(table)) tables.push({ columns: table.columns, rows, line: lineOf(piece, table) });
      else if (table.offset < piece.carried && before !== undefined) before.rows += rows;
    }
  }
  return tables;
}
