/** What every part of the page needs. */
import type { Report } from '../../check.ts';
import type { Texts } from '../../texts.ts';
import type { Locate, ReportOptions } from '../options.ts';
import type { Markup } from './markup.ts';
import type { Messages } from '../../locales/messages.ts';
import { htmlWords, type HtmlWords } from '../../generated/locales/html.ts';

/** Characters of findings that a file has at most. A browser opens twice as much at once, and a mail takes it. */
const MOST_CHARACTERS = 2_000_000;

export interface HtmlContext {
  readonly texts: Texts;
  readonly messages: Messages;
  readonly words: HtmlWords;
  readonly locate: Locate;
  readonly report: Report;
  readonly budget: Budget;
  /** Each fix with the finding that it was told for, as `<check id>/<code>`. */
  readonly reportedFixes: Map<string, string>;
}

/** A new telling of a report. How much a terminal shows and how wide it is means nothing here. */
export function htmlContextOf(report: Report, { texts, messages, locate }: ReportOptions): HtmlContext {
  const words = htmlWords(texts.language);
  return { texts, messages, words, locate, report, budget: new Budget(MOST_CHARACTERS), reportedFixes: new Map() };
}

/** How much more may be told of findings, so that a file stays one that opens, whatever a site has. */
class Budget {
  #left: number;

  /** @param characters of HTML, in UTF-16 units */
  constructor(characters: number) {
    this.#left = characters;
  }

  /** Whether there was room for a piece; it is taken. Once a piece was too long, no later one fits either. */
  take({ html }: Markup): boolean {
    this.#left -= html.length;
    return this.#left >= 0;
  }
}
