import { describe } from 'vitest';
import { areSaidInEveryLanguage } from '../../../../test/words.ts';
import { LANGUAGES } from '../../../texts.ts';
import { loadAlertWords, type AlertWords } from './words.ts';

const VERDICTS = ['down', 'degraded', 'stale'] as const;
const EVENTS = ['opened', 'reminder', 'recovered'] as const;

/** Every sentence by its name, with values that stand out. */
function sentences(words: AlertWords): Record<string, string> {
  const { command } = words;
  const said: Record<string, string> = {
    recovered: words.recovered('<one>', '<two>', true),
    missed: words.recovered('<one>', '<two>', false),
    objective: words.objective('<one>', false),
    passed: words.objective('<one>', true),
    also: words.also(['<one>', '<two>']),
    deploy: words.deploy('<one>', null, '<two>'),
    'deploy before': words.deploy('<one>', '<two>', '<three>'),
    added: words.issueChanged(['<one>'], []),
    gone: words.issueChanged([], ['<one>']),
    changed: words.issueChanged(['<one>'], ['<two>']),
    sent: command.sent('<one>', '<two>', '<three>'),
    notSent: command.notSent('<one>', '<two>', '<three>', '<four>'),
    testNote: words.testNote,
    flapping: words.flapping,
    sentBy: words.sentBy,
    reopened: words.issueReopened,
    closed: words.issueRecovered,
    noneWaits: command.noneWaits,
  };
  for (const verdict of VERDICTS) said[`meaning ${verdict}`] = words.meaning[verdict];
  for (const verdict of VERDICTS) said[`up again ${verdict}`] = words.upAgain(verdict, '<one>', '<two>');
  for (const event of EVENTS) {
    for (const verdict of VERDICTS) said[`${event} ${verdict}`] = words.subject(event, verdict, '<one>', '<two>');
  }
  for (const count of [1, 2, 20]) {
    said[`more ${count}`] = words.more(count);
    said[`others ${count}`] = command.others(count);
  }
  return said;
}

const EVERY = await Promise.all(LANGUAGES.map(async (language) => sentences(await loadAlertWords(language))));

describe('what alerts say', () => {
  areSaidInEveryLanguage(EVERY);
});
