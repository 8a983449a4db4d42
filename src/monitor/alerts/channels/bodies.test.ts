/** What each service is sent, byte by byte: `fixtures` has it (`npx vitest run --project unit -u` writes it again). */
import { describe, expect, it } from 'vitest';
import { incidentOf, HOUR, MINUTE, SIX } from '../../../../test/alerts/samples.ts';
import { hostileMessage, messageFor } from '../../../../test/alerts/messages.ts';
import { plainLines, type Message } from '../message.ts';
import { htmlOf } from './email.ts';
import { discordBody, ntfyRequest, slackBody, teamsBody } from './webhook.ts';

const MESSAGES: Readonly<Record<string, () => Promise<Message>>> = {
  opened: () => messageFor(),
  'opened-elsewhere': () =>
    messageFor(
      {
        alsoSites: ['blog', 'api'],
        incident: incidentOf({ flapping: true, deploy: { version: '2.0.0', before: '1.9.0', seenAt: SIX - MINUTE } }),
      },
      'fr',
    ),
  reminder: () => messageFor({ event: 'reminder' }, 'ro'),
  recovered: () =>
    messageFor({ event: 'recovered', incident: incidentOf({ recoveredAt: SIX + HOUR, notifiedAt: SIX + MINUTE }) }),
  hostile: hostileMessage,
};

const BODIES = {
  slack: slackBody,
  discord: discordBody,
  teams: teamsBody,
  ntfy: (message: Message) => ntfyRequest(new URL('https://ntfy.example/docs'), message),
};

const TEXTS = { 'email-html.txt': htmlOf, 'email-text.txt': (message: Message) => plainLines(message).join('\n') };

describe.each(Object.entries(MESSAGES))('%s', (name, messageOf) => {
  it('is sent as in the fixtures', async () => {
    const message = await messageOf();
    for (const [service, bodyOf] of Object.entries(BODIES)) {
      await expect(`${JSON.stringify(bodyOf(message), null, 2)}\n`).toMatchFileSnapshot(
        `fixtures/${name}.${service}.txt`,
      );
    }
    for (const [file, textOfMessage] of Object.entries(TEXTS)) {
      await expect(`${textOfMessage(message)}\n`).toMatchFileSnapshot(`fixtures/${name}.${file}`);
    }
  });
});
