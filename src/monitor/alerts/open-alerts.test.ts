import { describe, expect, it } from 'vitest';
import {
  HOUR,
  incidentOf,
  MINUTE,
  openAlerts,
  routeOf,
  SECOND,
  sentOf,
  siteOf,
  SIX,
  waitingOf,
} from '../../../test/alerts/samples.ts';
import type { Incident } from '../incident/incident.ts';
import type { Notification } from './alert.ts';
import type { OpenAlerts } from './open-alerts.ts';

const ROUTES = [routeOf({ reminderMs: HOUR }), routeOf({ id: 'boss', afterMs: 10 * MINUTE })];
const ID = incidentOf().id;
const NONE = new Set<string>();

const alertsWith = (open: readonly Incident[] = [], notifications: readonly Notification[] = []): OpenAlerts =>
  openAlerts(open, notifications, { sites: [siteOf(), siteOf({ id: 'blog' })], alerts: ROUTES });

const opened = { kind: 'opened', incident: incidentOf(), at: SIX } as const;
const recovered = (at: number) => ({ kind: 'recovered', incident: incidentOf({ recoveredAt: at }), at }) as const;
/** `<event>:<route>`, and the state where it does not wait. */
const shown = (changes: readonly Notification[]): string[] =>
  changes.map(({ key, state }) => `${key.slice(ID.length + 1)}${state === 'waiting' ? '' : ` ${state}`}`);

/** A notification that waits is received. */
function receive(alerts: OpenAlerts, name: string, at: number): readonly Incident[] {
  const one = alerts.find({ key: `${ID}:${name}`, incident: incidentOf() });
  if (one === undefined) throw new Error(`nothing is known of ${name}`);
  return alerts.received({ ...one, state: 'sent', sentAt: at }, at);
}

describe('what waits and was sent', () => {
  it('counts as soon as it is planned', () => {
    const alerts = alertsWith();
    expect(shown(alerts.plan([opened]))).toEqual(['opened:ops', 'opened:boss']);
    expect(shown(alerts.plan([recovered(SIX + MINUTE)]))).toEqual(['opened:boss cancelled', 'recovered:ops']);
  });

  it('is known after a restart: no second alert, and the recovery to who was notified', () => {
    const alerts = alertsWith([incidentOf()], [sentOf(), sentOf({ route: 'boss' })]);
    expect(alerts.remind(SIX + MINUTE, NONE)).toEqual([]);
    expect(shown(alerts.plan([recovered(SIX + MINUTE)]))).toEqual(['recovered:ops', 'recovered:boss']);
  });

  it('is reminded of from the time when the last alert arrived, each time once', () => {
    const alerts = alertsWith();
    alerts.plan([opened]);
    expect(alerts.remind(SIX + 2 * HOUR, NONE)).toEqual([]);
    receive(alerts, 'opened:ops', SIX + 2 * HOUR);
    expect(alerts.remind(SIX + 2 * HOUR + SECOND, NONE)).toEqual([]);
    expect(shown(alerts.remind(SIX + 3 * HOUR, NONE))).toEqual(['reminder:1:ops']);
    expect(alerts.remind(SIX + 9 * HOUR, NONE)).toEqual([]);
    receive(alerts, 'reminder:1:ops', SIX + 9 * HOUR);
    expect(shown(alerts.remind(SIX + 10 * HOUR, NONE))).toEqual(['reminder:2:ops']);
    receive(alerts, 'reminder:2:ops', SIX + 10 * HOUR);
    expect(shown(alerts.remind(SIX + 11 * HOUR, NONE))).toEqual(['reminder:3:ops']);
  });

  it('is not cancelled after an attempt: it may have arrived', () => {
    const failed = waitingOf({ route: 'boss', dueAt: SIX + HOUR, attempts: 1 });
    const alerts = alertsWith([incidentOf()], [failed]);
    expect(shown(alerts.plan([recovered(SIX + MINUTE)]))).toEqual(['recovered:boss']);
    expect(shown(alerts.waiting())).toEqual(['opened:boss']);
  });

  it('is forgotten with a route that was removed, and not where it was too old', () => {
    const alerts = alertsWith([incidentOf()], [waitingOf(), sentOf({ route: 'boss' })]);
    alerts.replace(waitingOf({ state: 'cancelled' }));
    expect(shown(alerts.remind(SIX + MINUTE, NONE))).toEqual(['opened:ops']);
    alerts.replace(waitingOf({ state: 'given up' }));
    expect(shown(alerts.remind(SIX + 9 * HOUR, NONE))).toEqual([]);
  });

  it('stays after the end of its incident until it is received, in its order', () => {
    const alerts = alertsWith([incidentOf()], [waitingOf({ attempts: 1 })]);
    alerts.plan([recovered(SIX + MINUTE)]);
    expect(shown(alerts.waiting())).toEqual(['opened:ops']);
    receive(alerts, 'opened:ops', SIX + HOUR);
    expect(shown(alerts.waiting())).toEqual(['recovered:ops']);
    receive(alerts, 'recovered:ops', SIX + HOUR);
    expect([alerts.waiting(), alerts.stored()]).toEqual([[], { incidents: [], notifications: [] }]);
  });

  it('is the first of each incident and route, the earliest first', () => {
    const other = incidentOf({ site: 'blog' });
    const alerts = alertsWith(
      [incidentOf(), other],
      [waitingOf({ dueAt: SIX + HOUR }), waitingOf({ event: 'reminder', dueAt: SIX }), waitingOf({ incident: other })],
    );
    expect(alerts.waiting().map(({ incident, event }) => [incident.site, event])).toEqual([
      ['blog', 'opened'],
      ['docs', 'opened'],
    ]);
  });

  it('is due sooner by as much as the clock is set back', () => {
    const alerts = alertsWith([incidentOf()], [sentOf(), waitingOf({ route: 'boss', dueAt: SIX + HOUR })]);
    expect(alerts.bringForward(HOUR)).toMatchObject([{ route: 'boss', dueAt: SIX }]);
    expect(alerts.waiting()).toMatchObject([{ route: 'boss', dueAt: SIX }]);
  });

  it('may be about no incident, and goes when it is received', () => {
    const notice = waitingOf({
      notice: 'findings',
      incident: incidentOf({ id: 'findings-1' }),
      key: 'findings-1:opened:ops',
    });
    const alerts = alertsWith();
    alerts.add(notice);
    expect([alerts.find(notice), alerts.isOpen('findings-1')]).toEqual([notice, false]);
    expect(alerts.remind(SIX + HOUR, NONE)).toEqual([]);
    expect(alerts.received({ ...notice, state: 'sent', sentAt: SIX }, SIX)).toEqual([]);
    expect(alerts.find(notice)).toBeUndefined();
  });

  it('is cancelled with an incident whose end is not notified', () => {
    const alerts = alertsWith([incidentOf()], [sentOf(), waitingOf({ route: 'boss' })]);
    expect(shown(alerts.close(ID))).toEqual(['opened:boss cancelled']);
    expect(alerts.plan([recovered(SIX + MINUTE)])).toEqual([]);
  });
});

