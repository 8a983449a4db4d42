import { describe, expect, it } from 'vitest';
import { discordBody, ntfyRequest, slackBody, teamsBody, toneOf } from '../../src/monitor/alerts/channels/webhook.ts';
import { messageOf, type Message } from '../../src/monitor/alerts/message.ts';
import type { Alert } from '../../src/monitor/alerts/alert.ts';
import { LANGUAGES, loadTexts, type Language } from '../../src/texts.ts';
import { HOUR, incidentOf, MINUTE, SECOND, siteOf, SIX } from './samples.ts';
import { anyEvidence } from '../reports.ts';
import { alertsWords } from '../../src/generated/locales/alerts.ts';

const HOSTILE = [
  '@everyone <!channel> <@U123> <!here|x> [a](https://evil.example/) `code` *b* _i_ ~s~ |pipe| <script>',
  '\u202e\u001b[2J\r\n\0',
].join(' ');

async function tell(alert: Partial<Alert> = {}, language: Language = 'en'): Promise<Message> {
  const [words, texts] = [alertsWords(language), await loadTexts(language)];
  const telling = { site: siteOf(), words, texts, now: SIX + 45 * SECOND, page: 'https://status.example.com' };
  return messageOf({ key: 'k', event: 'opened', incident: incidentOf(), alsoSites: [], ...alert }, telling);
}

const finding = (text: string, number = 0): ReturnType<typeof incidentOf>['findings'][number] => ({
  check: 'config',
  code: number % 2 === 0 ? 'trailing-comma' : 'syntax',
  evidence: anyEvidence({ one: text, two: text, [text]: [text, { [text]: text }] }),
  location: { path: text, line: 3, column: 5 },
});

const hostile = (): Promise<Message> =>
  tell({
    alsoSites: ['blog'],
    incident: incidentOf({
      findings: [finding(HOSTILE)],
      deploy: { version: HOSTILE, before: HOSTILE, seenAt: SIX },
    }),
  });

/** All that is as large as it can be. */
const huge = (): Promise<Message> =>
  tell({
    alsoSites: Array.from({ length: 999 }, (_, number) => `site-${number}`),
    incident: incidentOf({
      checks: Array.from({ length: 99 }, (_, number) => `check-${number}`),
      codes: Array.from({ length: 99 }, (_, number) => `${'c'.repeat(99)}-${number}`),
      findings: Array.from({ length: 50 }, (_, number) => finding('&'.repeat(9_999), number)),
      deploy: { version: '`'.repeat(9_999), before: '<'.repeat(9_999), seenAt: SIX },
      flapping: true,
    }),
  });

/** Every string in a value. */
function strings(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return Object.values(Object(value) as object).flatMap(strings);
}

interface Blocks {
  readonly blocks: readonly { readonly type: string; readonly text?: { readonly text: string } }[];
}
interface Embeds {
  readonly embeds: readonly [
    {
      title: string;
      description: string;
      fields: readonly { name: string; value: string }[];
      footer: { text: string };
    },
  ];
}

describe('the end of an outage of a site that is degraded', () => {
  it.each(LANGUAGES)('says so, and is no good news, in %s', async (language) => {
    const ended = { event: 'recovered', incident: incidentOf({ recoveredAt: SIX + 31 * SECOND }) } as const;
    const [well, degraded] = [await tell(ended, language), await tell({ ...ended, goesOn: 'degraded' }, language)];
    expect([toneOf(well), toneOf(degraded)]).toEqual(['good', 'warning']);
    expect(degraded.subject).not.toBe(well.subject);
    expect(degraded.lines).toEqual([degraded.words.meaning.degraded, ...well.lines]);
  });
});

describe('the message', () => {
  it('of a recovery says how long it took, and whether that is within the objective', async () => {
    const met = await tell({ event: 'recovered', incident: incidentOf({ recoveredAt: SIX + 31 * SECOND }) });
    expect(met.lines[0]).toBe('recovered in 41 s, recovery time objective 60 s: met');
    expect(met.findings).toEqual([]);
    const missed = await tell({ event: 'recovered', incident: incidentOf({ recoveredAt: SIX + 50_400 }) });
    expect(missed.lines[0]).toBe('recovered in 60.4 s, recovery time objective 60 s: missed');
  });

  it.each(LANGUAGES)('names in %s the site, what fails and what to do', async (language) => {
    const { subject, findings, site } = await tell({}, language);
    expect(subject).toContain('Handbook');
    expect(site).toEqual({ id: 'docs', title: 'Handbook', url: 'https://docs.example.com/' });
    const { problem, fix } = (await loadTexts(language)).finding('config', 'trailing-comma') ?? {};
    const label = { en: 'Text', ro: 'Text', fr: 'Texte\u00a0' }[language];
    expect(findings).toMatchObject([{ problem, fix, evidence: ['config.json:3:5', `${label}: {"a":1,}`] }]);
  });

  it('that tries out a route is marked', async () => {
    expect((await tell({ test: true })).subject).toMatch(/^\[TEST\] /);
  });

  it('has no control and no bidi character', async () => {
    const { words: _, incident: __, ...told } = await hostile();
    for (const text of strings(told)) expect(text).not.toMatch(/[\p{Cc}\u202e]/u);
  });
});

