import { createHash } from 'node:crypto';
import type { Report, Status, Waited } from '../check.ts';
import type { ReportOptions } from './options.ts';
import { groupsOf, summaryOf, sharedCause } from './groups.ts';
import { causeSection, findingsSection, passedSection, skippedSection } from './html/checks.ts';
import { markup, verbatim, type Markup, NOTHING } from './html/markup.ts';
import { checksSection, contentsOf } from './html/overview.ts';
import { tabIcon, VERDICT_TONE, iconOf } from './html/icons.ts';
import { htmlContextOf, type HtmlContext } from './html/context.ts';
import { TOKENS } from './html/styles/tokens.ts';
import type { Language } from '../texts.ts';
import { countStatuses } from './document.ts';
import { beginningOf } from './cut.ts';
import { durationOf } from './html/durations.ts';
import { linkTo } from './html/links.ts';

/** Checks with what was found, code frames, evidence, and what is behind a click. */
const FINDINGS = `
.check { border: 1px solid var(--line); border-radius: 12px; background: var(--card); }
article.check { padding: 1.25rem clamp(1rem, 3vw, 1.5rem) 1.35rem; }
article.check + article.check { margin-top: 1.25rem; }
h3 { font-size: 1.125rem; line-height: 1.35; font-weight: 650; letter-spacing: -.005em; }
h3 .sign { vertical-align: -.22em; margin-inline-end: .2rem; }
.skipped h3, summary h3 { font-size: 1rem; font-weight: 600; }
.skipped h3 .sign { vertical-align: -.14em; }
h3 .word { margin-inline-start: .35rem; font-size: .9375rem; }
.asked { display: flex; flex-wrap: wrap; gap: .1rem 1rem; margin-top: .3rem; color: var(--quiet); font-size: .875rem; font-variant-numeric: tabular-nums; }
.group { margin-top: 1.2rem; padding-top: 1.15rem; border-top: 1px solid var(--line); }
h4 { font-size: 1rem; line-height: 1.4; font-weight: 600; }
h4 a { color: inherit; text-decoration: none; }
h4 a:hover { text-decoration: underline; }
h4 .word { margin-inline-start: .3rem; font-size: .875rem; }
.problem { margin-top: .4rem; max-width: 46rem; text-wrap: pretty; }
.problem code, .fix code, .action code, .inside p code, .skipped p code { padding: .08em .28em; border-radius: 4px; background: var(--sunk); }
.fix { margin-top: .8rem; padding: .15rem 0 .15rem 1rem; border-inline-start: 3px solid var(--pass); max-width: 46rem; }
.fix strong { color: var(--pass); font-size: .875rem; font-weight: 650; }
.fix p { text-wrap: pretty; }
.action { margin-top: 1.25rem; padding-top: 1rem; border-top: 1px solid var(--line); color: var(--quiet); font-size: .9375rem; }
.action strong { color: var(--text); font-weight: 600; }
.action strong::after { content: " · "; }
.member { margin-top: .9rem; }
.members { margin-top: .9rem; }
.members .member { margin-top: 0; padding-block: .75rem; border-top: 1px dashed var(--line); }
.members > li:first-child .member { padding-top: 0; border-top: 0; }
.members .member > .facts:first-child { margin-top: 0; }
.members .member:not(:has(> .place, > .frame, > .also)) { padding-block: .2rem; border-top: 0; }
.place { font-weight: 600; }
.frame { overflow: hidden; border: 1px solid var(--line); border-radius: 8px; background: var(--sunk); }
.frame figcaption { padding: .35rem .9rem; border-bottom: 1px solid var(--line); font-size: .875rem; font-weight: 600; }
.frame ol { padding: .5rem 0; list-style: decimal; font-size: .9375rem; }
.frame li { margin-inline-start: 4.25em; padding-inline: .6em .9em; border-inline-start: 1px solid var(--line); line-height: 1.6; }
.frame li::marker { color: var(--quiet); font-family: var(--mono); font-size: .8125rem; font-variant-numeric: tabular-nums; }
.frame li code { display: block; min-height: 1.6em; white-space: pre-wrap; }
.frame li.fault { border-inline-start: 3px solid var(--fail); background: var(--fail-tint); }
mark { padding: .1em .12em; border-radius: 3px; background: var(--mark); color: var(--mark-text); box-shadow: inset 0 -2px 0 var(--fail); }
mark.end { padding-inline: .2em; }
.facts { display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; margin-top: .6rem; font-size: .875rem; line-height: 1.5; }
.facts div { display: flex; flex-wrap: wrap; gap: 0 .5rem; min-width: 0; max-width: 100%; }
.facts .long { flex-basis: 100%; flex-wrap: nowrap; }
.facts dt { min-width: 0; color: var(--quiet); }
.facts .long dt { flex: none; max-width: 40%; }
.facts dd { min-width: 0; font-family: var(--mono); font-size: .9375em; }
.facts dd i { color: var(--quiet); font-style: normal; font-family: var(--sans); }
.facts dd .words { font-family: var(--sans); }
.facts dd a { color: inherit; }
.entries > li + li { margin-top: .2rem; }
.pair { margin-inline-end: .5em; }
.also { display: flex; flex-wrap: wrap; gap: .1rem .5rem; margin-top: .45rem; font-size: .875rem; }
.also > p { color: var(--quiet); }
.also > ul { flex: 1; min-width: min(100%, 12rem); }
.also > details { flex-basis: 100%; }
.places { display: flex; flex-wrap: wrap; gap: .1rem 1.1rem; }
details.more > .members { margin-top: .6rem; }
summary { cursor: pointer; }
.more > summary, .also summary { margin-top: .7rem; color: var(--link); font-size: .9375rem; }
.also summary { margin-top: .2rem; font-size: .875rem; }
.left-out { margin-top: .8rem; font-size: .9375rem; }
details.check + details.check { margin-top: .5rem; }
details.check > summary { display: flex; align-items: center; gap: .55rem; padding: .6rem 1rem; border-radius: 11px; list-style: none; }
details.check > summary::-webkit-details-marker { display: none; }
details.check > summary::after { content: ""; width: .5rem; height: .5rem; margin-inline: auto .25rem; border: solid var(--quiet); border-width: 0 2px 2px 0; transform: rotate(45deg) translate(-2px, -2px); }
details.check[open] > summary::after { transform: rotate(225deg) translate(-2px, -2px); }
summary .word { color: var(--note); font-size: .875rem; font-weight: 500; }
.inside { padding: .1rem 1rem 1.1rem; scroll-margin-top: 4rem; }
.skipped { border: 1px solid var(--line); border-radius: 12px; background: var(--card); }
.skipped li { padding: .75rem 1rem; }
.skipped li + li { border-top: 1px solid var(--line); }
.skipped p { margin-top: .15rem; color: var(--quiet); font-size: .9375rem; text-wrap: pretty; }
:target { scroll-margin-top: 1rem; }
.group:target h4 a, h3:target { text-decoration: underline; text-decoration-color: var(--tone); text-decoration-thickness: 2px; }
.facts dt, .facts dd, .place, .places li, .asked li, .frame figcaption, .frame li code, td.target { overflow: clip; overflow-clip-margin: .35em; }
`;

