import type { Cut } from './markdown-cut.ts';
import type { Place, TreeFacts } from './markdown-types.ts';

/** A part of a text that was read by itself. */
export interface Piece {
  /** What was parsed: lines that open again what the cut before it was in, and the part, perhaps with more after it. */
  readonly text: string;
  /** How many code units of `text` come before the part. */
  readonly carried: number;
  /** Where the part ends in `text`. */
  readonly end: number;
  /** What the cut before it was in. */
  readonly continues: Cut['inside'];
  /** Where the part begins in the whole text. */
  readonly start: Place;
  readonly facts: TreeFacts;
}

/** Runs one synchronous stage of the work, to bound it. */
export type RunStage = <T>(stage: () => T) => T;

/** A text in pieces. */
export interface Pieces {
  readonly pieces: readonly Piece[];
  readonly clean: boolean;
}

/** Whether something begins in the piece's own part. */
export function within({ carried, end }: Piece): (place: { readonly offset: number }) => boolean {
  return ({ offset }) => offset >= carried && offset < end;
}

/** The definitions of a piece's own part. */
export function definitionsOf(piece: Piece): [label: string, definition: Place & { readonly url: string }][] {
  const inPart = within(piece);
  return [...piece.facts.definitions].filter(([, definition]) => inPart(definition));
}
