/** Messages for tests of what channels send. */
import type { Alert } from '../../src/monitor/alerts/alert.ts';
import { messageOf, type Message } from '../../src/monitor/alerts/message.ts';
import { alertsWords } from '../../src/generated/locales/alerts.ts';
import type { Language } from '../../src/locales/language.ts';
import { loadTexts } from '../../src/report/texts.ts';
import { anyEvidence } from '../reports.ts';
import { incidentOf, SECOND, siteOf, SIX } from './samples.ts';

/** Markup of every chat service, mentions and control characters. */
const HOSTILE = [
  '@everyone <!channel> <@U123> <!here|x> [a](https://evil.example/) `code` *b* _i_ ~s~ |pipe| <script>',
  '\u202e\u001b[2J\r\n\0',
].join(' ');

/** The message about an incident of today. */
export async function messageFor(alert: Partial<Alert> = {}, language: Language = 'en'): Promise<Message> {
  const [words, texts] = [alertsWords(language), await loadTexts(language)];
  const context = { site: siteOf(), words, texts, now: SIX + 45 * SECOND, page: 'https://status.example.com' };
  return messageOf({ key: 'k', event: 'opened', incident: incidentOf(), alsoSites: [], ...alert }, context);
}

const finding = (text: string, number = 0): ReturnType<typeof incidentOf>['findings'][number] => ({
  check: 'config',
  rule: number % 2 === 0 ? 'config/trailing-comma' : 'config/syntax',
  evidence: anyEvidence({ one: text, two: text, [text]: [text, { [text]: text }] }),
  location: { path: text, line: 3, column: 5 },
});

/** A message about a site whose texts are hostile. */
export const hostileMessage = (): Promise<Message> =>
  messageFor({
    alsoSites: ['blog'],
    incident: incidentOf({
      findings: [finding(HOSTILE)],
      deploy: { version: HOSTILE, before: HOSTILE, seenAt: SIX },
    }),
  });

/** A message whose parts are as large as they can be. */
export const hugeMessage = (): Promise<Message> =>
  messageFor({
    alsoSites: Array.from({ length: 999 }, (_, number) => `site-${number}`),
    incident: incidentOf({
      checks: Array.from({ length: 99 }, (_, number) => `check-${number}`),
      rules: Array.from({ length: 99 }, (_, number) => `config/${'c'.repeat(99)}-${number}`),
      findings: Array.from({ length: 50 }, (_, number) => finding('&'.repeat(9_999), number)),
      deploy: { version: '`'.repeat(9_999), before: '<'.repeat(9_999), seenAt: SIX },
      flapping: true,
    }),
  });

/** Every string in a value. */
export function strings(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return Object.values(Object(value) as object).flatMap(strings);
}