/**
 * The report as one HTML file that is complete in itself: no scripts, nothing from the network, a policy that allows
 * neither. For people, so all of it is told whatever `detail` says, up to some megabytes; what is left out is reported.
 */
export function htmlReport(report: Report, options: ReportOptions): string {
  return pageOf(report, options);
}

/* The whole file: its head with the policy that allows nothing but its own styles, and the parts of the page in order. */

/** The numbers, the table of all checks, the list of findings. On narrow screens each row of the table becomes two lines. */
const CHECKS = `
.cells { display: flex; gap: 3px; }
.cells span { flex: 1; height: 8px; background: var(--fill); }
.cells span:first-child { border-radius: 4px 0 0 4px; }
.cells span:last-child { border-radius: 0 4px 4px 0; }
.cells span:only-child { border-radius: 4px; }
.cells .skip { opacity: .45; }
.counts { display: flex; flex-wrap: wrap; gap: .25rem 1.4rem; margin: .65rem 0 1.1rem; font-size: .9375rem; }
.counts b { font-variant-numeric: tabular-nums; }
table { width: 100%; border-collapse: separate; border-spacing: 0; border: 1px solid var(--line); border-radius: 12px; background: var(--card); font-size: .9375rem; line-height: 1.4; }
th { padding: .55rem .75rem; color: var(--quiet); font-size: .8125rem; font-weight: 500; text-align: start; }
td { padding: .6rem .75rem; border-top: 1px solid var(--line); vertical-align: baseline; }
th:first-child, td:first-child { padding-inline-start: 1rem; }
th:last-child, td:last-child { padding-inline-end: 1rem; }
.number { text-align: end; white-space: nowrap; font-variant-numeric: tabular-nums; }
td.status { white-space: nowrap; }
td.status .word, .check > h3 .word, .group .word { color: var(--tone); font-weight: 600; }
td.status .word { margin-inline-start: .25rem; }
td.title { min-width: 11rem; font-weight: 550; }
td.title a { color: var(--text); text-decoration-color: var(--line); }
td.title a:hover { text-decoration-color: currentcolor; }
td.target, td.time { color: var(--quiet); }
td.target .times { white-space: nowrap; font-size: .875em; }
td.target .times::before { content: "· "; }
.contents { display: flex; flex-wrap: wrap; gap: .4rem .5rem; }
.contents li { padding: .2rem .7rem .2rem .5rem; border: 1px solid var(--line); border-radius: 999px; background: var(--card); font-size: .9375rem; }
.contents a { color: var(--text); text-decoration: none; }
.contents a:hover { text-decoration: underline; }
@media (max-width: 40rem) {
  table, tbody, thead { display: block; }
  thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  tbody tr { display: grid; grid-template-columns: 1fr auto auto; gap: .1rem .75rem; padding: .65rem .9rem; border-top: 1px solid var(--line); }
  tbody tr:first-child { border-top: 0; }
  tbody td, tbody td:first-child, tbody td:last-child { padding: 0; border: 0; }
  td.title { min-width: 0; grid-row: 1; grid-column: 1; }
  td.status { grid-row: 1; grid-column: 2 / 4; text-align: end; }
  td.target { grid-row: 2; grid-column: 1; }
  td.http { grid-row: 2; grid-column: 2; }
  td.time { grid-row: 2; grid-column: 3; }
}
`;

