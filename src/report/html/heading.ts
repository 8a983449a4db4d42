/** The head of the page: the verdict, what it means, when it was found, and how the new version was waited for. */
import type { Report, Waited } from '../../check.ts';
import type { Language } from '../../texts.ts';
import { countStatuses } from '../document.ts';
import { beginningOf } from '../cut.ts';
import { summaryOf } from '../summary.ts';
import { durationOf } from './durations.ts';
import { linkTo } from './links.ts';
import { markup, NOTHING, type Markup } from './markup.ts';
import { iconOf, VERDICT_TONE } from './icons.ts';
import type { HtmlContext } from './context.ts';

const LONGEST_URL = 300;

/** The verdict, large, with what it means and in how many checks it shows. */
export function verdictBanner({ report, messages, words, texts }: HtmlContext): Markup {
  const { verdict, checks, site, interrupted } = report;
  const counts = countStatuses(checks);
  const isStrict = verdict === 'degraded' && counts.fail === 0;
  const url = beginningOf(site.url, LONGEST_URL);
  const shown = markup`<bdi>${url.text}${url.more > 0 ? '…' : null}</bdi>`;
  return markup`
<header class="verdict ${VERDICT_TONE[verdict]}">
${iconOf(VERDICT_TONE[verdict], 48)}
<div>
<h1><span class="word">${capital(messages.verdicts[verdict], texts.language)}</span> ${linkTo(site.url, site.url, shown, 'site')}</h1>
<p class="meaning">${isStrict ? words.strict : words.meanings[verdict]}</p>
<p class="summary">${summaryOf(report, messages)}</p>
${interrupted ? markup`<p class="interrupted"><strong>${messages.interrupted()}</strong></p>` : null}
</div>
</header>`;
}

/** `Degraded: https://docs.example.com/ – docvitals`: the verdict is what a tab or a list of files shows of it. */
export function titleOf({ report, messages, texts }: HtmlContext): string {
  const { text, more } = beginningOf(report.site.url, LONGEST_URL);
  const verdict = capital(messages.verdicts[report.verdict], texts.language);
  return `${messages.verdictLine(verdict, `${text}${more > 0 ? '…' : ''}`)} – ${report.tool.name}`;
}

/** When, how long, which version and by which tool. */
export function runFacts({ report, words, texts: { language } }: HtmlContext): Markup {
  const { startedAt, durationMs, fresh, tool } = report;
  const version =
    fresh === null
      ? null
      : markup`<div><dt>${words.version}</dt><dd>${iconOf(fresh ? 'pass' : 'stale')} ${fresh ? words.fresh : words.old}</dd></div>`;
  return markup`
<dl class="run">
<div><dt>${words.checkedAt}</dt><dd><time datetime="${startedAt}">${instantOf(startedAt, language)}</time></dd></div>
<div><dt>${words.duration}</dt><dd>${durationOf(durationMs, language)}</dd></div>
${version}
<div><dt>${words.tool}</dt><dd>${tool.name} ${tool.version}</dd></div>
</dl>`;
}

/** The three clocks; nothing where the site was not waited for. */
export function waitingSection(context: HtmlContext): Markup {
  const { report, words, texts } = context;
  const { waited } = report;
  if (waited === undefined) return NOTHING;
  const elapsed = durationOf(waited.elapsedMs, texts.language);
  const atMost = durationOf(waited.forMs, texts.language);
  const clocks: readonly (readonly [string, number | null])[] = [
    [words.firstNew, waited.firstNewMs],
    [words.allNew, waited.allNewMs],
    [words.allGreen, waited.allGreenMs],
  ];
  return markup`
<section class="waiting" aria-labelledby="_waiting">
<h2 id="_waiting">${words.waiting}</h2>
<p>${words.waited(elapsed, atMost, waited.rounds)} ${words.waitedFor[waited.by]}</p>
${timelineOf(waited)}
<dl class="clocks">
${clocks.map(([name, ms]) => clockOf(name, ms, context))}
</dl>
</section>`;
}

function clockOf(name: string, ms: number | null, { words, texts }: HtmlContext): Markup {
  const tone = ms === null ? 'skip' : 'pass';
  const value = ms === null ? words.notReached : durationOf(ms, texts.language);
  return markup`<div class="${tone}"><dt>${iconOf(tone)} ${name}</dt><dd>${value}</dd></div>
`;
}

/** The clocks on one line, to see what took long; the numbers stand below it. */
function timelineOf({ elapsedMs, firstNewMs, allNewMs, allGreenMs }: Waited): Markup {
  const end = Math.max(elapsedMs, 1);
  const known = [firstNewMs, allNewMs, allGreenMs].filter((ms) => ms !== null);
  const percent = (ms: number): string => `${(1 + 98 * Math.min(1, Math.max(0, ms / end))).toFixed(1)}%`;
  const dots = known.map((ms) => markup`<circle cx="${percent(ms)}" cy="6" r="5"/>`);
  const last = known.at(-1);
  const done = last === undefined ? null : markup`<line class="done" x1="1%" x2="${percent(last)}" y1="6" y2="6"/>`;
  return markup`<svg class="timeline" width="100%" height="12" aria-hidden="true" focusable="false"><line x1="1%" x2="99%" y1="6" y2="6"/>${done}${dots}</svg>`;
}

/** `20 November 2026 at 15:02:26 UTC`, in the language's words and everywhere with 24 hours; as it came where it is no date. */
function instantOf(iso: string, language: Language): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return iso;
  const locale = language === 'en' ? 'en-GB' : language;
  const format = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'medium', timeZone: 'UTC' });
  return `${format.format(date)} UTC`;
}

function capital(word: string, language: Language): string {
  return word.charAt(0).toLocaleUpperCase(language) + word.slice(1);
}

/** What made the page, for `meta name="generator"`. */
export function generatorOf({ tool }: Report): string {
  return `${tool.name} ${tool.version}`;
}
