import { generate } from 'selfsigned';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { afterEach, describe, expect, it } from 'vitest';
import { mailServer } from './email.ts';
import type { Alert, SendResult } from '../alert.ts';
import { createSend } from '../send.ts';
import { incidentOf, routeOf, SECOND, siteOf, SIX } from '../../../../test/alerts/samples.ts';
import { anyEvidence } from '../../../../test/reports.ts';

const ID = incidentOf().id;
const TO = ['ops@example.com', 'Boss <boss@example.com>'];

let server: SMTPServer | undefined;
afterEach(() => new Promise<void>((resolve) => (server === undefined ? resolve() : server.close(() => resolve()))));

interface Got {
  readonly to: readonly string[];
  readonly mail: Email;
  readonly source: string;
}

/** A mail server on loopback, without TLS by default; resolves with its port and what it gets. */
async function listen(options: SMTPServerOptions = {}): Promise<{ port: number; got: Got[] }> {
  const got: Got[] = [];
  server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    onData(stream, session, done) {
      const keep = async (): Promise<void> => {
        const source = Buffer.concat((await stream.toArray()) as Buffer[]).toString('utf8');
        const to = session.envelope.rcptTo.map(({ address }) => address);
        got.push({ to, mail: await PostalMime.parse(source), source });
      };
      void keep().finally(() => done());
    },
    ...options,
  });
  server.on('error', () => {});
  const listening = server.listen(0, '127.0.0.1');
  await new Promise((resolve) => listening.once('listening', resolve));
  return { port: (listening.address() as { port: number }).port, got };
}

const newSend = (): ReturnType<typeof createSend> =>
  createSend({
    settings: () => ({ sites: [siteOf()], page: { title: null, url: null, language: 'en' } }),
    env: {},
    now: () => SIX + 45 * SECOND,
  });

function mail(address: string, alert: Partial<Alert> = {}, send = newSend()): Promise<SendResult> {
  const route = routeOf({ channel: { kind: 'email', server: address, from: 'Monitor <monitor@example.com>', to: TO } });
  const event = alert.event ?? 'opened';
  const whole = { key: `${ID}:${event}:ops`, event, incident: incidentOf(), alsoSites: [], ...alert };
  return send(route, whole, new AbortController().signal);
}

describe('a mail', () => {
  it('goes to everybody, in text and HTML, marked as sent by a machine', async () => {
    const { port, got } = await listen();
    expect(await mail(`smtp://127.0.0.1:${port}`)).toEqual({ ok: true, status: null });
    expect(got).toHaveLength(1);
    const [{ to, mail: one } = { to: [], mail: {} as Email }] = got;
    expect(to).toEqual(['ops@example.com', 'boss@example.com']);
    expect(one.from?.address).toBe('monitor@example.com');
    expect(one.headers).toContainEqual(expect.objectContaining({ key: 'auto-submitted', value: 'auto-generated' }));
    for (const text of [one.text, one.html]) {
      for (const part of ['config/trailing-comma', 'config.json:3:5', 'https://docs.example.com/']) {
        expect(text).toContain(part);
      }
      expect(text).not.toContain('letmein1');
    }
  });

  it('has the same id each time, and those of an incident stand together', async () => {
    const { port, got } = await listen();
    const recovered = { event: 'recovered', incident: incidentOf({ recoveredAt: SIX + 31 * SECOND }) } as const;
    const reminder = { event: 'reminder', key: `${ID}:reminder:2:ops` } as const;
    for (const alert of [{}, {}, reminder, recovered]) await mail(`smtp://127.0.0.1:${port}`, alert);
    const [first, again, second, last] = got.map((one) => one.mail);
    expect(again?.messageId).toBe(first?.messageId);
    expect(first?.inReplyTo).toBeUndefined();
    expect(new Set([first, second, last].map((one) => one?.messageId)).size).toBe(3);
    expect([second, last].map((one) => one?.inReplyTo)).toEqual([first?.messageId, first?.messageId]);
    expect(last?.references).toBe(first?.messageId);
  });

  it('takes nothing from a hostile site for a header or for markup', async () => {
    const { port, got } = await listen();
    const hostile = 'x\r\nBcc: all@example.com\r\n\r\n<script>alert(1)</script>\u202e\u001b[2J';
    const findings = [
      {
        check: 'config',
        rule: `config/${hostile}`,
        evidence: anyEvidence({ [hostile]: hostile }),
        location: { path: hostile, line: 1, column: 1 },
      },
    ];
    const incident = incidentOf({
      findings,
      rules: [`config/${hostile}`],
      deploy: { version: hostile, before: hostile, seenAt: SIX },
    });
    await mail(`smtp://127.0.0.1:${port}`, { incident, alsoSites: [hostile] });
    const [{ to, mail: one, source } = { to: [], mail: {} as Email, source: '' }] = got;
    expect(to).toEqual(['ops@example.com', 'boss@example.com']);
    expect(one.bcc).toBeUndefined();
    expect(source.slice(0, source.indexOf('\r\n\r\n'))).not.toMatch(/^Bcc:/im);
    expect(one.html).not.toContain('<script');
    for (const text of [one.html, one.text]) expect(text).not.toMatch(/[^\P{C}\r\n\t]/u);
  });

  it.each([
    ['ro', 'indisponibil'],
    ['fr', 'indisponible'],
  ] as const)('speaks %s', async (language, word) => {
    const { port, got } = await listen();
    const channel = { kind: 'email', server: `smtp://127.0.0.1:${port}`, from: 'm@example.com', to: TO } as const;
    const alert = { key: 'a:opened:ops', event: 'opened', incident: incidentOf(), alsoSites: [] } as const;
    await newSend()(routeOf({ language, channel }), alert, new AbortController().signal);
    expect(got[0]?.mail.subject).toContain(word);
    expect(got[0]?.mail.html).toContain(`lang="${language}"`);
  });
});

