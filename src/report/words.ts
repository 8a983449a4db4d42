/** The words of the reports that machines and reviewers read (Markdown, JUnit, TAP) and that the terminal does not need. */
import type { Severity } from '../check.ts';
import type { Messages } from '../messages/messages.ts';
import type { Language, Texts } from '../texts.ts';
import { words as en } from './words/en.ts';
import { words as fr } from './words/fr.ts';
import { words as ro } from './words/ro.ts';

/** What a report without room for everything leaves out. */
export interface LeftOut {
  /** Findings that are not in it. */
  readonly findings: number;
  /** Rows of the table of checks that are not in it. */
  readonly checks: number;
  /** Where the whole report is, already fit for the output, e.g. a file's name; `null`: in no file. */
  readonly whole: string | null;
}

/** Every word exists in all languages. */
export interface Words {
  /** Headings of the table of checks. */
  readonly status: string;
  readonly check: string;
  readonly target: string;
  readonly time: string;
  /** Headings of what follows it. */
  readonly findings: string;
  readonly skipped: string;
  readonly seen: string;
  /** Before further places of one finding. */
  readonly also: string;
  /** Before what to do where nothing is to be mended: of what is good to know, or could not be told. */
  readonly advice: string;
  fresh(isFresh: boolean): string;
  /** Findings of one code, or places, that are not shown. */
  more(count: number): string;
  leftOut(left: LeftOut): string;
  /** Lines of a text that are not shown. */
  cutLines(count: number): string;
}

const WORDS: Readonly<Record<Language, Words>> = { en, ro, fr };

/** What stands before a fix. */
export function adviceWord(
  severity: Severity,
  { texts, messages }: { readonly texts: Pick<Texts, 'language'>; readonly messages: Pick<Messages, 'fix'> },
): string {
  return severity === 'error' || severity === 'warning' ? messages.fix : wordsIn(texts.language).advice;
}

/** The words of one language. */
export function wordsIn(language: Language): Words {
  return WORDS[language];
}
