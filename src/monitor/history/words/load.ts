import type { Language } from '../../../texts.ts';
import type { HistoryWords } from './words.ts';

/** Loads what is said of the past in one language. */
export async function loadHistoryWords(language: Language): Promise<HistoryWords> {
  if (language === 'ro') return (await import('./ro.ts')).words;
  if (language === 'fr') return (await import('./fr.ts')).words;
  return (await import('./en.ts')).words;
}
