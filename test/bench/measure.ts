/** What was measured, and how two are compared: in turn, pair by pair, by medians and quartiles. */

/** What is measured: what it is called, and its unit. */
export const FIGURES = {
  wallMs: { name: 'wall', unit: 'ms' },
  wallMsPerPage: { name: 'wall a page', unit: 'ms' },
  cpuMs: { name: 'cpu', unit: 'ms' },
  peakMiB: { name: 'peak memory', unit: 'MiB' },
  cpuMsPerCheck: { name: 'cpu a check', unit: 'ms' },
  cpuMsPerCheckFlatOut: { name: 'cpu a check flat out', unit: 'ms' },
  checksPerSecond: { name: 'checks a second', unit: '' },
  cpuMsPerRun: { name: 'cpu a run', unit: 'ms' },
  runsPerSecond: { name: 'runs a second', unit: '' },
  lateRuns: { name: 'late runs', unit: '' },
  mbPerDay: { name: 'size a day', unit: 'MB' },
  sizeMB: { name: 'size', unit: 'MB' },
} as const;

export type Figure = keyof typeof FIGURES;

/** What one run cost. */
export type Sample = Readonly<Partial<Record<Figure, number>>>;

/** Something that is measured run by run. */
export interface Contender {
  readonly name: string;
  /** Runs once, from its beginning to its end. Throws where it did not do what it should have done. */
  sample(): Promise<Sample>;
}

/** What two of them took, run by run: those of one index ran one after the other. */
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

/** One figure of two contenders. `ratio`: ours / theirs of each pair. What is compared with nothing has `ours` only. */
export interface Compared {
  readonly ours: Spread;
  readonly theirs?: Spread;
  readonly ratio?: Spread;
}

export interface TurnOptions {
  readonly pairs: number;
  /** Runs of each before anything counts. Default 2. */
  readonly warmUps?: number;
  /** Called after each pair. */
  readonly onPair?: (done: number) => void;
}

/** Ours, theirs, ours, theirs …: whatever else the machine does falls on both. */
export async function inTurn(ours: Contender, theirs: Contender, options: TurnOptions): Promise<Pairs> {
  const { pairs, warmUps = 2, onPair = () => {} } = options;
  const measured: { ours: Sample[]; theirs: Sample[] } = { ours: [], theirs: [] };
  for (let pair = -warmUps; pair < pairs; pair++) {
    const [one, other] = [await ours.sample(), await theirs.sample()];
    if (pair < 0) continue;
    measured.ours.push(one);
    measured.theirs.push(other);
    onPair(pair + 1);
  }
  return measured;
}

/** The quartiles, between two values in proportion. NaN where there is none. */
export function spread(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number): number => {
    const place = share * (sorted.length - 1);
    const [below = NaN, above = below] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]];
    return below + (above - below) * (place % 1);
  };
  return { median: at(0.5), low: at(0.25), high: at(0.75) };
}

/** Compares one figure; `undefined` where ours has none. */
export function compare({ ours, theirs }: Pairs, figure: Figure): Compared | undefined {
  const own = ours.flatMap((sample) => sample[figure] ?? []);
  const others = theirs.flatMap((sample) => sample[figure] ?? []);
  if (own.length === 0) return undefined;
  if (others.length !== own.length) return { ours: spread(own) };
  const ratios = own.map((value, pair) => value / (others[pair] ?? NaN));
  return { ours: spread(own), theirs: spread(others), ratio: spread(ratios) };
}
