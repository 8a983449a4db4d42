import type { ConfigProblem, Expected, Mistake, Path } from './problem.ts';
import { keyOf } from './problem.ts';

/** A place in a configuration file, both from 1. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

/** What a configuration file holds, and where. */
export interface Source {
  /** The file, as messages name it. */
  readonly file: string;
  /** Plain JSON values: no cycles, functions or dates. */
  readonly value: unknown;
  /** Where a key or a value stands; `null` when the file has no positions. */
  readonly locate: (path: Path, at: 'key' | 'value') => Place | null;
}

/** A file that was read, or what is wrong with it as a whole. */
export type ReadSource =
  | { readonly ok: true; readonly source: Source }
  | { readonly ok: false; readonly problems: readonly ConfigProblem[] };

/** One problem with the file as a whole, or at a place that is no key's. */
export function fileProblem(file: string, expected: Expected, place: Place | null = null): ConfigProblem {
  return { file, line: place?.line ?? null, column: place?.column ?? null, key: '', expected };
}

/** Gives a mistake its position. */
export function placed(mistake: Mistake, source: Source): ConfigProblem {
  const place = source.locate(mistake.path, mistake.at);
  return {
    file: source.file,
    line: place?.line ?? null,
    column: place?.column ?? null,
    key: keyOf(mistake.path),
    expected: mistake.expected,
    ...(mistake.got === undefined ? {} : { got: mistake.got }),
  };
}
