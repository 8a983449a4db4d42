import { describe, expect, it } from 'vitest';
import type { Notification } from '../../src/monitor/alerts/alert.ts';
import { eachWith, type OpenEmpty } from './opened.ts';
import { alertOf, commitOf, DAY, HOUR, incidentOf, MINUTE, NOON, opening, roundRecord } from './samples.ts';

/** Declares the tests of a store's notifications. */
export function describeNotifications(open: OpenEmpty): void {
  describe('notifications', () => {
    const current = eachWith(open);
    const incident = incidentOf();
    const opened = alertOf();
    const recovered = alertOf({ event: 'recovered', dueAt: NOON - 1 });
    const keysOf = (notifications: readonly Notification[]): string[] => notifications.map(({ key }) => key);

    it('that wait are listed, the first of each incident and route, the earliest first', async () => {
      const { store } = current();
      const late = alertOf({ route: 'late', dueAt: NOON + 1 });
      const other = incidentOf({ id: 'blog-1', site: 'blog' });
      await store.append([opening(incident, late, opened, recovered), opening(other, alertOf({ incident: other }))]);
      const { notifications, pending, oldestAt } = await store.waiting(9);
      expect(keysOf(notifications)).toEqual(['docs-1:opened:ops', 'blog-1:opened:ops', 'docs-1:opened:late']);
      expect([pending, oldestAt]).toEqual([4, NOON]);
      expect(keysOf((await store.waiting(1)).notifications)).toEqual(['docs-1:opened:ops']);
      expect(await store.waiting(0)).toEqual({ notifications: [], pending: 4, oldestAt: NOON });
    });

    it('are kept whole', async () => {
      const { store, reopen } = current();
      const finding = { check: 'links', rule: 'links/missing', evidence: { target: 'a.md' }, location: null };
      const notification = alertOf({
        alsoSites: ['blog', 'api'],
        goesOn: 'degraded',
        notice: 'findings',
        newFindings: [
          {
            site: { id: 'docs', title: 'Docs', url: 'https://docs.test/' },
            finding: { ...finding, key: 'k', since: NOON },
          },
        ],
        attempts: 2,
        lastError: 'http 503',
      });
      await store.append([opening(incident, notification)]);
      expect(await (await reopen()).open()).toEqual({ incidents: [incident], notifications: [notification] });
    });

    it('are found at a start: those that wait, and those of open incidents that were sent or given up', async () => {
      const { store } = current();
      const over = incidentOf({ id: 'docs-0', recoveredAt: NOON });
      const of = (name: string, rest: Partial<Notification>) => alertOf({ key: name, route: name, ...rest });
      await store.append([
        opening(
          incident,
          of('waits', {}),
          of('sent', { state: 'sent', sentAt: NOON }),
          of('given up', { state: 'given up' }),
          of('cancelled', { state: 'cancelled' }),
        ),
        opening(over, of('late', { incident: over }), of('done', { incident: over, state: 'sent', sentAt: NOON })),
      ]);
      const known = await store.open();
      expect(known.incidents.map(({ id }) => id)).toEqual(['docs-1']);
      expect(keysOf(known.notifications)).toEqual(['waits', 'sent', 'given up', 'late']);
    });

    it('have the last state that was written, in one entry and in several', async () => {
      const { store } = current();
      await store.append([
        opening(incident, opened),
        { notifications: [{ ...opened, attempts: 1, lastError: 'x'.repeat(10_000) }] },
      ]);
      expect((await store.waiting(9)).notifications).toMatchObject([{ attempts: 1, lastError: 'x'.repeat(500) }]);
      await store.append([{ notifications: [{ ...opened, state: 'cancelled' }] }]);
      expect(await store.waiting(9)).toEqual({ notifications: [], pending: 0, oldestAt: null });
      await store.append([{ notifications: [{ ...opened, alsoSites: ['blog'], dueAt: NOON + HOUR }] }]);
      expect((await store.waiting(9)).notifications).toMatchObject([{ alsoSites: ['blog'], dueAt: NOON + HOUR }]);
      await store.append([{ notifications: [{ ...opened, state: 'sent', sentAt: NOON + MINUTE }] }]);
      expect((await store.open()).notifications).toMatchObject([{ state: 'sent', sentAt: NOON + MINUTE }]);
    });

    it('may be about no incident', async () => {
      const { store } = current();
      const notice = alertOf({ incident: incidentOf({ id: 'monitor-1' }), notice: 'replaced' });
      await store.append([{ notifications: [notice] }]);
      expect((await store.open()).notifications).toEqual([notice]);
      expect(await store.incidents({})).toEqual([]);
    });

    it('are forgotten with their incident, but none that waits', async () => {
      const { store } = current();
      const over = incidentOf({ recoveredAt: NOON });
      const waiting = incidentOf({ id: 'docs-2', recoveredAt: NOON });
      const now = NOON + 1000 * DAY;
      await store.append([
        opening(over, { ...opened, state: 'sent', sentAt: NOON }),
        opening(waiting, alertOf({ incident: waiting })),
        commitOf({ run: roundRecord({ startedAt: now }) }),
      ]);
      await store.prune(now, { rawMs: DAY, minuteMs: DAY, hourMs: DAY, dayMs: 10 * DAY });
      expect((await store.incidents({})).map(({ id }) => id)).toEqual(['docs-2']);
      expect(keysOf((await store.open()).notifications)).toEqual(['docs-2:opened:ops']);
    });
  });
}
