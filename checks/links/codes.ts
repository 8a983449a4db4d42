import { MISSPELLING_CODES } from '../../src/expect/misspelling.ts';
import { PAGE_CODES } from '../../src/expect/page.ts';
import { UNJUDGED_CODES } from '../../src/expect/unjudged.ts';

/** Those of a page that is there and broken; one that is not there has codes of its own here. */
function ofPages() {
  const { 'not-found': _notFound, 'spa-fallback': _fallback, ...codes } = PAGE_CODES;
  // A page that moved still opens; limits that the crawl itself met say little of the page.
  return { ...codes, redirected: 'warning', 'rate-limited': 'unknown', 'parse-limit': 'warning' } as const;
}

export const LINKS_CODES = {
  ...ofPages(),
  ...UNJUDGED_CODES,
  missing: 'error',
  ...MISSPELLING_CODES,
  'missing-image': 'error',
  'missing-file': 'error',
  'went-away': 'error',
  'missing-anchor': 'warning',
  'misspelled-scheme': 'warning',
  'encoded-dot': 'warning',
  backslash: 'warning',
  unlinked: 'warning',
  'external-missing': 'warning',
  'insecure-link': 'info',
  'out-of-time': 'warning',
  'left-out': 'info',
  'mostly-left-out': 'unknown',
} as const;

export type LinksCode = keyof typeof LINKS_CODES;

/** More findings of one code are counted only. */
export const MOST_FINDINGS = 500;
