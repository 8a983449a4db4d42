/** What every part of a status page needs: its language, its address, its times and its words. */
import { pageWords } from '../../generated/locales/page.ts';
import { messagesIn } from '../../locales/messages.ts';
import { withOwnChecks } from '../../project/settings.ts';
import { durationOf, numberIn } from '../../locales/format.ts';
import { markup, type Markup } from '../../report/html/markup.ts';
import { loadTexts, type Language, type Texts } from '../../texts.ts';
import { DAY_MS, HOUR_MS, iso } from '../../time.ts';
import { titlesOf } from '../locations.ts';
import type { MonitoredSite } from '../settings.ts';
import { BUCKET_MS } from '../store/store.ts';
import type { StatusSource } from './data.ts';
import { percentOf } from './uptime.ts';

export interface RenderMode {
  /**
   * `served`: made for each request. `files`: written once, so that nothing is relative to now, and perhaps read from a
   * disk, so that links name files.
   */
  readonly as: 'served' | 'files';
  readonly isStill?: boolean;
  /** Where the server was reached, for feeds of a page that does not know its own address. */
  readonly origin?: string | null;
}

const MOST_NAMED = 5;

export type PageContext = Awaited<ReturnType<typeof pageContextOf>>;

/** What makes a page of a source. `from`: the address of the page, where it is not that of `page`. */
export async function pageContextOf(
  source: Pick<StatusSource, 'now' | 'settings'>,
  page: string,
  language: Language,
  { as, isStill = as === 'files', origin = null }: RenderMode,
  from?: string,
) {
  const texts = await loadTexts(language);
  const { language: main, url, details, title } = source.settings.page;
  const { locations } = source.settings;
  const words = pageWords(language);
  const link = linksFrom(from ?? addressOf(page, language, main), as === 'files');
  const published = publishedAt(url);
  return {
    as,
    isStill,
    language,
    main,
    page,
    now: source.now,
    words,
    /** The name of all pages. */
    name: title ?? words.status,
    messages: messagesIn(language),
    times: timesIn(language, source.now),
    /** Where the page is published, ending with a slash; `null`: unknown. */
    url: published,
    /** The address of the first page in the main language, for links that must be absolute; `null`: unknown. */
    base: published ?? publishedAt(origin),
    details: details !== false,
    namesOf: (ids: readonly string[]): string => {
      const titles = titlesOf(ids, locations);
      const left = titles.length - MOST_NAMED;
      if (left <= 1) return titles.join(', ');
      return `${titles.slice(0, MOST_NAMED).join(', ')} ${words.leftOut(left)}`;
    },
    texts: (site: MonitoredSite | null): Texts => (site === null ? texts : withOwnChecks(texts, site.checking)),
    link,
    to: (other: string): string => link(addressOf(other, language, main)),
  };
}

function publishedAt(url: string | null): string | null {
  const parsed = url === null ? null : URL.parse(url);
  if (parsed === null || !/^https?:$/.test(parsed.protocol)) return null;
  return `${parsed.origin}${parsed.pathname.replace(/\/*$/, '/')}`;
}

/*
 * A page is named by its address in the main language, relative to the first page: `''`, `history/`, `sites/docs/`,
 * `feed.atom`. `routes.ts` lists them.
 */

export const STYLE_FILE = 'style.css';

/** Where a page is in a language: `''`, `ro/`, `fr/sites/docs/`, `feed.atom`. */
export const addressOf = (page: string, language: Language, main: Language): string =>
  `${language === main ? '' : `${language}/`}${page}`;

/** Relative links from the page at an address: they work below any path and, with `isFiles`, without a server. */
export function linksFrom(from: string, isFiles: boolean): (address: string) => string {
  const up = '../'.repeat(from.split('/').length - 1);
  return (address) => `${up}${isFiles ? fileAt(address) : address}` || './';
}

export const fileAt = (address: string): string =>
  address === '' || address.endsWith('/') ? `${address}index.html` : address;

/* Times: moments are ms since 1970, lengths ms. */

/** Times in a language and in UTC, seen from `now`. Formats are made once a page: they are slow to make. */
function timesIn(language: Language, now: number) {
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
  const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 2 });
  const thisYear = new Date(now).getUTCFullYear();
  return {
    instant: (at: number): string => `${long.format(at)} UTC`,
    /** `20 Nov, 18:00:12 UTC`; with its year where that is not this year. */
    short: (at: number): string => `${(new Date(at).getUTCFullYear() === thisYear ? short : shortYear).format(at)} UTC`,
    day: (at: number): string => day.format(at),
    clock: (at: number): string => clock.format(at),
    /** `4 seconds ago`, in the largest unit that fits at least twice. */
    ago(at: number): string {
      // What is in the future by another clock is now.
      const past = Math.max(0, now - at);
      const unit = (['day', 'hour', 'minute'] as const).find((name) => past >= 2 * BUCKET_MS[name]);
      if (unit === undefined) return relative.format(-Math.round(past / 1000), 'second');
      return relative.format(-Math.round(past / BUCKET_MS[unit]), unit);
    },
    /** `41.3 s`, `2 h 5 min`, `3 days 4 h` */
    length(ms: number): string {
      if (ms < 2 * DAY_MS) return durationOf(ms, language);
      const hours = Math.round(ms / HOUR_MS);
      const whole = days.format(Math.floor(hours / 24));
      return hours % 24 === 0 ? whole : `${whole} ${hours % 24}\u00a0h`;
    },
    percent: (share: number): string => percent.format(percentOf(share) / 100),
    number: (count: number): string => numberIn(language, count),
  };
}

export function timeTag(at: number, text: string): Markup {
  return markup`<time datetime="${iso(at)}">${text}</time>`;
}
