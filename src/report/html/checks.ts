/** What each check came to: at length where something is wrong, behind a click where all is well. */
import type { CheckResult, Finding, Location } from '../../check.ts';
import { timeOf } from '../document.ts';
import { failing, groupsOf, type Caused, type Group } from '../groups.ts';
import { anchorOf, anchorOfGroup } from './anchors.ts';
import { linkTo } from './links.ts';
import { markup, NOTHING, type Markup } from './markup.ts';
import { targetOf } from './overview.ts';
import { proseOf } from './prose.ts';
import { iconOf, SEVERITY_TONE } from './icons.ts';
import type { HtmlContext } from './context.ts';
import { factsOf } from './values.ts';
import { beginningOf } from '../cut.ts';
import { repositoryLocationOf } from '../location.ts';

/** The checks that are not well, those that failed first. */
export function findingsSection(checks: readonly CheckResult[], context: HtmlContext): Markup {
  if (checks.length === 0) return NOTHING;
  return markup`
<section aria-labelledby="_findings">
<h2 id="_findings">${context.words.findings}</h2>
${checks.map((result) => checkArticle(result, context))}
</section>`;
}

/** The one cause behind all failing checks. */
export function causeSection({ id, finding }: Caused, context: HtmlContext): Markup {
  const { report, words, texts } = context;
  const reported = failing(report.checks);
  return markup`
<section aria-labelledby="_cause">
<h2 id="_cause">${words.cause}</h2>
<article class="check">
<h3>${reported.map((check) => texts.check(check.id)?.title ?? check.id).join(', ')}</h3>
${groupSections(groupsOf({ id, findings: [finding] }), context)}
${actionOf(id, context)}
</article>
</section>`;
}

function checkArticle(result: CheckResult, context: HtmlContext): Markup {
  const { id, status } = result;
  const { texts, messages } = context;
  return markup`
<article class="check ${status}">
<h3 id="${anchorOf(id)}">${iconOf(status, 20)} ${texts.check(id)?.title ?? id} <span class="word">${messages.statuses[status]}</span></h3>
${askedLine(result, context)}
${factsOf(result.facts ?? {}, context)}
${groupSections(groupsOf(result), context)}
${actionOf(id, context)}
</article>`;
}

function actionOf(id: string, { texts, words }: HtmlContext): Markup {
  const action = texts.check(id)?.degraded;
  if (action === undefined) return NOTHING;
  return markup`<p class="action"><strong>${words.action}</strong> ${proseOf(action)}</p>`;
}

/** What was requested, and how long each part of the answer took. */
function askedLine(result: CheckResult, { report, words, messages }: HtmlContext): Markup {
  const { httpStatus, attempts, requests, timings, url } = result;
  const { dnsMs, connectMs, tlsMs, firstByteMs } = timings;
  const phases: readonly (readonly [string, number | null])[] = [
    [words.dns, dnsMs],
    [words.connect, connectMs],
    [words.tls, tlsMs],
    [words.firstByte, firstByteMs],
    [words.total, timeOf(result)],
  ];
  const target = markup`<code>${targetOf(result)}</code>`;
  const parts: readonly Markup[] = [
    requests === undefined ? linkTo(url, report.site.url, target) : target,
    ...(requests === undefined || requests === 0 ? [] : [markup`${words.requests(requests)}`]),
    ...(httpStatus === null ? [] : [markup`HTTP ${httpStatus}`]),
    ...(attempts > 1 ? [markup`${words.attempts(attempts)}`] : []),
    // A check of several requests has no times of its own.
    ...(attempts === 0 ? phases.slice(-1) : phases).flatMap(([name, ms]) =>
      ms === null ? [] : [markup`${name} ${messages.milliseconds(ms)}`],
    ),
  ];
  return markup`<ul class="asked">${parts.map((part) => markup`<li>${part}</li>`)}</ul>`;
}

/** The checks that passed, each closed until somebody wants to know what it saw. */
export function passedSection(checks: readonly CheckResult[], context: HtmlContext): Markup {
  if (checks.length === 0) return NOTHING;
  return markup`
<section aria-labelledby="_passed">
<h2 id="_passed">${context.words.passed}</h2>
${checks.map((result) => passedCheck(result, context))}
</section>`;
}

function passedCheck(result: CheckResult, context: HtmlContext): Markup {
  const { texts, words } = context;
  const text = texts.check(result.id);
  const notes = result.findings.length === 0 ? null : markup` <span class="word">${words.note}</span>`;
  // The id stands inside, because a link to what is inside opens it.
  return markup`
<details class="check pass">
<summary>${iconOf('pass')} <h3>${text?.title ?? result.id}</h3>${notes}</summary>
<div class="inside" id="${anchorOf(result.id)}">
${text === undefined ? null : markup`<p>${proseOf(text.expected)}</p>`}
${askedLine(result, context)}
${factsOf(result.facts ?? {}, context)}
${groupSections(groupsOf(result), context)}
</div>
</details>`;
}