/** The verdict, the facts of the run, the clocks. */
const HEADING = `
.verdict {
  display: flex;
  gap: 1.25rem;
  padding: clamp(1.1rem, 3vw, 1.75rem);
  border: 1px solid var(--tone);
  border-radius: 14px;
  background: var(--tint);
}
.verdict > div { min-width: 0; }
h1 { font-size: 1.0625rem; line-height: 1.35; font-weight: 500; }
h1 .word { display: block; margin-top: -.12em; color: var(--tone); font-size: clamp(1.75rem, 6vw, 2.375rem); line-height: 1.2; font-weight: 700; letter-spacing: -.02em; }
h1 .site { color: var(--text); }
.meaning { margin-top: .7rem; font-size: 1.0625rem; max-width: 44rem; text-wrap: pretty; }
.summary { margin-top: .2rem; color: var(--quiet); }
.interrupted { margin-top: .6rem; }
.run { display: flex; flex-wrap: wrap; gap: .9rem 2.25rem; margin: 1.25rem 0 0; padding-inline: .25rem; }
.run dt { color: var(--quiet); font-size: .8125rem; }
.run dd { font-size: .9375rem; }
.waiting > p { max-width: 44rem; }
.timeline { display: block; margin: 1.1rem 0 .5rem; overflow: visible; }
.timeline line { stroke: var(--line); stroke-width: 3; stroke-linecap: round; }
.timeline .done { stroke: var(--pass); }
.timeline circle { fill: var(--pass); stroke: var(--page); stroke-width: 2; }
.clocks { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 13rem), 1fr)); gap: .75rem; }
.clocks div { padding: .8rem 1rem; border: 1px solid var(--line); border-radius: 10px; background: var(--card); }
.clocks dt { color: var(--quiet); font-size: .875rem; }
.clocks dd { margin-top: .15rem; font-size: 1.375rem; line-height: 1.25; font-weight: 650; font-variant-numeric: tabular-nums; letter-spacing: -.01em; }
.clocks .skip dd { color: var(--quiet); font-size: 1.0625rem; font-weight: 500; }
@media (max-width: 40rem) {
  .verdict { gap: .9rem; }
  .verdict > .sign { width: 2.25rem; height: 2.25rem; }
  .run { display: grid; grid-template-columns: repeat(2, 1fr); gap: .8rem 1.25rem; }
}
`;

