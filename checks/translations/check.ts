import { defineCheck } from '../../src/check.ts';
import { TRANSLATIONS_RULES, type TranslationsRule } from './rules.ts';
import type { GatheredTranslations } from './gather.ts';

/** Every language of the site has what the default language has. */
export const translations = defineCheck<GatheredTranslations, TranslationsRule>({
  id: 'translations',
  target: '*/**/*.md',
  full: true,
  rules: TRANSLATIONS_RULES,
  gather: async (site) => (await import('./implementation.ts')).gather(site),
  evaluate: async (gathered) => (await import('./implementation.ts')).judge(gathered),
});
