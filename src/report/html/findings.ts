/** What each check found: in full where it failed, behind a click where it passed. */
import type { RenderedPage } from '../../browser/types.ts';
import type { CheckResult, Evidence, EvidenceValue, Finding, Location, Report } from '../../check.ts';
import { htmlWords, type HtmlWords } from '../../generated/locales/html.ts';
import { printable } from '../../printable.ts';
import { beginningOf, shortJson, withEllipsis } from '../cut.ts';
import { timeOf } from '../document.ts';
import { bytesIn, capitalised, isFlatList, isList, labelOf, wordsFor } from '../facts.ts';
import { effectsOf, failing, groupsOf, problemOf, titleOf, type Group } from '../groups.ts';
import { repositoryLocationOf } from '../location.ts';
import type { ReportOptions } from '../options.ts';
import { iconOf, section, SEVERITY_TONE } from './frame.ts';
import { linkTo, markup, NOTHING, proseOf, verbatim, type Markup, type Part } from './markup.ts';

/** Of findings in one file: browsers and mail take twice as much. */
const MOST_CHARACTERS = 2_000_000;

export interface HtmlContext extends Pick<ReportOptions, 'texts' | 'messages' | 'locate'> {
  readonly words: HtmlWords;
  readonly report: Report;
  /** Left of {@link MOST_CHARACTERS}. */
  readonly room: { characters: number };
  /** Each fix with the finding that it was printed for, as `<check id>/<rule>`. */
  readonly printedFixes: Map<string, string>;
}

export function htmlContextOf(report: Report, { texts, messages, locate }: ReportOptions): HtmlContext {
  const words = htmlWords(texts.language);
  const room = { characters: MOST_CHARACTERS };
  return { texts, messages, words, locate, report, room, printedFixes: new Map() };
}

/** The id of a check (`links`), a rule (`links/missing`) or a finding (`links/missing/3`), the same in every report. */
export function anchorOf(...parts: readonly string[]): string {
  return parts.map((part) => part.replaceAll(/[^\w.-]/g, '_')).join('/');
}

/** The id of its rule; with its severity where a worse group has the same rule. */
export function anchorOfGroup({ id, rule, severity }: Group, groups: readonly Group[]): string {
  const worst = groups.find((other) => other.id === id && other.rule === rule);
  return worst === undefined || worst.severity === severity ? anchorOf(id, rule) : anchorOf(id, rule, severity);
}

