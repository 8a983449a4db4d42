import { describe, expect, it } from 'vitest';
import { HOUR, incidentOf, MINUTE, routeOf, SECOND, siteOf, SIX } from '../../../test/alerts/samples.ts';
import type { Incident } from '../incident/incident.ts';
import { AlertBook } from './plan.ts';
import type { KnownAlert, OutboxEntry } from './alert.ts';

const ROUTES = [routeOf({ reminderMs: HOUR }), routeOf({ id: 'boss', afterMs: 10 * MINUTE })];
const ID = incidentOf().id;

const knownWith = (open: readonly Incident[] = [], alerts: readonly KnownAlert[] = []): Promise<AlertBook> =>
  AlertBook.read({ incidents: async () => open, alertsOf: async () => alerts }, () => ({
    sites: [siteOf()],
    alerts: ROUTES,
  }));

const opened = { kind: 'opened', incident: incidentOf(), at: SIX } as const;
const recovered = (at: number) => ({ kind: 'recovered', incident: incidentOf({ recoveredAt: at }), at }) as const;
const keys = (entries: readonly OutboxEntry[]): string[] => entries.map(({ key }) => key.slice(ID.length + 1));
const notified = (route: string, sentAt: number | null): KnownAlert => {
  return { key: `${ID}:opened:${route}`, route, event: 'opened', dueAt: SIX, alsoSites: [], sentAt, attempts: 0 };
};

describe('known alerts', () => {
  it('knows what it has planned before it is written', async () => {
    const known = await knownWith();
    expect(keys(known.plan([opened]).add)).toEqual(['opened:ops', 'opened:boss']);
    const { add, cancel } = known.plan([recovered(SIX + MINUTE)]);
    expect([keys(add), cancel]).toEqual([['recovered:ops'], [`${ID}:opened:boss`]]);
  });

  it('goes on after a restart: no second alert, and the recovery to who was notified', async () => {
    const known = await knownWith([incidentOf()], [notified('ops', SIX), notified('boss', SIX)]);
    expect(known.reminders(SIX + MINUTE, new Set())).toEqual({ add: [], cancel: [] });
    expect(keys(known.plan([recovered(SIX + MINUTE)]).add)).toEqual(['recovered:ops', 'recovered:boss']);
  });

  it('reminds from the time when the last alert arrived, each time once', async () => {
    const known = await knownWith();
    known.plan([opened]);
    const none = new Set<string>();
    expect(known.reminders(SIX + 2 * HOUR, none).add).toEqual([]);
    known.sent(`${ID}:opened:ops`, SIX + 2 * HOUR);
    expect(known.reminders(SIX + 2 * HOUR + SECOND, none).add).toEqual([]);
    expect(keys(known.reminders(SIX + 3 * HOUR, none).add)).toEqual(['reminder:1:ops']);
    expect(known.reminders(SIX + 9 * HOUR, none).add).toEqual([]);
    known.sent(`${ID}:reminder:1:ops`, SIX + 9 * HOUR);
    expect(keys(known.reminders(SIX + 10 * HOUR, none).add)).toEqual(['reminder:2:ops']);
    known.sent(`${ID}:reminder:2:ops`, SIX + 10 * HOUR);
    expect(keys(known.reminders(SIX + 11 * HOUR, none).add)).toEqual(['reminder:3:ops']);
  });

  it('describes an open incident with the time of its first alert', async () => {
    const known = await knownWith();
    known.plan([opened]);
    known.sent(`${ID}:opened:ops`, SIX + MINUTE);
    const [reminder] = known.reminders(SIX + 3 * HOUR, new Set()).add;
    expect(reminder && known.current(reminder).incident.notifiedAt).toBe(SIX + MINUTE);
  });

  it('does not take back what was tried', async () => {
    const known = await knownWith([incidentOf()], [{ ...notified('boss', null), dueAt: SIX + HOUR }]);
    known.attempted(`${ID}:opened:boss`);
    expect(known.plan([recovered(SIX + MINUTE)])).toMatchObject({ cancel: [], add: [{ route: 'boss' }] });
  });

  it('forgets a route that was removed, and incidents that are over', async () => {
    const known = await knownWith([incidentOf()], [notified('ops', null)]);
    known.givenUp(`${ID}:opened:ops`);
    expect(keys(known.plan([recovered(SIX + MINUTE)]).add)).toEqual([]);
    known.sent(`${ID}:opened:ops`, SIX);
    expect(known.reminders(SIX + 9 * HOUR, new Set())).toEqual({ add: [], cancel: [] });
  });
});
