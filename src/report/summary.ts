import type { Report } from '../check.ts';
import type { Messages } from '../messages/messages.ts';
import { countStatuses } from './document.ts';
import { staleSentence } from './stale.ts';

/** What goes with the verdict in one sentence: how many checks ended how; of an old site what is old. May name files of the site. */
export function summaryOf(report: Report, messages: Pick<Messages, 'summary' | 'waiting'>): string {
  const { verdict, checks, durationMs } = report;
  return staleSentence(report, messages) ?? messages.summary(verdict, countStatuses(checks), durationMs);
}