describe('Slack', () => {
  it('mentions nobody and links nowhere', async () => {
    const body = slackBody(await hostile());
    for (const text of strings(body)) {
      // What stands in angle brackets are our own links.
      for (const [, inside = ''] of text.matchAll(/<([^>]*)>/g))
        expect(inside).toMatch(/^https:\/\/(?:docs|status)\.example\.com\/\|/);
    }
    expect(body).toMatchObject({ unfurl_links: false });
  });

  it.each([
    ['little', tell],
    ['much', huge],
    ['hostile things', hostile],
  ])('takes %s', async (_name, make) => {
    const { blocks } = slackBody(await make()) as never as Blocks;
    expect(blocks.length).toBeLessThanOrEqual(50);
    for (const { type, text } of blocks) {
      if (text === undefined) continue;
      expect(text.text.length).toBeGreaterThan(0);
      expect(text.text.length).toBeLessThanOrEqual(type === 'header' ? 150 : 3_000);
    }
  });
});

describe('Discord', () => {
  it('mentions nobody', async () => {
    expect(discordBody(await hostile())).toMatchObject({ allowed_mentions: { parse: [] } });
  });

  it.each([
    ['little', tell],
    ['much', huge],
    ['hostile things', hostile],
  ])('takes %s', async (_name, make) => {
    const [{ title, description, fields, footer }] = (discordBody(await make()) as never as Embeds).embeds;
    expect(title.length).toBeLessThanOrEqual(256);
    expect(description.length).toBeLessThanOrEqual(4_096);
    expect(fields.length).toBeLessThanOrEqual(25);
    for (const { name, value } of fields) {
      expect([name.length > 0, name.length <= 256, value.length > 0, value.length <= 1_024]).not.toContain(false);
    }
    const all = [title, description, footer.text, ...fields.flatMap(({ name, value }) => [name, value])];
    expect(all.join('').length).toBeLessThanOrEqual(6_000);
    // All code that is opened is closed in the same text.
    for (const text of all) expect((text.match(/(?<!\\)`/g) ?? []).length % 2).toBe(0);
  });
});

describe('Teams', () => {
  it.each([
    ['little', tell],
    ['much', huge],
    ['hostile things', hostile],
  ])('takes %s', async (_name, make) => {
    const body = teamsBody(await make());
    expect(Buffer.byteLength(JSON.stringify(body))).toBeLessThan(28 * 1024);
    expect(body).toMatchObject({
      type: 'message',
      attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', content: { type: 'AdaptiveCard' } }],
    });
  });

  it('has what comes from elsewhere in runs of text only, which know no Markdown', async () => {
    const [{ content }] = (
      teamsBody(await hostile()) as never as { attachments: [{ content: { body: { type: string }[] } }] }
    ).attachments;
    expect(new Set(content.body.map(({ type }) => type))).toEqual(new Set(['RichTextBlock']));
  });
});

describe('ntfy', () => {
  const down = { topic: 'ops', priority: 5, tags: ['rotating_light', 'down'], click: 'https://status.example.com/' };
  it.each([
    { given: 'https://ntfy.example.com/ops', url: 'https://ntfy.example.com/' },
    { given: 'https://u:p@ntfy.example.com/ops/?auth=x', url: 'https://u:p@ntfy.example.com/?auth=x' },
    { given: 'https://example.com/ntfy/ops', url: 'https://example.com/ntfy/' },
  ])('takes $given', async ({ given, url }) => {
    const request = ntfyRequest(new URL(given), await tell());
    expect(request?.url.href).toBe(url);
    expect(request?.body).toMatchObject(down);
  });

  it('has to have a topic', async () => {
    expect(ntfyRequest(new URL('https://ntfy.example.com/'), await tell())).toBeNull();
  });

  it('makes no file of what is long', async () => {
    const { body } = ntfyRequest(new URL('https://ntfy.example.com/ops'), await huge()) ?? {};
    const { message } = body as { message: string };
    expect(Buffer.byteLength(message)).toBeLessThanOrEqual(4_096);
    expect(message.isWellFormed()).toBe(true);
  });

  it('is calm about a recovery', async () => {
    const incident = incidentOf({ recoveredAt: SIX + MINUTE });
    const request = ntfyRequest(new URL('https://ntfy.example.com/ops'), await tell({ event: 'recovered', incident }));
    expect(request?.body).toMatchObject({ priority: 3, tags: ['white_check_mark', 'down'] });
  });
});

it('says how long an incident lasts', async () => {
  const since = (ms: number): Promise<Message> =>
    tell({ event: 'reminder', incident: incidentOf({ startedAt: SIX + 45 * SECOND - ms }) });
  const subjects = await Promise.all([5 * MINUTE + 3 * SECOND, 3 * HOUR, 50 * HOUR].map(since));
  const lasting = ['5 min 3 s', '3 h', '2 d 2 h'];
  expect(subjects.map(({ subject }, index) => subject.includes(lasting[index] ?? '?'))).toEqual([true, true, true]);
});
