import { hash } from 'node:crypto';
import type { CheckResult, Report, Status, Waited } from '../core/check.ts';
import type { Evidence } from '../core/answer.ts';
import type { Finding } from '../core/finding.ts';
import styles from '../generated/styles.json' with { type: 'json' };
import { withEllipsis, beginningOf } from './cut.ts';
import { countStatuses, timeOf } from './document.ts';
import { causesOf, effectsIn, failing, groupsOf, sharedCause, type Group } from './groups.ts';
import { summaryOf } from './summary.ts';
import { durationOf } from '../locales/format.ts';
import { reportedSeverity } from '../core/verdict.ts';
import { capital, framed, iconOf, policyOf, section, toneBySeverity, VERDICT_TONE, frameOf } from './html/frame.ts';
import { linkTo, markup, verbatim, type Markup, type Part, proseOf } from './html/markup.ts';
import type { ReportOptions } from './formats.ts';
import type { RenderedPage } from '../browser/open.ts';
import { htmlWords } from '../generated/locales/html.ts';
import { bytesIn, factsOf } from './facts.ts';
import { locationsOrFileOf } from './location.ts';

const POLICY = policyOf(`'sha256-${hash('sha256', styles.report, 'base64')}'`, 'data:');

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
  const byStatus = Object.groupBy(report.checks, ({ status }) => status);
  const { fail = [], unknown = [], warn = [], pass = [], skip = [] } = byStatus;
  const faulty = [...fail, ...unknown, ...warn];
  const groups = faulty.flatMap(groupsOf).filter((group) => group.severity !== 'info' && group.cause === undefined);
  const articles = faulty.map((result) => checkArticle(result, context));
  const passed = pass.map((result) => passedCheck(result, context));
  const skipped = skip.map((result) => skippedCheck(result, context));
  return [
    checksSection(context, true),
    groups.length >= FEWEST_IN_CONTENTS && contentsOf(groups, context),
    section('findings', words.findings, articles),
    section('passed', words.passed, passed),
    section('skipped', words.skipped, skipped.length > 0 && markup`<ul class="skipped card">${skipped}</ul>`),
  ];
}

