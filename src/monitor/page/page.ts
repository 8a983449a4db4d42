/** What all pages have in common: language, address, times and words; the frame; the status of a site in words. */
import { hash } from 'node:crypto';
import styles from '../../generated/styles.json' with { type: 'json' };
import { pageWords } from '../../generated/locales/page.ts';
import { durationOf, numberIn } from '../../locales/format.ts';
import { messagesIn } from '../../locales/messages.ts';
import { withOwnChecks } from '../../options/settings.ts';
import { capital, framed as htmlPage, policyOf, iconOf, type Tone } from '../../report/html/frame.ts';
import { markup, type Markup } from '../../report/html/markup.ts';
import { type Language, LANGUAGES } from '../../locales/language.ts';
import { loadTexts, type Texts } from '../../report/texts.ts';
import { DAY_MS, HOUR_MS, iso } from '../../core/time.ts';
import { VERSION } from '../../core/version.ts';
import { failingFrom, titlesOf } from '../locations.ts';
import type { MonitoredSite } from '../settings.ts';
import { type Kind, KIND_TONE } from '../site-state.ts';
import { BUCKET_MS } from '../store/store.ts';
import type { SiteRow, StatusData, StatusSource } from './data.ts';
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
  const messages = messagesIn(language);
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
  const yearOf = (at: number): number => new Date(at).getUTCFullYear();
  /** `20 Nov, 18:00:12 UTC`; with its year where that is not this year. */
  const shortOf = (at: number): string => `${(yearOf(at) === yearOf(now) ? short : shortYear).format(at)} UTC`;
  return {
    instant: (at: number): string => `${long.format(at)} UTC`,
    short: shortOf,
    tag: (at: number, text = shortOf(at)): Markup => markup`<time datetime="${iso(at)}">${text}</time>`,
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
    /** Of a response; a dash where nothing was requested, or nothing came. */
    response: (ms: number | null): string => (ms === null ? '–' : messages.milliseconds(ms)),
    percent: (share: number): string => percent.format(percentOf(share) / 100),
    number: (count: number): string => numberIn(language, count),
  };
}

/* The frame. */

const LANGUAGE_NAMES: Readonly<Record<Language, string>> = { en: 'English', ro: 'Română', fr: 'Français' };

/** What a page may load: its stylesheet, its badge and the icon of its tab. */
export const POLICY = policyOf(`'self'`, `'self' data:`);

const REFRESH_S = 30;

/** `version` changes with the stylesheet, so that browsers may keep that forever. */
export const STYLE = { file: 'style.css', text: styles.page, version: hash('sha256', styles.page).slice(0, 10) };

export interface Page {
  readonly title: string;
  readonly tone: Tone;
  readonly body: Markup;
  readonly isLive?: boolean;
}

export function framed({ title, tone, body, isLive = false }: Page, context: PageContext): string {
  const { words, language, name } = context;
  return htmlPage({
    language,
    title: `${title} – ${name}`,
    tone,
    generator: `docvitals ${VERSION}`,
    policy: POLICY,
    head: markup`<link rel="stylesheet" href="${context.link(STYLE.file)}?${STYLE.version}">
${isLive && !context.isStill ? markup`<meta http-equiv="refresh" content="${REFRESH_S}">\n` : null}${linksOf(context)}`,
    body: markup`<a class="skip-link" href="#main">${words.skip}</a>
<header class="top">
<a class="brand" href="${context.to('')}">${name}</a>
${languagesOf(context)}
</header>
<main id="main" tabindex="-1">
${body}
</main>
${footerOf(context)}`,
  });
}

function linksOf({ name, page, url, language, main, link, to }: PageContext): Markup {
  const canonical =
    url === null
      ? markup`<meta name="robots" content="noindex">`
      : markup`<link rel="canonical" href="${url + addressOf(page, language, main)}">`;
  const others = LANGUAGES.map((other) => {
    const address = addressOf(page, other, main);
    return markup`
<link rel="alternate" hreflang="${other}" href="${url === null ? link(address) : url + address}">`;
  });
  return markup`${canonical}${others}
<link rel="alternate" type="application/atom+xml" title="${name} (Atom)" href="${to('feed.atom')}">`;
}

function languagesOf({ words, page, language, main, link }: PageContext): Markup {
  const items = LANGUAGES.map((other) => {
    const name = LANGUAGE_NAMES[other];
    if (other === language) return markup`<li><span aria-current="true" lang="${other}">${name}</span></li>`;
    return markup`<li><a href="${link(addressOf(page, other, main))}" lang="${other}" hreflang="${other}">${name}</a></li>`;
  });
  return markup`<nav class="languages" aria-label="${words.language}"><ul>${items}</ul></nav>`;
}

function footerOf({ words, page, to }: PageContext): Markup {
  const site = /^sites\/(.*)\/$/.exec(page)?.[1];
  const links = [
    [to('feed.atom'), 'Atom'] as const,
    [to(site === undefined ? 'badge.svg' : `badge/${site}.svg`), words.badge] as const,
  ];
  return markup`<footer>
<nav aria-label="${words.follow}"><ul>${links.map(([href, name]) => markup`<li><a href="${href}">${name}</a></li>`)}</ul></nav>
<p>${words.madeBy}</p>
</footer>`;
}