export function causeSection(cause: Group, context: HtmlContext): Markup | null {
  const { report, words, texts } = context;
  const titles = failing(report.checks).map((check) => titleOf(check.id, texts));
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

export function checkArticle(result: CheckResult, context: HtmlContext): Markup {
  const { id, status } = result;
  const { texts, messages } = context;
  return markup`
<article class="check card ${status}">
<h3 id="${anchorOf(id)}">${iconOf(status, 20)} ${titleOf(id, texts)} <span class="word">${messages.statuses[status]}</span></h3>
${whatWasFound(result, context)}
${actionOf(id, context)}
</article>`;
}

export function passedCheck(result: CheckResult, context: HtmlContext): Markup {
  const { texts, words } = context;
  const text = texts.check(result.id);
  const notes = result.findings.length > 0 && markup` <span class="word">${words.note}</span>`;
  // The id is inside, because a link to what is inside opens it.
  return markup`
<details class="check card pass">
<summary>${iconOf('pass')} <h3>${text?.title ?? result.id}</h3>${notes}</summary>
<div class="inside" id="${anchorOf(result.id)}">
${text && markup`<p>${proseOf(text.expected)}</p>`}
${whatWasFound(result, context)}
</div>
</details>`;
}

export function skippedCheck({ id, skipped, facts }: CheckResult, context: HtmlContext): Markup {
  const { texts } = context;
  const reason = skipped === undefined ? '' : problemOf(id, skipped.rule, texts);
  return markup`
<li id="${anchorOf(id)}"><h3>${iconOf('skip')} ${titleOf(id, texts)}</h3><p>${proseOf(reason)}</p>${factsOf({ ...facts, ...skipped?.evidence }, context)}</li>`;
}

function whatWasFound(result: CheckResult, context: HtmlContext): Markup {
  return markup`${requestLine(result, context)}
${factsOf(result.facts ?? {}, context)}
${groupSections(groupsOf(result), context)}
${renderedPages(result, context)}`;
}

function actionOf(id: string, { texts, words }: HtmlContext): Part {
  const action = texts.check(id)?.degraded;
  return action !== undefined && markup`<p class="action"><strong>${words.action}</strong> ${proseOf(action)}</p>`;
}

export function targetOf({ target }: CheckResult): Markup {
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

export const timesOf = (count: number): Part => count > 1 && markup` <span class="times">×${count}</span>`;

function groupSections(all: readonly Group[], context: HtmlContext): readonly Markup[] {
  const { texts, words, messages } = context;
  const groups = all.filter(({ cause }) => cause === undefined);
  const sections = groups.map((group) => {
    const { id, rule, severity, count } = group;
    const anchor = anchorOfGroup(group, groups);
    const tone = SEVERITY_TONE[severity];
    const word = tone === 'note' || tone === 'stale' ? words.note : messages.statuses[tone];
    return markup`
<section class="group ${tone}" id="${anchor}">
<h4>${iconOf(tone)} <a href="#${anchor}"><code>${id}/${rule}</code></a>${timesOf(count)} <span class="word">${word}</span></h4>
<p class="problem">${proseOf(problemOf(id, rule, texts))}</p>
${fixOf(group, context)}
${membersOf(group, anchor, context)}
${effectsIn(group, context)}
</section>`;
  });
  const causes = [...new Set(all.flatMap(({ cause = [] }) => cause))];
  return causes.length === 0 ? sections : [markup`<p class="effect">${messages.effectOf(causes)}</p>`, ...sections];
}

function effectsIn(group: Group, context: HtmlContext): Part {
  const { report, texts, messages } = context;
  const items = effectsOf(report.checks, group.id, group.rule).map(({ id, rule, severity, findings }) => {
    const facts = findings.slice(0, SHOWN).map(({ evidence }) => factsOf(evidence, context));
    return markup`<li>${iconOf(SEVERITY_TONE[severity])} <code>${id}/${rule}</code> ${proseOf(texts.finding(id, rule)?.problem ?? '')}${facts}</li>`;
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

/** A code frame has the location as its caption. */
function memberOf(finding: Finding, context: HtmlContext): Markup {
  const { location, excerpt } = finding;
  const frame = location && excerpt && frameOf(location, excerpt, context);
  const at = location === undefined ? fileOf(finding, context) : locationOf(location, context);
  const place = !frame && at !== null && markup`<p class="place">${at}</p>`;
  return markup`<div class="member">${place}${frame}${factsOf(finding.evidence, context)}${otherLocations(finding, context)}</div>`;
}

/* Code frames; lines may be broken anywhere, since the fault is marked in its line. */

const LONGEST_LINE = 400;
const MOST_LINES = 20;

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

function frameOf(location: Location, excerpt: NonNullable<Finding['excerpt']>, context: HtmlContext): Markup {
  const { firstLine, lines, caretColumn = location.column } = excerpt;
  const rows = lines
    .slice(0, MOST_LINES)
    .map((line, index) =>
      firstLine + index === location.line
        ? markup`<li class="fault"><code dir="ltr">${faultyLine(line, caretColumn)}</code></li>`
        : markup`<li><code dir="ltr">${spaced(beginningOf(line, LONGEST_LINE).text)}</code></li>`,
    );
  return markup`<figure class="frame"><figcaption>${locationOf(location, context)}</figcaption><ol start="${firstLine}">${rows}</ol></figure>`;
}

function faultyLine(line: string, column: number): Markup {
  const end = Math.max(0, column - 1);
  const start = Math.max(0, end - LONGEST_LINE / 2);
  const [first] = graphemes.segment(line.slice(end, column + LONGEST_LINE / 4));
  const fault = first?.segment ?? '';
  const after = beginningOf(line.slice(column - 1 + fault.length), LONGEST_LINE / 2).text;
  // A fault at the end of a line is the missing character.
  const mark = fault === '' ? markup`<mark class="end">&nbsp;</mark>` : markup`<mark>${spaced(fault)}</mark>`;
  return markup`${start > 0 ? '…' : null}${spaced(line.slice(start, end))}${mark}${spaced(after)}`;
}

const spaced = (text: string): string => text.replaceAll('\t', '  ');

/* Locations. */

/** Shown at once besides the first. */
const MOST_LOCATIONS = 6;

/** In the repository and on the site, where they differ. */
function locationOf(location: Location, { locate, words }: HtmlContext): Markup {
  const { path, line, column } = location;
  const known = locate(location);
  if (known === null || (known.file === path && known.line === line)) return codeOf(path, line, column);
  const other = known.line === null && markup` <span class="aside">(${words.otherVersion})</span>`;
  const onSite = markup`<span class="aside">${words.onSite} ${codeOf(path, line, column)}</span>`;
  return markup`${codeOf(known.file, known.line, known.column)} ${onSite}${other}`;
}

/** The file in the repository of a finding without a location. */
function fileOf(finding: Finding, { locate }: HtmlContext): Markup | null {
  const known = repositoryLocationOf(finding, locate);
  return known && codeOf(known.file, known.line, known.column);
}

function otherLocations({ location, locations = [] }: Finding, { words, locate }: HtmlContext): Markup {
  const isFirst = ({ path, line, column }: Location): boolean =>
    line === location?.line && column === location.column && path === location.path;
  const items = locations
    .filter((one) => !isFirst(one))
    .map((one) => {
      const { file, line, column } = locate(one) ?? { ...one, file: one.path };
      return markup`<li>${codeOf(file, line, column)}</li>`;
    });
  if (items.length === 0) return NOTHING;
  const more = items.slice(MOST_LOCATIONS);
  const rest = markup`<details><summary>${words.morePlaces(more.length)}</summary><ul class="places">${more}</ul></details>`;
  return markup`<div class="also"><p>${words.also}</p><ul class="places">${items.slice(0, MOST_LOCATIONS)}</ul>${more.length > 0 && rest}</div>`;
}

function codeOf(file: string, line: number | null, column: number | null): Markup {
  const position = line === null ? [] : [line, column].filter((number) => number !== null);
  return markup`<code dir="ltr">${withEllipsis(file, 300)}${position.map((number) => `:${number}`)}</code>`;
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
const MOST_MEMBERS = 32;
/** Of HTML, in one list of facts. */
const MOST_IN_FACTS = 20_000;
const MOST_ITEMS = 24;
/** A fact with more characters has a line of its own. */
const LONGEST_SHORT = 48;

export function factsOf(evidence: Evidence, context: HtmlContext): Markup {
  const members = membersIn(evidence);
  if (members.length === 0) return NOTHING;
  const [short, long]: [Markup[], Markup[]] = [[], []];
  let room = MOST_IN_FACTS;
  for (const [field, value] of members.slice(0, MOST_MEMBERS)) {
    const name = capitalised(labelIn(field, context));
    const shown = valueOf(field, value, context, 0);
    room -= name.length + shown.html.length;
    if (room < 0) continue;
    const start = beginningOf(`${name}${shortJson(value, 2 * LONGEST_SHORT)}`, 2 * LONGEST_SHORT).text;
    const isLong = printable(start).length > LONGEST_SHORT;
    const row = markup`<div${isLong && markup` class="long"`}><dt>${name}</dt><dd>${shown}</dd></div>`;
    (isLong ? long : short).push(row);
  }
  const left = members.length - short.length - long.length;
  const more = left > 0 && markup`<div class="long"><dt>…</dt><dd>${context.words.cut(left)}</dd></div>`;
  return markup`<dl class="facts">${short}${long}${more}</dl>`;
}

function membersIn(evidence: Evidence): readonly (readonly [string, EvidenceValue])[] {
  return Object.entries(evidence).filter(([, value]) => value !== null && value !== undefined);
}

const labelIn = (field: string, { texts }: HtmlContext): string => beginningOf(labelOf(field, texts.language), 80).text;

function valueOf(field: string, value: EvidenceValue, context: HtmlContext, depth: number): Markup {
  if (value === null) return markup`null`;
  if (typeof value !== 'object') {
    const words = wordsFor(field, value, context.texts.language);
    if (words !== null) return markup`<span class="words">${words}</span>`;
    return typeof value === 'string' ? textOf(value, context) : markup`${String(value)}`;
  }
  if (depth > 1 && !isFlatList(value)) return textOf(shortJson(value, LONGEST_TEXT - 20), context);
  return isList(value) ? listOf(field, value, context, depth) : nestedMembersOf(value, context, depth);
}

/** Words on one line, anything else on a line each. */
function listOf(field: string, list: readonly EvidenceValue[], context: HtmlContext, depth: number): Markup {
  if (list.length === 0) return markup`[]`;
  const shown = list.slice(0, MOST_ITEMS).map((item) => valueOf(field, item, context, depth + 1));
  const more = list.length - shown.length;
  const rest = more > 0 && context.words.cut(more);
  if (!isFlatList(list)) {
    return markup`<ol class="entries">${shown.map((item) => markup`<li>${item}</li>`)}</ol>${rest}`;
  }
  const joined = shown.map((item, index) => (index === 0 ? item : markup`, ${item}`));
  return markup`${joined}${rest && ` ${rest}`}`;
}

function nestedMembersOf(value: Evidence, context: HtmlContext, depth: number): Markup {
  const members = membersIn(value);
  const shown = members.slice(0, MOST_MEMBERS).map(([field, member]) => {
    return markup`<span class="pair"><i>${labelIn(field, context)}</i> ${valueOf(field, member, context, depth + 1)}</span> `;
  });
  return markup`${shown}${members.length > shown.length && context.words.cut(members.length - shown.length)}`;
}

function textOf(text: string, { report, words }: HtmlContext): Markup {
  if (text === '') return markup`""`;
  const { text: shown, more } = beginningOf(text, LONGEST_TEXT);
  const label = markup`<bdi>${shown}</bdi>`;
  return markup`${linkTo(text, report.site.url, label, 'plain')}${more > 0 && markup` <i>${words.cut(more)}</i>`}`;
}
