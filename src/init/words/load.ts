import type { Language } from '../../texts.ts';
import type { InitWords } from './words.ts';

/** Loads what `init` says in one language. */
export async function loadInitWords(language: Language): Promise<InitWords> {
  if (language === 'ro') return (await import('./ro.ts')).words;
  if (language === 'fr') return (await import('./fr.ts')).words;
  return (await import('./en.ts')).words;
}
