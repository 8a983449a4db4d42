import { describe, expect, it } from 'vitest';
import { reportOf } from '../../../test/reports.ts';
import { seconds, story, type Looked } from '../../../test/monitor/incident/story.ts';
import { versionOf } from './deploy.ts';

const MINUTE = 60;

/** At these seconds the site had this version and was well, or not. */
const seen = (version: string | null, broken: boolean, ...at: readonly number[]): Looked[] =>
  at.map((one) => ({
    at: one,
    ...(version === null ? {} : { version }),
    ...(broken ? { fails: { config: 'trailing-comma' } } : {}),
  }));
const whole = (looks: readonly Looked[]): Looked[] => looks.map((looked) => ({ ...looked, scope: 'full' }));

describe('the suspected deploy', () => {
  const rows: readonly (readonly [string, readonly Looked[], string | null])[] = [
    ['no version is known', [...seen(null, false, 0), ...seen(null, true, 10, 12, 14)], null],
    ['the version is the same', [...seen('v1', false, 0), ...seen('v1', true, 10, 12, 14)], null],
    ['first seen with the failure', [...seen('v1', false, 0), ...seen('v2', true, 10, 12, 14)], 'v1 → v2 at 10'],
    [
      'seen while it was confirmed',
      [...seen('v1', false, 0), ...seen('v1', true, 10), ...seen('v2', true, 12, 14)],
      'v1 → v2 at 12',
    ],
    [
      'seen ten minutes before',
      [...seen('v1', false, 0), ...seen('v2', false, 10, 9 * MINUTE), ...seen('v2', true, 600, 602, 604)],
      'v1 → v2 at 10',
    ],
    [
      'seen an hour before',
      [...seen('v1', false, 0), ...seen('v2', false, 10, 59 * MINUTE), ...seen('v2', true, 3_600, 3_602, 3_604)],
      null,
    ],
    ['the first version ever seen is no deploy', [...seen(null, false, 0), ...seen('v1', true, 10, 12, 14)], null],
    [
      'the last one of several',
      [...seen('v1', false, 0), ...seen('v2', false, 10), ...seen('v3', true, 20, 22, 24)],
      'v2 → v3 at 20',
    ],
    [
      'a failure that hides the version',
      [...seen('v1', false, 0), ...seen('v2', false, 10), ...seen(null, true, 20, 22, 24)],
      'v1 → v2 at 10',
    ],
    [
      'seen while we were away: with the first failure after it',
      [...seen('v1', false, 0), ...seen('v2', true, 7_200, 7_202, 7_204)],
      'v1 → v2 at 7200',
    ],
    [
      'a hash in one kind of round, a tag in the other',
      [...seen('sha256:aa', false, 0), ...whole(seen('v1', false, 5)), ...seen('sha256:aa', true, 10, 12, 14)],
      null,
    ],
    [
      'each kind against its own',
      [
        ...whole(seen('v1', false, 0)),
        ...seen('sha256:aa', false, 5),
        ...whole(seen('v2', false, 10)),
        ...seen('sha256:aa', true, 20, 22, 24),
      ],
      'v1 → v2 at 10',
    ],
    [
      'what the bundle told before has a name of its own',
      [
        ...whole(seen('v1', false, 0)),
        ...seen('sha256:aa', false, 5),
        ...seen('sha256:bb', false, 10),
        ...whole(seen('v2', false, 60)),
        ...seen('sha256:bb', true, 70, 72, 74),
      ],
      'v1 → v2 at 10',
    ],
    [
      'a second round of another kind sees the same',
      [
        ...whole(seen('sha256:aa', false, 0)),
        ...seen('sha256:aa', false, 5),
        ...seen('sha256:bb', false, 10),
        ...whole(seen('sha256:bb', false, 3_000)),
        ...seen('sha256:bb', true, 3_010, 3_012, 3_014),
      ],
      null,
    ],
    ['a site that begins to tell its version', [...seen('sha256:aa', false, 0), ...seen('v1', true, 10, 12, 14)], null],
    [
      'what we saw without a network does not count',
      [...seen('v1', false, 0), { at: 5, ours: true, version: 'v9' }, ...seen('v1', true, 10, 12, 14)],
      null,
    ],
  ];
  it.each(rows)('%s', (_, looks, expected) => {
    const deploy = story(looks).state.incident?.deploy ?? null;
    expect(deploy === null ? null : `${deploy.before} → ${deploy.version} at ${seconds(deploy.seenAt)}`).toBe(expected);
  });

  it('is not one that came after the incident had opened', () => {
    const { state } = story([...seen('v1', false, 0), ...seen('v1', true, 10, 12, 14), ...seen('v2', true, 20, 30)]);
    expect(state.incident?.deploy).toBeNull();
  });
});

describe('versionOf', () => {
  it.each([
    ['nobody looked for it', reportOf([{ id: 'bundle' }]), null],
    [
      'the site tells it',
      reportOf([{ id: 'deployed-version', facts: { version: 'v1.2.3', where: 'version.json' } }]),
      'v1.2.3',
    ],
    ['it is not told', reportOf([{ id: 'deployed-version', facts: { etag: '"a"' } }]), null],
    ['it is empty', reportOf([{ id: 'deployed-version', facts: { version: '' } }]), null],
  ])('%s', (_, report, expected) => {
    expect(versionOf(report)).toBe(expected);
  });
});
