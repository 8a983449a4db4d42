import { createHmac } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Alert, SendResult } from '../alert.ts';
import { createSend } from '../send.ts';
import type { Channel } from './index.ts';
import { discordBody, ntfyRequest, slackBody, teamsBody } from './webhook.ts';
import type { AlertRoute } from '../../settings.ts';
import { hostileMessage, hugeMessage, messageFor, strings } from '../../../../test/alerts/messages.ts';
import { startReceiver, status, type Answering, type Receiver } from '../../../../test/alerts/receiver.ts';
import { HOUR, incidentOf, MINUTE, routeOf, SECOND, siteOf, SIX, WEBHOOK } from '../../../../test/alerts/samples.ts';

let receiver: Receiver;
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(() => receiver.stop());

const NOW = SIX + 45 * SECOND;
const KEY = `${incidentOf().id}:opened:ops`;

const alertOf = (rest: Partial<Alert> = {}): Alert => ({
  key: KEY,
  event: 'opened',
  incident: incidentOf(),
  alsoSites: [],
  ...rest,
});

const send = createSend({
  settings: () => ({ sites: [siteOf()], page: { title: null, url: 'https://status.example.com', language: 'en' } }),
  env: {},
  now: () => NOW,
});

const channel = (rest: Partial<Extract<Channel, { kind: 'webhook' }>> = {}): AlertRoute =>
  routeOf({
    channel: {
      ...WEBHOOK,
      kind: 'webhook',
      url: `${receiver.url}/hooks/T0KEN-of-it?key=s3cret-too`,
      template: 'json',
      secret: null,
      headers: {},
      ...rest,
    },
  });

const post = (route: AlertRoute, alert = alertOf(), signal = new AbortController().signal): Promise<SendResult> =>
  send(route, alert, signal);

const sentBody = (): Record<string, unknown> =>
  JSON.parse(receiver.received[0]?.body ?? '{}') as Record<string, unknown>;

describe('the JSON of a webhook', () => {
  const incident = {
    id: 'docs-20261120T180000000',
    site: 'docs',
    verdict: 'down',
    checks: ['config'],
    rules: ['config/trailing-comma'],
    startedAt: '2026-11-20T17:59:50.000Z',
    detectedAt: '2026-11-20T18:00:00.000Z',
    notifiedAt: null,
    recoveredAt: null,
    durationMs: null,
    recoveryTimeObjectiveMs: 60_000,
    recoveryTimeObjectiveMet: null,
  };

  it('has exactly the keys that callers rely on, and its id in a header', async () => {
    expect(await post(channel())).toEqual({ ok: true, status: 200 });
    expect(sentBody()).toEqual({
      id: KEY,
      event: 'opened',
      site: { id: 'docs', url: 'https://docs.example.com/' },
      incident,
      findings: [
        {
          check: 'config',
          rule: 'config/trailing-comma',
          problem: expect.any(String) as string,
          fix: expect.any(String) as string,
          location: { path: 'config.json', line: 3, column: 5 },
          excerpt: null,
        },
      ],
      language: 'en',
    });
    const { method, path, headers } = receiver.received[0] ?? {};
    expect({ method, path }).toEqual({ method: 'POST', path: '/hooks/T0KEN-of-it?key=s3cret-too' });
    expect(headers).toMatchObject({ 'idempotency-key': KEY, 'content-type': 'application/json; charset=utf-8' });
    expect(headers).not.toHaveProperty('webhook-signature');
  });

  it('reports the recovery', async () => {
    const over = incidentOf({ notifiedAt: SIX + SECOND, recoveredAt: SIX + 31 * SECOND });
    await post(channel(), alertOf({ event: 'recovered', incident: over }));
    const recovery = {
      notifiedAt: '2026-11-20T18:00:01.000Z',
      recoveredAt: '2026-11-20T18:00:31.000Z',
      durationMs: 41_000,
    };
    expect(sentBody()).toMatchObject({
      event: 'recovered',
      incident: { ...incident, ...recovery, recoveryTimeObjectiveMet: true },
    });
  });

  it.each(['ro', 'fr'] as const)('speaks %s where the route does', async (language) => {
    await post({ ...channel(), language });
    await post(channel());
    const [own, english] = receiver.received.map(
      (one) => JSON.parse(one.body) as { language: string; findings: unknown },
    );
    expect(own?.language).toBe(language);
    expect(own?.findings).not.toEqual(english?.findings);
  });

  it('reports a site and of findings that are not known any more', async () => {
    const findings = [{ check: 'gone', rule: 'gone/unknown', evidence: {}, location: null }];
    await post(channel(), alertOf({ incident: incidentOf({ site: 'old', findings }) }));
    expect(sentBody()).toMatchObject({
      site: { id: 'old', url: null },
      findings: [{ problem: 'gone/unknown', fix: '' }],
    });
  });
});

