/** What is measured, and how two are compared: in turn, pair by pair, by medians and quartiles. */
import { progress } from './session.ts';

/** The name and unit of each figure, and how files of its charts end. */
export const FIGURES = {
  wallMs: { name: 'wall', unit: 'ms', chart: 'wall' },
  wallMsPerPage: { name: 'wall a page', unit: 'ms', chart: 'each' },
  cpuMs: { name: 'cpu', unit: 'ms', chart: 'cpu' },
  peakMiB: { name: 'peak memory', unit: 'MiB', chart: 'memory' },
  cpuMsPerCheck: { name: 'cpu a check', unit: 'ms', chart: 'cpu' },
  cpuMsPerCheckFlatOut: { name: 'cpu a check flat out', unit: 'ms', chart: 'cpu-flat-out' },
  checksPerSecond: { name: 'checks a second', unit: '', chart: 'rate' },
  cpuMsPerRun: { name: 'cpu a run', unit: 'ms', chart: 'cpu' },
  mbPerDay: { name: 'size a day', unit: 'MB', chart: 'size' },
  sizeMB: { name: 'size', unit: 'MB', chart: 'size' },
  // In tables only.
  runsPerSecond: { name: 'runs a second', unit: '', chart: null },
  lateRuns: { name: 'late runs', unit: '', chart: null },
} as const;

export type Figure = keyof typeof FIGURES;

/** What one run took. */
export type Sample = Readonly<Partial<Record<Figure, number>>>;

/** Runs once. Throws where it did not do all of its work. */
export type Contender = () => Promise<Sample>;

/** Samples of one index were taken one after the other. */
export interface Pairs {
  readonly ours: readonly Sample[];
  readonly theirs: readonly Sample[];
}

/** A median and its quartiles. */
export interface Spread {
  readonly median: number;
  readonly low: number;
  readonly high: number;
}

/** `ratio`: ours / theirs of each pair. */
export interface Compared {
  readonly ours: Spread;
  readonly theirs: Spread;
  readonly ratio: Spread;
}

/** Ours, theirs, ours, theirs …, so that other load of the machine affects both. Warm-ups do not count. */
export async function inTurn(ours: Contender, theirs: Contender, pairs: number, warmUps = 2): Promise<Pairs> {
  const all: [Sample, Sample][] = [];
  for (let pair = 1; pair <= warmUps + pairs; pair++) {
    progress(`${pair} of ${warmUps + pairs} pairs`);
    all.push([await ours(), await theirs()]);
  }
  const counted = all.slice(warmUps);
  return { ours: counted.map(([one]) => one), theirs: counted.map(([, other]) => other) };
}

/** Interpolates between two values. NaN where there is none. */
export function spread(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number): number => {
    const place = share * (sorted.length - 1);
    const [below = NaN, above = below] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]];
    return below + (above - below) * (place % 1);
  };
  return { median: at(0.5), low: at(0.25), high: at(0.75) };
}

export function compare({ ours, theirs }: Pairs, figure: Figure): Compared {
  const [own, others] = [ours, theirs].map((samples) => samples.map((sample) => sample[figure] ?? NaN));
  const ratios = own?.map((value, pair) => value / (others?.[pair] ?? NaN)) ?? [];
  return { ours: spread(own ?? []), theirs: spread(others ?? []), ratio: spread(ratios) };
}

/** The median of each figure. */
export function medians(samples: readonly Sample[]): Sample {
  const figures = Object.keys(samples[0] ?? {}) as Figure[];
  return Object.fromEntries(
    figures.map((figure) => [figure, spread(samples.map((sample) => sample[figure] ?? NaN)).median]),
  );
}
