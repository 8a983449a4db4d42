import type { Language } from '../../../texts.ts';
import type { DrillWords } from './words.ts';

/** Loads what `drill` says in one language. */
export async function loadDrillWords(language: Language): Promise<DrillWords> {
  if (language === 'ro') return (await import('./ro.ts')).words;
  if (language === 'fr') return (await import('./fr.ts')).words;
  return (await import('./en.ts')).words;
}
