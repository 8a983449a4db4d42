import { numberIn } from '../../messages/number.ts';
import type { Words } from '../words.ts';

const number = (count: number): string => numberIn('en', count);
const counted = (count: number, one: string, many: string): string => `${number(count)} ${count === 1 ? one : many}`;

export const words: Words = {
  status: 'Status',
  check: 'Check',
  target: 'Target',
  time: 'Time',
  findings: 'Findings',
  skipped: 'Skipped',
  seen: 'What was seen',
  also: 'also at',
  advice: 'What to do:',
  fresh: (isFresh) => (isFresh ? 'The expected version is live.' : 'What is live is not the expected version.'),
  more: (count) => `… and ${number(count)} more`,
  leftOut({ findings, checks, whole }) {
    const what = [
      ...(findings === 0 ? [] : [counted(findings, 'finding', 'findings')]),
      ...(checks === 0 ? [] : [counted(checks, 'row of the table', 'rows of the table')]),
      ...(findings + checks === 0 ? ['what was seen'] : []),
    ].join(' and ');
    const where =
      whole === null ? 'docvitals check with --format json shows everything.' : `The whole report: ${whole}`;
    return `Too long for this place, so left out: ${what}. ${where}`;
  },
  cutLines: (count) => `… ${counted(count, 'line', 'lines')} more left out; --format json shows everything.`,
};
