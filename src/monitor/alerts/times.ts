/** How alerts, history and maintenance write durations and times. */
import type { AlertsWords } from '../../generated/locales/alerts.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/**
 * A duration for people: `4.2 s`, `41 s`, `2 min 5 s`, `3 h 10 min`, `2 d 4 h`. Less than two minutes are seconds, so
 * that they compare with an objective of 60 s. `exact`: with tenths whatever their size.
 */
export function durationIn(
  ms: number,
  { units, decimal }: Pick<AlertsWords, 'units' | 'decimal'>,
  exact = false,
): string {
  if (ms < 2 * MINUTE) {
    const tenths = exact || ms < 10 * SECOND;
    const seconds = tenths ? Math.round(ms / 100) / 10 : Math.round(ms / SECOND);
    return `${String(seconds).replace('.', decimal)} ${units.second}`;
  }
  const [large, small, one, other] = scaleOf(ms, units);
  const rest = Math.floor((ms % large) / small);
  return `${Math.floor(ms / large)} ${one}${rest === 0 ? '' : ` ${rest} ${other}`}`;
}

type Scale = readonly [large: number, small: number, one: string, other: string];

function scaleOf(ms: number, units: AlertsWords['units']): Scale {
  if (ms < HOUR) return [MINUTE, SECOND, units.minute, units.second];
  return ms < DAY ? [HOUR, MINUTE, units.hour, units.minute] : [DAY, HOUR, units.day, units.hour];
}

/** `2026-11-20 18:00:41 UTC` */
export function timeOf(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}
