import { describe, expect, it } from 'vitest';
import type { MaintenanceWindow } from '../settings.ts';
import type { StartedMaintenance } from '../store/store.ts';
import { maintenanceAt, nextMaintenance, plannedMaintenance, type Maintenance } from './maintenance.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const at = (text: string): number => Date.parse(text);
const shown = (window: Maintenance | null): string | null =>
  window === null ? null : `${new Date(window.from).toISOString()} ${(window.to - window.from) / MINUTE}`;

const once = (from: string, to: string, reason: string | null = null): MaintenanceWindow => ({
  kind: 'once',
  from: at(from),
  to: at(to),
  reason,
});
const every = (pattern: string, forMs: number, timeZone: string | null = 'UTC'): MaintenanceWindow => ({
  kind: 'recurring',
  pattern,
  timeZone,
  forMs,
  reason: null,
});
const started = (from: string, to: string): StartedMaintenance => ({
  id: from,
  site: 'docs',
  from: at(from),
  to: at(to),
  reason: null,
});

const siteWith = (maintenance: MaintenanceWindow[]) => ({ id: 'docs', maintenance });

describe('maintenanceAt', () => {
  const window = once('2026-03-01T10:00:00Z', '2026-03-01T11:00:00Z');
  const monday = every('0 22 * * 1', 2 * HOUR);
  const spring = every('30 3 * * *', 45 * MINUTE, 'Europe/Bucharest');
  const rows: readonly [string, MaintenanceWindow[], readonly StartedMaintenance[], string, string | null][] = [
    ['nothing is planned', [], [], '2026-03-01T10:00:00Z', null],
    ['just before a window', [window], [], '2026-03-01T09:59:59.999Z', null],
    ['its first moment', [window], [], '2026-03-01T10:00:00Z', '2026-03-01T10:00:00.000Z 60'],
    ['its last moment', [window], [], '2026-03-01T10:59:59.999Z', '2026-03-01T10:00:00.000Z 60'],
    ['the first moment after it', [window], [], '2026-03-01T11:00:00Z', null],
    [
      'a window that ends before it begins',
      [once('2026-03-01T11:00:00Z', '2026-03-01T10:00:00Z')],
      [],
      '2026-03-01T10:30:00Z',
      null,
    ],
    [
      'started by hand',
      [],
      [started('2026-03-01T10:00:00Z', '2026-03-01T10:30:00Z')],
      '2026-03-01T10:10:00Z',
      '2026-03-01T10:00:00.000Z 30',
    ],
    ['ended by hand', [], [started('2026-03-01T10:00:00Z', '2026-03-01T10:05:00Z')], '2026-03-01T10:10:00Z', null],
    [
      'two at once: the one that ends last',
      [window],
      [started('2026-03-01T10:30:00Z', '2026-03-01T12:30:00Z')],
      '2026-03-01T10:45:00Z',
      '2026-03-01T10:30:00.000Z 120',
    ],
    ['the first moment of a recurring one', [monday], [], '2026-03-02T22:00:00Z', '2026-03-02T22:00:00.000Z 120'],
    ['within its first second', [monday], [], '2026-03-02T22:00:00.400Z', '2026-03-02T22:00:00.000Z 120'],
    ['just before a recurring one', [monday], [], '2026-03-02T21:59:59.999Z', null],
    ['over midnight', [monday], [], '2026-03-02T23:59:59.999Z', '2026-03-02T22:00:00.000Z 120'],
    ['the first moment after a recurring one', [monday], [], '2026-03-03T00:00:00Z', null],
    ['another day', [monday], [], '2026-03-03T22:30:00Z', null],
    [
      'longer than its own interval',
      [every('0 * * * *', 90 * MINUTE)],
      [],
      '2026-03-02T12:10:00Z',
      '2026-03-02T12:00:00.000Z 90',
    ],
    [
      'in its own time zone',
      [every('0 9 * * *', HOUR, 'Asia/Tokyo')],
      [],
      '2026-03-02T00:30:00Z',
      '2026-03-02T00:00:00.000Z 60',
    ],
    [
      'in a zone that is half an hour off',
      [every('0 9 * * *', HOUR, 'Asia/Kolkata')],
      [],
      '2026-03-02T03:45:00Z',
      '2026-03-02T03:30:00.000Z 60',
    ],
    ['the day before the clocks go forward', [spring], [], '2026-03-28T01:40:00Z', '2026-03-28T01:30:00.000Z 45'],
    [
      'a time that does not exist that night: after the gap',
      [spring],
      [],
      '2026-03-29T01:10:00Z',
      '2026-03-29T01:00:00.000Z 45',
    ],
    ['not before the gap', [spring], [], '2026-03-29T00:59:00Z', null],
    [
      'a time that comes twice: the first of the two',
      [spring],
      [],
      '2026-10-25T00:40:00Z',
      '2026-10-25T00:30:00.000Z 45',
    ],
    ['not the second of the two', [spring], [], '2026-10-25T01:40:00Z', null],
    [
      'as long as it is said to, over the gap',
      [every('0 2 * * *', 2 * HOUR, 'Europe/Bucharest')],
      [],
      '2026-03-29T01:59:00Z',
      '2026-03-29T00:00:00.000Z 120',
    ],
    ['the 29th of February', [every('0 0 29 2 *', HOUR)], [], '2028-02-29T00:30:00Z', '2028-02-29T00:00:00.000Z 60'],
    ['that day in a year without it', [every('0 0 29 2 *', HOUR)], [], '2027-03-01T00:30:00Z', null],
  ];
  it.each(rows)('%s', (_, windows, hand, now, expected) => {
    expect(shown(maintenanceAt(siteWith(windows), hand, at(now)))).toBe(expected);
  });

  it('says why', () => {
    const reasoned = once('2026-03-01T10:00:00Z', '2026-03-01T11:00:00Z', 'new host');
    expect(maintenanceAt(siteWith([reasoned]), [], at('2026-03-01T10:30:00Z'))?.reason).toBe('new host');
  });
});