/** The checks that do not apply, with the reason. */
export function skippedSection(checks: readonly CheckResult[], context: HtmlContext): Markup {
  if (checks.length === 0) return NOTHING;
  const { texts, words } = context;
  const items = checks.map(({ id, skipped, facts }) => {
    const reason = skipped === undefined ? '' : (texts.finding(id, skipped.rule)?.problem ?? skipped.rule);
    return markup`
<li id="${anchorOf(id)}"><h3>${iconOf('skip')} ${texts.check(id)?.title ?? id}</h3><p>${proseOf(reason)}</p>${factsOf({ ...facts, ...skipped?.evidence }, context)}</li>`;
  });
  return markup`
<section aria-labelledby="_skipped">
<h2 id="_skipped">${words.skipped}</h2>
<ul class="skipped">${items}
</ul>
</section>`;
}

/* The findings of a check, those of one code together: the problem and the fix once, and where each shows. */

/** Findings of one code that are shown at once, and behind a click. */
const SHOWN = 5;
const MOST = 100;

/** The groups of a check, each with all that is known of it. */
function groupSections(groups: readonly Group[], context: HtmlContext): readonly Markup[] {
  return groups.map((group) => groupSection(group, anchorOfGroup(group, groups), context));
}

function groupSection(group: Group, anchor: string, context: HtmlContext): Markup {
  const { id, rule, severity, count } = group;
  const { texts, words, messages } = context;
  const tone = SEVERITY_TONE[severity];
  const word = tone === 'note' || tone === 'stale' ? words.note : messages.statuses[tone];
  const text = texts.finding(id, rule);
  const times = count === 1 ? null : markup` <span class="times">×${String(count)}</span>`;
  return markup`
<section class="group ${tone}" id="${anchor}">
<h4>${iconOf(tone)} <a href="#${anchor}"><code>${id}/${rule}</code></a>${times} <span class="word">${word}</span></h4>
<p class="problem">${proseOf(text?.problem ?? rule)}</p>
${fixOf(text?.fix, group, context)}
${membersOf(group, anchor, context)}
</section>`;
}

/** A fix that several findings share is reported once. Of what is good to know or could not be reported, there is nothing to fix. */
function fixOf(fix: string | undefined, { id, rule, severity }: Group, { reportedFixes, words }: HtmlContext): Markup {
  if (fix === undefined || fix === '') return NOTHING;
  const reported = reportedFixes.get(fix);
  if (reported === undefined) reportedFixes.set(fix, `${id}/${rule}`);
  const text =
    reported === undefined
      ? proseOf(fix)
      : markup`${words.sameFix} <a href="#${anchorOf(...reported.split('/'))}"><code>${reported}</code></a>.`;
  const heading = severity === 'error' || severity === 'warning' ? words.fix : words.advice;
  return markup`<div class="fix"><p><strong>${heading}</strong></p><p>${text}</p></div>`;
}

function membersOf({ findings, count }: Group, anchor: string, context: HtmlContext): Markup {
  if (count === 1) return markup`${findings.map((finding) => memberOf(finding, context))}`;
  const { words, messages, budget } = context;
  const items: Markup[] = [];
  for (const finding of findings.slice(0, MOST)) {
    const item = markup`<li id="${anchor}/${items.length + 1}">${memberOf(finding, context)}</li>`;
    if (!budget.take(item) && items.length > 0) break;
    items.push(item);
  }
  const behind = items.slice(SHOWN);
  const more =
    behind.length === 0
      ? null
      : markup`<details class="more"><summary>${words.moreFindings(behind.length)}</summary><ol class="members" start="${SHOWN + 1}">${behind}</ol></details>`;
  const left = findings.length - items.length;
  const leftOut = left === 0 ? null : markup`<p class="left-out">${words.leftOut(left)}</p>`;
  const omitted = count - findings.length;
  const onlyCounted = omitted === 0 ? null : markup`<p class="left-out">${messages.onlyCounted(omitted)}</p>`;
  return markup`<ol class="members">${items.slice(0, SHOWN)}</ol>${more}${leftOut}${onlyCounted}`;
}

/** Where a finding shows, and its facts. A code frame has the place as its caption. */
function memberOf(finding: Finding, context: HtmlContext): Markup {
  const { location, excerpt } = finding;
  const inRepository = location === undefined ? fileOf(finding, context) : locationMarkup(location, context);
  const isCaption = location !== undefined && excerpt !== undefined;
  const shown = isCaption || inRepository.html === '' ? NOTHING : markup`<p class="place">${inRepository}</p>`;
  return markup`<div class="member">${shown}${frameOf(finding, context)}${factsOf(finding.evidence, context)}${otherLocations(finding, context)}</div>`;
}