describe('the first notification of an incident', () => {
  const follower = incidentOf({ site: 'blog', sameAs: ID });
  const of = (incidents: readonly Incident[]) => incidents.map(({ site, notifiedAt }) => [site, notifiedAt]);

  it('is noted, and what waits says when it was', () => {
    const alerts = alertsWith([incidentOf()], [waitingOf(), waitingOf({ route: 'boss', dueAt: SIX + HOUR })]);
    expect(of(receive(alerts, 'opened:ops', SIX + MINUTE))).toEqual([['docs', SIX + MINUTE]]);
    expect(receive(alerts, 'opened:boss', SIX + HOUR)).toEqual([]);
    const [reminder] = alerts.remind(SIX + 3 * HOUR, NONE);
    expect(reminder && alerts.current(reminder).incident.notifiedAt).toBe(SIX + MINUTE);
  });

  it('is that of the sites that it names, where they have its root cause', () => {
    const alerts = alertsWith([incidentOf(), follower], [waitingOf({ alsoSites: ['blog'] })]);
    expect(of(receive(alerts, 'opened:ops', SIX))).toEqual([
      ['docs', SIX],
      ['blog', SIX],
    ]);
    const others = alertsWith([incidentOf(), { ...follower, sameAs: null }], [waitingOf({ alsoSites: ['blog'] })]);
    expect(of(receive(others, 'opened:ops', SIX))).toEqual([['docs', SIX]]);
  });

  it('may be a reminder that names a site which has joined', () => {
    const reminder = waitingOf({ event: 'reminder', alsoSites: ['blog'] });
    const alerts = alertsWith([incidentOf({ notifiedAt: SIX }), follower], [sentOf(), reminder]);
    expect(of(receive(alerts, 'reminder:ops', SIX + MINUTE))).toEqual([['blog', SIX + MINUTE]]);
  });
});
