/** What surrounds every page: its head, the bar on top, the footer; and the banner with the verdict. */
import { createHash } from 'node:crypto';
import styles from '../../generated/styles.json' with { type: 'json' };
import { framed as htmlPage, iconOf, policyOf, type Tone } from '../../report/html/frame.ts';
import { markup, type Markup } from '../../report/html/markup.ts';
import { LANGUAGES, type Language } from '../../texts.ts';
import { VERSION } from '../../version.ts';
import { KIND_TONE, type Kind } from '../site-state.ts';
import { addressOf, STYLE_FILE, timeTag, type PageAddress, type PageContext } from './context.ts';
import type { StatusData } from './data.ts';

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
  /** It shows what is true now, and reloads itself. */
  readonly isLive?: boolean;
}

/** The whole page; ends with a newline. */
export function framed(
  { title, tone, body, isLive = false }: Page,
  data: Pick<StatusData, 'title'>,
  context: PageContext,
): string {
  const { words, language } = context;
  const name = data.title ?? words.status;
  return htmlPage({
    language,
    title: `${title} – ${name}`,
    tone,
    generator: `docvitals ${VERSION}`,
    policy: POLICY,
    head: markup`<link rel="stylesheet" href="${context.link(STYLE_FILE)}?${STYLE_VERSION}">
${isLive && !context.isStill ? markup`<meta http-equiv="refresh" content="${REFRESH_S}">\n` : null}${linksOf(name, context)}`,
    body: markup`<a class="skip-link" href="#main">${words.skip}</a>
<header class="top">
<a class="brand" href="${context.to({ kind: 'overview' })}">${name}</a>
${languagesOf(context)}
</header>
<main id="main" tabindex="-1">
${body}
</main>
${footerOf(context)}`,
  });
}

function linksOf(name: string, { page, url, language, main, link, to }: PageContext): Markup {
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
<link rel="alternate" type="application/${format}+xml" title="${name} (${title})" href="${to({ kind: 'feed', format })}">`,
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
  const id = page.kind === 'site' ? page.id : null;
  const links = [
    ...FEEDS.map(([format, name]) => [to({ kind: 'feed', format }), name] as const),
    [to({ kind: 'badge', id, format: 'svg' }), words.badge] as const,
  ];
  return markup`<footer>
<nav aria-label="${words.follow}"><ul>${links.map(([href, name]) => markup`<li><a href="${href}">${name}</a></li>`)}</ul></nav>
<p>${words.madeBy}</p>
</footer>`;
}

export function backLink(
  { words, to }: PageContext,
  page: PageAddress = { kind: 'overview' },
  name = words.allSites,
): Markup {
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

/** The banner of a page. `extra`: what is below the headline. */
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

const TROUBLES = [
  'disk-full',
  'no-network',
  'store-unreadable',
  'database-damaged',
  'database-replaced',
  'queue-unreachable',
  'location-silent',
  'location-cut-off',
  'site-crashes-runners',
] as const;

export function troubleText(trouble: string, { troubles }: PageContext['words']): string {
  const name = TROUBLES.find((one) => one === trouble);
  return name === undefined ? `${troubles.other} ${trouble}` : troubles[name];
}
