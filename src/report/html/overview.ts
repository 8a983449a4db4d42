/** All checks in one table, with how many ended how; and the findings at a glance. */
import type { CheckResult, Status } from '../../check.ts';
import { countStatuses, timeOf } from '../document.ts';
import { beginningOf } from '../cut.ts';
import type { Group } from '../groups.ts';
import { anchorOf, anchorOfGroup } from './anchors.ts';
import { markup, NOTHING, type Markup } from './markup.ts';
import { SEVERITY_TONE, iconOf } from './icons.ts';
import type { HtmlContext } from './context.ts';

const ORDER: readonly Status[] = ['fail', 'unknown', 'warn', 'pass', 'skip'];
/** Fewer findings are seen at a glance without a list of them. */
const FEWEST_IN_CONTENTS = 4;
const LONGEST_TARGET = 300;

/** The table. Roles are reported, because a table that is laid out otherwise on narrow screens loses its own in some browsers. */
export function checksSection(context: HtmlContext, hasSections: boolean): Markup {
  const { report, words } = context;
  const heads = [words.status, words.check, words.target, 'HTTP', words.time];
  const cells = heads.map((head, index) => {
    return markup`<th role="columnheader" scope="col"${index > 2 ? markup` class="number"` : null}>${head}</th>`;
  });
  return markup`
<section aria-labelledby="_checks">
<h2 id="_checks">${words.checks}</h2>
${countsOf(context)}
<table role="table" aria-labelledby="_checks">
<thead role="rowgroup"><tr role="row">${cells}</tr></thead>
<tbody role="rowgroup">${report.checks.map((result) => rowOf(result, context, hasSections))}
</tbody>
</table>
</section>`;
}

/** One cell for each check, and the numbers beside their words. */
function countsOf({ report, messages }: HtmlContext): Markup {
  const counts = countStatuses(report.checks);
  const present = ORDER.filter((status) => counts[status] > 0);
  const cells = present.map((status) => {
    return Array.from({ length: counts[status] }, () => markup`<span class="${status}"></span>`);
  });
  const items = present.map(
    (status) =>
      markup`<li class="${status}">${iconOf(status)} ${messages.statuses[status]} <b>${counts[status]}</b></li>`,
  );
  return markup`<div class="cells" aria-hidden="true">${cells}</div><ul class="counts">${items}</ul>`;
}

function rowOf(result: CheckResult, { texts, messages, words }: HtmlContext, hasSections: boolean): Markup {
  const { id, status, httpStatus, requests } = result;
  const title = texts.check(id)?.title ?? id;
  const name = hasSections ? markup`<a href="#${anchorOf(id)}">${title}</a>` : markup`${title}`;
  const many =
    requests === undefined || requests === 0 ? null : markup` <span class="times">${words.requests(requests)}</span>`;
  return markup`
<tr role="row" class="${status}"><td role="cell" class="status">${iconOf(status)} <span class="word">${messages.statuses[status]}</span></td><td role="cell" class="title">${name}</td><td role="cell" class="target"><code>${targetOf(result)}</code>${many}</td><td role="cell" class="number http">${httpStatus ?? '–'}</td><td role="cell" class="number time">${messages.milliseconds(timeOf(result))}</td></tr>`;
}

/** `GET /navigation.md` */
export function targetOf({ target }: CheckResult): Markup {
  const { text, more } = beginningOf(target, LONGEST_TARGET);
  return markup`<bdi>${text}${more > 0 ? '…' : null}</bdi>`;
}

/** Every kind of finding with a link to it, where they are many. */
export function contentsOf(groups: readonly Group[], { words }: HtmlContext): Markup {
  if (groups.length < FEWEST_IN_CONTENTS) return NOTHING;
  const items = groups.map((group) => {
    const { id, rule, severity, count } = group;
    const times = count === 1 ? null : markup` <span class="times">×${String(count)}</span>`;
    return markup`<li>${iconOf(SEVERITY_TONE[severity])} <a href="#${anchorOfGroup(group, groups)}"><code>${id}/${rule}</code></a>${times}</li>`;
  });
  return markup`
<nav aria-labelledby="_contents">
<h2 id="_contents">${words.contents}</h2>
<ul class="contents">${items}</ul>
</nav>`;
}
