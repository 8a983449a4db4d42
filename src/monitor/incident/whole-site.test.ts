import { describe, expect, it } from 'vitest';
import { policy, story, type Looked } from '../../../test/monitor/incident/story.ts';

type Row = readonly [name: string, looks: readonly Looked[], events: readonly string[], next?: readonly string[]];

const good = (...at: readonly number[]): Looked[] => at.map((one) => ({ at: one }));
const refused = (...at: readonly number[]): Looked[] => at.map((one) => ({ at: one, fails: { bundle: 'refused' } }));
const whole = (...at: readonly number[]): Looked[] => at.map((one) => ({ at: one, scope: 'full' }));
const links = (...at: readonly number[]): Looked[] =>
  at.map((one) => ({ at: one, scope: 'full', fails: { links: 'missing' } }));

const CORE = ['bundle', 'config', 'navigation', 'home', 'llms-txt'];

describe('runs of the whole site', () => {
  const open = [...whole(0), ...links(3_600, 3_602, 3_604)];
  const begun = ['3600 suspected', '3604 opened degraded links/missing since 0'];
  const OUTAGE = '3614 opened down bundle/refused since 3604';
  const rows: readonly Row[] = [
    ['well', [...whole(0), ...good(10), ...whole(3_600)], [], []],
    [
      'a failure is confirmed by rounds of the whole site',
      [...whole(0), ...links(3_600)],
      ['3600 suspected'],
      ['full in 2', 'whole in 300'],
    ],
    [
      'rounds of the five neither confirm it',
      [...whole(0), ...links(3_600), ...good(3_601)],
      ['3600 suspected'],
      ['full in 1', 'whole in 299'],
    ],
    [
      'nor dismiss it',
      [...whole(0), ...links(3_600), ...good(3_610, 3_620), ...links(3_621, 3_630)],
      ['3600 suspected', '3630 opened degraded links/missing since 0'],
      ['whole in 300'],
    ],
    [
      'a good one dismisses it',
      [...whole(0), ...links(3_600), ...whole(3_602)],
      ['3600 suspected', '3602 dismissed'],
      [],
    ],
    ['open: it is looked at again before its time', open, begun, ['whole in 300']],
    ['open: rounds of the five do not put that off', [...open, ...good(3_704)], begun, ['whole in 200']],
    ['rounds of the five do not end it', [...open, ...good(3_610, 3_620, 3_630)], begun],
    [
      'well again: rounds of the five are enough then',
      [...open, ...whole(3_900), ...good(3_902)],
      [...begun, '3902 recovered degraded links/missing for 3900'],
      [],
    ],
    ['well again: looked at quickly', [...open, ...whole(3_900)], begun, ['core in 2']],
    [
      'the five fail once meanwhile',
      [...open, ...refused(3_610), ...good(3_612)],
      [...begun, '3610 suspected', '3612 dismissed'],
    ],
    [
      'the site goes down meanwhile',
      [...open, ...refused(3_610, 3_612, 3_614), ...good(3_620, 3_630)],
      [...begun, '3610 suspected', OUTAGE, '3630 recovered down bundle/refused for 16'],
      ['whole in 0'],
    ],
    [
      'and what was seen before is looked at soon when it is back',
      [...open, ...refused(3_610, 3_612, 3_614), ...good(3_620), ...whole(3_625), ...good(3_627)],
      [
        ...begun,
        '3610 suspected',
        OUTAGE,
        '3625 recovered down bundle/refused for 16',
        '3627 recovered degraded links/missing for 3625',
      ],
    ],
    [
      'a site that is down says nothing of its links',
      [
        ...whole(0),
        ...[10, 12, 14].map((at): Looked => ({ at, scope: 'full', fails: { bundle: 'refused', links: 'missing' } })),
        ...good(20, 22),
      ],
      ['10 suspected', '14 opened down bundle/refused since 0', '22 recovered down bundle/refused for 20'],
      [],
    ],
    [
      'the five and the whole site fail: each is confirmed by itself',
      [
        ...whole(0),
        { at: 10, scope: 'full', fails: { home: 'not-found', links: 'missing' } },
        { at: 12, fails: { home: 'not-found' } },
        { at: 14, fails: { home: 'not-found' } },
      ],
      ['10 suspected', '14 opened degraded home/not-found since 0'],
      ['full in 0', 'whole in 296'],
    ],
    [
      'a long round knows less of the five than those that came meanwhile',
      [...good(0), { at: 100, took: 95, scope: 'full', fails: { home: 'not-found' } }],
      ['100 suspected'],
      ['core in 2'],
    ],
    [
      'whether they are well',
      [...good(0, 10, 90), { at: 100, took: 95, scope: 'full', fails: { home: 'not-found' } }, ...good(110)],
      [],
    ],
    [
      'or not',
      [...good(0), ...refused(10, 12, 14), { at: 100, took: 95, scope: 'full' }, { at: 101, took: 95, scope: 'full' }],
      ['10 suspected', '14 opened down bundle/refused since 0'],
    ],
    [
      'a check that could not look tells nothing',
      [...whole(0), ...[10, 12, 14].map((at): Looked => ({ at, scope: 'full', unanswered: ['links'] }))],
      [],
    ],
    [
      'nor does it end anything',
      [...open, ...[3_700, 3_710, 3_720].map((at): Looked => ({ at, scope: 'full', unanswered: ['links'] }))],
      begun,
      ['whole in 300'],
    ],
    [
      'a suspicion that cannot be confirmed is dropped',
      [...whole(0), ...links(10), { at: 12, scope: 'full', unknown: ['links'] }],
      ['10 suspected', '12 dismissed'],
      ['whole in 300'],
    ],
    [
      'another check is unknown all the time',
      [...open, { at: 3_900, scope: 'full', unknown: ['source'] }, ...good(3_902)],
      [...begun, '3902 recovered degraded links/missing for 3900'],
    ],
  ];
  it.each(rows.map(([name, looks, events, next]) => ({ name, looks, events, next })))(
    '$name',
    ({ looks, events, next }) => {
      const reported = story(looks);
      expect(reported.events).toEqual(events);
      expect(reported.next).toEqual(next ?? reported.next);
    },
  );

  it('are forgotten where they are not made any more', () => {
    const { state } = story(open);
    const { full } = policy().beyond;
    const reported = story(good(3_610, 3_612), policy({ without: full }), state);
    expect(reported.events).toEqual(['3612 recovered degraded links/missing for 3610']);
    expect(reported.next).toEqual([]);
  });

  it('are not asked for where a suspicion is left of them', () => {
    const { state } = story([...whole(0), ...links(3_600)]);
    const { full } = policy().beyond;
    expect(story(good(3_610), policy({ without: full }), state).next).toEqual([]);
  });
});