describe('the signature of a webhook', () => {
  it.each([
    { name: 'a text', secret: 'correct horse', key: Buffer.from('correct horse') },
    {
      name: 'base64',
      secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
      key: Buffer.from('MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'base64'),
    },
  ])('is that of Standard Webhooks, with $name as secret', async ({ secret, key }) => {
    await post(channel({ secret }));
    const [one] = receiver.received;
    const timestamp = String(Math.floor(NOW / 1000));
    const wanted = createHmac('sha256', key).update(`${KEY}.${timestamp}.${one?.body}`).digest('base64');
    expect(one?.headers).toMatchObject({
      'webhook-id': KEY,
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,${wanted}`,
    });
  });

  it('goes with headers of the user, which replace none of ours', async () => {
    await post(channel({ headers: { Authorization: 'Bearer t0ken', 'Content-Type': 'text/plain' } }));
    expect(receiver.received[0]?.headers).toMatchObject({
      authorization: 'Bearer t0ken',
      'content-type': 'application/json; charset=utf-8',
    });
  });
});

describe('a receiver', () => {
  const failed = { ok: false, permanent: false, retryAfterMs: null };
  const json = { 'content-type': 'application/json' };
  it.each<{ name: string; answer: Answering; result: unknown }>([
    { name: 'that answers 204 has it', answer: status(204), result: { ok: true, status: 204 } },
    { name: 'that answers 202 has it', answer: status(202), result: { ok: true, status: 202 } },
    { name: 'that is ill is tried again', answer: status(503), result: { ...failed, error: 'http 503' } },
    {
      name: 'that is asked too often says when',
      answer: status(429, { 'retry-after': '7' }),
      result: { ...failed, error: 'http 429', retryAfterMs: 7_000 },
    },
    {
      name: 'may say so by a date',
      answer: status(503, { 'retry-after': new Date(NOW + HOUR).toUTCString() }),
      result: { ...failed, error: 'http 503', retryAfterMs: HOUR },
    },
    {
      name: 'may say so by a date that is past',
      answer: status(503, { 'retry-after': new Date(NOW - HOUR).toUTCString() }),
      result: { ...failed, error: 'http 503', retryAfterMs: 0 },
    },
    {
      name: 'may say nonsense',
      answer: status(503, { 'retry-after': 'soon' }),
      result: { ...failed, error: 'http 503' },
    },
    {
      name: 'that is not there for good is another thing',
      answer: status(404, json, '{"error":"no_service"}'),
      result: { ...failed, permanent: true, error: 'http 404: {"error":"no_service"}' },
    },
    {
      name: 'that repeats a secret does not get it told',
      answer: status(403, { 'content-type': 'text/plain' }, 'no T0KEN-of-it\n\u001b[31mwith s3cret-too'),
      result: { ...failed, permanent: true, error: 'http 403: no [hidden] ␛[31mwith [hidden]' },
    },
    {
      name: 'that redirects is not followed',
      answer: status(302, { location: '/elsewhere' }),
      result: { ...failed, permanent: true, error: 'http 302' },
    },
    {
      name: 'that sends without end has it',
      answer: (response) => {
        response.writeHead(200);
        const more = (): void => void (response.destroyed || response.write('x'.repeat(65_536), more));
        more();
      },
      result: { ok: true, status: 200 },
    },
    {
      name: 'that hangs up is tried again',
      answer: (response) => response.socket?.destroy(),
      result: { ...failed, error: 'ECONNRESET' },
    },
    {
      name: 'that speaks no HTTP is tried again',
      answer: (response) => response.socket?.end('220 mail ready\r\n'),
      result: { ...failed, error: 'bad-framing' },
    },
  ])('$name', async ({ answer, result }) => {
    receiver.answer = answer;
    expect(await post(channel())).toEqual(result);
    expect(receiver.received).toHaveLength(1);
  });

  it('that is silent is left when nobody waits any more', async () => {
    const stopping = new AbortController();
    receiver.answer = () => stopping.abort();
    expect(await post(channel(), alertOf(), stopping.signal)).toEqual({ ...failed, error: 'aborted' });
  });

  it.each([
    { name: 'is not there', url: 'http://127.0.0.1:9/', result: { ...failed, error: 'ECONNREFUSED' } },
    { name: 'has no address', url: 'nonsense', result: { ...failed, permanent: true, error: 'bad-address' } },
  ])('that $name is reported', async ({ url, result }) => {
    expect(await post(channel({ url }))).toEqual(result);
  });
});

it('goes through the proxy of the environment', async () => {
  const through = createSend({
    settings: () => ({ sites: [], page: { title: null, url: null, language: 'en' } }),
    env: { http_proxy: receiver.url },
    now: () => NOW,
  });
  const route = channel({ url: 'http://hooks.example.com/T0KEN' });
  expect(await through(route, alertOf(), new AbortController().signal)).toEqual({ ok: true, status: 200 });
  expect(receiver.received[0]?.path).toBe('http://hooks.example.com/T0KEN');
});

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

describe('Slack', () => {
  it('mentions nobody and links nowhere', async () => {
    const body = slackBody(await hostileMessage());
    for (const text of strings(body)) {
      // What stands in angle brackets are our own links.
      for (const [, inside = ''] of text.matchAll(/<([^>]*)>/g))
        expect(inside).toMatch(/^https:\/\/(?:docs|status)\.example\.com\/\|/);
    }
    expect(body).toMatchObject({ unfurl_links: false });
  });

  it.each([
    ['little', messageFor],
    ['much', hugeMessage],
    ['hostile things', hostileMessage],
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
    expect(discordBody(await hostileMessage())).toMatchObject({ allowed_mentions: { parse: [] } });
  });

  it.each([
    ['little', messageFor],
    ['much', hugeMessage],
    ['hostile things', hostileMessage],
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
    ['little', messageFor],
    ['much', hugeMessage],
    ['hostile things', hostileMessage],
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
      teamsBody(await hostileMessage()) as never as { attachments: [{ content: { body: { type: string }[] } }] }
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
    const request = ntfyRequest(new URL(given), await messageFor());
    expect(request?.url.href).toBe(url);
    expect(request?.body).toMatchObject(down);
  });

  it('has to have a topic', async () => {
    expect(ntfyRequest(new URL('https://ntfy.example.com/'), await messageFor())).toBeNull();
  });

  it('makes no file of what is long', async () => {
    const { body } = ntfyRequest(new URL('https://ntfy.example.com/ops'), await hugeMessage()) ?? {};
    const { message } = body as { message: string };
    expect(Buffer.byteLength(message)).toBeLessThanOrEqual(4_096);
    expect(message.isWellFormed()).toBe(true);
  });

  it('is calm about a recovery', async () => {
    const incident = incidentOf({ recoveredAt: SIX + MINUTE });
    const request = ntfyRequest(
      new URL('https://ntfy.example.com/ops'),
      await messageFor({ event: 'recovered', incident }),
    );
    expect(request?.body).toMatchObject({ priority: 3, tags: ['white_check_mark', 'down'] });
  });
});
