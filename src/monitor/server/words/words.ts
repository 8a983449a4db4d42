/** What the server says to people: problems of requests. */
import type { Language } from '../../../texts.ts';
import type { ProblemCode, PROBLEMS } from '../problem.ts';
import { words as en } from './en.ts';
import { words as fr } from './fr.ts';
import { words as ro } from './ro.ts';

/** Every word exists in all languages. */
export interface Words {
  /** What a status says. */
  readonly titles: Readonly<Record<(typeof PROBLEMS)[ProblemCode], string>>;
  /** What is wrong, and what helps. `parameter`: the name of the parameter that it is about; empty: none. */
  readonly details: Readonly<Record<ProblemCode, (parameter: string) => string>>;
  /** What the API is, in its description. */
  readonly api: {
    readonly title: string;
    readonly description: string;
    /** What is answered instead where something is wrong. */
    readonly problem: string;
    readonly operations: Readonly<
      Record<'incidents' | 'incident' | 'sites' | 'site' | 'history' | 'maintenance' | 'openapi', string>
    >;
    readonly parameters: Readonly<
      Record<'site' | 'open' | 'since' | 'before' | 'limit' | 'lang' | 'resolution' | 'from' | 'to', string>
    >;
  };
}

const WORDS: Readonly<Record<Language, Words>> = { en, ro, fr };

/** The words of one language. */
export function wordsIn(language: Language): Words {
  return WORDS[language];
}
