import { mkdtemp, rm } from 'node:fs/promises';
import { setImmediate as turn } from 'node:timers/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { GIVE_UP_MS } from './pacing.ts';
import { Deliverer, retryAfters, type DelivererOptions } from './deliver.ts';
import { AlertBook } from './plan.ts';
import type { Alert, OutboxEntry, PendingAlert, Send, SendResult } from './alert.ts';
import type { Incident } from '../incident/incident.ts';
import type { LogFields } from '../log/write.ts';
import type { AlertRoute } from '../settings.ts';
import { openStore } from '../store/open.ts';
import { StoreError, type Store } from '../store/store.ts';
import { commitOf } from '../../../test/store/samples.ts';
import { startClock, type FakeClock } from '../../../test/alerts/clock.ts';
import { DAY, HOUR, incidentOf, MINUTE, routeOf, SECOND, SIX } from '../../../test/alerts/samples.ts';

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

describe('a deliverer', () => {
  let folder: string;
  let store: Store;
  let clock: FakeClock;
  let deliverer: Deliverer;
  let routes: readonly AlertRoute[];
  let sent: Sent[];
  let answer: (route: string, alert: Alert, signal: AbortSignal) => SendResult | Promise<SendResult>;
  let logged: (LogFields & { readonly event: string })[];

  beforeEach(async () => {
    cancelled.clear();
    folder = await mkdtemp(path.join(tmpdir(), 'alerts-'));
    store = await openStore(path.join(folder, 'monitor.db'), { mode: 'own' });
    clock = startClock(SIX, async () => {
      while (deliverer.busy() > 0) await new Promise((resolve) => setImmediate(resolve));
    });
    routes = [routeOf(), routeOf({ id: 'boss' })];
    sent = [];
    logged = [];
    answer = () => OK;
  });
  afterEach(async () => {
    await deliverer.stop();
    await store.close();
    await rm(folder, { recursive: true });
  });

  const send: Send = async (route, alert, signal) => {
    sent.push({ at: clock.now(), route: route.id, alert });
    return answer(route.id, alert, signal);
  };

  /** Keys of what is cancelled, and not written. */
  const cancelled = new Set<string>();

  /** `open`: incidents as they are now. */
  function start(over: Store = store, open: readonly Incident[] = []): Deliverer {
    const known = open.map((incident) => ({ incident, alerts: [] }));
    deliverer = new Deliverer({
      store: over,
      book: new AlertBook(known, () => ({ sites: [], alerts: [] })),
      send,
      timers: clock,
      now: () => clock.now(),
      log: (_level, event, fields = {}) => void logged.push({ ...fields, event }),
      routes: () => routes,
      isCancelled: (key) => cancelled.has(key),
    });
    return deliverer;
  }

  const entryOf = (rest: Partial<OutboxEntry> = {}): OutboxEntry => {
    const { event = 'opened', route = 'ops', incident = incidentOf() } = rest;
    const key = `${incident.id}:${event}:${route}`;
    return { key, route, event, incident, alsoSites: [], createdAt: SIX, dueAt: SIX, ...rest };
  };

  const write = async (...add: OutboxEntry[]): Promise<void> => {
    const incidents = new Map(add.map(({ incident }) => [incident.id, incident]));
    await store.commit([commitOf({ incidents: [...incidents.values()], outbox: { add, cancel: [] } })]);
  };

  /** `+<seconds after six> <key>` */
  const shown = (): string[] =>
    sent.map(({ at, alert }) => `+${(at - SIX) / SECOND} ${alert.key.replace('-20261120T180000000', '')}`);

  describe('an alert', () => {
    it('is sent at once, and noted', async () => {
      await write(entryOf());
      start();
      await clock.pass(0);
      expect(shown()).toEqual(['+0 docs:opened:ops']);
      expect(await store.outboxState()).toMatchObject({ pending: 0 });
      expect((await store.incident(incidentOf().id))?.notifiedAt).toBe(SIX);
      expect(deliverer.counts).toEqual({ sent: 1, failed: 0 });
      expect(logged.map(({ event }) => event)).toEqual(['notification-sent']);
    });

    it('is sent when it is due, without being woken for it', async () => {
      await write(entryOf({ dueAt: SIX + 10 * MINUTE }));
      start();
      await clock.pass(HOUR);
      expect(shown()).toEqual(['+600 docs:opened:ops']);
    });

    it('is not sent where it is cancelled and the database cannot take that', async () => {
      cancelled.add(entryOf().key);
      await write(entryOf(), entryOf({ route: 'boss' }));
      start();
      await clock.pass(HOUR);
      expect(shown()).toEqual(['+0 docs:opened:boss']);
    });

    it('is sent when it is written', async () => {
      start();
      await clock.pass(MINUTE);
      await write(entryOf());
      deliverer.wake();
      await clock.pass(0);
      expect(shown()).toEqual(['+60 docs:opened:ops']);
    });

    it('says what is known by now of an incident that is open', async () => {
      await write(entryOf({ incident: incidentOf({ verdict: 'degraded' }), dueAt: SIX + MINUTE }));
      start(store, [incidentOf({ verdict: 'down' })]);
      await clock.pass(MINUTE);
      expect(sent[0]?.alert.incident.verdict).toBe('down');
    });

    it('says what was known then of one that is over, and since when somebody knows', async () => {
      const over = incidentOf({ recoveredAt: SIX + MINUTE });
      await write(entryOf());
      await write(entryOf({ event: 'recovered', incident: over }));
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
      await write(entryOf());
      start();
      await clock.pass(ms);
      expect(seconds()).toEqual(at);
      const [pending] = await store.dueAlerts(SIX + DAY, 1);
      expect(pending).toMatchObject({ attempts: at.length, lastError: 'http 503' });
    });

    it('is given up after a week, and that is reported', async () => {
      answer = () => failure();
      const createdAt = SIX - GIVE_UP_MS + 10 * MINUTE;
      await write(entryOf({ createdAt, dueAt: createdAt }));
      start();
      await clock.pass(5 * MINUTE);
      expect(await store.outboxState()).toMatchObject({ pending: 1 });
      await clock.pass(HOUR);
      expect(await store.outboxState()).toMatchObject({ pending: 0 });
      expect(logged.at(-1)).toMatchObject({ event: 'notification-given-up', reason: 'too-old', route: 'ops' });
    });

    it('of a route that was removed is given up', async () => {
      routes = [routeOf({ id: 'boss' })];
      await write(entryOf(), entryOf({ route: 'boss' }));
      start();
      await clock.pass(0);
      expect(shown()).toEqual(['+0 docs:opened:boss']);
      expect(await store.outboxState()).toMatchObject({ pending: 0 });
      expect(logged).toContainEqual(
        expect.objectContaining({ event: 'notification-given-up', reason: 'route-removed' }),
      );
    });

    it('comes in its order when the receiver is there again', async () => {
      answer = () => (clock.now() < SIX + 10 * SECOND ? failure() : OK);
      await write(entryOf());
      start();
      await clock.pass(5 * SECOND);
      await write(entryOf({ event: 'recovered', incident: incidentOf({ recoveredAt: SIX + 5 * SECOND }) }));
      deliverer.wake();
      await clock.pass(MINUTE);
      expect(shown().slice(-2)).toEqual(['+15 docs:opened:ops', '+15 docs:recovered:ops']);
    });
  });

  describe('the database', () => {
    const full = (over: Partial<Store>): Store =>
      new Proxy(store, { get: (_, name) => (over as never)[name] ?? bound(name) });
    const bound = (name: string | symbol): unknown =>
      (store as never as Record<string | symbol, () => unknown>)[name]?.bind(store);

    it('that is full does not make an alert be sent twice', async () => {
      let isFull = true;
      await write(entryOf());
      const alertSent: Store['alertSent'] = (entry, at) =>
        isFull ? Promise.reject(new StoreError('full', 'x', '')) : store.alertSent(entry, at);
      start(full({ alertSent }));
      await clock.pass(HOUR);
      isFull = false;
      await clock.pass(MINUTE);
      expect(shown()).toEqual(['+0 docs:opened:ops']);
      expect(await store.outboxState()).toMatchObject({ pending: 0 });
      expect((await store.incident(incidentOf().id))?.notifiedAt).toBe(SIX);
      expect(logged.map(({ event }) => event)).toEqual([
        'notification-sent',
        'notifications-not-kept',
        'notifications-kept',
      ]);
    });

    it('that is full does not make a failure be tried without end', async () => {
      answer = () => failure();
      await write(entryOf());
      start(full({ alertFailed: () => Promise.reject(new StoreError('full', 'x', '')) }));
      await clock.pass(10 * SECOND);
      expect(sent.length).toBeLessThan(10);
    });

    it('that cannot be read is tried again', async () => {
      let fails = 2;
      // Sending takes longer than reading the outbox.
      answer = () => new Promise((resolve) => setImmediate(() => resolve(OK)));
      await write(entryOf());
      const dueAlerts: Store['dueAlerts'] = (now, limit) =>
        fails-- > 0 ? Promise.reject(new StoreError('busy', 'x', '')) : store.dueAlerts(now, limit);
      start(full({ dueAlerts }));
      await clock.pass(MINUTE);
      expect(shown()).toEqual(['+10 docs:opened:ops']);
      expect(logged.map(({ event }) => event)).toEqual([
        'notifications-not-kept',
        'notifications-kept',
        'notification-sent',
      ]);
    });
  });

  describe('a receiver that asks for a pause', () => {
    it('keeps it while the note of the pauses cannot be read, and another receiver asks for one', async () => {
      answer = () => failure({ retryAfterMs: 2 * MINUTE });
      let isReadable = true;
      const note: Store['note'] = (name) => (isReadable ? store.note(name) : Promise.reject(new Error('unreadable')));
      const unreadable = new Proxy(store, {
        get: (_, name) => (name === 'note' ? note : (store as never)[name as keyof Store]),
      });
      await write(entryOf(), entryOf({ route: 'boss', dueAt: SIX + 10 * SECOND }));
      start(unreadable);
      await clock.pass(SECOND);
      isReadable = false;
      await clock.pass(MINUTE);
      expect([...(await retryAfters(store))]).toEqual([
        ['ops', SIX + 2 * MINUTE],
        ['boss', SIX + 10 * SECOND + 2 * MINUTE],
      ]);
    });
  });

  describe('the end', () => {
    const broken = (_route: string, _alert: Alert, signal: AbortSignal): Promise<SendResult> =>
      new Promise((resolve) => signal.addEventListener('abort', () => resolve(failure({ error: 'aborted' }))));

    it('breaks off what goes on, which stays in the outbox as it was', async () => {
      answer = broken;
      await write(entryOf());
      start();
      while (sent.length === 0) await new Promise((resolve) => setImmediate(resolve));
      await deliverer.stop();
      expect(await store.dueAlerts(SIX, 1)).toMatchObject([{ attempts: 0, lastError: null, dueAt: SIX }]);
      expect(logged).toEqual([]);
      deliverer.wake();
      expect(deliverer.busy()).toBe(0);
    });

    it('waits for what is due, and says what is left', async () => {
      routes = [routeOf(), routeOf({ id: 'boss' })];
      answer = (route) => (route === 'ops' ? OK : failure());
      await write(entryOf(), entryOf({ route: 'boss' }));
      start();
      expect(await deliverer.flush(2 * SECOND)).toBe(1);
      expect(shown()).toEqual(['+0 docs:opened:ops', '+0 docs:opened:boss']);
    });

    it('waits for what is tried again soon, where it has the patience', async () => {
      answer = () => (clock.now() < SIX + 3 * SECOND ? failure() : OK);
      await write(entryOf());
      start();
      const flushed = deliverer.flush(30 * SECOND, 5 * SECOND);
      await clock.pass(10 * SECOND);
      expect(await flushed).toBe(0);
      expect(shown()).toHaveLength(3);
    });

    it('does not wait for longer than it may', async () => {
      answer = broken;
      await write(entryOf());
      start();
      const flushed = deliverer.flush(SECOND);
      while (sent.length === 0) await new Promise((resolve) => setImmediate(resolve));
      const passing = clock.pass(SECOND);
      await deliverer.stop();
      await passing;
      expect(await flushed).toBe(1);
    });
  });
});