/* The lines around a fault, with the character at fault marked in its line, so that lines may be broken anywhere. */

const LONGEST_LINE = 400;
const MOST_LINES = 20;

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** A code frame; nothing where the finding has no excerpt. */
function frameOf({ excerpt, location }: Finding, context: HtmlContext): Markup {
  if (excerpt === undefined || location === undefined) return NOTHING;
  const { firstLine, lines, caretColumn = location.column } = excerpt;
  const rows = lines.slice(0, MOST_LINES).map((line, index) => {
    const number = firstLine + index;
    if (number !== location.line)
      return markup`<li><code dir="ltr">${spaced(beginningOf(line, LONGEST_LINE).text)}</code></li>`;
    return markup`<li class="fault"><code dir="ltr">${faultyLine(line, caretColumn)}</code></li>`;
  });
  return markup`<figure class="frame"><figcaption>${locationMarkup(location, context)}</figcaption><ol start="${firstLine}">${rows}</ol></figure>`;
}

function faultyLine(line: string, column: number): Markup {
  const start = Math.max(0, column - 1 - LONGEST_LINE / 2);
  const before = line.slice(start, Math.max(0, column - 1));
  const [first] = graphemes.segment(line.slice(Math.max(0, column - 1), column + LONGEST_LINE / 4));
  const fault = first?.segment ?? '';
  const after = beginningOf(line.slice(column - 1 + fault.length), LONGEST_LINE / 2).text;
  // A fault at the end of a line is the character that is not there.
  const mark = fault === '' ? markup`<mark class="end">&nbsp;</mark>` : markup`<mark>${spaced(fault)}</mark>`;
  return markup`${start > 0 ? '…' : null}${spaced(before)}${mark}${spaced(after)}`;
}

const spaced = (text: string): string => text.replaceAll('\t', '  ');

/* Where a finding shows: in the repository where that is known, and on the site. */

const LONGEST_PATH = 300;
/** Places besides the first that are shown at once. */
const MOST_LOCATIONS = 6;

/** The place that a finding is told for, in the repository and on the site where they differ. */
function locationMarkup(location: Location, { locate, words }: HtmlContext): Markup {
  const { path, line, column } = location;
  const known = locate(location);
  if (known === null || (known.file === path && known.line === line)) return codeOf(path, line, column);
  const other = known.line === null ? markup` <span class="aside">(${words.otherVersion})</span>` : null;
  const onSite = markup`<span class="aside">${words.onSite} ${codeOf(path, line, column)}</span>`;
  return markup`${codeOf(known.file, known.line, known.column)} ${onSite}${other}`;
}

/** The file that a finding without a place is about as a whole, where it is known in the repository. */
function fileOf(finding: Finding, { locate }: HtmlContext): Markup {
  const known = repositoryLocationOf(finding, locate);
  return known === null ? NOTHING : codeOf(known.file, known.line, known.column);
}

/** The other places of a finding, most of them behind a click. */
function otherLocations({ location, locations = [] }: Finding, context: HtmlContext): Markup {
  const others = locations.filter((inRepository) => location === undefined || !isSame(inRepository, location));
  if (others.length === 0) return NOTHING;
  const { words } = context;
  const items = others.map((inRepository) => markup`<li>${shortLocation(inRepository, context)}</li>`);
  const more = items.slice(MOST_LOCATIONS);
  const rest =
    more.length === 0
      ? null
      : markup`<details><summary>${words.morePlaces(more.length)}</summary><ul class="places">${more}</ul></details>`;
  return markup`<div class="also"><p>${words.also}</p><ul class="places">${items.slice(0, MOST_LOCATIONS)}</ul>${rest}</div>`;
}

const isSame = (one: Location, other: Location): boolean =>
  one.line === other.line && one.column === other.column && one.path === other.path;

/** In the repository where that is known, else on the site. */
function shortLocation(location: Location, { locate }: HtmlContext): Markup {
  const known = locate(location);
  return known === null
    ? codeOf(location.path, location.line, location.column)
    : codeOf(known.file, known.line, known.column);
}

/** `docs/navigation.md:3:5`, as editors open it. */
function codeOf(file: string, line: number | null, column: number | null): Markup {
  const { text, more } = beginningOf(file, LONGEST_PATH);
  const position = [line, line === null ? null : column].filter((number) => number !== null);
  return markup`<code dir="ltr">${text}${more > 0 ? '…' : null}${position.map((number) => `:${number}`)}</code>`;
}
