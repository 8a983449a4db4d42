import type { RawFinding } from '../core/finding.ts';
import { recogniseEngine } from '../engines/index.ts';
import { openAtEnd } from '../parse/html-end.ts';
import { hostPageIn } from '../expect/host-page.ts';
import { locatedAt } from '../expect/text.ts';

export const BROKEN_PAGE_RULES = { 'host-page': 'error', 'cut-off': 'error' } as const;

type BrokenPage = RawFinding<keyof typeof BROKEN_PAGE_RULES>;

/** Why an HTML page is not that of a site, or not all of it; `null`: it may be one. */
export function brokenPageIn(html: string): BrokenPage | null {
  const page = recogniseEngine(html) === null ? hostPageIn(html) : null;
  if (page !== null) return { rule: 'host-page', evidence: { inPlace: page.kind, product: page.product } };
  const open = openAtEnd(html);
  if (open === null) return null;
  return { rule: 'cut-off', evidence: { inside: open.inside }, ...locatedAt('index.html', html, open.offset) };
}
