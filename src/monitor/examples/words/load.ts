import type { Language } from '../../../texts.ts';
import type { ExampleWords } from './words.ts';

/** Loads what `example` says in one language. */
export async function loadExampleWords(language: Language): Promise<ExampleWords> {
  if (language === 'ro') return (await import('./ro.ts')).words;
  if (language === 'fr') return (await import('./fr.ts')).words;
  return (await import('./en.ts')).words;
}
