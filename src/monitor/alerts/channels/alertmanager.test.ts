import { afterEach, beforeEach, expect, it } from 'vitest';
import { messageFor } from '../../../../test/alerts/messages.ts';
import { startReceiver, status, type Receiver } from '../../../../test/alerts/receiver.ts';
import { incidentOf, MINUTE, SECOND, SIX } from '../../../../test/alerts/samples.ts';
import { loadTexts } from '../../../report/texts.ts';
import type { Incident, IncidentFinding } from '../../incident/incident.ts';
import type { Alert } from '../alert.ts';
import { alertDocument } from '../message.ts';
import { alertmanager, VALID_MS } from './alertmanager.ts';

interface SentAlert {
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly startsAt: string;
  readonly endsAt: string;
  readonly generatorURL?: string;
}

const NOW = SIX + 45 * SECOND;
const OK = { ok: true, status: 200 };

let receiver: Receiver;
let send: ReturnType<typeof alertmanager.open>;
beforeEach(async () => {
  receiver = await startReceiver();
  send = alertmanager.open();
});
afterEach(() => receiver.stop());

async function sendAbout(rest: Partial<Incident> = {}, alert: Partial<Alert> = {}, url = receiver.url) {
  const message = await messageFor({ ...alert, incident: incidentOf(rest) });
  const document = alertDocument(message, await loadTexts('en'));
  const channel = alertmanager.read({ url, headers: { Authorization: 'Bearer t0ken-of-it' } });
  return send(channel, { message, document, now: NOW, env: {}, signal: new AbortController().signal });
}

/** The alerts of each request. */
const sent = (): readonly (readonly SentAlert[])[] =>
  receiver.received.map(({ body }) => JSON.parse(body) as readonly SentAlert[]);

/** `verdict until …` of each alert of each request, in seconds after six. */
const timeline = (): readonly (readonly string[])[] =>
  sent().map((alerts) =>
    alerts.map(({ labels, endsAt }) => `${labels['verdict']} until ${(Date.parse(endsAt) - SIX) / SECOND}`),
  );

it('sends one alert with labels that identify it and texts that explain it', async () => {
  expect(await sendAbout()).toEqual(OK);
  const [{ method, path, headers } = {}] = receiver.received;
  expect([method, path, headers?.['authorization'], headers?.['content-type']]).toEqual([
    'POST',
    '/api/v2/alerts',
    'Bearer t0ken-of-it',
    'application/json',
  ]);
  const [alerts = []] = sent();
  expect(alerts).toMatchObject([
    {
      labels: { alertname: 'DocvitalsIncident', site: 'docs', severity: 'critical', verdict: 'down' },
      annotations: {
        incident: incidentOf().id,
        url: 'https://docs.example.com/',
        page: 'https://status.example.com/',
        runbook: 'docvitals explain config/trailing-comma',
      },
      startsAt: new Date(SIX - 10 * SECOND).toISOString(),
      endsAt: new Date(NOW + VALID_MS).toISOString(),
      generatorURL: 'https://status.example.com/',
    },
  ]);
  expect(alerts[0]?.labels).not.toHaveProperty('test');
  const { problem, fix } = (await loadTexts('en')).finding('config', 'trailing-comma') ?? {};
  expect(alerts[0]?.annotations['description']).toContain(problem);
  expect(alerts[0]?.annotations['fix']).toContain(fix);
});

it('explains five findings at most, and leaves out texts that are empty', async () => {
  const findings = Array.from({ length: 7 }, (_, index): IncidentFinding => {
    return { check: 'own', rule: `own/rule-${index}`, evidence: {}, location: null };
  });
  await sendAbout({ findings });
  const annotations = sent()[0]?.[0]?.annotations;
  expect(annotations?.['runbook']?.split('\n')).toEqual(
    [0, 1, 2, 3, 4].map((index) => `docvitals explain own/rule-${index}`),
  );
  expect(annotations).not.toHaveProperty('fix');
});

it('marks the alert of a test', async () => {
  await sendAbout({}, { test: true });
  expect(sent()[0]?.[0]?.labels).toMatchObject({ test: 'true' });
});

it.each([
  ['down', 'critical'],
  ['degraded', 'warning'],
  ['stale', 'info'],
] as const)('a site that is %s has the severity %s', async (verdict, severity) => {
  await sendAbout({ verdict });
  expect(sent()[0]?.[0]?.labels['severity']).toBe(severity);
});

it('ends the alert of the former verdict when the verdict changes', async () => {
  await sendAbout({ verdict: 'degraded' });
  await sendAbout({ verdict: 'down' });
  await sendAbout({ verdict: 'down' });
  const valid = (NOW - SIX + VALID_MS) / SECOND;
  expect(timeline()).toEqual([
    [`degraded until ${valid}`],
    [`down until ${valid}`, 'degraded until 45'],
    [`down until ${valid}`],
  ]);
});

it('tells the verdicts of two incidents apart', async () => {
  await sendAbout({ id: 'one', verdict: 'degraded' });
  await sendAbout({ id: 'two', verdict: 'down' });
  expect(timeline().map(({ length }) => length)).toEqual([1, 1]);
});

it('ends the alert when the site has recovered, and forgets the incident', async () => {
  await sendAbout({ verdict: 'degraded' });
  await sendAbout({ verdict: 'degraded', recoveredAt: SIX + 31 * SECOND }, { event: 'recovered' });
  // Not written to the database yet: it recovers later than now.
  await sendAbout({ verdict: 'degraded', recoveredAt: NOW + MINUTE }, { event: 'recovered' });
  await sendAbout({ verdict: 'down' });
  expect(timeline().map((alerts) => alerts[0])).toEqual([
    `degraded until ${(NOW - SIX + VALID_MS) / SECOND}`,
    'degraded until 31',
    'degraded until 45',
    `down until ${(NOW - SIX + VALID_MS) / SECOND}`,
  ]);
  expect(timeline().map(({ length }) => length)).toEqual([1, 1, 1, 1]);
});

it('never ends before it starts', async () => {
  await sendAbout({ recoveredAt: SIX - MINUTE }, { event: 'recovered' });
  const [[alert] = []] = sent();
  expect(alert?.endsAt).toBe(alert?.startsAt);
});

it('remembers only verdicts that were received', async () => {
  receiver.answer = status(503, { 'content-type': 'text/plain' }, 'no room for t0ken-of-it');
  expect(await sendAbout({ verdict: 'degraded' })).toEqual({
    ok: false,
    error: 'http 503: no room for [hidden]',
    permanent: false,
    retryAfterMs: null,
  });
  receiver.answer = status(200);
  await sendAbout({ verdict: 'down' });
  expect(timeline().map(({ length }) => length)).toEqual([1, 1]);
});

it.each(['', '/', '/api/v2', '/api/v2/alerts', '//'])('accepts its address with %j at the end', async (end) => {
  await sendAbout({}, {}, `${receiver.url}/am${end}`);
  expect(receiver.received[0]?.path).toBe('/am/api/v2/alerts');
});

it('refuses an address that is none', async () => {
  expect(await sendAbout({}, {}, 'nonsense')).toMatchObject({ ok: false, error: 'bad-address', permanent: true });
});
