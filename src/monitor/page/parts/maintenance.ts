/** What is worked on, and what will be. */
import { markup, type Markup } from '../../../report/html/markup.ts';
import { iconOf } from '../../../report/html/icons.ts';
import { cutText } from '../../../report/cut.ts';
import type { Maintenance } from '../data.ts';
import type { PageContext } from '../page-context.ts';
import { timeTag } from '../times.ts';

const MOST = 12;
const LONGEST_REASON = 500;

/** A section, where there is something to tell. `isNamed`: whether the site has to be named. */
export function maintenanceSection(all: readonly Maintenance[], isNamed: boolean, context: PageContext): Markup | null {
  if (all.length === 0) return null;
  const { words } = context;
  const more = all.length - MOST;
  return markup`<section aria-labelledby="_maintenance">
<h2 id="_maintenance">${words.maintenance}</h2>
<ul class="windows">${all.slice(0, MOST).map((one) => itemOf(one, isNamed, context))}</ul>
${more > 0 ? markup`<p class="quiet">${words.leftOut(more)}</p>` : null}
</section>`;
}

function itemOf({ site, from, to, reason }: Maintenance, isNamed: boolean, context: PageContext): Markup {
  const { words, times, now } = context;
  const [begin, end] = [timeTag(from, times.short(from)), timeTag(to, times.short(to))];
  const name = isNamed ? markup`<a href="${context.to({ kind: 'site', id: site.id })}">${site.title}</a> · ` : null;
  const state = from <= now ? markup`<strong>${words.goesOn}</strong> · ` : null;
  const why = reason === null || reason === '' ? null : markup`<p class="quiet">${cutText(reason, LONGEST_REASON)}</p>`;
  return markup`<li class="note">${iconOf('note')} <div><p>${state}${name}${begin} – ${end}</p>${why}</div></li>
`;
}
