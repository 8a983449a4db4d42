/** Outages and defects of one site: each is an incident of its own. */
import { describe, expect, it } from 'vitest';
import { policy, seconds, story, type Looked } from '../../../test/monitor/incident/story.ts';
import { currentIncident, emptyState, openIncidents, restored, type SiteState } from './state.ts';

type Row = readonly [name: string, looks: readonly Looked[], events: readonly string[]];

const fails =
  (rules: Readonly<Record<string, string>>, scope: 'core' | 'full' = 'core') =>
  (...at: readonly number[]): Looked[] =>
    at.map((one) => ({ at: one, scope, fails: rules }));
const good = fails({});
const whole = fails({}, 'full');
const down = fails({ bundle: 'refused' });
const noHome = fails({ home: 'not-found' });
const links = fails({ links: 'missing' }, 'full');
const noStyle = fails({ bundle: 'script-missing', home: 'not-found', links: 'missing' }, 'full');
const every = (from: number, to: number, step = 10): number[] =>
  Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, at) => from + at * step);

const broken = [...good(0), ...noHome(2, 4, 6)];
const BROKEN = ['2 suspected', '6 opened degraded home/not-found since 0'];
const DAY = 86_400;

describe('an outage of a site with a defect', () => {
  const rows: readonly Row[] = [
    [
      'has clocks of its own, however long the defect has been',
      [...broken, ...noHome(DAY), ...down(DAY + 10, DAY + 12, DAY + 14), ...noHome(DAY + 40, DAY + 42)],
      [
        ...BROKEN,
        `${DAY + 10} suspected`,
        `${DAY + 14} opened down bundle/refused since ${DAY}`,
        `${DAY + 42} recovered down bundle/refused for 40`,
      ],
    ],
    [
      'each time again',
      [...broken, ...down(10, 12, 14), ...noHome(20, 22, 900), ...down(910, 912, 914), ...noHome(920, 922)],
      [
        ...BROKEN,
        '10 suspected',
        '14 opened down bundle/refused since 6',
        '22 recovered down bundle/refused for 14',
        '910 suspected',
        '914 opened down bundle/refused since 900',
        '922 recovered down bundle/refused for 20',
      ],
    ],
    [
      'that is not confirmed is none',
      [...broken, ...down(10, 12), ...noHome(14)],
      [...BROKEN, '10 suspected', '14 dismissed'],
    ],
    [
      'is confirmed by rounds that are down, not by others that fail',
      [...broken, ...down(10, 12), ...noHome(14), ...down(16, 18), ...noHome(20)],
      [...BROKEN, '10 suspected', '14 dismissed', '16 suspected', '20 dismissed'],
    ],
    [
      'after maintenance: it began when that ended',
      [...broken, ...down(20, 60, 98).map((checked) => ({ ...checked, maintenance: 100 })), ...down(101, 103, 105)],
      [...BROKEN, '101 suspected', '105 opened down bundle/refused since 100'],
    ],
    [
      'long after maintenance: the last round that was not down',
      [...good(-100).map((checked) => ({ ...checked, maintenance: -90 })), ...broken, ...down(10, 12, 14)],
      [...BROKEN, '10 suspected', '14 opened down bundle/refused since 6'],
    ],
    [
      'tells what fails in it, not what failed before',
      [
        ...good(0),
        ...noHome(2, 4, 6),
        ...fails({ home: 'not-found', config: 'syntax' })(10, 12, 14),
        ...fails({ home: 'not-found', config: 'syntax', navigation: 'not-found' })(20, 22, 24),
        ...noHome(30, 32),
      ],
      [
        '2 suspected',
        '6 opened degraded home/not-found since 0',
        '10 suspected',
        '14 opened down config/syntax since 6',
        '24 changed down config+navigation/syntax+not-found since 6',
        '32 recovered down config+navigation/syntax+not-found for 24',
      ],
    ],
    [
      'takes in what fails in another way',
      [...good(0), ...noHome(2, 4, 6), ...fails({ home: 'refused', bundle: 'refused' })(10, 12, 14)],
      [
        '2 suspected',
        '6 opened degraded home/not-found since 0',
        '10 suspected',
        '14 opened down bundle+home/refused since 6',
      ],
    ],
    [
      'that a round of the whole site sees',
      [...broken, ...noHome(10), ...noStyle(300, 302, 304), ...noHome(310, 320)],
      [
        ...BROKEN,
        '300 suspected',
        '304 opened down bundle/script-missing since 10',
        '320 recovered down bundle/script-missing for 300',
      ],
    ],
    [
      'unknown and ours count for nothing',
      [
        ...broken,
        ...down(10, 12),
        { at: 13, ours: true },
        ...down(14),
        { at: 20, ours: true },
        { at: 22, unknown: ['bundle', 'config', 'navigation', 'home', 'llms-txt'] },
        ...noHome(30, 32),
      ],
      [...BROKEN, '10 suspected', '14 opened down bundle/refused since 6', '32 recovered down bundle/refused for 24'],
    ],
  ];
  it.each(rows)('%s', (_, looks, events) => {
    expect(story(looks).events).toEqual(events);
  });

  it('lies over it: both are open, and the defect is as it was', () => {
    const before = currentIncident(story(broken).state);
    const { state } = story([...broken, ...down(10, 12, 14, 20), ...noHome(30)]);
    expect(openIncidents(state).map(({ verdict }) => verdict)).toEqual(['down', 'degraded']);
    expect(state.degradation.incident).toEqual(before);
  });

  it('is known in the middle by a monitor that was restarted', () => {
    const { state } = story([...broken, ...down(10, 12, 14)]);
    expect(story([...down(7_200), ...noHome(7_210, 7_212)], policy(), state).events).toEqual([
      '7212 recovered down bundle/refused for 7204',
    ]);
  });
});

