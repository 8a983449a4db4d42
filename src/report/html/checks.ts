/** What each check came to: at length where something is wrong, behind a click where all is well. */
import type { CheckResult } from '../../check.ts';
import { failing, type Caused } from '../cause.ts';
import { timeOf } from '../document.ts';
import { groupsOf } from '../groups.ts';
import { anchorOf } from './anchors.ts';
import { groupSections } from './findings.ts';
import { linkTo } from './links.ts';
import { markup, NOTHING, type Markup } from './markup.ts';
import { targetOf } from './overview.ts';
import { proseOf } from './prose.ts';
import { iconOf } from './icons.ts';
import type { HtmlContext } from './context.ts';
import { factsOf } from './values.ts';

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

/** What was asked for, and how long each part of the answer took. */
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
