/** What the figures are held to: limits.json has it for the tables and for CI. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Figure } from './measure.ts';
import type { Result } from './results.ts';
import type { Target } from './row.ts';
import { short } from './table.ts';

/** By the rows' ids and figures. */
export type Limits = Readonly<Record<string, Readonly<Partial<Record<Figure, Limit>>>>>;

interface Limit {
  /** The ratio ours / theirs, or ours alone. */
  readonly of: 'ratio' | 'ours';
  readonly atMost: number;
  readonly aim?: number;
  /** What CI fails at, where a busy machine may exceed `atMost`. */
  readonly inCi?: number;
}

export const readLimits = (): Limits =>
  JSON.parse(readFileSync(path.join(import.meta.dirname, 'limits.json'), 'utf8')) as Limits;

/** The targets of a row. */
export const targetsOf = (id: string, limits = readLimits()): readonly Target[] =>
  Object.entries(limits[id] ?? {}).map(([figure, { of, atMost, aim }]) => ({
    figure: figure as Figure,
    of,
    atMost,
    ...(aim === undefined ? {} : { aim }),
  }));

/** Whether `--short` measures a row: it has a limit in CI. */
export const isForCi = ({ id }: { readonly id: string }): boolean =>
  Object.values(readLimits()[id] ?? {}).some(({ inCi }) => inCi !== undefined);

/** The figures that exceed what CI fails at, in sentences. */
export function beyond({ figures }: Result, limits: Limits[string] = {}): readonly string[] {
  return Object.entries(limits).flatMap(([figure, { of, atMost, inCi = atMost }]) => {
    const value = figures[figure as Figure]?.[of]?.median ?? NaN;
    return value <= inCi ? [] : [`${figure} (${of}) is ${short(value)}, more than ${inCi}`];
  });
}
