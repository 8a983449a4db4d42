/** What was measured last, kept in a file: the documents are made of it, whichever rows were measured again. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isSameMachine, type Environment } from './environment.ts';
import { compare, type Compared, type Figure, type Pairs } from './measure.ts';
import type { Testimony } from './proof.ts';
import type { Grown } from './growth/growth.ts';
import type { Row } from './row.ts';

const FILE = path.join(import.meta.dirname, 'results.json');

/** One row, measured. */
export interface Result {
  /** The day, as 2026-11-20. */
  readonly date: string;
  readonly pairs: number;
  readonly figures: Readonly<Partial<Record<Figure, Compared>>>;
  /** Where it was measured, if that is not where the other rows were. */
  readonly environment?: Environment;
}

export interface Results {
  readonly environment: Environment;
  /** By the rows' ids. */
  readonly rows: Readonly<Record<string, Result>>;
  /** What grows, by its id. */
  readonly growth: Readonly<Record<string, Grown>>;
  /** Which contender saw which fault. */
  readonly proof: readonly Testimony[];
}

/** As 2026-11-20. */
export const today = (now = new Date()): string => now.toISOString().slice(0, 10);

/** Sums up what a row has measured. */
export function resultOf({ figures }: Row, pairs: Pairs, now = new Date()): Result {
  const compared = figures.flatMap((figure) => {
    const value = compare(pairs, figure);
    return value === undefined ? [] : [[figure, value] as const];
  });
  return { date: today(now), pairs: pairs.ours.length, figures: Object.fromEntries(compared) };
}

/**
 * What was measured now instead of what was measured before, which keeps its other rows. Where most of those come from
 * another machine, the new ones name theirs: only ratios of different machines can be compared.
 */
export function joined(before: Results | undefined, now: Results): Results {
  if (before === undefined) return now;
  const growth = { ...before.growth, ...now.growth };
  if (Object.keys(now.rows).length === 0) return { ...before, growth };
  const kept = Object.keys(before.rows).some((id) => !(id in now.rows));
  const isElsewhere = kept && !isSameMachine(before.environment, now.environment);
  const proof = new Map([...before.proof, ...now.proof].map((one) => [one.contender, one]));
  const peers = { ...before.environment.peers, ...now.environment.peers };
  const { environment } = now;
  const rows = Object.entries(now.rows).map(([id, row]) => [id, isElsewhere ? { ...row, environment } : row] as const);
  return {
    environment: isElsewhere ? before.environment : { ...environment, peers },
    rows: { ...before.rows, ...Object.fromEntries(rows) },
    growth,
    proof: [...proof.values()],
  };
}

/** `undefined` before the first time. */
export const readResults = (): Results | undefined =>
  existsSync(FILE) ? (JSON.parse(readFileSync(FILE, 'utf8')) as Results) : undefined;

/** Keeps them, and returns what is kept of them. */
export function writeResults(results: Results): Results {
  const text = written(results);
  writeFileSync(FILE, text);
  return JSON.parse(text) as Results;
}

/** Four figures of a number, and a spread on one line: what changes can be seen. */
const written = (results: Results): string =>
  `${JSON.stringify(results, rounded, 2).replaceAll(/\{\n\s+("median".*)\n\s+(.*)\n\s+(.*)\n\s+\}/g, '{ $1 $2 $3 }')}\n`;

const rounded = (_: string, value: unknown): unknown =>
  typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(4)) : value;
