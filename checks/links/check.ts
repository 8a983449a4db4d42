import { MISSPELLING_RULES } from '../../src/expect/text.ts';
import { PAGE_RULES } from '../../src/expect/page.ts';
import { fullCheck } from '../full-check.ts';

/** Rules of a page that exists and is broken; a missing one has its own rules here. */
const { 'not-found': _notFound, 'spa-fallback': _fallback, ...ofPages } = PAGE_RULES;

const LINKS_RULES = {
  ...ofPages,
  // A page that moved still opens; limits that the crawl itself met say little of the page.
  redirected: 'warning',
  'rate-limited': 'unknown',
  'parse-limit': 'warning',
  missing: 'error',
  ...MISSPELLING_RULES,
  'missing-image': 'error',
  'missing-file': 'error',
  'site-stopped-responding': 'error',
  'missing-anchor': 'warning',
  'misspelled-scheme': 'warning',
  'encoded-dot': 'warning',
  backslash: 'warning',
  unlinked: 'warning',
  'external-missing': 'warning',
  'insecure-link': 'info',
  'deadline-exceeded': 'warning',
  'limit-reached': 'info',
  'mostly-unchecked': 'unknown',
} as const;

export type LinksRule = keyof typeof LINKS_RULES | 'no-answer';

/** Every page and file that the site's own links lead to. */
export const links = fullCheck({
  id: 'links',
  target: '**/*.md',
  rules: LINKS_RULES,
  load: () => import('./evaluate.ts'),
});
