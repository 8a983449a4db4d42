/** Pages as a browser showed them: a picture of each, and what was measured. */
import type { RenderedPage } from '../../browser/types.ts';
import type { CheckResult } from '../../check.ts';
import { bytesIn } from '../facts.ts';
import type { HtmlContext } from './context.ts';
import { iconOf } from './icons.ts';
import { markup, verbatim, type Markup } from './markup.ts';

/** Pictures of more pages would make the file too large. */
const MOST_PICTURES = 12;

export function renderedPages({ rendered = [] }: CheckResult, context: HtmlContext): Markup | null {
  if (rendered.length === 0) return null;
  // Those of broken pages first.
  const chosen = new Set(
    rendered.toSorted((one, other) => Number(one.isOk) - Number(other.isOk)).slice(0, MOST_PICTURES),
  );
  return markup`
<div class="pages"><p><strong>${context.words.rendered}</strong></p>
<ul>${rendered.map((page) => pageItem(page, chosen.has(page), context))}</ul></div>`;
}

function pageItem(page: RenderedPage, hasPicture: boolean, { words, messages, texts }: HtmlContext): Markup {
  const { route, isOk, screenshot } = page;
  const name = route === '' ? words.homePage : route;
  const ms = (value: number | null): string | null => (value === null ? null : messages.milliseconds(value));
  const measures = [
    [words.headingMs, ms(page.headingMs)],
    [words.largestPaintMs, ms(page.largestPaintMs)],
    [words.layoutShift, page.layoutShift === null ? null : String(page.layoutShift)],
    [words.transferredBytes, page.transferredBytes === null ? null : bytesIn(page.transferredBytes, texts.language)],
    [words.requestCount, String(page.requests)],
  ] as const;
  const items = measures.map(([label, value]) =>
    value === null ? null : markup`<div><dt>${label}</dt><dd>${value}</dd></div>`,
  );
  const head = markup`${iconOf(isOk ? 'pass' : 'fail')} <code>${name}</code>`;
  // One picture: small until it is opened.
  const picture =
    screenshot === null || !hasPicture
      ? null
      : markup`<details class="picture"><summary><img alt="${name}" width="1280" height="800" src="data:image/jpeg;base64,${verbatim(Buffer.from(screenshot).toString('base64'))}"></summary></details>`;
  return markup`<li><p>${head}</p>${picture}<dl class="facts">${items}</dl></li>
`;
}
