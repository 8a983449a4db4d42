/** What stands around every page: its head with the policy, the bar on top, the footer. */
import { createHash } from 'node:crypto';
import { markup, verbatim, type Markup } from '../../../report/html/markup.ts';
import { tabIcon, type Tone, iconOf } from '../../../report/html/icons.ts';
import { LANGUAGES, type Language } from '../../../texts.ts';
import { VERSION } from '../../../version.ts';
import type { StatusData } from '../data.ts';
import { addressOf, STYLE_FILE, type PageContext } from '../page-context.ts';
import { STYLES } from '../styles.ts';
import { timeTag } from '../times.ts';
import { worstOf, KIND_TONE, type Kind } from '../../site-state.ts';

/** Each in its own words. */
const LANGUAGE_NAMES: Readonly<Record<Language, string>> = { en: 'English', ro: 'Română', fr: 'Français' };

/** What a page may ask for (CSP Level 3): its one style sheet, its badge and the sign in the tab. Nothing is run. */
export const POLICY = `default-src 'none'; style-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'`;

/** After how many seconds a served page loads itself again. */
const REFRESH_S = 30;

/** Changes with the style sheet, so that browsers may keep it for ever. */
export const STYLE_VERSION = createHash('sha256').update(STYLES).digest('hex').slice(0, 10);

/** What a page says of itself. */
export interface Page {
  readonly title: string;
  readonly tone: Tone;
  readonly body: Markup;
  /** It shows what is so now, and loads itself again. */
  readonly isLive?: boolean;
}

/** The whole page; ends with a newline. */
export function framed(
  { title, tone, body, isLive = false }: Page,
  data: Pick<StatusData, 'title' | 'asOf'>,
  context: PageContext,
): string {
  const { words, language } = context;
  const { html } = markup`<!doctype html>
<html lang="${language}">
${headOf({ title, tone, isLive }, data, context)}
<body>
<a class="skip-link" href="#main">${words.skip}</a>
<header class="top">
<a class="brand" href="${context.to({ kind: 'overview' })}">${data.title ?? words.status}</a>
${languagesOf(context)}
</header>
<main id="main" tabindex="-1">
${body}
</main>
${footerOf(context)}
</body>
</html>`;
  return `${html}\n`;
}

function headOf(
  { title, tone, isLive }: Required<Omit<Page, 'body'>>,
  data: Pick<StatusData, 'title'>,
  context: PageContext,
): Markup {
  const { words, page, url, language, main } = context;
  const name = data.title ?? words.status;
  const feeds = (['atom', 'rss'] as const).map(
    (format) =>
      markup`<link rel="alternate" type="application/${format}+xml" title="${name} (${format === 'atom' ? 'Atom' : 'RSS'})" href="${context.to({ kind: 'feed', format })}">
`,
  );
  const others = LANGUAGES.map((other) => {
    const address = addressOf(page, other, main);
    return markup`<link rel="alternate" hreflang="${other}" href="${url === null ? context.link(address) : url + address}">
`;
  });
  const canonical =
    url === null
      ? markup`<meta name="robots" content="noindex">`
      : markup`<link rel="canonical" href="${url + addressOf(page, language, main)}">`;
  const refresh =
    isLive && !context.isStill
      ? markup`<meta http-equiv="refresh" content="${REFRESH_S}">
`
      : null;
  return markup`<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${verbatim(POLICY)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
${refresh}<meta name="generator" content="docvitals ${VERSION}">
<title>${title} – ${name}</title>
${canonical}
<link rel="icon" href="${tabIcon(tone)}">
<link rel="stylesheet" href="${context.link(STYLE_FILE)}?${STYLE_VERSION}">
${others}${feeds}</head>`;
}

/** The same page in the other languages. */
function languagesOf({ words, page, language, main, link }: PageContext): Markup {
  const items = LANGUAGES.map((other) => {
    const name = LANGUAGE_NAMES[other];
    if (other === language) return markup`<li><span aria-current="true" lang="${other}">${name}</span></li>`;
    return markup`<li><a href="${link(addressOf(page, other, main))}" lang="${other}" hreflang="${other}">${name}</a></li>`;
  });
  return markup`<nav class="languages" aria-label="${words.language}"><ul>${items}</ul></nav>`;
}

function footerOf(context: PageContext): Markup {
  const { words, page, to } = context;
  const id = page.kind === 'site' ? page.id : null;
  const links: readonly (readonly [href: string, name: string])[] = [
    [to({ kind: 'feed', format: 'atom' }), 'Atom'],
    [to({ kind: 'feed', format: 'rss' }), 'RSS'],
    [to({ kind: 'badge', id, format: 'svg' }), words.badge],
  ];
  return markup`<footer>
<nav aria-label="${words.follow}"><ul>${links.map(([href, name]) => markup`<li><a href="${href}">${name}</a></li>`)}</ul></nav>
<p>${words.madeBy}</p>
</footer>`;
}

/** When what is reported was so; on pages that are made at each request also how long ago, and how they are renewed. */
export function asOfLine({ asOf }: Pick<StatusData, 'asOf'>, context: PageContext): Markup {
  const { words, times, as, now, isStill } = context;
  const at = asOf ?? now;
  const ago = as === 'served' && asOf !== null ? markup` <span class="ago">${times.ago(at)}</span>` : null;
  return markup`<p class="as-of">${words.asOf} ${timeTag(at, times.instant(at))}${ago}${as === 'served' ? refreshLink(context) : null}</p>${as === 'served' && isStill ? markup`<p class="aged"><strong>${words.aged}</strong> <a href="">${words.reload}</a></p>` : null}`;
}

/** Whoever reads slowly, or by ear, can stop a page from loading itself again (WCAG 2.2, 2.2.1). */
function refreshLink({ words, isStill }: PageContext): Markup {
  const [href, text] = isStill ? ['?', words.refresh] : ['?refresh=off', words.stopRefresh];
  return markup` <a class="refresh" href="${href}">${text}</a>`;
}

/* The verdict line: whether it is up, at once. */

/** The gravest that is to be told of several sites; `new` where there is no site. */
export function overallKind({ counts }: Pick<StatusData, 'counts'>): Kind {
  return worstOf([...counts.keys()]);
}

/** All sites in one sentence. */
export function headlineOf({ rows, counts }: Pick<StatusData, 'rows' | 'counts'>, { words }: PageContext): string {
  const [first] = rows;
  if (first === undefined) return words.noSites;
  const kind = overallKind({ counts });
  const headline = words.headlines[kind];
  if (rows.length === 1) return headline.one(first.site.title);
  const count = counts.get(kind) ?? 0;
  return count === rows.length ? headline.all(count) : headline.some(count, rows.length);
}

/** The banner of a page. `extra`: what is said below the headline. */
export function banner(kind: Kind, headline: Markup, extra: Markup, data: StatusData, context: PageContext): Markup {
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

/** What stands in the way of the monitor itself. */
function troublesOf({ troubles }: StatusData, { words }: PageContext): Markup | null {
  if (troubles.length === 0) return null;
  const known = troubles.map((trouble) =>
    isKnown(trouble) ? words.troubles[trouble] : `${words.troubles.other} ${trouble}`,
  );
  return markup`<ul class="troubles">${[...new Set(known)].map((text) => markup`<li>${iconOf('unknown')} ${text}</li>`)}</ul>`;
}

const isKnown = (trouble: string): trouble is 'disk-full' | 'no-network' | 'store-unreadable' =>
  ['disk-full', 'no-network', 'store-unreadable'].includes(trouble);
