import { describe, expect, it } from 'vitest';
import { policy, story, type Looked } from '../../../test/monitor/incident/story.ts';

type Row = readonly [name: string, looks: readonly Looked[], events: readonly string[], next?: readonly string[]];

const good = (...at: readonly number[]): Looked[] => at.map((one) => ({ at: one }));
const refused = (...at: readonly number[]): Looked[] => at.map((one) => ({ at: one, fails: { bundle: 'refused' } }));
const whole = (...at: readonly number[]): Looked[] => at.map((one) => ({ at: one, scope: 'full' }));
const links = (...at: readonly number[]): Looked[] =>
  at.map((one) => ({ at: one, scope: 'full', fails: { links: 'missing' } }));

const blank = (...at: readonly number[]): Looked[] =>
  at.map((one) => ({ at: one, scope: 'full', fails: { rendered: 'blank' } }));

const noHome = (...at: readonly number[]): Looked[] => at.map((one) => ({ at: one, fails: { home: 'not-found' } }));

const CORE = ['bundle', 'config', 'navigation', 'home', 'llms-txt'];

describe('a full check', () => {
  const open = [...whole(0), ...blank(3_600, 3_602, 3_604)];
  const begun = ['3600 suspected', '3604 opened down rendered/blank since 0'];
  const rows: readonly Row[] = [
    ['that passes', [...whole(0), ...good(10), ...whole(3_600)], [], []],
    [
      'in which the site is down is confirmed by full checks',
      [...whole(0), ...blank(3_600)],
      ['3600 suspected'],
      ['full in 2', 'whole in 300'],
    ],
    [
      'is not confirmed by core checks',
      [...whole(0), ...blank(3_600), ...good(3_601)],
      ['3600 suspected'],
      ['full in 1', 'whole in 299'],
    ],
    [
      'is not dismissed by core checks',
      [...whole(0), ...blank(3_600), ...good(3_610, 3_620), ...blank(3_621, 3_630)],
      ['3600 suspected', '3630 opened down rendered/blank since 0'],
      ['whole in 300'],
    ],
    [
      'is dismissed by one that passes',
      [...whole(0), ...blank(3_600), ...whole(3_602)],
      ['3600 suspected', '3602 dismissed'],
      [],
    ],
    [
      'is dismissed by one in which the site is only degraded',
      [...whole(0), ...blank(3_600), ...links(3_602)],
      ['3600 suspected', '3602 dismissed'],
      ['full in 2', 'whole in 300'],
    ],
    ['is rechecked before its time while the outage is open', open, begun, ['whole in 300']],
    ['is not put off by core checks', [...open, ...good(3_704)], begun, ['whole in 200']],
    ['keeps its outage open while only core checks pass', [...open, ...good(3_610, 3_620, 3_630)], begun],
    [
      'that passes lets core checks end the outage',
      [...open, ...whole(3_900), ...good(3_902)],
      [...begun, '3902 recovered down rendered/blank for 3900'],
      [],
    ],
    ['that passes is followed by core checks at once', [...open, ...whole(3_900)], begun, ['core in 2']],
    [
      'shows nothing more of a site whose core checks fail',
      [
        ...whole(0),
        ...[10, 12, 14].map((at): Looked => ({ at, scope: 'full', fails: { bundle: 'refused', links: 'missing' } })),
        ...good(20, 22),
      ],
      ['10 suspected', '14 opened down bundle/refused since 0', '22 recovered down bundle/refused for 20'],
      [],
    ],
    [
      'that was long knows less of the core checks than runs that came meanwhile',
      [...good(0), { at: 100, took: 95, scope: 'full', fails: { home: 'not-found' } }],
      ['100 suspected'],
      ['core in 2'],
    ],
    [
      'that was long does not count where core checks passed meanwhile',
      [...good(0, 10, 90), { at: 100, took: 95, scope: 'full', fails: { home: 'not-found' } }, ...good(110)],
      [],
    ],
    [
      'that was long does not end an outage that core checks saw meanwhile',
      [...good(0), ...refused(10, 12, 14), { at: 100, took: 95, scope: 'full' }, { at: 101, took: 95, scope: 'full' }],
      ['10 suspected', '14 opened down bundle/refused since 0'],
    ],
    [
      'that could not check a page shows nothing of it',
      [...whole(0), ...[10, 12, 14].map((at): Looked => ({ at, scope: 'full', unanswered: ['rendered'] }))],
      [],
    ],
    [
      'that could not check a page ends nothing',
      [...open, ...[3_700, 3_710, 3_720].map((at): Looked => ({ at, scope: 'full', unanswered: ['rendered'] }))],
      begun,
      ['whole in 300'],
    ],
    [
      'that is unknown drops a suspicion that cannot be confirmed',
      [...whole(0), ...blank(10), { at: 12, scope: 'full', unknown: ['rendered'] }],
      ['10 suspected', '12 dismissed'],
      ['whole in 300'],
    ],
    [
      'ends an outage although another check is unknown all the time',
      [...open, { at: 3_900, scope: 'full', unknown: ['source'] }, ...good(3_902)],
      [...begun, '3902 recovered down rendered/blank for 3900'],
    ],
    [
      'with dead links for months: an outage starts after the last one that was not down',
      [...whole(0), ...links(3_600, 7_200), ...blank(10_800, 10_802, 10_804)],
      ['10800 suspected', '10804 opened down rendered/blank since 7200'],
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

  it('is forgotten where it is not configured any more', () => {
    const { state } = story(open);
    const { full } = policy().beyond;
    const reported = story(good(3_610, 3_612), policy({ without: full }), state);
    expect(reported.events).toEqual(['3612 recovered down rendered/blank for 3610']);
    expect(reported.next).toEqual([]);
  });

  it('is not asked for where only a suspicion of it is left', () => {
    const { state } = story([...whole(0), ...blank(3_600)]);
    const { full } = policy().beyond;
    expect(story(good(3_610), policy({ without: full }), state).next).toEqual([]);
  });
});

describe('a full check after the bundle has changed', () => {
  const saw = (bundle: string, ...at: readonly number[]): Looked[] =>
    at.map((one) => ({ at: one, contents: { bundle } }));
  const begun = [...saw('a', 0), ...whole(1), ...saw('a', 600, 700)];

  it.each<[name: string, looks: readonly Looked[], next: readonly string[]]>([
    ['is due at once', [...begun, ...saw('b', 710)], ['whole in 0']],
    ['is still due in the next run, until it has run', [...begun, ...saw('b', 710, 720)], ['whole in 0']],
    ['is not due once it has run', [...begun, ...saw('b', 710), ...whole(715), ...saw('b', 720)], []],
    [
      'runs ten minutes after the last one at the soonest',
      [...begun, ...saw('b', 710), ...whole(715), ...saw('c', 720, 730)],
      ['whole in 585'],
    ],
    ['is not due where the bundle is the same', begun, []],
    [
      'is due where the change was seen once it had settled',
      [...begun, ...saw('b', 710), ...saw('c', 720), ...saw('c', 730)],
      ['whole in 0'],
    ],
    [
      'is not due for a bundle that differs in every run',
      ['b', 'c', 'd', 'e'].flatMap((bundle, at) =>
        at === 1 ? [...saw(bundle, 10), ...whole(11)] : saw(bundle, 1_000 + at),
      ),
      [],
    ],
    [
      'waits for the end of an incident',
      [...begun, ...noHome(710, 712, 714).map((one) => ({ ...one, contents: { bundle: 'b' } })), ...saw('b', 720)],
      ['core in 2'],
    ],
    [
      'is not due while the site is down',
      [...begun, { at: 710, contents: { bundle: 'b' }, fails: { config: 'trailing-comma' } }],
      ['core in 2'],
    ],
    [
      'is due after one that ran before anything was known of the bundle',
      [...whole(0), ...saw('a', 700, 710), ...saw('b', 720)],
      ['whole in 0'],
    ],
  ])('%s', (_, looks, next) => {
    expect(story(looks).next).toEqual(next);
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
