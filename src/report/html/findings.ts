/** The findings of a check, those of one code together: the problem and the fix once, and where each shows. */
import type { Finding } from '../../check.ts';
import type { Group } from '../groups.ts';
import { anchorOf, anchorOfGroup } from './anchors.ts';
import { frameOf } from './frame.ts';
import { markup, NOTHING, type Markup } from './markup.ts';
import { fileOf, otherPlaces, placeIn } from './places.ts';
import { proseOf } from './prose.ts';
import { GRADE_TONE, signOf } from './signs.ts';
import type { Telling } from './telling.ts';
import { factsOf } from './values.ts';

/** Findings of one code that are shown at once, and behind a click. */
const SHOWN = 5;
const MOST = 100;

/** The groups of a check, each with all that is known of it. */
export function groupSections(groups: readonly Group[], telling: Telling): readonly Markup[] {
  return groups.map((group) => groupSection(group, anchorOfGroup(group, groups), telling));
}

function groupSection(group: Group, anchor: string, telling: Telling): Markup {
  const { id, code, grade, count } = group;
  const { texts, words, messages } = telling;
  const tone = GRADE_TONE[grade];
  const word = tone === 'note' || tone === 'stale' ? words.note : messages.statuses[tone];
  const text = texts.finding(id, code);
  const times = count === 1 ? null : markup` <span class="times">×${String(count)}</span>`;
  return markup`
<section class="group ${tone}" id="${anchor}">
<h4>${signOf(tone)} <a href="#${anchor}"><code>${id}/${code}</code></a>${times} <span class="word">${word}</span></h4>
<p class="problem">${proseOf(text?.problem ?? code)}</p>
${fixOf(text?.fix, group, telling)}
${membersOf(group, anchor, telling)}
</section>`;
}

/** A fix that several findings share is told once. Of what is good to know or could not be told, there is nothing to mend. */
function fixOf(fix: string | undefined, { id, code, grade }: Group, { toldFixes, words }: Telling): Markup {
  if (fix === undefined || fix === '') return NOTHING;
  const told = toldFixes.get(fix);
  if (told === undefined) toldFixes.set(fix, `${id}/${code}`);
  const text =
    told === undefined
      ? proseOf(fix)
      : markup`${words.sameFix} <a href="#${anchorOf(...told.split('/'))}"><code>${told}</code></a>.`;
  const heading = grade === 'error' || grade === 'warning' ? words.fix : words.advice;
  return markup`<div class="fix"><p><strong>${heading}</strong></p><p>${text}</p></div>`;
}

function membersOf({ findings, count }: Group, anchor: string, telling: Telling): Markup {
  if (count === 1) return markup`${findings.map((finding) => memberOf(finding, telling))}`;
  const { words, messages, budget } = telling;
  const items: Markup[] = [];
  for (const finding of findings.slice(0, MOST)) {
    const item = markup`<li id="${anchor}/${items.length + 1}">${memberOf(finding, telling)}</li>`;
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
function memberOf(finding: Finding, telling: Telling): Markup {
  const { location, excerpt } = finding;
  const place = location === undefined ? fileOf(finding, telling) : placeIn(location, telling);
  const isCaption = location !== undefined && excerpt !== undefined;
  const shown = isCaption || place.html === '' ? NOTHING : markup`<p class="place">${place}</p>`;
  return markup`<div class="member">${shown}${frameOf(finding, telling)}${factsOf(finding.evidence, telling)}${otherPlaces(finding, telling)}</div>`;
}
