/** What every part of the page needs to be told with. */
import type { Report } from '../../check.ts';
import type { Messages } from '../../messages/messages.ts';
import type { Texts } from '../../texts.ts';
import type { Locate, ReportOptions } from '../options.ts';
import { Budget } from './budget.ts';
import { wordsIn, type Words } from './words.ts';

/** Characters of findings that a file has at most. A browser opens twice as much at once, and a mail takes it. */
const MOST_CHARACTERS = 2_000_000;

export interface HtmlContext {
  readonly texts: Texts;
  readonly messages: Messages;
  readonly words: Words;
  readonly locate: Locate;
  readonly report: Report;
  readonly budget: Budget;
  /** Each fix with the finding that it was told for, as `<check id>/<code>`. */
  readonly reportedFixes: Map<string, string>;
}

/** A new telling of a report. How much a terminal shows and how wide it is means nothing here. */
export function htmlContextOf(report: Report, { texts, messages, locate }: ReportOptions): HtmlContext {
  const words = wordsIn(texts.language);
  return { texts, messages, words, locate, report, budget: new Budget(MOST_CHARACTERS), reportedFixes: new Map() };
}
