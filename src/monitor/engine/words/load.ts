import type { Language } from '../../../texts.ts';
import type { EngineWords } from './words.ts';

/** Loads what the monitor's commands say in one language. */
export async function loadEngineWords(language: Language): Promise<EngineWords> {
  if (language === 'ro') return (await import('./ro.ts')).words;
  if (language === 'fr') return (await import('./fr.ts')).words;
  return (await import('./en.ts')).words;
}
