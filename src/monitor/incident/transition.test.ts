import { describe, expect, it } from 'vitest';
import { policy, story, type Looked } from '../../../test/monitor/incident/story.ts';
import { currentIncident } from './state.ts';

type Row = readonly [name: string, looks: readonly Looked[], events: readonly string[]];

const good = (...at: readonly number[]): Looked[] => at.map((one) => ({ at: one }));
const refused = (...at: readonly number[]): Looked[] => at.map((one) => ({ at: one, fails: { bundle: 'refused' } }));
const noHome = (...at: readonly number[]): Looked[] => at.map((one) => ({ at: one, fails: { home: 'not-found' } }));
const OPENED = '14 opened down bundle/refused since 0';

describe('opening', () => {
  const rows: readonly Row[] = [
    ['a site that is well', good(0, 10, 20), []],
    ['one failing round', [...good(0), ...refused(10), ...good(12)], ['10 suspected', '12 dismissed']],
    ['two failing rounds', [...good(0), ...refused(10, 12), ...good(14)], ['10 suspected', '14 dismissed']],
    ['confirmed twice', [...good(0), ...refused(10, 12, 14)], ['10 suspected', OPENED]],
    ['one incident, however long', [...good(0), ...refused(10, 12, 14, 20, 30, 40, 50)], ['10 suspected', OPENED]],
    ['never seen well', refused(10, 12, 14), ['10 suspected', '14 opened down bundle/refused since 10']],
    [
      'another check in each round',
      [
        ...good(0),
        { at: 10, fails: { home: 'refused' } },
        { at: 12, fails: { navigation: 'reset' } },
        { at: 14, fails: { config: 'reset', bundle: 'refused' } },
      ],
      ['10 suspected', '14 opened down bundle+config/refused+reset since 0'],
    ],
    ['degraded', [...good(0), ...noHome(10, 12, 14)], ['10 suspected', '14 opened degraded home/not-found since 0']],
    [
      'again suspected after it was well',
      [...good(0), ...refused(10, 12), ...good(14), ...refused(20, 22), ...good(24)],
      ['10 suspected', '14 dismissed', '20 suspected', '24 dismissed'],
    ],
    ['warnings', [0, 10, 12, 14].map((at) => ({ at, warns: ['home'] })), []],
  ];
  it.each(rows)('%s', (_, looks, events) => {
    expect(story(looks).events).toEqual(events);
  });

  it('at once where nothing has to be confirmed', () => {
    const reported = policy({ confirm: { afterMs: 2_000, times: 1 } });
    expect(story([...good(0), ...refused(10)], reported).events).toEqual(['10 opened down bundle/refused since 0']);
  });

  it('for warnings where they count', () => {
    const looks = [...good(0), ...[10, 12, 14].map((at) => ({ at, warns: ['home'] }))];
    expect(story(looks, policy({ strict: true })).events.at(-1)).toBe('14 opened degraded home/media-type since 0');
  });
});

describe('what shows nothing', () => {
  const unknown = (...at: readonly number[]): Looked[] =>
    at.map((one) => ({ at: one, unknown: ['bundle', 'config', 'navigation', 'home', 'llms-txt'] }));
  const probeSide = (...at: readonly number[]): Looked[] =>
    at.map((one) => ({ at: one, fails: { bundle: 'refused' }, ours: true }));
  const rows: readonly Row[] = [
    ['unknown opens nothing', [...good(0), ...unknown(10, 12, 14, 20)], []],
    ['our own network opens nothing', [...good(0), ...probeSide(10, 12, 14, 20)], []],
    [
      'unknown neither confirms nor dismisses',
      [...good(0), ...refused(10), ...unknown(12), ...refused(14, 16)],
      ['10 suspected', '16 opened down bundle/refused since 0'],
    ],
    [
      'ours neither confirms nor dismisses',
      [...good(0), ...refused(10), ...probeSide(12), ...refused(14, 16)],
      ['10 suspected', '16 opened down bundle/refused since 0'],
    ],
    [
      'unknown ends nothing',
      [...good(0), ...refused(10, 12, 14), ...unknown(20, 22, 24, 30)],
      ['10 suspected', OPENED],
    ],
    ['ours ends nothing', [...good(0), ...refused(10, 12, 14), ...probeSide(20, 22, 24, 30)], ['10 suspected', OPENED]],
    [
      'half unknown is no good round',
      [...good(0), ...refused(10, 12, 14), { at: 20, unknown: ['home'] }, { at: 22, unknown: ['home'] }],
      ['10 suspected', OPENED],
    ],
    [
      'half unknown, half failed is a bad one',
      [...good(0), ...[10, 12, 14].map((at) => ({ at, unknown: ['home'], fails: { bundle: 'refused' } }))],
      ['10 suspected', OPENED],
    ],
    [
      'a suspicion from before a long pause is void',
      [...good(0), ...refused(10, 12), ...refused(3_600), ...good(3_602)],
      ['10 suspected', '3602 dismissed'],
    ],
    [
      'and begins again',
      [...good(0), ...refused(10, 12), ...refused(3_600, 3_602, 3_604)],
      ['10 suspected', '3604 opened down bundle/refused since 0'],
    ],
  ];
  it.each(rows)('%s', (_, looks, events) => {
    expect(story(looks).events).toEqual(events);
  });

  it.each([
    ['well', good(0), 'healthy'],
    ['down', refused(0), 'down'],
    ['degraded', noHome(0), 'degraded'],
    ['all unknown', unknown(0), 'unknown'],
    ['well before, unknown now', [...good(0), ...unknown(10)], 'unknown'],
    ['well before, ours now', [...good(0), ...probeSide(10)], 'unknown'],
    ['half unknown', [{ at: 0, unknown: ['home'] }], 'unknown'],
    ['failed and unknown', [{ at: 0, unknown: ['home'], fails: { bundle: 'refused' } }], 'down'],
    [
      'a check of the whole site that nobody can tell of',
      [...good(0), { at: 10, scope: 'full', unknown: ['source'] }],
      'healthy',
    ],
    [
      'well in the five, not in the whole',
      [{ at: 0, scope: 'full', fails: { links: 'missing' } }, ...good(10)],
      'degraded',
    ],
    ['another version', [{ at: 0, scope: 'full', fails: { 'deployed-version': 'old-version' } }, ...good(10)], 'stale'],
  ] satisfies readonly (readonly [string, readonly Looked[], string])[])('verdict: %s', (_, looks, verdict) => {
    expect(story(looks).state.verdict).toBe(verdict);
  });
});

