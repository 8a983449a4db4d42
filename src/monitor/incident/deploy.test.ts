import { describe, expect, it } from 'vitest';
import { policy, seconds, story, type Looked } from '../../../test/monitor/incident/story.ts';
import { contentHash } from './deploy.ts';
import { currentIncident } from './state.ts';

const MINUTE = 60;

/** At these seconds the site told this version and was well, or not. */
const reported = (version: string | null, broken: boolean, ...at: readonly number[]): Looked[] =>
  at.map((one) => ({
    at: one,
    ...(version === null ? {} : { version }),
    ...(broken ? { fails: { config: 'trailing-comma' } } : {}),
  }));

/** Files are single letters, in the order bundle, config, navigation; `.`: nothing of its own came. */
const FILES = ['bundle', 'config', 'navigation'];
const files = (
  letters: string,
  fails: Exclude<Looked['fails'], undefined> | null,
  ...at: readonly number[]
): Looked[] =>
  at.map((one) => ({
    at: one,
    contents: Object.fromEntries(
      letters.split('').flatMap((letter, index) => (letter === '.' ? [] : [[FILES[index] ?? '', letter]])),
    ),
    ...(fails ? { fails } : {}),
  }));

/** Every ten seconds. */
const often = (from: number, count: number): number[] => Array.from({ length: count }, (_, at) => from + 10 * at);

const comma = { config: 'trailing-comma' };
const missing = { navigation: 'not-found' };

describe('the suspected deploy of a site that reports its version', () => {
  const rows: readonly (readonly [string, readonly Looked[], string | null])[] = [
    ['no version is known', [...reported(null, false, 0), ...reported(null, true, 10, 12, 14)], null],
    ['the version is the same', [...reported('v1', false, -10, 0), ...reported('v1', true, 10, 12, 14)], null],
    [
      'first seen with the failure',
      [...reported('v1', false, -10, 0), ...reported('v2', true, 10, 12, 14)],
      'v1 → v2 at 10',
    ],
    [
      'seen while it was confirmed',
      [...reported('v1', false, 0), ...reported('v1', true, 10), ...reported('v2', true, 12, 14)],
      'v1 → v2 at 12',
    ],
    [
      'seen a minute before, and well since',
      [
        ...reported('v1', false, -10, 0),
        ...reported('v2', false, ...often(10, 6)),
        ...reported('v2', true, 70, 72, 74),
      ],
      'v1 → v2 at 10',
    ],
    [
      'seen well for three minutes',
      [
        ...reported('v1', false, -10, 0),
        ...reported('v2', false, ...often(10, 18)),
        ...reported('v2', true, 190, 192, 194),
      ],
      null,
    ],
    [
      'seen well only twice in ten minutes: the site is looked at rarely',
      [
        ...reported('v1', false, -10, 0),
        ...reported('v2', false, 10, 9 * MINUTE),
        ...reported('v2', true, 600, 602, 604),
      ],
      'v1 → v2 at 10',
    ],
    [
      'seen an hour before, and well since',
      [
        ...reported('v1', false, -10, 0),
        ...reported('v2', false, 10, 59 * MINUTE),
        ...reported('v2', true, 3_600, 3_602, 3_604),
      ],
      null,
    ],
    [
      'the first version ever seen is no deploy',
      [...reported(null, false, 0), ...reported('v1', true, 10, 12, 14)],
      null,
    ],
    [
      'the last one of several',
      [...reported('v1', false, -10, 0), ...reported('v2', false, 10, 20), ...reported('v3', true, 30, 32, 34)],
      'v2 → v3 at 30',
    ],
    [
      'a failure that hides the version',
      [...reported('v1', false, -10, 0), ...reported('v2', false, 10), ...reported(null, true, 20, 22, 24)],
      'v1 → v2 at 10',
    ],
    [
      'seen while we were away: with the first failure after it',
      [...reported('v1', false, -10, 0), ...reported('v2', true, 7_200, 7_202, 7_204)],
      'v1 → v2 at 7200',
    ],
    [
      'what we saw without a network does not count',
      [...reported('v1', false, -10, 0), { at: 5, ours: true, version: 'v9' }, ...reported('v1', true, 10, 12, 14)],
      null,
    ],
    [
      'a version that is another one each time is none',
      [
        ...reported('a', false, 0),
        ...reported('b', false, 10),
        ...reported('c', false, 20),
        ...reported('d', true, 30, 32, 34),
      ],
      null,
    ],
  ];
  it.each(rows)('%s', (_, looks, expected) => {
    const deploy = currentIncident(story(looks).state)?.deploy ?? null;
    expect(deploy === null ? null : `${deploy.before} → ${deploy.version} at ${seconds(deploy.seenAt)}`).toBe(expected);
  });

  it('is not one that came after the incident had opened', () => {
    const looks = [
      ...reported('v1', false, -10, 0),
      ...reported('v1', true, 10, 12, 14),
      ...reported('v2', true, 20, 30),
    ];
    expect(currentIncident(story(looks).state)?.deploy).toBeNull();
  });
});

