/** Receivers that are dead, slow, or refuse: what the others, and what is news, have to wait for. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Notifier, retryAfters } from '../../../src/monitor/alerts/notifier.ts';
import { OpenAlerts } from '../../../src/monitor/alerts/open-alerts.ts';
import type { Alert, Notification, SendResult } from '../../../src/monitor/alerts/alert.ts';
import type { Incident } from '../../../src/monitor/incident/incident.ts';
import { startClock, type FakeClock } from '../../alerts/clock.ts';
import { HOUR, incidentOf, MINUTE, routeOf, SECOND, SIX, waitingOf } from '../../alerts/samples.ts';

const OK: SendResult = { ok: true, status: 200 };
const failure = (rest: object = {}): SendResult => ({
  ok: false,
  error: 'http 503',
  permanent: false,
  retryAfterMs: null,
  ...rest,
});

let alerts: OpenAlerts;
let clock: FakeClock;
let notifier: Notifier | undefined;
let notes: Map<string, string>;
let sent: { readonly at: number; readonly route: string; readonly alert: Alert }[];
let answer: (route: string, alert: Alert) => SendResult | Promise<SendResult>;
/** Alerts under way that never end: the clock does not wait for them. */
let hanging: number;

beforeEach(() => {
  alerts = new OpenAlerts({ incidents: [], notifications: [] }, () => ({ sites: [], alerts: [] }));
  clock = startClock(SIX, async () => {
    while ((notifier?.busy() ?? 0) > hanging) await new Promise((resolve) => setImmediate(resolve));
  });
  notifier = undefined;
  notes = new Map();
  sent = [];
  hanging = 0;
  answer = () => OK;
});
afterEach(async () => {
  if (hanging === 0) await notifier?.stop();
});

async function start(rest: { readonly isEager?: boolean } = {}): Promise<void> {
  notifier = new Notifier({
    alerts,
    async send(route, alert) {
      sent.push({ at: clock.now(), route: route.id, alert });
      return answer(route.id, alert);
    },
    append: async (entry) => entry.notes?.forEach((text, name) => notes.set(name, text)),
    retryAfters: await retryAfters({ note: async (name) => notes.get(name) ?? null }),
    timers: clock,
    now: () => clock.now(),
    log: () => {},
    routes: () => [routeOf(), routeOf({ id: 'boss' })],
    ...rest,
  });
  notifier.wake();
}

const entryOf = (rest: Partial<Notification> = {}): Notification => {
  return waitingOf({ createdAt: clock.now(), dueAt: clock.now(), ...rest });
};

const write = async (...add: Notification[]): Promise<void> => {
  if (notifier === undefined) add.forEach((one) => alerts.add(one));
  else await notifier.notify(add);
};

const other = (number: number): Incident => incidentOf({ id: `site-${number}-x`, site: `site-${number}` });

describe('a receiver that is dead', () => {
  it('is not asked for each of a heap of alerts, and delays no other', async () => {
    answer = (route) => (route === 'ops' ? failure() : OK);
    const heap = Array.from({ length: 300 }, (_, number) => entryOf({ incident: other(number) }));
    await write(...heap);
    await write(
      ...heap
        .slice(0, 3)
        .map(({ incident }) => entryOf({ incident, route: 'boss', createdAt: SIX + 1, dueAt: SIX + 1 })),
    );
    await start();
    await clock.pass(MINUTE);
    expect(sent.filter(({ route }) => route === 'boss').map(({ at }) => at - SIX <= 5 * SECOND)).toEqual([
      true,
      true,
      true,
    ]);
    expect(sent.filter(({ route }) => route === 'ops').length).toBeLessThan(20);
    // And gets all of it once it is there again.
    answer = () => OK;
    await clock.pass(20 * MINUTE);
    expect(new Set(sent.filter(({ at }) => at > SIX + MINUTE).map(({ alert }) => alert.key)).size).toBe(300);
    expect(alerts.waiting()).toEqual([]);
  });

  it('delays no other by a hundred thousand that wait', async () => {
    answer = () => OK;
    for (let number = 0; number < 130_000; number += 1) {
      alerts.add(entryOf({ incident: other(number), dueAt: SIX + HOUR }));
    }
    await write(entryOf({ incident: other(-1), route: 'boss' }));
    await start();
    await clock.pass(SECOND);
    expect(sent.map(({ route }) => route)).toEqual(['boss']);
  });

  it('that is silent has few alerts under way', async () => {
    const silent: (() => void)[] = [];
    let most = 0;
    answer = () => {
      most = Math.max(most, silent.length + 1);
      return new Promise((resolve) => silent.push(() => resolve(OK)));
    };
    await write(...Array.from({ length: 20 }, (_, number) => entryOf({ incident: other(number) })));
    await start();
    while (sent.length < 20) {
      await new Promise((resolve) => setImmediate(resolve));
      silent.shift()?.();
    }
    for (const end of silent) end();
    await clock.pass(0);
    expect(most).toBe(4);
  });
});

