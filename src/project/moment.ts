import { parseDuration } from '../config/values.ts';
import { dateOf } from './version-arguments.ts';
import { echoed } from './echoed.ts';
import { UsageError } from './usage-error.ts';

/** A time that may be told from now on backwards: ms since 1970, of now. */
export type Moment = (now: number) => number;

const TEN_YEARS_MS = 3_650 * 86_400_000;

/** How long ago (`24h`, `7d`), a date (`2026-11-20`, `2026-11-20T18:00Z`; UTC where it has no zone), or `now`. */
export function momentOf(option: string): (text: string) => Moment {
  return (text) => {
    const word = text.trim();
    if (word === '') throw new UsageError((messages) => messages.emptyValue(option));
    if (/^now$/i.test(word)) return (now) => now;
    const ago = parseDuration(word, { least: 1, most: TEN_YEARS_MS });
    if (ago.ok) return (now) => now - ago.ms;
    const date = dateOf(word);
    if (date !== null) return () => date;
    throw new UsageError((messages) => messages.badMoment(option, echoed(word)));
  };
}