function verdictBanner(context: HtmlContext): Markup {
  const { report, messages, words, texts } = context;
  const { verdict, checks, site, interrupted } = report;
  const isStrict = verdict === 'degraded' && countStatuses(checks).fail === 0;
  const shown = markup`<bdi>${withEllipsis(site.url, LONGEST_URL)}</bdi>`;
  return markup`
<header class="verdict ${VERDICT_TONE[verdict]}">
${iconOf(VERDICT_TONE[verdict], 48)}
<div>
<h1><span class="word">${capital(messages.verdicts[verdict], texts.language)}</span> ${linkTo(site.url, site.url, shown, 'site')}</h1>
<p class="meaning">${isStrict ? words.strict : words.meanings[verdict]}</p>
<p class="summary">${summaryOf(report, context)}</p>
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

/** `20 November 2026 at 15:02:26 UTC`, everywhere with 24 hours. */
function instantOf(iso: string, language: string): string {
  const locale = language === 'en' ? 'en-GB' : language;
  const format = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'medium', timeZone: 'UTC' });
  return `${format.format(new Date(iso))} UTC`;
}

function waitingSection(waited: Waited | undefined, { words, texts: { language } }: HtmlContext): Part {
  if (waited === undefined) return null;
  const { elapsedMs, forMs } = waited;
  const clocks = (['firstNew', 'allNew', 'allPassed'] as const).map(
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
<p>${words.waited(durationOf(elapsedMs, language), durationOf(forMs, language), waited.runs)} ${words.waitedFor[waited.by]}</p>
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
    const title = texts.title(id);
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
    const { id, rule, count } = group;
    return markup`<li>${iconOf(toneBySeverity(group))} <a href="#${anchorOfGroup(group, groups)}"><code>${id}/${rule}</code></a>${timesOf(count)}</li>`;
  });
  return markup`
<nav aria-labelledby="_contents">
<h2 id="_contents">${words.contents}</h2>
<ul class="contents">${items}</ul>
</nav>`;
}

/* What each check found: in full where it failed, behind a click where it passed. */

const LONGEST_LOCATION = 320;
/** Of findings in one file: browsers and mail take twice as much. */
const MOST_CHARACTERS = 2_000_000;

type HtmlContext = ReturnType<typeof htmlContextOf>;

function htmlContextOf(report: Report, options: ReportOptions) {
  return {
    ...options,
    report,
    words: htmlWords(options.texts.language),
    effects: effectsIn(report.checks),
    /** Left of {@link MOST_CHARACTERS}. */
    room: { characters: MOST_CHARACTERS },
    /** Each fix with the finding that it was printed for, as `<check id>/<rule>`. */
    printedFixes: new Map<string, string>(),
  };
}

/** The id of a check (`links`), a rule (`links/missing`) or a finding (`links/missing/3`), the same in every report. */
function anchorOf(...parts: readonly string[]): string {
  return parts.map((part) => part.replaceAll(/[^\w.-]/g, '_')).join('/');
}

/** The id of its rule; with its severity where a worse group has the same rule. */
function anchorOfGroup(group: Group, groups: readonly Group[]): string {
  const { id, rule } = group;
  const worst = groups.find((other) => other.id === id && other.rule === rule);
  const isWorst = worst === undefined || worst.severity === group.severity;
  return isWorst ? anchorOf(id, rule) : anchorOf(id, rule, reportedSeverity(group));
}

function causeSection(cause: Group, context: HtmlContext): Markup | null {
  const { report, words, texts } = context;
  const titles = failing(report.checks).map((check) => texts.title(check.id));
  return section(
    'cause',
    words.cause,
    markup`<article class="check card">
<h3>${titles.join(', ')}</h3>
${groupSections([cause], context)}
${actionOf(cause.id, context)}
</article>`,
  );
}

function checkArticle(result: CheckResult, context: HtmlContext): Markup {
  const { id, status } = result;
  const { texts, messages } = context;
  return markup`
<article class="check card ${status}">
<h3 id="${anchorOf(id)}">${iconOf(status, 20)} ${texts.title(id)} <span class="word">${messages.statuses[status]}</span></h3>
${whatWasFound(result, context)}
${actionOf(id, context)}
</article>`;
}

function passedCheck(result: CheckResult, context: HtmlContext): Markup {
  const { texts, words } = context;
  const text = texts.check(result.id);
  const notes = result.findings.length > 0 && markup` <span class="word">${words.severities.info}</span>`;
  // The id is inside, because a link to what is inside opens it.
  return markup`
<details class="check card pass">
<summary>${iconOf('pass')} <h3>${texts.title(result.id)}</h3>${notes}</summary>
<div class="inside" id="${anchorOf(result.id)}">
${text && markup`<p>${proseOf(text.expected)}</p>`}
${whatWasFound(result, context)}
</div>
</details>`;
}

function skippedCheck({ id, skipped, facts }: CheckResult, context: HtmlContext): Markup {
  const { texts } = context;
  const reason = skipped === undefined ? '' : texts.problem(id, skipped.rule);
  return markup`
<li id="${anchorOf(id)}"><h3>${iconOf('skip')} ${texts.title(id)}</h3><p>${proseOf(reason)}</p>${factList({ ...facts, ...skipped?.evidence }, context)}</li>`;
}

function whatWasFound(result: CheckResult, context: HtmlContext): Markup {
  return markup`${requestLine(result, context)}
${factList(result.facts ?? {}, context)}
${groupSections(groupsOf(result), context)}
${renderedPages(result, context)}`;
}

function actionOf(id: string, { texts, words }: HtmlContext): Part {
  const action = texts.check(id)?.degraded;
  return action !== undefined && markup`<p class="action"><strong>${words.action}</strong> ${proseOf(action)}</p>`;
}

function targetOf({ target }: CheckResult): Markup {
  return markup`<bdi>${withEllipsis(target, 300)}</bdi>`;
}

function requestLine(result: CheckResult, { report, words, messages }: HtmlContext): Markup {
  const { httpStatus, attempts, requests, timings, url } = result;
  const total = [words.total, timeOf(result)] as const;
  const phases = [
    [words.dns, timings.dnsMs],
    [words.connect, timings.connectMs],
    [words.tls, timings.tlsMs],
    [words.firstByte, timings.firstByteMs],
    total,
  ] as const;
  const target = markup`<code>${targetOf(result)}</code>`;
  const parts = [
    requests === undefined ? linkTo(url, report.site.url, target) : target,
    requests ? words.requests(requests) : null,
    httpStatus !== null && `HTTP ${httpStatus}`,
    attempts > 1 && words.attempts(attempts),
    // A check of several requests has no times of its own.
    ...(attempts === 0 ? [total] : phases).map(([name, ms]) => ms !== null && `${name} ${messages.milliseconds(ms)}`),
  ];
  return markup`<ul class="asked">${parts.map((part) => part && markup`<li>${part}</li>`)}</ul>`;
}

/* The findings of a check by rule. */

/** Findings of one rule that are shown at once, and behind a click. */
const SHOWN = 5;
const MOST = 100;

const timesOf = (count: number): Part => count > 1 && markup` <span class="times">×${count}</span>`;

function groupSections(all: readonly Group[], context: HtmlContext): readonly Markup[] {
  const { texts, words, messages } = context;
  const groups = all.filter(({ cause }) => cause === undefined);
  const sections = groups.map((group) => {
    const { id, rule, severity, count } = group;
    const anchor = anchorOfGroup(group, groups);
    const tone = toneBySeverity(group);
    // One without a severity says why its check is unknown, which the check's own heading shows.
    const word = severity !== null && markup` <span class="word">${words.severities[severity]}</span>`;
    return markup`
<section class="group ${tone}" id="${anchor}">
<h4>${iconOf(tone)} <a href="#${anchor}"><code>${id}/${rule}</code></a>${timesOf(count)}${word}</h4>
<p class="problem">${proseOf(texts.problem(id, rule))}</p>
${fixOf(group, context)}
${membersOf(group, anchor, context)}
${effectsList(group, context)}
</section>`;
  });
  const causes = causesOf(all);
  return causes.length === 0 ? sections : [markup`<p class="effect">${messages.effectOf(causes)}</p>`, ...sections];
}

function effectsList(group: Group, context: HtmlContext): Part {
  const { effects, texts, messages } = context;
  const items = (effects.get(`${group.id}/${group.rule}`) ?? []).map((effect) => {
    const { id, rule, findings } = effect;
    const facts = findings.slice(0, SHOWN).map(({ evidence }) => factList(evidence, context));
    return markup`<li>${iconOf(toneBySeverity(effect))} <code>${id}/${rule}</code> ${proseOf(texts.problem(id, rule))}${facts}</li>`;
  });
  return (
    items.length > 0 &&
    markup`<div class="effects"><p><strong>${messages.inBrowser}</strong></p><ul>${items}</ul></div>`
  );
}

function fixOf({ id, rule, severity }: Group, { printedFixes, words, texts }: HtmlContext): Part {
  const fix = texts.finding(id, rule)?.fix;
  if (!fix) return null;
  const printed = printedFixes.get(fix);
  if (printed === undefined) printedFixes.set(fix, `${id}/${rule}`);
  const text =
    printed === undefined
      ? proseOf(fix)
      : markup`${words.sameFix} <a href="#${anchorOf(...printed.split('/'))}"><code>${printed}</code></a>.`;
  const heading = severity === 'error' || severity === 'warning' ? words.fix : words.advice;
  const url = texts.docsUrl(id, rule);
  const more = url && markup`<p class="docs"><a href="${url}" rel="noreferrer noopener">${words.documentation}</a></p>`;
  return markup`<div class="fix"><p><strong>${heading}</strong></p><p>${text}</p>${more}</div>`;
}

function membersOf({ findings, count }: Group, anchor: string, context: HtmlContext): Markup {
  if (count === 1) return markup`${findings.map((finding) => memberOf(finding, context))}`;
  const { words, messages, room } = context;
  const items: Markup[] = [];
  for (const finding of findings.slice(0, MOST)) {
    const item = markup`<li id="${anchor}/${items.length + 1}">${memberOf(finding, context)}</li>`;
    // None after one that has no room.
    room.characters -= item.html.length;
    if (room.characters < 0 && items.length > 0) break;
    items.push(item);
  }
  const behind = items.slice(SHOWN);
  const more = markup`<details class="more"><summary>${words.moreFindings(behind.length)}</summary><ol class="members" start="${SHOWN + 1}">${behind}</ol></details>`;
  const left = findings.length - items.length;
  const omitted = count - findings.length;
  const notes = [left > 0 && words.leftOut(left), omitted > 0 && messages.onlyCounted(omitted)];
  return markup`<ol class="members">${items.slice(0, SHOWN)}</ol>${behind.length > 0 && more}${notes.map((note) => note && markup`<p class="left-out">${note}</p>`)}`;
}

/** Locations that are shown at once besides the first. */
const MOST_LOCATIONS = 6;

function memberOf(finding: Finding, context: HtmlContext): Markup {
  const { words, locate } = context;
  const [first, ...others] = locationsOrFileOf(finding, locate).map(
    (location) => markup`<code dir="ltr">${withEllipsis(location, LONGEST_LOCATION)}</code>`,
  );
  const items = others.map((location) => markup`<li>${location}</li>`);
  const more = items.slice(MOST_LOCATIONS);
  const rest = markup`<details><summary>${words.morePlaces(more.length)}</summary><ul class="places">${more}</ul></details>`;
  const also = markup`<div class="also"><p>${words.also}</p><ul class="places">${items.slice(0, MOST_LOCATIONS)}</ul>${more.length > 0 && rest}</div>`;
  return markup`<div class="member">${first && markup`<p class="place">${first}</p>`}${frameOf(finding)}${factList(finding.evidence, context)}${items.length > 0 && also}</div>`;
}

/* Pages in a browser. */

/** Pictures of more pages would make the file too large. */
const MOST_PICTURES = 12;

function renderedPages({ rendered = [] }: CheckResult, context: HtmlContext): Markup | null {
  if (rendered.length === 0) return null;
  const brokenFirst = rendered.toSorted((one, other) => Number(one.isOk) - Number(other.isOk));
  const chosen = new Set(brokenFirst.slice(0, MOST_PICTURES));
  return markup`
<div class="pages"><p><strong>${context.words.rendered}</strong></p>
<ul>${rendered.map((page) => pageItem(page, chosen.has(page), context))}</ul></div>`;
}

function pageItem(page: RenderedPage, hasPicture: boolean, { words, messages, texts }: HtmlContext): Markup {
  const { route, isOk, screenshot } = page;
  const name = route === '' ? words.homePage : route;
  const ms = (value: number | null): string | null => (value === null ? null : messages.milliseconds(value));
  const measures = [
    [words.headingMs, ms(page.headingMs)],
    [words.largestPaintMs, ms(page.largestPaintMs)],
    [words.layoutShift, page.layoutShift === null ? null : String(page.layoutShift)],
    [words.transferredBytes, page.transferredBytes === null ? null : bytesIn(page.transferredBytes, texts.language)],
    [words.requestCount, String(page.requests)],
  ] as const;
  const items = measures.map(
    ([label, value]) => value !== null && markup`<div><dt>${label}</dt><dd>${value}</dd></div>`,
  );
  // Small until it is opened.
  const picture =
    hasPicture &&
    screenshot !== null &&
    markup`<details class="picture"><summary><img alt="${name}" width="1280" height="800" src="data:image/jpeg;base64,${verbatim(Buffer.from(screenshot).toString('base64'))}"></summary></details>`;
  return markup`<li><p>${iconOf(isOk ? 'pass' : 'fail')} <code>${name}</code></p>${picture}<dl class="facts">${items}</dl></li>
`;
}

/* Evidence as a definition list. */

const LONGEST_TEXT = 600;
const MOST_FACTS = 32;
/** A fact with more characters has a line of its own. */
const LONGEST_SHORT = 48;

function factList(evidence: Evidence, { texts, report, words }: HtmlContext): Markup | null {
  const facts = factsOf(evidence, texts.language);
  if (facts.length === 0) return null;
  const rows = facts.slice(0, MOST_FACTS).map(({ label, value, isWords }) => {
    const { text, more } = beginningOf(value, LONGEST_TEXT);
    const shown = isWords
      ? markup`<span class="words">${text}</span>`
      : linkTo(value, report.site.url, markup`<bdi>${text}</bdi>`, 'plain');
    const isLong = (label ?? '').length + value.length > LONGEST_SHORT;
    const rest = more > 0 && markup` <i>${words.cut(more)}</i>`;
    const row = markup`<div${isLong && markup` class="long"`}><dt>${label}</dt><dd>${shown}${rest}</dd></div>`;
    return { isLong, row };
  });
  const shortFirst = rows.toSorted((one, other) => Number(one.isLong) - Number(other.isLong)).map(({ row }) => row);
  const left = facts.length - rows.length;
  const more = left > 0 && markup`<div class="long"><dt>…</dt><dd>${words.cut(left)}</dd></div>`;
  return markup`<dl class="facts">${shortFirst}${more}</dl>`;
}
