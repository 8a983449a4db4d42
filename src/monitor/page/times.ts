/** Times, durations and shares as a page writes them, in one language and in UTC. */
import { durationOf } from '../../report/html/durations.ts';
import { markup, type Markup } from '../../report/html/markup.ts';
import type { Language } from '../../texts.ts';
import { iso } from '../iso-time.ts';
import { percentOf } from './uptime.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** What is written of moments and stretches of time. Moments are ms since 1970, stretches ms. */
export interface Times {
  /** `20 November 2026 at 18:00:12 UTC` */
  instant(at: number): string;
  /** `20 Nov, 18:00:12 UTC`; with its year where that is not the year of now. */
  short(at: number): string;
  /** `20 November 2026` */
  day(at: number): string;
  /** `18:00` */
  clock(at: number): string;
  /** `4 seconds ago` */
  ago(at: number): string;
  /** `41.3 s`, `2 h 5 min`, `3 days 4 h` */
  length(ms: number): string;
  /** `99.98%`, as the language writes it. */
  percent(share: number): string;
  number(count: number): string;
}

/** Times in a language, seen from `now`. Formats are made once a page: they are slow to make. */
export function timesIn(language: Language, now: number): Times {
  const locale = language === 'en' ? 'en-GB' : language;
  const utc = (options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat =>
    new Intl.DateTimeFormat(locale, { timeZone: 'UTC', ...options });
  const clockOptions = { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' } as const;
  const long = utc({ dateStyle: 'long', timeStyle: 'medium' });
  const short = utc({ day: 'numeric', month: 'short', ...clockOptions });
  const shortYear = utc({ day: 'numeric', month: 'short', year: 'numeric', ...clockOptions });
  const day = utc({ dateStyle: 'long' });
  const clock = utc({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'always' });
  const days = new Intl.NumberFormat(locale, { style: 'unit', unit: 'day', unitDisplay: 'long' });
  const number = new Intl.NumberFormat(language);
  const percent = new Intl.NumberFormat(locale, {
    style: 'percent',
    minimumFractionDigits: 0,
    maximumFractionDigits: 2,
  });
  const thisYear = new Date(now).getUTCFullYear();
  return {
    instant: (at) => `${long.format(at)} UTC`,
    short: (at) => `${(new Date(at).getUTCFullYear() === thisYear ? short : shortYear).format(at)} UTC`,
    day: (at) => day.format(at),
    clock: (at) => clock.format(at),
    ago: (at) => relative.format(...agoOf(now - at)),
    length(ms) {
      if (ms < 2 * DAY_MS) return durationOf(ms, language);
      const hours = Math.round(ms / HOUR_MS);
      const whole = days.format(Math.floor(hours / 24));
      return hours % 24 === 0 ? whole : `${whole} ${hours % 24}\u00a0h`;
    },
    // Already cut: what runs up to 100 % would be no more than a wish.
    percent: (share) => percent.format(percentOf(share) / 100),
    number: (count) => number.format(count),
  };
}

/** In the largest unit that fits at least twice; what is to come by a clock that differs is now. */
function agoOf(ms: number): [value: number, unit: Intl.RelativeTimeFormatUnit] {
  const past = Math.max(0, ms);
  if (past < 2 * MINUTE_MS) return [-Math.round(past / 1000), 'second'];
  if (past < 2 * HOUR_MS) return [-Math.round(past / MINUTE_MS), 'minute'];
  if (past < 2 * DAY_MS) return [-Math.round(past / HOUR_MS), 'hour'];
  return [-Math.round(past / DAY_MS), 'day'];
}

/** A moment that machines can read as well. */
export function timeTag(at: number, text: string): Markup {
  return markup`<time datetime="${iso(at)}">${text}</time>`;
}
