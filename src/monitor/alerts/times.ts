/** How alerts, history and maintenance write durations and times. */
import type { AlertsWords } from '../../generated/locales/alerts.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../time.ts';

const LENGTHS = { day: DAY_MS, hour: HOUR_MS, minute: MINUTE_MS, second: SECOND_MS };
/** A longer duration is written in two units. */
const SCALES = [
  ['day', 'hour'],
  ['hour', 'minute'],
  ['minute', 'second'],
] as const;

/**
 * A duration for people: `4.2 s`, `41 s`, `2 min 5 s`, `3 h 10 min`, `2 d 4 h`. Less than two minutes are seconds, so
 * that they compare with an objective of 60 s. `exact`: with tenths whatever their size.
 */
export function durationIn(ms: number, { units, decimal }: AlertsWords, exact = false): string {
  if (ms < 2 * MINUTE_MS) {
    const tenths = exact || ms < 10 * SECOND_MS;
    const seconds = tenths ? Math.round(ms / 100) / 10 : Math.round(ms / SECOND_MS);
    return `${String(seconds).replace('.', decimal)} ${units.second}`;
  }
  const [large, small] = SCALES.find(([unit]) => ms >= LENGTHS[unit]) ?? SCALES[2];
  const rest = Math.floor((ms % LENGTHS[large]) / LENGTHS[small]);
  return `${Math.floor(ms / LENGTHS[large])} ${units[large]}${rest === 0 ? '' : ` ${rest} ${units[small]}`}`;
}

/** `2026-11-20 18:00:41 UTC` */
export function timeOf(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}