export function backLink({ words, to }: PageContext, page = '', name = words.allSites): Markup {
  return markup`<nav class="back" aria-label="${words.allSites}"><a href="${to(page)}">← ${name}</a></nav>`;
}

export const quiet = (text: string): Markup => markup`<p class="quiet">${text}</p>`;

/** When what is shown was true; on served pages also how long ago, and how they are refreshed. */
export function asOfLine({ asOf }: Pick<StatusData, 'asOf'>, context: PageContext): Markup {
  const { words, times, as, now, isStill } = context;
  const at = asOf ?? now;
  const line = markup`${words.asOf} ${times.tag(at, times.instant(at))}`;
  if (as === 'files') return markup`<p class="as-of">${line}</p>`;
  const ago = asOf === null ? null : markup` <span class="ago">${times.ago(at)}</span>`;
  // Whoever reads slowly, or by ear, can stop a page from reloading itself (WCAG 2.2, 2.2.1).
  const [href, text] = isStill ? ['?', words.refresh] : ['?refresh=off', words.stopRefresh];
  const aged = markup`<p class="aged"><strong>${words.aged}</strong> <a href="">${words.reload}</a></p>`;
  return markup`<p class="as-of">${line}${ago} <a class="refresh" href="${href}">${text}</a></p>${isStill ? aged : null}`;
}

export function banner(kind: Kind, headline: string, extra: Markup, data: StatusData, context: PageContext): Markup {
  const tone = KIND_TONE[kind];
  return markup`<section class="verdict ${tone}" aria-labelledby="_verdict">
${iconOf(tone, 48)}
<div>
<h1 id="_verdict">${headline}</h1>
${extra}
${asOfLine(data, context)}
</div>
</section>
${troublesOf(data, context)}`;
}

function troublesOf({ troubles }: StatusData, { words, namesOf }: PageContext): Markup | null {
  if (troubles.length === 0) return null;
  const lines = troubles.map(({ trouble, locations }) => {
    const text = troubleText(trouble, words);
    return locations.length === 0 ? text : `${text} ${words.said(words.locations.title, namesOf(locations))}`;
  });
  return markup`<ul class="troubles">${lines.map((text) => markup`<li>${iconOf('unknown')} ${text}</li>`)}</ul>`;
}

export function troubleText(trouble: string, { troubles }: PageContext['words']): string {
  return new Map<string, string>(Object.entries(troubles)).get(trouble) ?? `${troubles.other} ${trouble}`;
}

/* The status of a site in words, and as a sign beside a word. */

/** Reports have words for verdicts; the other kinds are the page's own. */
export function smallKindWord(kind: Kind, { words, messages }: PageContext): string {
  return { ...messages.verdicts, ...words.kinds }[kind];
}

/** The status of a site in words: `Degraded from Paris` where no other location sees a failure. */
export function statusWords({ status, incident, state }: SiteRow, context: PageContext) {
  const { words, messages, times, namesOf } = context;
  const { kind, isSilent, isSuspected, at, last } = status;
  const from = failingFrom(state);
  // Too few locations see it fail for an incident, and nothing else is known against it.
  const isDegradedFrom = kind === 'degraded' && incident === null && from.length > 0;
  const word = isDegradedFrom ? words.locations.degradedFrom(namesOf(from)) : smallKindWord(kind, context);
  const silent = isSilent && at !== null && last !== null && words.silent(times.instant(at), messages.verdicts[last]);
  const doubt = silent || refusedText(state, words) || (isSuspected ? words.suspected : null);
  const failing = from.length === 0 ? null : words.locations.failsFrom(namesOf(from));
  return {
    tone: KIND_TONE[kind],
    word: capital(word, context.language),
    /** What the word does not say: no recent result, a host that refuses, a failure that is being confirmed, or which locations see one. */
    note: doubt ?? (isDegradedFrom ? null : failing),
    /** The same without the word. */
    wholeNote: doubt ?? failing,
  };
}

/** That the host refuses the monitor; `null`: it does not. */
function refusedText(state: SiteRow['state'], words: PageContext['words']): string | null {
  const refusal = state?.refusal ?? null;
  if (refusal === null) return null;
  const { product } = refusal.evidence;
  return words.refused(typeof product === 'string' ? product : 'none');
}

export function toneTag(tone: Tone, word: Markup | string, kind = `kind ${tone}`): Markup {
  return markup`<span class="${kind}">${iconOf(tone)} <span class="word">${word}</span></span>`;
}

export function headlineOf({ rows, counts, kind }: StatusData, { words }: PageContext): string {
  const [first] = rows;
  if (first === undefined) return words.noSites;
  const headline = words.headlines[kind];
  if (rows.length === 1) return headline.one(first.site.title);
  const count = counts.get(kind) ?? 0;
  return count === rows.length ? headline.all(count) : headline.some(count, rows.length);
}
