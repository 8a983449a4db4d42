/** Logarithmic axes. */

export interface Scale {
  /** Values that have a line across and a name, from the lowest on. */
  readonly ticks: readonly number[];
  /** Where a value is: 0 at the lowest end, 1 at the highest. */
  readonly at: (value: number) => number;
}

const DECADE = [1, 2, 5] as const;

function scaleOf(low: number, high: number, ticks: readonly number[]): Scale {
  const length = Math.log10(high / low);
  return { ticks, at: (value) => (length === 0 ? 0.5 : Math.log10(value / low) / length) };
}

/** From the first step to the last one, with a name for each. */
export const stepScale = (steps: readonly number[]): Scale => scaleOf(steps[0] ?? 1, steps.at(-1) ?? 1, steps);

/** Around values above 0: with every decade, and where there are few of them what is between, too: 1, 2, 5, 10. */
export function valueScale(values: readonly number[]): Scale {
  const [min, max] = [Math.min(...values), Math.max(...values)];
  const powers = Array.from(
    { length: Math.ceil(Math.log10(max)) - Math.floor(Math.log10(min)) + 3 },
    (_, index) => Math.floor(Math.log10(min)) - 1 + index,
  );
  // As a number of that name, where a product would be 0.30000000000000004.
  const rungs = powers.flatMap((power) => DECADE.map((digit) => Number(`${digit}e${power}`)));
  // What lies on the lowest line or the highest one is hard to see.
  const low = rungs.findLast((rung) => rung < min) ?? min;
  const high = rungs.find((rung) => rung > max) ?? max;
  const among = rungs.filter((rung) => rung >= low && rung <= high);
  const decades = among.filter((rung) => Number.isInteger(Math.log10(rung)));
  return scaleOf(low, high, decades.length >= 3 ? decades : among);
}
