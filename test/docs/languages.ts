/** Where the translations of a page are. */
import type { Language } from '../../src/locales/language.ts';

/** Languages of the translations, each in its own folder of `docs`. */
export const TRANSLATIONS = ['ro', 'fr'] as const;

/** The path of a page in a language; the README has none but its own. */
export const inLanguage = (page: string, language: Language): string =>
  language === 'en' ? page : page.replace(/^docs\//, `docs/${language}/`);
