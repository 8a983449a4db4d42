import { createHash } from 'node:crypto';
import type { CheckResult, Report, Status, Waited } from '../check.ts';
import styles from '../generated/styles.json' with { type: 'json' };
import { withEllipsis } from './cut.ts';
import { countStatuses, timeOf } from './document.ts';
import { groupsOf, sharedCause, summaryOf, titleOf, type Group } from './groups.ts';
import { durationOf } from '../locales/format.ts';
import {
  anchorOf,
  anchorOfGroup,
  causeSection,
  checkArticle,
  htmlContextOf,
  passedCheck,
  skippedCheck,
  targetOf,
  timesOf,
  type HtmlContext,
} from './html/findings.ts';
import { capital, framed, iconOf, policyOf, section, SEVERITY_TONE, VERDICT_TONE } from './html/frame.ts';
import { linkTo, markup, verbatim, type Markup, type Part } from './html/markup.ts';
import type { ReportOptions } from './options.ts';

const POLICY = policyOf(`'sha256-${createHash('sha256').update(styles.report).digest('base64')}'`, 'data:');

const STATUSES: readonly Status[] = ['fail', 'unknown', 'warn', 'pass', 'skip'];
const LONGEST_URL = 300;
/** With fewer kinds of findings no list of them is needed. */
const FEWEST_IN_CONTENTS = 4;

/** The report as one HTML file without scripts and without requests. All of it is shown, up to some megabytes. */
export function htmlReport(report: Report, options: ReportOptions): string {
  const context = htmlContextOf(report, options);
  const { language } = options.texts;
  const { verdict, tool } = report;
  const word = capital(options.messages.verdicts[verdict], language);
  const shown = options.messages.verdictLine(word, withEllipsis(report.site.url, LONGEST_URL));
  return framed({
    language,
    title: `${shown} – ${tool.name}`,
    tone: VERDICT_TONE[verdict],
    generator: `${tool.name} ${tool.version}`,
    policy: POLICY,
    head: markup`<meta name="robots" content="noindex">
<style>${verbatim(styles.report)}</style>`,
    body: markup`<main>
${verdictBanner(context)}${runFacts(context)}${waitingSection(report.waited, context)}${checksOf(context)}
</main>
<footer><p>${context.words.madeBy}</p></footer>`,
  });
}

function checksOf(context: HtmlContext): readonly Part[] {
  const { report, words, texts } = context;
  const cause = sharedCause(report.checks, texts);
  if (cause !== null) return [causeSection(cause, context), checksSection(context, false)];
  const endedAs = (...wanted: readonly Status[]): readonly CheckResult[] =>
    wanted.flatMap((one) => report.checks.filter(({ status }) => status === one));
  const faulty = endedAs('fail', 'unknown', 'warn');
  const groups = faulty.flatMap(groupsOf).filter((group) => group.severity !== 'info' && group.cause === undefined);
  const skipped = endedAs('skip').map((result) => skippedCheck(result, context));
  const skippedList = skipped.length === 0 ? null : markup`<ul class="skipped card">${skipped}</ul>`;
  const articles = faulty.map((result) => checkArticle(result, context));
  const passed = endedAs('pass').map((result) => passedCheck(result, context));
  return [
    checksSection(context, true),
    groups.length >= FEWEST_IN_CONTENTS && contentsOf(groups, context),
    section('findings', words.findings, articles),
    section('passed', words.passed, passed),
    section('skipped', words.skipped, skippedList),
  ];
}

function verdictBanner({ report, messages, words, texts }: HtmlContext): Markup {
  const { verdict, checks, site, interrupted } = report;
  const isStrict = verdict === 'degraded' && countStatuses(checks).fail === 0;
  const shown = markup`<bdi>${withEllipsis(site.url, LONGEST_URL)}</bdi>`;
  return markup`
<header class="verdict ${VERDICT_TONE[verdict]}">
${iconOf(VERDICT_TONE[verdict], 48)}
<div>
<h1><span class="word">${capital(messages.verdicts[verdict], texts.language)}</span> ${linkTo(site.url, site.url, shown, 'site')}</h1>
<p class="meaning">${isStrict ? words.strict : words.meanings[verdict]}</p>
<p class="summary">${summaryOf(report, messages)}</p>
${interrupted && markup`<p class="interrupted"><strong>${messages.interrupted()}</strong></p>`}
</div>
</header>`;
}

function runFacts({ report, words, texts: { language } }: HtmlContext): Markup {
  const { startedAt, durationMs, fresh, tool, site } = report;
  const { engine } = site;
  const version = markup`<div><dt>${words.version}</dt><dd>${iconOf(fresh ? 'pass' : 'stale')} ${fresh ? words.fresh : words.old}</dd></div>`;
  return markup`
<dl class="run">
<div><dt>${words.checkedAt}</dt><dd><time datetime="${startedAt}">${instantOf(startedAt, language)}</time></dd></div>
<div><dt>${words.duration}</dt><dd>${durationOf(durationMs, language)}</dd></div>
${fresh !== null && version}
${engine && markup`<div><dt>${words.engine}</dt><dd>${engine.name} ${engine.version ?? ''}</dd></div>`}
<div><dt>${words.tool}</dt><dd>${tool.name} ${tool.version}</dd></div>
</dl>`;
}