describe('ending', () => {
  const open = [...good(0), ...refused(10, 12, 14)];
  const begun = ['10 suspected', OPENED];
  const rows: readonly Row[] = [
    ['two good rounds', [...open, ...good(20, 22)], [...begun, '22 recovered down bundle/refused for 20']],
    ['one good round is none', [...open, ...good(20), ...refused(22)], begun],
    [
      'counted again',
      [...open, ...good(20), ...refused(22), ...good(30, 32)],
      [...begun, '32 recovered down bundle/refused for 30'],
    ],
    [
      'not down, but for another check',
      [...open, ...good(20), ...noHome(22), ...good(30, 32)],
      [...begun, '22 recovered down bundle/refused for 20', '22 suspected', '30 dismissed'],
    ],
    [
      'unknown between the good rounds',
      [...open, ...good(20), { at: 22, ours: true }, ...good(24)],
      [...begun, '24 recovered down bundle/refused for 20'],
    ],
    [
      'good rounds that are an hour apart',
      [...open, ...good(20), ...good(3_620, 3_622)],
      [...begun, '3622 recovered down bundle/refused for 3620'],
    ],
    [
      'well in the end',
      [...open, ...good(20, 22), ...good(30, 40)],
      [...begun, '22 recovered down bundle/refused for 20'],
    ],
    [
      'and down once more',
      [...open, ...good(20, 22), ...refused(100, 102, 104)],
      [...begun, '22 recovered down bundle/refused for 20', '100 suspected', '104 opened down bundle/refused since 22'],
    ],
  ];
  it.each(rows)('%s', (_, looks, events) => {
    expect(story(looks).events).toEqual(events);
  });

  it.each([
    [1, [20], 1],
    [3, [20, 22], 0],
    [3, [20, 22, 24], 1],
  ])('recovers after %i healthy runs: %j', (times, at, ends) => {
    const { all } = story([...open, ...good(...at)], policy({ recover: { times } }));
    expect(all.filter(({ kind }) => kind === 'recovered')).toHaveLength(ends);
  });

  it('when what failed is not checked any more', () => {
    const before = story([...good(0), ...noHome(10, 12, 14)]).state;
    expect(story(good(20, 22), policy({ without: ['home'] }), before).events).toEqual([
      '22 recovered degraded home/not-found for 20',
    ]);
  });
});

describe('a defect that grows', () => {
  const open = [...good(0), ...noHome(10, 12, 14)];
  const begun = ['10 suspected', '14 opened degraded home/not-found since 0'];
  const both = (...at: readonly number[]): Looked[] =>
    at.map((one) => ({ at: one, fails: { home: 'not-found', navigation: 'not-found' } }));
  const grown = 'degraded navigation+home/not-found';
  const rows: readonly Row[] = [
    ['confirmed, as it was', [...open, ...both(20, 22, 24)], [...begun, `24 changed ${grown} since 0`]],
    ['not by one round', [...open, ...both(20), ...noHome(22, 24)], begun],
    ['told once', [...open, ...both(20, 22, 24, 26, 30, 40)], [...begun, `24 changed ${grown} since 0`]],
    [
      'another rule of the same check',
      [...open, { at: 20, fails: { home: 'server-error' } }, ...noHome(30)],
      [...begun, '20 changed degraded home/not-found+server-error since 0'],
    ],
    [
      'stays what it was',
      [...open, ...both(20, 22, 24), ...noHome(30, 40), ...good(50, 52)],
      [...begun, `24 changed ${grown} since 0`, `52 recovered ${grown} for 50`],
    ],
  ];
  it.each(rows)('%s', (_, looks, events) => {
    expect(story(looks).events).toEqual(events);
  });

  it('reports what fails now', () => {
    const { state } = story([...open, ...both(20, 22, 24), ...noHome(30)]);
    expect(currentIncident(state)?.findings.map(({ rule }) => rule)).toEqual(['home/not-found']);
  });
});