describe('a window that is asked about again and again', () => {
  const begins = ['2026-03-27T01:30:00Z', '2026-03-28T01:30:00Z', '2026-03-29T01:00:00Z', '2026-03-30T00:30:00Z'].map(
    at,
  );
  const window = every('30 3 * * *', 45 * MINUTE, 'Europe/Bucharest');
  const expected = (now: number): boolean => begins.some((from) => from <= now && now < from + 45 * MINUTE);

  it.each([
    ['forwards', 10 * MINUTE, 432],
    ['backwards', -10 * MINUTE, 432],
    ['here and there', 7 * HOUR + 10 * MINUTE, 2_000],
  ])('says the same as one that is asked once: %s', (_, stepMs, steps) => {
    const [first, length] = [at('2026-03-27T12:00:00Z'), 72 * HOUR];
    const moments = Array.from(
      { length: steps },
      (__, step) => first + ((((step * stepMs) % length) + length) % length),
    );
    const wrong = moments.filter((now) => (maintenanceAt(siteWith([window]), [], now) !== null) !== expected(now));
    expect(wrong).toEqual([]);
  });
});

describe('nextMaintenance', () => {
  const window = once('2026-03-01T10:00:00Z', '2026-03-01T11:00:00Z');
  const monday = every('0 22 * * 1', 2 * HOUR);
  const rows: readonly [string, MaintenanceWindow[], readonly StartedMaintenance[], string, string | null][] = [
    ['nothing is planned', [], [], '2026-03-01T10:00:00Z', null],
    ['a window to come', [window], [], '2026-03-01T09:00:00Z', '2026-03-01T10:00:00.000Z 60'],
    ['not one that goes on', [window], [], '2026-03-01T10:00:00Z', null],
    ['not one that is over', [window], [], '2026-03-02T10:00:00Z', null],
    ['the nearest of several', [monday, window], [], '2026-03-01T09:00:00Z', '2026-03-01T10:00:00.000Z 60'],
    ['a recurring one', [monday, window], [], '2026-03-01T12:00:00Z', '2026-03-02T22:00:00.000Z 120'],
    ['the one after that which goes on', [monday], [], '2026-03-02T22:00:00Z', '2026-03-09T22:00:00.000Z 120'],
    [
      'one by hand that begins later',
      [],
      [started('2026-03-01T10:00:00Z', '2026-03-01T10:30:00Z')],
      '2026-03-01T09:00:00Z',
      '2026-03-01T10:00:00.000Z 30',
    ],
    [
      'a time that does not exist that night',
      [every('30 3 * * *', HOUR, 'Europe/Bucharest')],
      [],
      '2026-03-28T12:00:00Z',
      '2026-03-29T01:00:00.000Z 60',
    ],
    ['a year that is over', [every('0 0 0 1 1 * 2020', HOUR)], [], '2026-03-01T09:00:00Z', null],
  ];
  it.each(rows)('%s', (_, windows, hand, now, expected) => {
    expect(shown(nextMaintenance(siteWith(windows), hand, at(now)))).toBe(expected);
  });
});

describe('plannedMaintenance', () => {
  const now = at('2026-03-02T22:30:00Z');
  const rows: readonly [string, MaintenanceWindow[], readonly StartedMaintenance[], readonly string[]][] = [
    ['nothing is planned', [], [], []],
    [
      'every window to come, not only the next one',
      [once('2026-05-01T10:00:00Z', '2026-05-01T11:00:00Z'), once('2026-04-01T10:00:00Z', '2026-04-01T11:00:00Z')],
      [],
      ['2026-04-01T10:00:00.000Z 60', '2026-05-01T10:00:00.000Z 60'],
    ],
    ['none that is over', [once('2026-03-01T10:00:00Z', '2026-03-01T11:00:00Z')], [], []],
    [
      'of a recurring one that which goes on and the next',
      [every('0 22 * * 1', 2 * HOUR)],
      [],
      ['2026-03-02T22:00:00.000Z 120', '2026-03-09T22:00:00.000Z 120'],
    ],
    [
      'all that were started by hand',
      [],
      [
        started('2026-03-02T22:00:00Z', '2026-03-02T22:40:00Z'),
        started('2026-03-02T22:10:00Z', '2026-03-02T23:10:00Z'),
      ],
      ['2026-03-02T22:00:00.000Z 40', '2026-03-02T22:10:00.000Z 60'],
    ],
  ];
  it.each(rows)('%s', (_, windows, hand, expected) => {
    expect(plannedMaintenance(siteWith(windows), hand, now).map(shown)).toEqual(expected);
  });
});
