import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { VALID_MS } from '../../src/monitor/alerts/channels/alertmanager.ts';
import type { Alert, Send, SendResult } from '../../src/monitor/alerts/alert.ts';
import { createSend } from '../../src/monitor/alerts/send.ts';
import type { Incident } from '../../src/monitor/incident/incident.ts';
import { wanted } from '../server/tools.ts';
import { startAlertmanager, type Alertmanager } from './alertmanager.ts';
import { startReceiver, status, type Receiver } from './receiver.ts';
import { incidentOf, MINUTE, routeOf, SECOND, siteOf } from './samples.ts';

const NOW = Date.now();
/** Alertmanager has no clock but the real one. */
const incident = (rest: Partial<Incident> = {}): Incident =>
  incidentOf({ startedAt: NOW - 10 * SECOND, detectedAt: NOW - SECOND, ...rest });

let send: Send;
beforeEach(() => {
  send = createSend({
    settings: () => ({ sites: [siteOf()], page: { title: null, url: 'https://status.example.com/', language: 'en' } }),
    env: {},
    now: () => Date.now(),
  });
});

function tell(url: string, alert: Partial<Alert> = {}): Promise<SendResult> {
  const route = routeOf({
    channel: { kind: 'alertmanager', url, headers: { Authorization: 'Bearer t0ken-of-it' }, isResent: true },
  });
  const whole = { key: 'k:opened:ops', event: 'opened' as const, incident: incident(), alsoSites: [], ...alert };
  return send(route, whole, new AbortController().signal);
}

describe.runIf(wanted('prometheus-alertmanager'))('an Alertmanager', () => {
  let receiver: Receiver;
  let manager: Alertmanager;
  beforeEach(async () => {
    receiver = await startReceiver();
    manager = await startAlertmanager(receiver.url);
  });
  afterEach(async () => {
    await manager.stop();
    await receiver.stop();
  });

  /** What it made of our alerts: state and verdict, in order. */
  const heard = (): string[] =>
    receiver.received.flatMap(({ body }) =>
      (JSON.parse(body) as { alerts: { status: string; labels: { verdict: string } }[] }).alerts.map(
        (alert) => `${alert.status} ${alert.labels.verdict}`,
      ),
    );

  it('shows the alert, sends it on, and resolves it when the site has recovered', async () => {
    expect(await tell(`${manager.url}/`)).toEqual({ ok: true, status: 200 });
    const [alert] = await manager.alerts();
    expect(alert?.labels).toEqual({
      alertname: 'DocvitalsIncident',
      site: 'docs',
      severity: 'critical',
      verdict: 'down',
    });
    expect(Object.keys(alert?.annotations ?? {}).toSorted()).toEqual([
      'description',
      'fix',
      'incident',
      'page',
      'runbook',
      'summary',
      'url',
    ]);
    expect(alert?.annotations).toMatchObject({
      runbook: 'docvitals explain config/trailing-comma',
      url: 'https://docs.example.com/',
    });
    expect(Date.parse(alert?.startsAt ?? '')).toBe(NOW - 10 * SECOND);
    expect(Date.parse(alert?.endsAt ?? '')).toBeGreaterThan(Date.now() + VALID_MS - MINUTE);
    await receiver.has(1);
    await tell(manager.url, { event: 'recovered', incident: incident({ recoveredAt: Date.now() }) });
    await receiver.has(2);
    expect(heard()).toEqual(['firing down', 'resolved down']);
    expect(await manager.alerts()).toEqual([]);
  });

  it('has one alert of an incident that becomes graver', async () => {
    await tell(manager.url, { incident: incident({ verdict: 'degraded' }) });
    await receiver.has(1);
    await tell(manager.url, { event: 'reminder' });
    expect((await manager.alerts()).map(({ labels }) => labels['verdict'])).toEqual(['down']);
    await tell(manager.url, { event: 'recovered', incident: incident({ recoveredAt: Date.now() }) });
    expect(await manager.alerts()).toEqual([]);
  });
});

it('that fails is reported, without what is secret', async () => {
  const receiver = await startReceiver();
  receiver.answer = status(500, { 'content-type': 'text/plain' }, 'not for t0ken-of-it');
  expect(await tell(receiver.url)).toEqual({
    ok: false,
    error: 'http 500: not for [hidden]',
    permanent: false,
    retryAfterMs: null,
  });
  await receiver.stop();
});
