import { describe, expect, it } from 'vitest';
import { HOUR, incidentOf, MINUTE, routeOf, SECOND, siteOf, SIX } from '../../../test/alerts/samples.ts';
import type { Incident } from '../incident/incident.ts';
import { openAlertBook, type AlertBook } from './book.ts';
import type { KnownAlert, OutboxEntry } from './outbox.ts';

const ROUTES = [routeOf({ reminderMs: HOUR }), routeOf({ id: 'boss', afterMs: 10 * MINUTE })];
const ID = incidentOf().id;

const bookWith = (open: readonly Incident[] = [], alerts: readonly KnownAlert[] = []): Promise<AlertBook> =>
  openAlertBook(
    {
      incidents: () => Promise.resolve(open),
      alertsOf: (incident) =>
        Promise.resolve(
          alerts.map((alert): OutboxEntry & KnownAlert => {
            return {
              alsoSites: [],
              createdAt: SIX,
              ...alert,
              incident: incidentOf({ id: incident }),
              sentAt: alert.sentAt,
            };
          }),
        ),
    },
    () => ({ sites: [siteOf()], alerts: ROUTES }),
  );

const opened = { kind: 'opened', incident: incidentOf(), at: SIX } as const;
const recovered = (at: number) => ({ kind: 'recovered', incident: incidentOf({ recoveredAt: at }), at }) as const;
const keys = (entries: readonly OutboxEntry[]): string[] => entries.map(({ key }) => key.slice(ID.length + 1));
const told = (route: string, sentAt: number | null): KnownAlert => {
  return { key: `${ID}:opened:${route}`, route, event: 'opened', dueAt: SIX, sentAt, attempts: 0 };
};

describe('the book', () => {
  it('knows what it has planned before it is written', async () => {
    const book = await bookWith();
    expect(keys(book.plan([opened]).add)).toEqual(['opened:ops', 'opened:boss']);
    const { add, cancel } = book.plan([recovered(SIX + MINUTE)]);
    expect([keys(add), cancel]).toEqual([['recovered:ops'], [`${ID}:opened:boss`]]);
  });

  it('goes on after a restart: no second alert, and the recovery to who was told', async () => {
    const book = await bookWith([incidentOf()], [told('ops', SIX), told('boss', SIX)]);
    expect(book.reminders(SIX + MINUTE, new Set())).toEqual({ add: [], cancel: [] });
    expect(keys(book.plan([recovered(SIX + MINUTE)]).add)).toEqual(['recovered:ops', 'recovered:boss']);
  });

  it('reminds from the time when the last alert arrived, each time once', async () => {
    const book = await bookWith();
    book.plan([opened]);
    const none = new Set<string>();
    expect(book.reminders(SIX + 2 * HOUR, none).add).toEqual([]);
    book.sent(`${ID}:opened:ops`, SIX + 2 * HOUR);
    expect(book.reminders(SIX + 2 * HOUR + SECOND, none).add).toEqual([]);
    expect(keys(book.reminders(SIX + 3 * HOUR, none).add)).toEqual(['reminder:1:ops']);
    expect(book.reminders(SIX + 9 * HOUR, none).add).toEqual([]);
    book.sent(`${ID}:reminder:1:ops`, SIX + 9 * HOUR);
    expect(keys(book.reminders(SIX + 10 * HOUR, none).add)).toEqual(['reminder:2:ops']);
    book.sent(`${ID}:reminder:2:ops`, SIX + 10 * HOUR);
    expect(keys(book.reminders(SIX + 11 * HOUR, none).add)).toEqual(['reminder:3:ops']);
  });

  it('does not take back what was tried', async () => {
    const book = await bookWith([incidentOf()], [{ ...told('boss', null), dueAt: SIX + HOUR }]);
    book.tried(`${ID}:opened:boss`);
    expect(book.plan([recovered(SIX + MINUTE)])).toMatchObject({ cancel: [], add: [{ route: 'boss' }] });
  });

  it('forgets a route that was removed, and incidents that are over', async () => {
    const book = await bookWith([incidentOf()], [told('ops', null)]);
    book.givenUp(`${ID}:opened:ops`);
    expect(keys(book.plan([recovered(SIX + MINUTE)]).add)).toEqual([]);
    book.sent(`${ID}:opened:ops`, SIX);
    expect(book.reminders(SIX + 9 * HOUR, new Set())).toEqual({ add: [], cancel: [] });
  });
});
