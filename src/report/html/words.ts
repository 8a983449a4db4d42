/** The words of the HTML report that no other output needs. */
import type { FreshBy, Verdict } from '../../check.ts';
import type { Language } from '../../texts.ts';
import { words as en } from './words/en.ts';
import { words as fr } from './words/fr.ts';
import { words as ro } from './words/ro.ts';

/** Numbers come as they are counted and are written by the words; other strings are already written out. */
export interface Words {
  /** What a verdict means to those who use the site. */
  readonly meanings: Readonly<Record<Verdict, string>>;
  /** Degraded by nothing but warnings. */
  readonly strict: string;
  readonly checkedAt: string;
  readonly duration: string;
  readonly tool: string;
  readonly version: string;
  readonly fresh: string;
  readonly old: string;
  readonly waiting: string;
  /** `elapsed` and `atMost` are durations; the last requests may end after the limit. */
  waited(elapsed: string, atMost: string, runs: number): string;
  readonly waitedFor: Readonly<Record<FreshBy, string>>;
  readonly firstNew: string;
  readonly allNew: string;
  readonly allGreen: string;
  readonly notReached: string;
  readonly checks: string;
  readonly status: string;
  readonly check: string;
  readonly target: string;
  readonly time: string;
  readonly contents: string;
  readonly findings: string;
  readonly cause: string;
  readonly passed: string;
  readonly skipped: string;
  readonly fix: string;
  /** The same of what is good to know, or could not be told. */
  readonly advice: string;
  /** Before the name of the finding that the fix was told for. */
  readonly sameFix: string;
  readonly action: string;
  readonly also: string;
  readonly onSite: string;
  /** Of a file whose lines are not those of what is live. */
  readonly otherVersion: string;
  readonly note: string;
  readonly requests: (count: number) => string;
  readonly attempts: (count: number) => string;
  readonly moreFindings: (count: number) => string;
  readonly morePlaces: (count: number) => string;
  readonly leftOut: (count: number) => string;
  /** Characters, entries or members of a value that are not shown. */
  readonly cut: (count: number) => string;
  readonly dns: string;
  readonly connect: string;
  readonly tls: string;
  readonly firstByte: string;
  readonly total: string;
  readonly madeBy: string;
}

const WORDS: Readonly<Record<Language, Words>> = { en, ro, fr };

/** The words of one language. */
export function wordsIn(language: Language): Words {
  return WORDS[language];
}
