import { defineCheck, type Draft } from '../../src/check.ts';
import { unjudged } from '../../src/expect/unjudged.ts';
import { TRANSLATIONS_CODES, type TranslationsCode } from './codes.ts';
import { languageDrafts, problemDrafts } from './drafts.ts';
import type { GatheredTranslations } from './gather.ts';

/** Every language of the site has what the default language has. */
export const translations = defineCheck<GatheredTranslations, TranslationsCode>({
  id: 'translations',
  target: '*/**/*.md',
  full: true,
  codes: TRANSLATIONS_CODES,
  gather: async (site) => (await import('./gather.ts')).gather(site),
  judge: (gathered) => Promise.resolve(judge(gathered)),
});

function judge(gathered: GatheredTranslations): readonly Draft<TranslationsCode>[] {
  if ('skip' in gathered) {
    return [gathered.skip === 'no-answer' ? unjudged(gathered.of) : { code: gathered.skip }];
  }
  const { languages, problems, place } = gathered;
  return [...problemDrafts(problems, place), ...languageDrafts(languages)];
}
