import type { Severity } from '../check.ts';
import { reportWords } from '../generated/locales/report.ts';
import type { Messages } from '../locales/messages.ts';
import type { Texts } from '../texts.ts';

/** The word before a fix, or before advice where nothing is broken. */
export function adviceWord(
  severity: Severity,
  { texts, messages }: { readonly texts: Pick<Texts, 'language'>; readonly messages: Pick<Messages, 'fix'> },
): string {
  return severity === 'error' || severity === 'warning' ? messages.fix : reportWords(texts.language).advice;
}
