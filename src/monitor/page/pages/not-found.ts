/** In place of a site or an incident that there is not. */
import { markup } from '../../../report/html/markup.ts';
import type { Page } from '../parts/frame.ts';
import type { Telling } from '../telling.ts';

/** The page. */
export function notFoundPage(telling: Telling): Page {
  const { words } = telling;
  return {
    title: words.notFound,
    tone: 'skip',
    body: markup`<h1 class="plain">${words.notFound}</h1>
<p>${words.notFoundHint} <a href="${telling.to({ kind: 'overview' })}">${words.allSites}</a></p>`,
  };
}
