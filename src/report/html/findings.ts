/** The findings of a check, those of one code together: the problem and the fix once, and where each shows. */
import type { CheckResult, Finding, Grade } from '../../check.ts';
import { frameOf } from './frame.ts';
import { anchorOf } from './anchors.ts';
import { markup, NOTHING, type Markup } from './markup.ts';
import { otherPlaces, placeIn } from './places.ts';
import { proseOf } from './prose.ts';
import { GRADE_TONE, signOf } from './signs.ts';
import type { Telling } from './telling.ts';
import { factsOf } from './values.ts';

/** Findings of one code that are shown at once, and behind a click. */
const SHOWN = 5;
const MOST = 100;

const GRAVEST_FIRST: readonly Grade[] = ['error', 'unknown', 'warning', 'info', 'skip'];

/** Findings of one code. */
export interface Group {
  readonly id: string;
  readonly code: string;
  readonly grade: Grade;
  readonly findings: readonly [Finding, ...Finding[]];
}

/** The findings of a check by code, the gravest first, otherwise in the judge's order. */
export function groupsOf({ id, findings }: Pick<CheckResult, 'id' | 'findings'>): readonly Group[] {
  const groups = [...Map.groupBy(findings, ({ code }) => code)].map(([code, members]): Group => {
    const [first, ...others] = members as [Finding, ...Finding[]];
    return { id, code, grade: first.grade, findings: [first, ...others] };
  });
  return groups.toSorted((a, b) => GRAVEST_FIRST.indexOf(a.grade) - GRAVEST_FIRST.indexOf(b.grade));
}

/** A group with all that is known of it. */
export function groupSection(group: Group, telling: Telling): Markup {
  const { id, code, grade, findings } = group;
  const { texts, words, messages } = telling;
  const tone = GRADE_TONE[grade];
  const word = tone === 'note' || tone === 'stale' ? words.note : messages.statuses[tone];
  const text = texts.finding(id, code);
  const anchor = anchorOf(id, code);
  const times = findings.length === 1 ? null : markup` <span class="times">×${String(findings.length)}</span>`;
  return markup`
<section class="group ${tone}" id="${anchor}">
<h4>${signOf(tone)} <a href="#${anchor}"><code>${id}/${code}</code></a>${times} <span class="word">${word}</span></h4>
<p class="problem">${proseOf(text?.problem ?? code)}</p>
${fixOf(text?.fix, `${id}/${code}`, telling)}
${membersOf(group, telling)}
</section>`;
}

/** A fix that several findings share is told once. */
function fixOf(fix: string | undefined, finding: string, { toldFixes, words }: Telling): Markup {
  if (fix === undefined || fix === '') return NOTHING;
  const told = toldFixes.get(fix);
  if (told === undefined) toldFixes.set(fix, finding);
  const [id = '', code = ''] = (told ?? '').split('/');
  const text =
    told === undefined
      ? proseOf(fix)
      : markup`${words.sameFix} <a href="#${anchorOf(id, code)}"><code>${told}</code></a>.`;
  return markup`<div class="fix"><p><strong>${words.fix}</strong></p><p>${text}</p></div>`;
}

function membersOf({ id, code, findings }: Group, telling: Telling): Markup {
  const [first, ...others] = findings;
  if (others.length === 0) return memberOf(first, telling);
  const { words, budget } = telling;
  const items: Markup[] = [];
  for (const finding of findings.slice(0, MOST)) {
    const item = markup`<li id="${anchorOf(id, code, items.length + 1)}">${memberOf(finding, telling)}</li>`;
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
  return markup`<ol class="members">${items.slice(0, SHOWN)}</ol>${more}${leftOut}`;
}

/** Where a finding shows, and its facts. A code frame has the place as its caption. */
function memberOf(finding: Finding, telling: Telling): Markup {
  const { location, excerpt } = finding;
  const place =
    location === undefined || excerpt !== undefined
      ? NOTHING
      : markup`<p class="place">${placeIn(location, telling)}</p>`;
  return markup`<div class="member">${place}${frameOf(finding, telling)}${factsOf(finding.evidence, telling)}${otherPlaces(finding, telling)}</div>`;
}
