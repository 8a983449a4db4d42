import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { incidentOf, routeOf, SIX } from '../../../test/alerts/samples.ts';
import { Deliverer, type DelivererOptions } from './deliver.ts';
import type { PendingAlert } from './alert.ts';
import { AlertBook } from './plan.ts';

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
