/** Maintenance, restarts and clocks that are set. */
import { describe, expect, it } from 'vitest';
import { policy, story, type Looked } from '../../../test/monitor/incident/story.ts';
import { currentIncident } from './state.ts';

type Row = readonly [name: string, looks: readonly Looked[], events: readonly string[]];

const good = (...at: readonly number[]): Looked[] => at.map((one) => ({ at: one }));
const refused = (...at: readonly number[]): Looked[] => at.map((one) => ({ at: one, fails: { bundle: 'refused' } }));
const working = (maintenance: number | true, ...looks: readonly Looked[]): Looked[] =>
  looks.map((checked) => ({ ...checked, maintenance }));
const OPENED = ['10 suspected', '14 opened down bundle/refused since 0'];

describe('what an incident begins with', () => {
  it.each([
    ['the last good round', [...good(0), ...refused(10, 12, 14)], undefined],
    [
      'the end of maintenance',
      [...good(0), ...working(100, ...refused(10)), ...refused(101, 103, 105)],
      'maintenance-end',
    ],
    ['the first bad round, where none was good', refused(10, 12, 14), 'first-bad-round'],
  ])('%s', (_, looks, by) => {
    const incident = currentIncident(story(looks).state);
    expect(incident).toMatchObject({ recoveredAt: null });
    expect(incident?.startedBy).toBe(by);
  });
});

describe('maintenance', () => {
  const rows: readonly Row[] = [
    ['opens nothing', [...good(0), ...working(100, ...refused(10, 12, 14, 20, 30, 90)), ...good(100)], []],
    [
      'takes a suspicion back',
      [...good(0), ...refused(10, 12), ...working(100, ...refused(14)), ...good(100)],
      ['10 suspected', '14 dismissed'],
    ],
    [
      'outlasted: it began when the maintenance ended',
      [...good(0), ...working(100, ...refused(10, 50, 98)), ...refused(101, 103, 105)],
      ['101 suspected', '105 opened down bundle/refused since 100'],
    ],
    [
      'outlasted, its end not known: the last round in it',
      [...good(0), ...working(true, ...refused(10, 50, 98)), ...refused(101, 103, 105)],
      ['101 suspected', '105 opened down bundle/refused since 98'],
    ],
    [
      'ended early by hand: not before the first failure after it',
      [...good(0), ...working(1_000, ...refused(10, 50)), ...refused(60, 62, 64)],
      ['60 suspected', '64 opened down bundle/refused since 60'],
    ],
    [
      'ended early by hand, then well, then down: the last good round',
      [...good(0), ...working(1_000, ...refused(10)), ...good(60, 70), ...refused(80, 82, 84)],
      ['80 suspected', '84 opened down bundle/refused since 70'],
    ],
    [
      'well again within it, then down: the last good round',
      [
        ...good(0),
        ...working(100, ...refused(10)),
        ...working(100, ...good(90)),
        ...good(110),
        ...refused(120, 122, 124),
      ],
      ['120 suspected', '124 opened down bundle/refused since 110'],
    ],
    [
      'an incident goes on silently',
      [
        ...good(0),
        ...refused(10, 12, 14),
        ...working(
          100,
          { at: 20, fails: { config: 'reset' } },
          { at: 22, fails: { config: 'reset' } },
          { at: 24, fails: { config: 'reset' } },
        ),
      ],
      OPENED,
    ],
    [
      'and may end in it',
      [...good(0), ...refused(10, 12, 14), ...working(100, ...good(20, 22))],
      [...OPENED, '22 recovered down bundle/refused for 20'],
    ],
    [
      'and is told again after it',
      [
        ...good(0),
        ...refused(10, 12, 14),
        ...working(100, ...refused(20)),
        ...[101, 103, 105].map((at): Looked => ({ at, fails: { config: 'reset' } })),
      ],
      [...OPENED, '105 changed down bundle+config/refused+reset since 0'],
    ],
  ];
  it.each(rows)('%s', (_, looks, events) => {
    expect(story(looks).events).toEqual(events);
  });
});

describe('a restart', () => {
  const open = story([...good(0), ...refused(10, 12, 14)]).state;
  it.each([
    ['in the middle of an outage: nothing is told twice', refused(20, 30, 3_600), []],
    ['after which the site is well', good(3_600, 3_602), ['3602 recovered down bundle/refused for 3600']],
    ['with one good round: it is not over', [...good(3_600), ...refused(3_602)], []],
    [
      'with our network not there yet',
      [
        { at: 3_600, ours: true },
        { at: 3_610, ours: true },
      ],
      [],
    ],
  ] satisfies readonly Row[])('%s', (_, looks, events) => {
    expect(story(looks, policy(), open).events).toEqual(events);
  });

  it('between the healthy runs: they are not in a row', () => {
    const before = story([...good(0), ...refused(10, 12, 14), ...good(20)]).state;
    expect(story(good(7_200), policy(), before).events).toEqual([]);
  });
});

describe('a clock that is set back', () => {
  const rows: readonly Row[] = [
    [
      'before a failure is confirmed',
      [...good(1_000), ...refused(1_010), ...refused(12, 14)],
      ['1010 suspected', '14 opened down bundle/refused since 14'],
    ],
    [
      'while an incident is open',
      [...good(1_000), ...refused(1_010, 1_012, 1_014), ...good(20, 22)],
      ['1010 suspected', '1014 opened down bundle/refused since 1000', '22 recovered down bundle/refused for 14'],
    ],
  ];
  it.each(rows)('%s', (_, looks, events) => {
    expect(story(looks).events).toEqual(events);
  });
});
