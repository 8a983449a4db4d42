/** Instead of a site or an incident that there is not. */
import { markup } from '../../../report/html/markup.ts';
import type { Page } from '../parts/frame.ts';
import type { PageContext } from '../page-context.ts';

/** The page. */
export function notFoundPage(context: PageContext): Page {
  const { words } = context;
  return {
    title: words.notFound,
    tone: 'skip',
    body: markup`<h1 class="plain">${words.notFound}</h1>
<p>${words.notFoundHint} <a href="${context.to({ kind: 'overview' })}">${words.allSites}</a></p>`,
  };
}
