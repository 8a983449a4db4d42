/** The two readers of Markdown, side by side. */
import { isDeepStrictEqual } from 'node:util';
import { parseTree } from '../../src/parse/markdown-grammar.ts';
import { readTree } from '../../src/parse/markdown-tree.ts';
import type { TreeFacts, Wanted } from '../../src/parse/markdown-types.ts';
import { readOrdinary } from '../../src/parse/ordinary/read-ordinary.ts';

/** What the full parser finds. */
export function parsed(text: string): TreeFacts {
  return readTree(parseTree(text, new Set()), text);
}

/** What our reader said of texts, and the parser of the same. */
export interface Compared {
  /** How many texts our reader read; it left the others to the parser. */
  readonly read: number;
  /** Those that it read otherwise. */
  readonly different: readonly { readonly text: string; readonly ours: TreeFacts; readonly theirs: TreeFacts }[];
}

/** With `enough` they are told apart only by that, where our reader found it. */
export function compared(texts: Iterable<string>, enough?: readonly Wanted[]): Compared {
  let read = 0;
  const different: Compared['different'][number][] = [];
  for (const text of texts) {
    const ours = readOrdinary(text, enough);
    if (ours === null) continue;
    read++;
    const theirs = parsed(text);
    const isEnough = enough?.every((what) => has(ours, what) && has(theirs, what)) === true;
    if (!isEnough && !isDeepStrictEqual(ours, theirs)) different.push({ text, ours, theirs });
  }
  return { read, different };
}

function has({ hasContent, links, headings }: TreeFacts, what: Wanted): boolean {
  if (what === 'content') return hasContent;
  return what === 'link' ? links.some(({ kind }) => kind === 'link') : headings.some(({ depth }) => depth === 1);
}