const ALERT: PendingAlert = {
  key: 'docs:opened:ops',
  route: 'ops',
  event: 'opened',
  incident: incidentOf(),
  alsoSites: [],
  createdAt: SIX,
  dueAt: SIX,
  attempts: 0,
  lastError: null,
};

/** An outbox in memory, and a deliverer on it that has no timers: it is woken or it does nothing. */
function setUp() {
  const sent: string[] = [];
  let rows: readonly PendingAlert[] = [];
  const store: Partial<DelivererOptions['store']> = {
    dueAlerts: async () => rows,
    outboxState: async () => ({ pending: rows.length, nextDueAt: rows[0]?.dueAt ?? null, oldestAt: null }),
    alertSent: async ({ key }) => {
      rows = rows.filter((row) => row.key !== key);
    },
    alertFailed: async () => {},
    bringForward: async () => {},
    note: async () => null,
    setNote: async () => {},
  };
  const deliverer = new Deliverer({
    store: store as DelivererOptions['store'],
    book: new AlertBook([], () => ({ sites: [], alerts: [] })),
    send: async (_route, { key }) => {
      sent.push(key);
      return { ok: true, status: 200 };
    },
    timers: { after: () => () => {}, random: () => 1 },
    now: () => SIX,
    log: () => {},
    routes: () => [routeOf()],
  });
  const write = (): void => {
    rows = [ALERT];
    deliverer.wake();
  };
  return { deliverer, sent, write };
}

describe('an alert that is written', () => {
  it.each(Array.from({ length: 40 }, (_, turns) => ({ turns })))(
    'is sent when a look began $turns turns ago, which may just end',
    async ({ turns }) => {
      const { deliverer, sent, write } = setUp();
      for (let passed = 0; passed < turns; passed += 1) await Promise.resolve();
      write();
      while (deliverer.busy() > 0) await turn();
      expect(sent).toEqual([ALERT.key]);
      await deliverer.stop();
    },
  );
});
