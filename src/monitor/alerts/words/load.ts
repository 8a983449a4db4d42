import type { Language } from '../../../texts.ts';
import type { AlertWords } from './words.ts';

/** Loads what alerts say in one language. */
export async function loadAlertWords(language: Language): Promise<AlertWords> {
  if (language === 'ro') return (await import('./ro.ts')).words;
  if (language === 'fr') return (await import('./fr.ts')).words;
  return (await import('./en.ts')).words;
}