describe('the deploy that an outage of a site with a defect is suspected to come of', () => {
  const live = (version: string, looks: readonly Looked[]): Looked[] =>
    looks.map((checked) => ({ ...checked, version }));
  const before = live('v1', [...good(0), ...noHome(2, 4, 6)]);
  const outage = (at: number): Looked[] => down(at, at + 2, at + 4);
  it.each([
    ['the one that came with it', [...before, ...live('v2', outage(20))], 'v2'],
    ['one of a minute ago', [...before, ...live('v2', [...noHome(20, 70), ...outage(80)])], 'v2'],
    [
      'none with which the site was as before for long',
      [...before, ...live('v2', [...noHome(...every(20, 300)), ...outage(310)])],
      undefined,
    ],
  ] satisfies readonly (readonly [string, readonly Looked[], string | undefined])[])('%s', (_, looks, version) => {
    expect(currentIncident(story(looks).state)?.deploy?.version).toBe(version);
  });

  it('is, for a defect that was not there before, the one that ended the outage', () => {
    const { state } = story([...live('v1', good(0, 2)), ...live('v2', outage(10)), ...live('v3', noHome(20, 22))]);
    expect([currentIncident(state)?.verdict, currentIncident(state)?.deploy?.version]).toEqual(['degraded', 'v3']);
  });
});

describe('a defect after an outage', () => {
  const out = [...good(0), ...down(10, 12, 14)];
  const OUT = ['10 suspected', '14 opened down bundle/refused since 0'];
  const rows: readonly Row[] = [
    [
      'that was there before goes on',
      [...broken, ...down(10, 12, 14), ...noHome(20, 22, 300), ...good(600, 602)],
      [
        ...BROKEN,
        '10 suspected',
        '14 opened down bundle/refused since 6',
        '22 recovered down bundle/refused for 14',
        '602 recovered degraded home/not-found for 600',
      ],
    ],
    [
      'that was there before and is mended as well ends with it',
      [...good(0), ...noHome(2, 4, 6), ...down(10, 12, 14), ...good(20, 22)],
      [
        '2 suspected',
        '6 opened degraded home/not-found since 0',
        '10 suspected',
        '14 opened down bundle/refused since 6',
        '22 recovered down bundle/refused for 14',
        '22 recovered degraded home/not-found for 20',
      ],
    ],
    [
      'that was there before has become more meanwhile',
      [
        ...good(0),
        ...noHome(2, 4, 6),
        ...down(10, 12, 14),
        ...fails({ home: 'not-found', navigation: 'not-found' })(20, 22),
      ],
      [
        '2 suspected',
        '6 opened degraded home/not-found since 0',
        '10 suspected',
        '14 opened down bundle/refused since 6',
        '22 recovered down bundle/refused for 14',
        '22 changed degraded navigation+home/not-found since 0',
      ],
    ],
    [
      'that is new opens with the end of the outage',
      [...out, ...noHome(20, 22)],
      [...OUT, '22 recovered down bundle/refused for 20', '22 opened degraded home/not-found since 20'],
    ],
    [
      'that is seen once then is confirmed as usual',
      [...out, ...good(20), ...noHome(22, 24, 26)],
      [...OUT, '22 recovered down bundle/refused for 20', '22 suspected', '26 opened degraded home/not-found since 20'],
    ],
    [
      'that is gone again is none',
      [...out, ...noHome(20), ...good(22, 24)],
      [...OUT, '22 recovered down bundle/refused for 20'],
    ],
    [
      'that only full checks see is a finding',
      [...whole(-60), ...out, ...good(20), ...links(22, 24, 26)],
      [...OUT, '22 recovered down bundle/refused for 20'],
    ],
    [
      'does not open in maintenance',
      [...out, ...noHome(20, 22).map((checked) => ({ ...checked, maintenance: 100 })), ...noHome(101, 103, 105)],
      [
        ...OUT,
        '22 recovered down bundle/refused for 20',
        '101 suspected',
        '105 opened degraded home/not-found since 100',
      ],
    ],
    [
      'and down again: the defect lies still once more',
      [...out, ...noHome(20, 22, 900), ...down(910, 912, 914), ...noHome(920, 922), ...good(930, 932)],
      [
        ...OUT,
        '22 recovered down bundle/refused for 20',
        '22 opened degraded home/not-found since 20',
        '910 suspected',
        '914 opened down bundle/refused since 900',
        '922 recovered down bundle/refused for 20',
        '932 recovered degraded home/not-found for 910',
      ],
    ],
  ];
  it.each(rows)('%s', (_, looks, events) => {
    expect(story(looks).events).toEqual(events);
  });

  it('asks for quick looks until the site is up for sure, not for more', () => {
    expect(story([...out, ...noHome(20)]).next).toEqual(['core in 2']);
    expect(story([...out, ...noHome(20, 22)]).next).toEqual([]);
  });
});

