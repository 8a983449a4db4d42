/** The findings of a check, those of one code together: the problem and the fix once, and where each shows. */
import type { Finding } from '../../check.ts';
import type { Group } from '../groups.ts';
import { anchorOf, anchorOfGroup } from './anchors.ts';
import { frameOf } from './frame.ts';
import { markup, NOTHING, type Markup } from './markup.ts';
import { fileOf, otherLocations, locationMarkup } from './locations.ts';
import { proseOf } from './prose.ts';
import { SEVERITY_TONE, iconOf } from './icons.ts';
import type { HtmlContext } from './context.ts';
import { factsOf } from './values.ts';

/** Findings of one code that are shown at once, and behind a click. */
const SHOWN = 5;
const MOST = 100;

/** The groups of a check, each with all that is known of it. */
export function groupSections(groups: readonly Group[], context: HtmlContext): readonly Markup[] {
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

/** A fix that several findings share is told once. Of what is good to know or could not be told, there is nothing to mend. */
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
