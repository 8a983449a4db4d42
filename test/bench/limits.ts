/** What CI holds ratios against: committed limits, which noise does not reach and a step backwards does. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Figure } from './measure.ts';
import type { Result } from './results.ts';
import { short } from './table.ts';

/** By the rows' ids and figures: the largest ratio, or for what is measured alone the largest value. */
export type Limits = Readonly<Record<string, Readonly<Partial<Record<Figure, Limit>>>>>;

interface Limit {
  readonly of: 'ratio' | 'ours';
  readonly atMost: number;
}

export const readLimits = (): Limits =>
  JSON.parse(readFileSync(path.join(import.meta.dirname, 'limits.json'), 'utf8')) as Limits;

/** What is beyond its limit, in sentences. */
export function beyond({ figures }: Result, limits: Limits[string] = {}): readonly string[] {
  return Object.entries(limits).flatMap(([figure, { of, atMost }]) => {
    const value = figures[figure as Figure]?.[of]?.median ?? NaN;
    return value <= atMost ? [] : [`${figure} (${of}) is ${short(value)}, more than ${atMost}`];
  });
}
