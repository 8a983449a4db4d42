import { PAGE_CODES } from '../../src/expect/page.ts';
import { UNJUDGED_CODES } from '../../src/expect/unjudged.ts';

/**
 * Those of a file that is there and broken. One that is not there has codes of its own here; what a host does with all
 * files alike, other checks tell.
 */
function ofFiles() {
  const {
    'not-found': _notFound,
    'spa-fallback': _fallback,
    'media-type': _type,
    redirected: _redirected,
    ...codes
  } = PAGE_CODES;
  // A limit that the crawl itself met says nothing of the file.
  return { ...codes, 'rate-limited': 'unknown' } as const;
}

export const TRANSLATIONS_CODES = {
  ...ofFiles(),
  ...UNJUDGED_CODES,
  'language-missing': 'error',
  'navigation-missing': 'error',
  'home-missing': 'error',
  'page-missing': 'warning',
  'headings-drifted': 'warning',
  'code-drifted': 'warning',
  'tables-drifted': 'warning',
  'prefix-shared': 'warning',
  'prefix-invalid': 'warning',
  'code-invalid': 'warning',
  'code-repeated': 'warning',
  'several-defaults': 'warning',
  untranslated: 'info',
  'one-language': 'skip',
} as const;

export type TranslationsCode = keyof typeof TRANSLATIONS_CODES;
