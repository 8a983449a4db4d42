import { PAGE_RULES } from '../../src/expect/page.ts';
import { fullCheck } from '../full-check.ts';

/** Rules of a file that exists and is broken; faults of the host are reported by other checks. */
const {
  'not-found': _notFound,
  'spa-fallback': _fallback,
  'media-type': _type,
  redirected: _redirected,
  ...FILE_RULES
} = PAGE_RULES;

const TRANSLATIONS_RULES = {
  ...FILE_RULES,
  // A limit that the crawl itself met says nothing of the file.
  'rate-limited': 'unknown',
  'language-missing': 'error',
  'navigation-missing': 'error',
  'navigation-shared': 'warning',
  'home-missing': 'error',
  'page-missing': 'warning',
  'headings-differ': 'warning',
  'code-blocks-differ': 'warning',
  'tables-differ': 'warning',
  'prefix-shared': 'warning',
  'prefix-invalid': 'warning',
  'code-invalid': 'warning',
  'code-repeated': 'warning',
  'several-defaults': 'warning',
  untranslated: 'info',
  'one-language': 'skip',
} as const;

export type TranslationsRule = keyof typeof TRANSLATIONS_RULES | 'no-answer';

/** Every language of the site has what the default language has. */
export const translations = fullCheck({
  id: 'translations',
  target: '*/**/*.md',
  rules: TRANSLATIONS_RULES,
  load: () => import('./evaluate.ts'),
});
