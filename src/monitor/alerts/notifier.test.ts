import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startClock, type FakeClock } from '../../../test/alerts/clock.ts';
import { DAY, HOUR, incidentOf, MINUTE, routeOf, SECOND, SIX, waitingOf } from '../../../test/alerts/samples.ts';
import type { LogFields } from '../log/write.ts';
import type { AlertRoute } from '../settings.ts';
import { mergeEntries } from '../store/journal.ts';
import type { Entry } from '../store/store.ts';
import type { Alert, Notification, Send, SendResult } from './alert.ts';
import { Notifier, retryAfters, type NotifierOptions } from './notifier.ts';
import { OpenAlerts } from './open-alerts.ts';
import { GIVE_UP_MS } from './pacing.ts';

const OK: SendResult = { ok: true, status: 200 };
const failure = (rest: object = {}): SendResult => ({
  ok: false,
  error: 'http 503',
  permanent: false,
  retryAfterMs: null,
  ...rest,
});

interface Sent {
  readonly at: number;
  readonly route: string;
  readonly alert: Alert;
}

describe('a notifier', () => {
  let alerts: OpenAlerts;
  let clock: FakeClock;
  let notifier: Notifier;
  let routes: readonly AlertRoute[];
  let sent: Sent[];
  let written: Entry[];
  let answer: (route: string, alert: Alert, signal: AbortSignal) => SendResult | Promise<SendResult>;
  let logged: (LogFields & { readonly event: string })[];

  beforeEach(() => {
    clock = startClock(SIX, async () => {
      while (notifier.busy() > 0) await new Promise((resolve) => setImmediate(resolve));
    });
    alerts = new OpenAlerts({ incidents: [], notifications: [] }, () => ({ sites: [], alerts: [] }));
    routes = [routeOf(), routeOf({ id: 'boss' })];
    sent = [];
    written = [];
    logged = [];
    answer = () => OK;
  });
  afterEach(async () => {
    await notifier.stop();
  });

  const send: Send = async (route, alert, signal) => {
    sent.push({ at: clock.now(), route: route.id, alert });
    return answer(route.id, alert, signal);
  };

  function start(rest: Partial<NotifierOptions> = {}): Notifier {
    notifier = new Notifier({
      alerts,
      send,
      append: async (entry) => void written.push(entry),
      timers: clock,
      now: () => clock.now(),
      log: (_level, event, fields = {}) => void logged.push({ ...fields, event }),
      routes: () => routes,
      ...rest,
    });
    notifier.wake();
    return notifier;
  }

  /** What is known before it starts. */
  const known = (...notifications: readonly Notification[]): void => notifications.forEach((one) => alerts.add(one));
  /** The last state of each notification that was written. */
  const kept = (): readonly Notification[] => mergeEntries(written).notifications;

  /** `+<seconds after six> <key>` */
  const shown = (): string[] =>
    sent.map(({ at, alert }) => `+${(at - SIX) / SECOND} ${alert.key.replace('-20261120T180000000', '')}`);

  describe('an alert', () => {
    it('is sent at once, and written', async () => {
      alerts.open(incidentOf());
      known(waitingOf());
      start();
      await clock.pass(0);
      expect(shown()).toEqual(['+0 docs:opened:ops']);
      expect(kept()).toEqual([waitingOf({ state: 'sent', sentAt: SIX })]);
      expect(mergeEntries(written).incidents).toMatchObject([{ id: incidentOf().id, notifiedAt: SIX }]);
      expect(notifier.counts).toEqual({ sent: 1, failed: 0 });
      expect(logged.map(({ event }) => event)).toEqual(['notification-sent']);
    });

    it('is sent when it is due, without being woken for it', async () => {
      known(waitingOf({ dueAt: SIX + 10 * MINUTE }));
      start();
      await clock.pass(HOUR);
      expect(shown()).toEqual(['+600 docs:opened:ops']);
    });

    it('is sent when its entry is written, not before', async () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      start({ append: () => promise });
      const adding = notifier.notify([waitingOf()]);
      await clock.pass(MINUTE);
      expect(shown()).toEqual([]);
      resolve();
      await adding;
      await clock.pass(0);
      expect(shown()).toEqual(['+60 docs:opened:ops']);
    });

    it('that waits is not added again', async () => {
      start();
      await notifier.notify([waitingOf({ dueAt: SIX + HOUR })]);
      await notifier.notify([waitingOf()]);
      expect(written).toHaveLength(1);
      expect(shown()).toEqual([]);
    });

    it('is not sent by a process that may not send, and is later', async () => {
      let may = false;
      known(waitingOf());
      start({ maySend: async () => may });
      await clock.pass(10 * SECOND);
      expect([shown(), written]).toEqual([[], []]);
      may = true;
      await clock.pass(MINUTE);
      expect(kept()).toMatchObject([{ state: 'sent', attempts: 0 }]);
    });

    it('may bring more that is written with it', async () => {
      const notes = new Map([['known', 'yes']]);
      known(waitingOf());
      start({ onSent: () => ({ notes }) });
      await clock.pass(0);
      expect(written).toMatchObject([{ notes, notifications: [{ state: 'sent' }] }]);
    });

    it('says what is known by now of an incident that is open', async () => {
      alerts.open(incidentOf({ verdict: 'down' }));
      known(waitingOf({ incident: incidentOf({ verdict: 'degraded' }), dueAt: SIX + MINUTE }));
      start();
      await clock.pass(MINUTE);
      expect(sent[0]?.alert.incident.verdict).toBe('down');
    });

    it('says what was known then of one that is over, and since when somebody knows', async () => {
      const over = incidentOf({ recoveredAt: SIX + MINUTE });
      known(waitingOf(), waitingOf({ event: 'recovered', incident: over }));
      start();
      await clock.pass(0);
      expect(sent.map(({ alert }) => [alert.event, alert.incident.recoveredAt, alert.incident.notifiedAt])).toEqual([
        ['opened', null, null],
        ['recovered', SIX + MINUTE, SIX],
      ]);
    });
  });

  describe('what fails', () => {
    const seconds = (): number[] => sent.map(({ at }) => (at - SIX) / SECOND);
    it.each<{ name: string; result: SendResult; for: number; at: number[] }>([
      { name: 'is tried ever more slowly', result: failure(), for: 2 * MINUTE, at: [0, 1, 3, 7, 15, 31, 63] },
      {
        name: 'for good is tried more slowly still',
        result: failure({ permanent: true }),
        for: HOUR,
        at: [0, 30, 150, 630, 2550],
      },
      {
        name: 'is left alone for as long as is asked for',
        result: failure({ retryAfterMs: 20_000 }),
        for: MINUTE,
        at: [0, 20, 40, 60],
      },
      {
        name: 'is left alone for a second at least',
        result: failure({ retryAfterMs: 0 }),
        for: 8 * SECOND,
        at: [0, 1, 3, 7],
      },
      {
        name: 'is left alone for five minutes at most',
        result: failure({ retryAfterMs: 30 * DAY }),
        for: 11 * MINUTE,
        at: [0, 300, 600],
      },
    ])('$name', async ({ result, for: ms, at }) => {
      answer = () => result;
      known(waitingOf());
      start();
      await clock.pass(ms);
      expect(seconds()).toEqual(at);
      expect(kept()).toMatchObject([{ attempts: at.length, lastError: 'http 503' }]);
    });

    it('is given up after a week, and that is reported', async () => {
      answer = () => failure();
      const createdAt = SIX - GIVE_UP_MS + 10 * MINUTE;
      known(waitingOf({ createdAt, dueAt: createdAt }));
      start();
      await clock.pass(5 * MINUTE);
      expect(kept()).toMatchObject([{ state: 'waiting' }]);
      await clock.pass(HOUR);
      expect(kept()).toMatchObject([{ state: 'given up' }]);
      expect(logged.at(-1)).toMatchObject({ event: 'notification-given-up', reason: 'too-old', route: 'ops' });
    });

    it('of a route that was removed is given up', async () => {
      routes = [routeOf({ id: 'boss' })];
      known(waitingOf(), waitingOf({ route: 'boss' }));
      start();
      await clock.pass(0);
      expect(shown()).toEqual(['+0 docs:opened:boss']);
      expect(kept()).toMatchObject([
        { route: 'ops', state: 'cancelled' },
        { route: 'boss', state: 'sent' },
      ]);
      expect(logged).toContainEqual(
        expect.objectContaining({ event: 'notification-given-up', reason: 'route-removed' }),
      );
    });

    it('comes in its order when the receiver is there again', async () => {
      answer = () => (clock.now() < SIX + 10 * SECOND ? failure() : OK);
      known(waitingOf());
      start();
      await clock.pass(5 * SECOND);
      await notifier.notify([
        waitingOf({ event: 'recovered', incident: incidentOf({ recoveredAt: SIX + 5 * SECOND }) }),
      ]);
      await clock.pass(MINUTE);
      expect(shown().slice(-2)).toEqual(['+15 docs:opened:ops', '+15 docs:recovered:ops']);
    });
  });

  it('does not wait for what cannot be written', async () => {
    const { promise } = Promise.withResolvers<void>();
    known(waitingOf(), waitingOf({ event: 'recovered' }));
    start({ append: () => promise });
    await clock.pass(HOUR);
    expect(shown()).toEqual(['+0 docs:opened:ops', '+0 docs:recovered:ops']);
  });

  describe('a receiver that asks for a pause', () => {
    it('gets one from the next process, too', async () => {
      answer = () => failure({ retryAfterMs: 2 * MINUTE });
      known(waitingOf(), waitingOf({ route: 'boss', dueAt: SIX + 10 * SECOND }));
      start();
      await clock.pass(MINUTE);
      const { notes } = mergeEntries(written);
      const pauses = await retryAfters({ note: async (name) => notes.get(name) ?? null });
      expect([...pauses]).toEqual([
        ['ops', SIX + 2 * MINUTE],
        ['boss', SIX + 10 * SECOND + 2 * MINUTE],
      ]);
      await notifier.stop();
      sent = [];
      answer = () => OK;
      start({ retryAfters: pauses });
      await clock.pass(HOUR);
      expect(shown()).toEqual(['+120 docs:opened:ops', '+130 docs:opened:boss']);
    });

    it.each([
      ['what cannot be read', async () => 'no list'],
      ['a database that cannot be read', () => Promise.reject(new Error('unreadable'))],
    ])('is known again by its next request after %s', async (_, note) => {
      expect([...(await retryAfters({ note }))]).toEqual([]);
    });
  });

  describe('the end', () => {
    const broken = (_route: string, _alert: Alert, signal: AbortSignal): Promise<SendResult> =>
      new Promise((resolve) => signal.addEventListener('abort', () => resolve(failure({ error: 'aborted' }))));

    it('aborts what is being sent, which waits as before', async () => {
      answer = broken;
      known(waitingOf());
      start();
      while (sent.length === 0) await new Promise((resolve) => setImmediate(resolve));
      await notifier.stop();
      expect(alerts.waiting()).toEqual([waitingOf()]);
      expect([logged, written]).toEqual([[], []]);
      notifier.wake();
      expect(notifier.busy()).toBe(0);
    });

    it('waits for what is due, and says what is left', async () => {
      routes = [routeOf(), routeOf({ id: 'boss' })];
      answer = (route) => (route === 'ops' ? OK : failure());
      known(waitingOf(), waitingOf({ route: 'boss' }));
      start();
      expect(await notifier.flush(2 * SECOND)).toBe(1);
      expect(shown()).toEqual(['+0 docs:opened:ops', '+0 docs:opened:boss']);
    });

    it('waits for what is tried again soon, where it has the patience', async () => {
      answer = () => (clock.now() < SIX + 3 * SECOND ? failure() : OK);
      known(waitingOf());
      start();
      const flushed = notifier.flush(30 * SECOND, 5 * SECOND);
      await clock.pass(10 * SECOND);
      expect(await flushed).toBe(0);
      expect(shown()).toHaveLength(3);
    });

    it('does not wait for longer than it may', async () => {
      answer = broken;
      known(waitingOf());
      start();
      const flushed = notifier.flush(SECOND);
      while (sent.length === 0) await new Promise((resolve) => setImmediate(resolve));
      const passing = clock.pass(SECOND);
      await notifier.stop();
      await passing;
      expect(await flushed).toBe(1);
    });
  });
});
