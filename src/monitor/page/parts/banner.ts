/** The verdict line: whether it is up, at once. */
import { markup, type Markup } from '../../../report/html/markup.ts';
import { iconOf } from '../../../report/html/icons.ts';
import type { StatusData } from '../data.ts';
import { worstOf, KIND_TONE, type Kind } from '../../site-state.ts';
import type { PageContext } from '../page-context.ts';
import { asOfLine } from './frame.ts';

/** The gravest that is to be told of several sites; `new` where there is no site. */
export function overallKind({ counts }: Pick<StatusData, 'counts'>): Kind {
  return worstOf([...counts.keys()]);
}

/** All sites in one sentence. */
export function headlineOf({ rows, counts }: Pick<StatusData, 'rows' | 'counts'>, { words }: PageContext): string {
  const [first] = rows;
  if (first === undefined) return words.noSites;
  const kind = overallKind({ counts });
  const headline = words.headlines[kind];
  if (rows.length === 1) return headline.one(first.site.title);
  const count = counts.get(kind) ?? 0;
  return count === rows.length ? headline.all(count) : headline.some(count, rows.length);
}

/** The banner of a page. `extra`: what is said below the headline. */
export function banner(kind: Kind, headline: Markup, extra: Markup, data: StatusData, context: PageContext): Markup {
  const tone = KIND_TONE[kind];
  return markup`<section class="verdict ${tone}" aria-labelledby="_verdict">
${iconOf(tone, 48)}
<div>
<h1 id="_verdict">${headline}</h1>
${extra}
${asOfLine(data, context)}
</div>
</section>
${troublesOf(data, context)}`;
}

/** What stands in the way of the monitor itself. */
function troublesOf({ troubles }: StatusData, { words }: PageContext): Markup | null {
  if (troubles.length === 0) return null;
  const known = troubles.map((trouble) =>
    isKnown(trouble) ? words.troubles[trouble] : `${words.troubles.other} ${trouble}`,
  );
  return markup`<ul class="troubles">${[...new Set(known)].map((text) => markup`<li>${iconOf('unknown')} ${text}</li>`)}</ul>`;
}

const isKnown = (trouble: string): trouble is 'disk-full' | 'no-network' | 'store-unreadable' =>
  ['disk-full', 'no-network', 'store-unreadable'].includes(trouble);