describe('the suspected deploy of a site that reports no version', () => {
  const rows: readonly (readonly [string, readonly Looked[], number | null])[] = [
    [
      'a configuration that is broken as it changes',
      [...files('aaa', null, 0, 10), ...files('aba', comma, 20, 22, 24)],
      20,
    ],
    ['another file changes with it', [...files('aaa', null, 0, 10), ...files('ab.', missing, 20, 22, 24)], 20],
    ['nothing changes, and a file is gone', [...files('aaa', null, 0, 10), ...files('aa.', missing, 20, 22, 24)], null],
    ['nothing answers any more', [...files('aaa', null, 0, 10), ...files('...', missing, 20, 22, 24)], null],
    ['it was seen once only', [...files('aaa', null, 0), ...files('bbb', comma, 10, 12, 14)], null],
    [
      'a bundle that is made again for each answer',
      [
        ...['a', 'b', 'c', 'd', 'e'].flatMap((one, at) => files(`${one}aa`, null, at * 10)),
        ...files('faa', comma, 50, 52, 54),
      ],
      null,
    ],
    [
      'another file beside such a bundle',
      [
        ...['a', 'b', 'c', 'd'].flatMap((one, at) => files(`${one}aa`, null, at * 10)),
        ...files('eba', comma, 50, 52, 54),
      ],
      50,
    ],
    [
      'a bundle that changes every half minute',
      [
        ...['a', 'b', 'c', 'd', 'e'].flatMap((one, at) => files(`${one}aa`, null, ...often(at * 30, 3))),
        ...files('faa', comma, 150, 152, 154),
      ],
      null,
    ],
    ['a file that is new', [...files('aa.', null, 0, 10), ...files('aaa', comma, 20, 22, 24)], null],
    [
      'well for three minutes',
      [...files('aaa', null, 0, 10), ...files('baa', null, ...often(20, 18)), ...files('baa', comma, 200, 202, 204)],
      null,
    ],
  ];
  it.each(rows)('%s', (_, looks, expected) => {
    const deploy = currentIncident(story(looks).state)?.deploy ?? null;
    expect(deploy === null ? null : seconds(deploy.seenAt)).toBe(expected);
  });

  it('goes by a short hash', () => {
    const { deploy } =
      currentIncident(story([...files('aaa', null, 0, 10), ...files('aba', comma, 20, 22, 24)]).state) ?? {};
    expect(deploy?.version).toMatch(/^sha256:[\da-f]{12}$/);
    expect(deploy?.before).toMatch(/^sha256:[\da-f]{12}$/);
    expect(deploy?.before).not.toBe(deploy?.version);
  });

  it('has the same name again when the old files are back', () => {
    const broken = story([...files('aaa', null, 0, 10), ...files('aba', comma, 20, 22, 24)]);
    const back = story([...files('aba', comma, 30), ...files('aaa', null, 40, 42, 44)], policy(), broken.state);
    expect(back.state.deployments.live?.version).toBe(currentIncident(broken.state)?.deploy?.before);
  });

  it('goes by the name that the site has for it', () => {
    const looks = [...files('aaa', null, 0, 10), ...files('aba', comma, 20, 22, 24)];
    const named = looks.map((checked) => ({ ...checked, version: checked.at < 20 ? 'v1' : 'v2' }));
    expect(currentIncident(story(named).state)?.deploy).toMatchObject({ version: 'v2', before: 'v1' });
  });
});

describe('a deploy that repaired a site', () => {
  const broken = [...files('aaa', null, 0, 10), ...files('aba', comma, 20, 22, 24)];
  const fixed = files('aca', null, 30, 32);

  it('is not suspected of what fails a minute later', () => {
    const { state } = story([...broken, ...fixed, ...files('ac.', missing, 60, 62, 64)]);
    expect(currentIncident(state)?.deploy).toBeNull();
  });

  it('leaves the next one suspect', () => {
    const { state } = story([...broken, ...fixed, ...files('acd', null, 40), ...files('ace', missing, 60, 62, 64)]);
    expect(currentIncident(state)?.deploy).not.toBeNull();
  });

  it('is not the one that broke it, which breaks it again', () => {
    // Every other node of the host has the new files.
    const { state } = story([...broken, ...files('aba', null, 30, 32), ...files('aba', comma, 40, 42, 44)]);
    expect(seconds(currentIncident(state)?.deploy?.seenAt ?? 0)).toBe(20);
  });
});

describe('what only runs of the whole site see', () => {
  const whole = (looks: readonly Looked[]): Looked[] => looks.map((checked) => ({ ...checked, scope: 'full' }));
  const blank = { rendered: 'blank' };

  it.each([
    ['after the last good one, and well among the five since', 1_000, 1_000],
    ['before the last good one', 100, null],
  ])('a deploy that came %s', (_, at, expected) => {
    const after = at + 10;
    const core = [...files('aaa', null, ...often(0, 4)), ...files('baa', null, ...often(at, 20))];
    const looks = [
      ...core.filter((checked) => checked.at <= after),
      ...whole([{ at: after < 500 ? 600 : 50 }]),
      ...core.filter((checked) => checked.at > after),
      ...whole([2_000, 2_010, 2_020].map((one) => ({ at: one, fails: blank }))),
    ].toSorted((a, b) => a.at - b.at);
    const deploy = currentIncident(story(looks).state)?.deploy ?? null;
    expect(deploy === null ? null : seconds(deploy.seenAt)).toBe(expected);
  });
});

describe('the hash of a file', () => {
  it('is short, and the same for the same bytes', () => {
    expect(contentHash(Buffer.from('a'))).toBe(contentHash('a'));
    expect(contentHash('a')).toMatch(/^[\da-f]{12}$/);
  });
});
