/** Values with their units, for axes and tables. */
import { FIGURES, type Figure } from '../measure.ts';

const THREE = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 });

/** Three figures that mean something: `1,230`. */
export const number = (value: number): string => THREE.format(value);

/** A second from a thousand milliseconds on. */
export function quantity(value: number, figure: Figure): string {
  const { unit } = FIGURES[figure];
  if (unit === 'ms' && value >= 1000) return `${number(value / 1000)} s`;
  return unit === '' ? number(value) : `${number(value)} ${unit}`;
}