describe('a mail server', () => {
  it('is logged in to', async () => {
    const users: string[] = [];
    const { port } = await listen({
      allowInsecureAuth: true,
      onAuth: ({ username, password }, _session, done) => {
        users.push(username ?? '', password ?? '');
        done(null, { user: username ?? '' });
      },
    });
    expect(await mail(`smtp://monitor:p%40ss%3Aword@127.0.0.1:${port}`)).toMatchObject({ ok: true });
    expect(users).toEqual(['monitor', 'p@ss:word']);
  });

  it('that does not know us is reported without the password', async () => {
    const { port } = await listen({
      allowInsecureAuth: true,
      onAuth: ({ password }, _session, done) => done(new Error(`no ${password}`)),
    });
    const result = await mail(`smtp://monitor:sw0rdfish@127.0.0.1:${port}`);
    expect(result).toMatchObject({ ok: false, permanent: true });
    expect(JSON.stringify(result)).not.toContain('sw0rdfish');
  });

  it.each([
    { name: 'for now is tried again', code: 451, permanent: false },
    { name: 'for good is tried more slowly', code: 550, permanent: true },
  ])('that refuses a mail $name', async ({ code, permanent }) => {
    const refused = Object.assign(new Error('not now'), { responseCode: code });
    const { port } = await listen({ onMailFrom: (_address, _session, done) => done(refused) });
    expect(await mail(`smtp://127.0.0.1:${port}`)).toMatchObject({ ok: false, permanent });
  });

  it('that puts one recipient off gets the mail again for that one only', async () => {
    let isGrey = true;
    const { port, got } = await listen({
      onRcptTo({ address }, _session, done) {
        const refused = Object.assign(new Error('later'), { responseCode: 450 });
        done(isGrey && address === 'boss@example.com' ? refused : null);
      },
    });
    const send = newSend();
    expect(await mail(`smtp://127.0.0.1:${port}`, {}, send)).toMatchObject({ ok: false, permanent: false });
    isGrey = false;
    expect(await mail(`smtp://127.0.0.1:${port}`, {}, send)).toMatchObject({ ok: true });
    expect(got.map(({ to }) => to)).toEqual([['ops@example.com'], ['boss@example.com']]);
  });

  it('that offers no STARTTLS gets nothing where it is required', async () => {
    const { port, got } = await listen();
    expect(await mail(`smtp://127.0.0.1:${port}?requireTLS=true`)).toMatchObject({ ok: false });
    expect(got).toEqual([]);
  });

  it('with a certificate that nobody vouches for gets nothing', async () => {
    const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }]);
    const { port, got } = await listen({ disabledCommands: [], key, cert });
    expect(await mail(`smtp://127.0.0.1:${port}?requireTLS=true`)).toMatchObject({ ok: false });
    expect(got).toEqual([]);
  });

  it('that is not there is reported', async () => {
    expect(await mail('smtp://127.0.0.1:9')).toMatchObject({ ok: false, permanent: false });
  });
});

it.each([
  ['smtp://mail.example.com', { host: 'mail.example.com', port: 587, secure: false, requireTLS: true, auth: null }],
  ['smtps://mail.example.com', { port: 465, secure: true, requireTLS: false }],
  ['smtp://localhost', { port: 25, requireTLS: false }],
  ['smtp://[::1]:2525', { host: '::1', port: 2525, requireTLS: false }],
  ['smtp://127.0.0.1?requireTLS=true', { requireTLS: true }],
  ['smtp://relay.internal?requireTLS=false', { requireTLS: false, ignoreTLS: false }],
  ['smtp://relay.internal?ignoreTLS=true', { requireTLS: false, ignoreTLS: true }],
  ['smtp://u%40x:p%25@mail.example.com', { auth: { user: 'u@x', pass: 'p%' } }],
])('%s is read', (text, read) => {
  expect(mailServer(text)).toMatchObject(read);
});

it.each(['https://mail.example.com', 'mail.example.com', 'smtp://'])('%s is no mail server', (text) => {
  expect(mailServer(text)).toBeNull();
});
