import type { Language } from '../../../texts.ts';
import type { PageWords } from './words.ts';

/** Loads what the status page says in one language. */
export async function loadPageWords(language: Language): Promise<PageWords> {
  if (language === 'ro') return (await import('./ro.ts')).words;
  if (language === 'fr') return (await import('./fr.ts')).words;
  return (await import('./en.ts')).words;
}
