import { defineCheck } from '../../src/check.ts';
import { TRANSLATIONS_CODES, type TranslationsCode } from './codes.ts';
import type { GatheredTranslations } from './gather.ts';

/** Every language of the site has what the default language has. */
export const translations = defineCheck<GatheredTranslations, TranslationsCode>({
  id: 'translations',
  target: '*/**/*.md',
  full: true,
  codes: TRANSLATIONS_CODES,
  gather: async (site) => (await import('./work.ts')).gather(site),
  judge: async (gathered) => (await import('./work.ts')).judge(gathered),
});