describe('the next look', () => {
  const rows: readonly Row[] = [
    ['a site that is well', good(0), [], []],
    ['a failure', refused(0), ['0 suspected'], ['core in 2']],
    ['an open incident', refused(0, 2, 4), ['0 suspected', '4 opened down bundle/refused since 0'], []],
    [
      'the first good round',
      [...refused(0, 2, 4), ...good(10)],
      ['0 suspected', '4 opened down bundle/refused since 0'],
      ['core in 2'],
    ],
    ['our own network', [...refused(0), { at: 2, ours: true }], ['0 suspected'], []],
    ['unknown', [...refused(0), { at: 2, unknown: CORE }], ['0 suspected'], []],
    [
      'well, as far as it can be told',
      [...refused(0), { at: 2, unknown: ['home'] }],
      ['0 suspected', '2 dismissed'],
      [],
    ],
    [
      'a round of the whole site that ends while a failure is confirmed',
      [...refused(0), { at: 1, took: 30, scope: 'full' }],
      ['0 suspected'],
      ['core in 1'],
    ],
  ];
  it.each(rows.map(([name, looks, events, next]) => ({ name, looks, events, next })))(
    '$name',
    ({ looks, events, next }) => {
      const reported = story(looks);
      expect(reported.events).toEqual(events);
      expect(reported.next).toEqual(next);
    },
  );
});