describe('what an incident began with', () => {
  const begun = (looks: readonly Looked[]): unknown[] =>
    story(looks).all.flatMap((event) => (event.kind === 'opened' ? [event.incident.startedBy] : []));
  const out = [...good(0), ...down(10, 12, 14)];
  it.each([
    ['an outage after good rounds of the five', [...broken, ...good(10), ...down(20, 22, 24)], [undefined, undefined]],
    ['an outage after others', [...good(0), ...noHome(2, 4, 6), ...down(10, 12, 14)], [undefined, 'up-round']],
    ['a defect that an outage left', [...out, ...noHome(20, 22)], [undefined, 'outage-end']],
    ['a defect after a good round', [...out, ...good(20), ...noHome(22, 24, 26)], [undefined, undefined]],
  ] satisfies readonly (readonly [string, readonly Looked[], unknown[]])[])('%s', (_, looks, by) => {
    expect(begun(looks)).toEqual(by);
  });
});

describe('a host that is half dead', () => {
  const kinds = (looks: readonly Looked[]): string[] =>
    story(looks).all.map(
      ({ at, kind, incident }) => `${seconds(at)} ${kind} ${incident.verdict}${incident.flapping ? ' flapping' : ''}`,
    );
  const turns = (count: number, one: (at: number) => Looked[], everyS: number): Looked[] =>
    Array.from({ length: count }, (_, turn) => one(turn * everyS)).flat();
  const upAgain = noHome(...every(2_010, 2_400));
  const steady = [...good(0), ...noHome(...every(10, 600)), ...upAgain];

  it('now down, now degraded in turn: no more than one of each', () => {
    const looks = [...good(0), ...turns(100, (at) => [...down(at + 10), ...noHome(at + 20)], 20)];
    expect(kinds([...looks, ...upAgain])).toEqual(['30 opened down', '2010 recovered down', '2010 opened degraded']);
  });

  it('degraded first, and down in single runs: an outage that lasts as long as they come', () => {
    const looks = [...good(0), ...noHome(2, 4, 6), ...turns(33, (at) => [...noHome(at + 20), ...down(at + 30)], 60)];
    expect(kinds([...looks, ...upAgain])).toEqual([
      '6 opened degraded',
      '270 opened down flapping',
      '2310 recovered down flapping',
    ]);
  });

  it('down for a while, degraded for a while: the third outage stays', () => {
    const turn = (at: number): Looked[] => [...down(...every(at + 10, at + 40)), ...noHome(...every(at + 50, at + 80))];
    expect(kinds([...good(0), ...turns(20, turn, 80), ...noHome(...every(1_610, 2_000))])).toEqual([
      '30 opened down',
      '60 recovered down',
      '60 opened degraded',
      '110 opened down',
      '140 recovered down',
      '190 opened down flapping',
      '1870 recovered down flapping',
    ]);
  });

  it('that is only degraded has one incident', () => {
    expect(kinds(steady)).toEqual(['30 opened degraded']);
  });
});

describe('a state as it was stored', () => {
  it('is read, also from before there were runs in the browser', () => {
    const { browser, ...scopes } = emptyState().scopes;
    expect(restored({ ...emptyState(), scopes } as SiteState).scopes).toEqual({ ...scopes, browser });
  });

  it('is refused in a form that is not known', () => {
    expect(() => restored({ ...emptyState(), form: 1 } as unknown as SiteState)).toThrow('unknown form of a state: 1');
  });
});

describe('a degradation', () => {
  it('has the findings of the last run in which it was seen', () => {
    const opened = [...good(0), ...noHome(2, 4, 6)];
    const findingsAfter = (looks: readonly Looked[]): unknown =>
      currentIncident(story([...opened, ...looks]).state)?.findings.map(({ rule }) => rule);
    expect(findingsAfter([])).toEqual(['home/not-found']);
    expect(findingsAfter(fails({ home: 'no-content' })(8))).toEqual(['home/no-content']);
    expect(findingsAfter(good(8))).toEqual(['home/not-found']);
  });
});