describe('news', () => {
  it('are reported at once to a receiver that is left alone for what it did not take before', async () => {
    answer = () => failure();
    await write(entryOf());
    await start();
    await clock.pass(10 * MINUTE + 1);
    // It is well again, and will be asked with the old alert in some minutes only.
    answer = () => OK;
    const news = entryOf({ incident: other(1) });
    await write(news);
    await clock.pass(0);
    expect(sent.at(-1)).toMatchObject({ at: clock.now(), alert: { key: news.key } });
    expect(alerts.waiting()).toHaveLength(1);
  });

  it.each([
    ['is sent at once and once only while a receiver asks for a pause', {}],
    ['is sent at once and once only, also by the next process', { isEager: false }],
  ])('%s', async (_, next) => {
    answer = () => failure({ retryAfterMs: 999_999_999_000 });
    await write(entryOf());
    await start();
    await clock.pass(MINUTE);
    await notifier?.stop();
    await start(next);
    const news = entryOf({ incident: other(1) });
    await write(news);
    await clock.pass(3 * MINUTE);
    expect(sent.map(({ alert }) => alert.key)).toEqual([entryOf().key, news.key]);
    answer = () => OK;
    // The ceiling: five minutes after the last failure.
    await clock.pass(3 * MINUTE);
    expect(sent).toHaveLength(4);
  });

  it('are not held up by an alert that is refused again and again', async () => {
    answer = (_, { incident: { site } }) => (site === 'docs' ? failure({ error: 'http 500' }) : OK);
    await write(entryOf());
    await start();
    await clock.pass(HOUR);
    const late: number[] = [];
    for (let number = 0; number < 5; number += 1) {
      const at = clock.now();
      await write(entryOf({ incident: other(number) }));
      await clock.pass(4 * MINUTE);
      late.push(...sent.filter(({ alert }) => alert.incident.site === `site-${number}`).map((one) => one.at - at));
    }
    expect(late).toHaveLength(5);
    for (const ms of late) expect(ms).toBeLessThanOrEqual(3 * SECOND);
  });
});

describe('what failed', () => {
  it('is tried again in time while another alert is under way', async () => {
    answer = (route) => (route === 'boss' ? new Promise(() => {}) : failure());
    await write(entryOf({ route: 'boss' }), entryOf());
    await start();
    while (sent.length < 2) await new Promise((resolve) => setImmediate(resolve));
    hanging = 1;
    await clock.pass(10 * SECOND);
    expect(sent.filter(({ route }) => route === 'ops').map(({ at }) => (at - SIX) / SECOND)).toEqual([0, 1, 3, 7]);
  });

  it('is tried at once, and but once, by a process that runs but shortly', async () => {
    answer = () => failure();
    await write(entryOf());
    await start();
    await clock.pass(10 * MINUTE + 1);
    await notifier?.stop();
    const before = sent.length;
    await start({ isEager: true });
    await clock.pass(SECOND);
    expect(sent).toHaveLength(before + 1);
  });
});
