/** What was measured last, kept in a file: the documents are made of it, whichever rows were measured anew. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Environment } from './environment.ts';
import { compare, type Compared, type Figure, type Pairs } from './measure.ts';
import type { Row } from './row.ts';

const FILE = path.join(import.meta.dirname, 'results.json');

/** One row, measured. */
export interface Result {
  /** The day, as 2026-11-20. */
  readonly date: string;
  readonly pairs: number;
  readonly figures: Readonly<Partial<Record<Figure, Compared>>>;
}

/** Why a row was not measured. */
export interface Unmeasured {
  readonly missing: string;
}

export interface Results {
  readonly environment: Environment;
  /** By the rows' ids. */
  readonly rows: Readonly<Record<string, Result>>;
  /** Which contender saw which fault. */
  readonly proof: Proof;
}

/** By the contenders' names: the ids of the faults that it saw, and those that it does not claim to see. */
export type Proof = Readonly<Record<string, { readonly seen: readonly string[]; readonly unseen: readonly string[] }>>;

/** Sums up what a row has measured. */
export function resultOf({ figures }: Row, pairs: Pairs, date: string): Result {
  const compared = figures.flatMap((figure) => {
    const value = compare(pairs, figure);
    return value === undefined ? [] : [[figure, value] as const];
  });
  return { date, pairs: pairs.ours.length, figures: Object.fromEntries(compared) };
}

export const readResults = (): Results => JSON.parse(readFileSync(FILE, 'utf8')) as Results;

export const writeResults = (results: Results): void => writeFileSync(FILE, `${JSON.stringify(results, null, 2)}\n`);