/** `20 November 2026 at 15:02:26 UTC`, everywhere with 24 hours; unchanged if it is not a date. */
function instantOf(iso: string, language: string): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return iso;
  const locale = language === 'en' ? 'en-GB' : language;
  const format = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'medium', timeZone: 'UTC' });
  return `${format.format(date)} UTC`;
}

function waitingSection(waited: Waited | undefined, { words, texts: { language } }: HtmlContext): Part {
  if (waited === undefined) return null;
  const { elapsedMs, forMs } = waited;
  const clocks = (['firstNew', 'allNew', 'allGreen'] as const).map(
    (name) => [words[name], waited[`${name}Ms`]] as const,
  );
  const percent = (ms: number): string =>
    `${(1 + 98 * Math.min(1, Math.max(0, ms / Math.max(elapsedMs, 1)))).toFixed(1)}%`;
  const reached = clocks.flatMap(([, ms]) => (ms === null ? [] : [percent(ms)]));
  const last = reached.at(-1);
  const done = last && markup`<line class="done" x1="1%" x2="${last}" y1="6" y2="6"/>`;
  const cells = clocks.map(([name, ms]) => {
    const tone = ms === null ? 'skip' : 'pass';
    const value = ms === null ? words.notReached : durationOf(ms, language);
    return markup`<div class="${tone}"><dt>${iconOf(tone)} ${name}</dt><dd>${value}</dd></div>
`;
  });
  return markup`
<section class="waiting" aria-labelledby="_waiting">
<h2 id="_waiting">${words.waiting}</h2>
<p>${words.waited(durationOf(elapsedMs, language), durationOf(forMs, language), waited.rounds)} ${words.waitedFor[waited.by]}</p>
<svg class="timeline" width="100%" height="12" aria-hidden="true" focusable="false"><line x1="1%" x2="99%" y1="6" y2="6"/>${done}${reached.map((x) => markup`<circle cx="${x}" cy="6" r="5"/>`)}</svg>
<dl class="clocks">
${cells}
</dl>
</section>`;
}

/** Roles are explicit: a table with another `display` loses its own in some browsers. */
function checksSection({ report, words, texts, messages }: HtmlContext, hasDetails: boolean): Markup {
  const counts = countStatuses(report.checks);
  const present = STATUSES.filter((status) => counts[status] > 0);
  const cells = present.map((status) =>
    Array.from({ length: counts[status] }, () => markup`<span class="${status}"></span>`),
  );
  const items = present.map(
    (status) =>
      markup`<li class="${status}">${iconOf(status)} ${messages.statuses[status]} <b>${counts[status]}</b></li>`,
  );
  const heads = [words.status, words.check, words.target, 'HTTP', words.time].map(
    (head, index) => markup`<th role="columnheader" scope="col"${index > 2 && markup` class="number"`}>${head}</th>`,
  );
  const rows = report.checks.map((result) => {
    const { id, status, httpStatus, requests = 0 } = result;
    const title = titleOf(id, texts);
    const name = hasDetails ? markup`<a href="#${anchorOf(id)}">${title}</a>` : title;
    const times = requests > 0 && markup` <span class="times">${words.requests(requests)}</span>`;
    return markup`
<tr role="row" class="${status}"><td role="cell" class="result">${iconOf(status)} <span class="word">${messages.statuses[status]}</span></td><td role="cell" class="title">${name}</td><td role="cell" class="target"><code>${targetOf(result)}</code>${times}</td><td role="cell" class="number http">${httpStatus ?? '–'}</td><td role="cell" class="number time">${messages.milliseconds(timeOf(result))}</td></tr>`;
  });
  return markup`
<section aria-labelledby="_checks">
<h2 id="_checks">${words.checks}</h2>
<div class="cells" aria-hidden="true">${cells}</div><ul class="counts">${items}</ul>
<table role="table" class="checks" aria-labelledby="_checks">
<thead role="rowgroup"><tr role="row">${heads}</tr></thead>
<tbody role="rowgroup">${rows}
</tbody>
</table>
</section>`;
}

function contentsOf(groups: readonly Group[], { words }: HtmlContext): Markup {
  const items = groups.map((group) => {
    const { id, rule, severity, count } = group;
    return markup`<li>${iconOf(SEVERITY_TONE[severity])} <a href="#${anchorOfGroup(group, groups)}"><code>${id}/${rule}</code></a>${timesOf(count)}</li>`;
  });
  return markup`
<nav aria-labelledby="_contents">
<h2 id="_contents">${words.contents}</h2>
<ul class="contents">${items}</ul>
</nav>`;
}
