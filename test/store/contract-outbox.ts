import { describe, expect, it } from 'vitest';
import type { Store } from '../../src/monitor/store/store.ts';
import { eachWith, type OpenEmpty } from './opened.ts';
import { alertOf, commitOf, DAY, HOUR, incidentOf, MINUTE, NOON, opening, roundRecord, siteState } from './samples.ts';
import { openState } from '../monitor/incident/state.ts';

/** Declares the tests of a store's outbox. */
export function describeOutbox(open: OpenEmpty): void {
  describe('outbox', () => {
    const current = eachWith(open);
    const due = async (store: Store, now = NOON, limit = 100): Promise<string[]> =>
      (await store.dueAlerts(now, limit)).map(({ key }) => key);
    const incident = incidentOf();
    const opened = alertOf();
    const recovered = alertOf({ event: 'recovered', dueAt: NOON - 1 });

    it('hands out what is due, oldest first', async () => {
      const { store } = current();
      const add = [
        alertOf({ route: 'late', dueAt: NOON + 1 }),
        alertOf({ route: 'second', dueAt: NOON }),
        alertOf({ route: 'first', dueAt: NOON - 1 }),
        alertOf({ route: 'third', dueAt: NOON }),
      ];
      await store.commit([opening(incident, ...add)]);
      expect(await due(store)).toEqual(['docs-1:opened:first', 'docs-1:opened:second', 'docs-1:opened:third']);
      expect(await due(store, NOON, 1)).toEqual(['docs-1:opened:first']);
      expect(await store.outboxState()).toEqual({ pending: 4, nextDueAt: NOON - 1, oldestAt: NOON });
    });

    it('keeps all of an alert', async () => {
      const { store, reopen } = current();
      const alert = alertOf({ alsoSites: ['blog', 'api'], goesOn: 'degraded' });
      await store.commit([opening(incident, alert)]);
      expect(await (await reopen()).dueAlerts(NOON, 10)).toMatchObject([{ ...alert, attempts: 0, lastError: null }]);
    });

    it('holds back what follows on the same route until the first has arrived', async () => {
      const { store } = current();
      await store.commit([opening(incident, opened, alertOf({ route: 'mail' }))]);
      await store.commit([commitOf({ outbox: { add: [recovered], cancel: [] } })]);
      expect(await due(store)).toEqual([opened.key, 'docs-1:opened:mail']);
      // Neither is it handed out, nor is it what is waited for, while the first is tried again later.
      await store.alertFailed(opened, { error: 'refused', dueAt: NOON + MINUTE });
      expect(await due(store)).toEqual(['docs-1:opened:mail']);
      await store.alertSent({ key: 'docs-1:opened:mail' }, NOON);
      expect(await store.outboxState()).toEqual({ pending: 2, nextDueAt: NOON + MINUTE, oldestAt: NOON });
      await store.alertSent(opened, NOON + MINUTE);
      expect(await due(store)).toEqual([recovered.key]);
      await store.alertSent(recovered, NOON + MINUTE);
      expect(await store.outboxState()).toEqual({ pending: 0, nextDueAt: null, oldestAt: null });
    });

    it('does not hold back another incident', async () => {
      const { store } = current();
      const other = incidentOf({ id: 'docs-2', detectedAt: NOON + 1 });
      const second = alertOf({ incident: other });
      await store.commit([opening(incident, opened), opening(other, second)]);
      await store.alertFailed(opened, { error: 'refused', dueAt: NOON + HOUR });
      expect(await due(store)).toEqual([second.key]);
    });

    it('tells how often an alert was tried, and why in vain', async () => {
      const { store } = current();
      await store.commit([opening(incident, opened)]);
      await store.alertFailed(opened, { error: 'first', dueAt: NOON + 1 });
      await store.alertFailed(opened, { error: 'x'.repeat(10_000), dueAt: NOON + 2 });
      const [pending] = await store.dueAlerts(NOON + 2, 1);
      expect(pending).toMatchObject({ attempts: 2, dueAt: NOON + 2 });
      expect(pending?.lastError?.length).toBeLessThanOrEqual(500);
      expect(await store.alertsOf(incident.id)).toMatchObject([{ attempts: 2, sentAt: null }]);
    });

    it('gives one up, and goes on with the next', async () => {
      const { store } = current();
      await store.commit([opening(incident, opened)]);
      await store.changeOutbox({ add: [recovered], cancel: [] });
      await store.alertFailed(opened, { error: 'gone', dueAt: null });
      expect(await due(store)).toEqual([recovered.key]);
      expect((await store.alertsOf(incident.id)).map(({ key }) => key)).toEqual([recovered.key]);
    });

    it('says when somebody was told first', async () => {
      const { store, reopen } = current();
      await store.commit([opening(incident, opened, alertOf({ route: 'mail' }))]);
      await store.alertSent({ key: 'docs-1:opened:mail' }, NOON + 5);
      await store.alertSent(opened, NOON + 9);
      expect((await store.incident(incident.id))?.notifiedAt).toBe(NOON + 5);
      // Those who write an incident may not know of it.
      const over = { ...incident, recoveredAt: NOON + MINUTE };
      const add = [alertOf({ event: 'recovered', incident: over })];
      await store.commit([commitOf({ incidents: [over], outbox: { add, cancel: [] } })]);
      expect((await store.incidents({}))[0]).toEqual({ ...over, notifiedAt: NOON + 5 });
      expect((await store.dueAlerts(NOON, 1))[0]?.incident.notifiedAt).toBe(NOON + 5);
      expect((await (await reopen()).incident(incident.id))?.notifiedAt).toBe(NOON + 5);
    });

    it('says it in the state of the site, too', async () => {
      const { store } = current();
      await store.commit([opening(incident, opened)]);
      await store.alertSent(opened, NOON + 5);
      expect((await store.states()).get('docs')?.outage.incident?.notifiedAt).toBe(NOON + 5);
    });

    it('says it of what lies under an outage', async () => {
      const { store } = current();
      const suspended = incidentOf({ id: 'docs-0', verdict: 'degraded' });
      const alert = alertOf({ incident: suspended });
      const state = siteState(openState(incident, suspended));
      await store.commit([opening(suspended, alert), commitOf({ incidents: [incident], state })]);
      await store.alertSent(alert, NOON + 5);
      const known = (await store.states()).get('docs');
      expect([known?.outage.incident?.notifiedAt, known?.degradation.incident?.notifiedAt]).toEqual([null, NOON + 5]);
    });

    it.each([
      ['a reminder', 'reminder'],
      ['a recovery', 'recovered'],
    ] as const)('does not take %s for the first that was heard', async (_name, event) => {
      const { store } = current();
      const alert = alertOf({ event });
      await store.commit([opening(incident, alert)]);
      await store.alertSent(alert, NOON + 5);
      expect((await store.incident(incident.id))?.notifiedAt).toBeNull();
    });

    it('says it of the incidents that an alert stands for', async () => {
      const { store } = current();
      const same = incidentOf({ id: 'blog-1', site: 'blog', sameAs: incident.id });
      const later = incidentOf({ id: 'api-1', site: 'api', sameAs: incident.id });
      const alert = alertOf({ alsoSites: ['blog', 'nowhere'] });
      await store.commit([opening(incident, alert), opening(same), opening(later)]);
      await store.alertSent(alert, NOON + 5);
      const told = async (id: string): Promise<number | null | undefined> => (await store.incident(id))?.notifiedAt;
      expect([await told('docs-1'), await told('blog-1'), await told('api-1')]).toEqual([NOON + 5, NOON + 5, null]);
    });

    it('says it of those whom a later alert names', async () => {
      const { store } = current();
      const same = incidentOf({ id: 'blog-1', site: 'blog', sameAs: incident.id });
      const reminder = alertOf({ event: 'reminder', alsoSites: ['blog'] });
      await store.commit([opening(incident), opening(same)]);
      await store.changeOutbox({ add: [reminder], cancel: [] });
      await store.alertSent(reminder, NOON + 30);
      const told = async (id: string): Promise<number | null | undefined> => (await store.incident(id))?.notifiedAt;
      expect([await told('docs-1'), await told('blog-1')]).toEqual([null, NOON + 30]);
    });

    it('says it of the one that others follow, where the alert is about one of them', async () => {
      const { store } = current();
      const [blog, api] = ['blog', 'api'].map((site) => incidentOf({ id: `${site}-1`, site, sameAs: incident.id }));
      if (blog === undefined || api === undefined) throw new Error('no incidents');
      const alert = alertOf({ incident: blog, alsoSites: ['docs', 'api'] });
      await store.commit([opening(incident), opening(blog, alert), opening(api)]);
      await store.alertSent(alert, NOON + 5);
      expect((await store.incidents({})).map(({ notifiedAt }) => notifiedAt)).toEqual([NOON + 5, NOON + 5, NOON + 5]);
    });

    it('brings what waits forward', async () => {
      const { store } = current();
      const escalation = alertOf({ route: 'boss', dueAt: NOON + 10 * MINUTE });
      await store.commit([opening(incident, opened, escalation)]);
      await store.alertSent(opened, NOON);
      await store.bringForward(9 * MINUTE);
      expect(await due(store, NOON + MINUTE - 1)).toEqual([]);
      expect(await due(store, NOON + MINUTE)).toEqual([escalation.key]);
      expect(await store.alertsOf(incident.id)).toMatchObject([{ dueAt: NOON, sentAt: NOON }, { sentAt: null }]);
    });

    it('writes again what an alert says that was taken back in the same breath', async () => {
      const { store } = current();
      const escalation = alertOf({ route: 'boss', dueAt: NOON + HOUR });
      await store.commit([opening(incident, escalation)]);
      await store.changeOutbox({ add: [{ ...escalation, alsoSites: ['blog'] }], cancel: [escalation.key] });
      expect(await store.dueAlerts(NOON + HOUR, 9)).toMatchObject([{ key: escalation.key, alsoSites: ['blog'] }]);
    });

    it('takes an alert back', async () => {
      const { store } = current();
      const escalation = alertOf({ route: 'boss', dueAt: NOON + HOUR });
      await store.commit([opening(incident, opened, escalation)]);
      await store.commit([commitOf({ outbox: { add: [recovered], cancel: [escalation.key] } })]);
      expect(await due(store, NOON + DAY)).toEqual([opened.key]);
      expect((await store.alertsOf(incident.id)).map(({ key }) => key)).toEqual([opened.key, recovered.key]);
      await store.changeOutbox({ add: [], cancel: ['unknown', escalation.key] });
      // And writes it again.
      await store.changeOutbox({ add: [{ ...escalation, dueAt: NOON + 1 }], cancel: [] });
      expect(await due(store, NOON + 1)).toEqual([opened.key, escalation.key]);
    });

    it('knows of an alert that arrived while it was taken back', async () => {
      const { store } = current();
      await store.commit([opening(incident, opened)]);
      await store.changeOutbox({ add: [], cancel: [opened.key] });
      await store.alertFailed(opened, { error: 'late', dueAt: NOON });
      expect(await due(store)).toEqual([]);
      await store.alertSent(opened, NOON + 3);
      expect(await store.alertsOf(incident.id)).toMatchObject([{ key: opened.key, sentAt: NOON + 3 }]);
    });

    it('does not take back what has arrived', async () => {
      const { store } = current();
      await store.commit([opening(incident, opened)]);
      await store.alertSent(opened, NOON + 3);
      await store.changeOutbox({ add: [], cancel: [opened.key] });
      await store.alertFailed(opened, { error: 'late', dueAt: NOON });
      await store.alertSent(opened, NOON + 9);
      expect(await store.alertsOf(incident.id)).toMatchObject([{ key: opened.key, sentAt: NOON + 3 }]);
    });

    it('writes an alert once, however often it comes', async () => {
      const { store } = current();
      await store.commit([opening(incident, opened)]);
      await store.changeOutbox({ add: [opened, { ...opened, dueAt: NOON + DAY }], cancel: [] });
      expect(await due(store)).toEqual([opened.key]);
      await store.alertSent(opened, NOON);
      await store.changeOutbox({ add: [opened], cancel: [] });
      expect(await due(store, NOON + DAY)).toEqual([]);
    });

    it('takes a reminder of an incident that it has never heard of', async () => {
      const { store } = current();
      const reminder = alertOf({ event: 'reminder' });
      await store.changeOutbox({ add: [reminder], cancel: [] });
      expect(await due(store)).toEqual([reminder.key]);
      expect(await store.incident(incident.id)).toEqual(incident);
    });

    it('does nothing about an alert that it has never heard of', async () => {
      const { store } = current();
      await store.alertSent({ key: 'unknown' }, NOON);
      await store.alertFailed({ key: 'unknown' }, { error: '', dueAt: null });
      await store.changeOutbox({ add: [], cancel: [] });
      expect(await store.outboxState()).toEqual({ pending: 0, nextDueAt: null, oldestAt: null });
      expect(await store.alertsOf('unknown')).toEqual([]);
    });

    it('forgets alerts with their incident, but none that waits', async () => {
      const { store } = current();
      const now = NOON + 30 * DAY;
      const over = { ...incident, recoveredAt: NOON + MINUTE };
      const waiting = incidentOf({ id: 'w', recoveredAt: NOON + MINUTE });
      await store.commit([opening(over, opened), opening(waiting, alertOf({ incident: waiting }))]);
      await store.commit([commitOf({ run: roundRecord({ startedAt: now }) })]);
      await store.alertSent(opened, NOON);
      await store.prune(now, { rawMs: DAY, minuteMs: DAY, hourMs: DAY, dayMs: DAY });
      expect(await store.alertsOf(incident.id)).toEqual([]);
      expect((await store.incidents({})).map(({ id }) => id)).toEqual(['w']);
      expect(await due(store)).toEqual(['w:opened:ops']);
    });
  });
}