/** Paper, forced colours, less motion. */
const MEDIA = `
@media (prefers-reduced-motion: no-preference) {
  html { scroll-behavior: smooth; }
}
@media (forced-colors: active) {
  .sign circle { fill: CanvasText; }
  .sign path { stroke: Canvas; }
  .cells span { background: CanvasText; }
  .frame li.fault { border-color: Mark; }
  mark { background: Mark; color: MarkText; forced-color-adjust: none; }
}
@page { margin: 16mm 15mm; }
@media print {
  :root { color-scheme: light; --page: #fff; --sunk: #f6f6f4; }
  html { font-size: 10pt; }
  body { padding: 0; print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  main, footer { max-width: none; }
  main > section, main > nav { margin-top: 1.75rem; }
  h1, h2, h3, h4, .place, .asked, thead, summary, figcaption { break-after: avoid; }
  tr, .skipped li, .places li, .frame li, .verdict, .clocks div, .facts div:not(.long), .entries > li { break-inside: avoid; }
  .also > p { break-after: avoid; }
  footer { break-before: avoid; margin-top: 1.25rem; padding-top: .5rem; }
  p { orphans: 2; widows: 2; }
  .frame ol { orphans: 3; widows: 3; }
  .check, .skipped, table { border-radius: 0; }
  nav { display: none; }
  details::details-content { content-visibility: visible; block-size: auto; height: auto; display: block; }
  details.check > summary::after, .more > summary, .also summary { display: none; }
  a { color: inherit; text-decoration: none; }
  a.live::after { content: " <" attr(href) ">"; font-size: .9em; }
  .action { color: var(--text); }
}
`;

/** The one style sheet, as its bytes stand in the file and as its hash is made. */
const STYLES = [TOKENS, HEADING, CHECKS, FINDINGS, MEDIA].join('').replaceAll(/\n\s*/g, '\n');

const GRAVEST_FIRST: readonly Status[] = ['fail', 'unknown', 'warn'];

/**
 * The policy (CSP Level 3, section 6.6.4): the one style sheet by its hash, the sign in the tab, and nothing else.
 * A `<meta>` cannot say `frame-ancestors` or `sandbox`.
 */
const POLICY = [
  `default-src 'none'`,
  `style-src 'sha256-${createHash('sha256').update(STYLES).digest('base64')}'`,
  `img-src data:`,
  `base-uri 'none'`,
  `form-action 'none'`,
].join('; ');

/** The page; ends with a newline. */
function pageOf(report: Report, options: ReportOptions): string {
  const context = htmlContextOf(report, options);
  const { html } = markup`<!doctype html>
<html lang="${options.texts.language}">
${headOf(context)}
<body>
<main>
${bodyOf(context)}
</main>
<footer><p>${context.words.madeBy}</p></footer>
</body>
</html>`;
  return `${html}\n`;
}

function headOf(context: HtmlContext): Markup {
  const { report } = context;
  return markup`<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${verbatim(POLICY)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<meta name="robots" content="noindex">
<meta name="generator" content="${generatorOf(report)}">
<title>${titleOf(context)}</title>
<link rel="icon" href="${tabIcon(VERDICT_TONE[report.verdict])}">
<style>${verbatim(STYLES)}</style>
</head>`;
}

function bodyOf(context: HtmlContext): Markup {
  const { report, texts } = context;
  const cause = sharedCause(report.checks, texts);
  const head = [verdictBanner(context), runFacts(context), waitingSection(context)];
  if (cause !== null) return markup`${head}${causeSection(cause, context)}${checksSection(context, false)}`;
  const faulty = GRAVEST_FIRST.flatMap((wanted) => report.checks.filter(({ status }) => status === wanted));
  const groups = faulty.flatMap(groupsOf).filter(({ severity }) => severity !== 'info');
  const endedAs = (wanted: Status) => report.checks.filter(({ status }) => status === wanted);
  return markup`${head}${checksSection(context, true)}${contentsOf(groups, context)}${[
    findingsSection(faulty, context),
    passedSection(endedAs('pass'), context),
    skippedSection(endedAs('skip'), context),
  ]}`;
}

/* The head of the page: the verdict, what it means, when it was found, and how the new version was waited for. */

const LONGEST_URL = 300;

/** The verdict, large, with what it means and in how many checks it shows. */
function verdictBanner({ report, messages, words, texts }: HtmlContext): Markup {
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
function titleOf({ report, messages, texts }: HtmlContext): string {
  const { text, more } = beginningOf(report.site.url, LONGEST_URL);
  const verdict = capital(messages.verdicts[report.verdict], texts.language);
  return `${messages.verdictLine(verdict, `${text}${more > 0 ? '…' : ''}`)} – ${report.tool.name}`;
}

/** When, how long, which version and by which tool. */
function runFacts({ report, words, texts: { language } }: HtmlContext): Markup {
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
function waitingSection(context: HtmlContext): Markup {
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
function generatorOf({ tool }: Report): string {
  return `${tool.name} ${tool.version}`;
}
