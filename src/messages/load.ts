import type { Language } from '../texts.ts';
import { messages as english } from './en.ts';
import type { Messages } from './messages.ts';

/** Loads the messages of one language; those that most runs need are there. */
export async function loadMessages(language: Language): Promise<Messages> {
  if (language === 'ro') return (await import('./ro.ts')).messages;
  if (language === 'fr') return (await import('./fr.ts')).messages;
  return english;
}
