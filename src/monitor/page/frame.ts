import styles from '../../generated/styles.json' with { type: 'json' };
import { createHash } from 'node:crypto';
import { capital, framed as htmlPage, policyOf, iconOf, type Tone } from '../../report/html/frame.ts';
import { markup, type Markup } from '../../report/html/markup.ts';
import { type Language, LANGUAGES } from '../../texts.ts';
import { VERSION } from '../../version.ts';
import { type Kind, KIND_TONE } from '../site-state.ts';
import { addressOf, type PageContext, STYLE_FILE, timeTag } from './context.ts';
import type { SiteRow, StatusData } from './data.ts';
import { failingFrom } from '../locations.ts';

const LANGUAGE_NAMES: Readonly<Record<Language, string>> = { en: 'English', ro: 'Română', fr: 'Français' };

/** What a page may load: its style sheet, its badge and the icon of its tab. */
export const POLICY = policyOf(`'self'`, `'self' data:`);

const REFRESH_S = 30;

export const STYLES = styles.page;
/** Changes with the style sheet, so that browsers may keep that forever. */
export const STYLE_VERSION = createHash('sha256').update(STYLES).digest('hex').slice(0, 10);

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
    head: markup`<link rel="stylesheet" href="${context.link(STYLE_FILE)}?${STYLE_VERSION}">
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
  const feeds = FEEDS.map(
    ([format, title]) => markup`
<link rel="alternate" type="application/${format}+xml" title="${name} (${title})" href="${to(`feed.${format}`)}">`,
  );
  return markup`${canonical}${others}${feeds}`;
}

const FEEDS = [
  ['atom', 'Atom'],
  ['rss', 'RSS'],
] as const;

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
    ...FEEDS.map(([format, name]) => [to(`feed.${format}`), name] as const),
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
  const line = markup`${words.asOf} ${timeTag(at, times.instant(at))}`;
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

function troublesOf({ troubles }: StatusData, { words }: PageContext): Markup | null {
  if (troubles.length === 0) return null;
  const lines = new Set(troubles.map((trouble) => troubleText(trouble, words)));
  return markup`<ul class="troubles">${[...lines].map((text) => markup`<li>${iconOf('unknown')} ${text}</li>`)}</ul>`;
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
  const doubt = silent || (isSuspected ? words.suspected : null);
  const failing = from.length === 0 ? null : words.locations.failsFrom(namesOf(from));
  return {
    tone: KIND_TONE[kind],
    word: capital(word, context.language),
    /** What the word does not say: no recent result, a failure that is being confirmed, or which locations see one. */
    note: doubt ?? (isDegradedFrom ? null : failing),
    /** The same without the word. */
    wholeNote: doubt ?? failing,
  };
}

export function toneTag(tone: Tone, word: string): Markup {
  return markup`<span class="kind ${tone}">${iconOf(tone)} <span class="word">${word}</span></span>`;
}

export function headlineOf({ rows, counts, kind }: StatusData, { words }: PageContext): string {
  const [first] = rows;
  if (first === undefined) return words.noSites;
  const headline = words.headlines[kind];
  if (rows.length === 1) return headline.one(first.site.title);
  const count = counts.get(kind) ?? 0;
  return count === rows.length ? headline.all(count) : headline.some(count, rows.length);
}
