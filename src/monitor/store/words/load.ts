import type { Language } from '../../../texts.ts';
import type { StoreWords } from './words.ts';

/** Loads what is said of databases in one language. */
export async function loadStoreWords(language: Language): Promise<StoreWords> {
  if (language === 'ro') return (await import('./ro.ts')).words;
  if (language === 'fr') return (await import('./fr.ts')).words;
  return (await import('./en.ts')).words;
}
