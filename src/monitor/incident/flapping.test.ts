import { describe, expect, it } from 'vitest';
import { seconds, story, type Looked } from '../../../test/monitor/incident/story.ts';

const good = (...at: readonly number[]): Looked[] => at.map((one) => ({ at: one }));
const refused = (...at: readonly number[]): Looked[] => at.map((one) => ({ at: one, fails: { bundle: 'refused' } }));

/** Down for 30 s and up for 30 s, in turn. */
const turns = (count: number, everyMs = 60): Looked[] =>
  Array.from({ length: count }, (_, turn) => turn * everyMs).flatMap((at) => [
    ...refused(at + 10, at + 12, at + 14, at + 20, at + 30),
    ...good(at + 40, at + 42, at + 50, at + 60),
  ]);
const every = (from: number, to: number, step = 10): number[] =>
  Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, at) => from + at * step);

const kinds = (looks: readonly Looked[]): string[] =>
  story(looks).all.map(({ at, kind, incident }) => `${seconds(at)} ${kind}${incident.flapping ? ' flapping' : ''}`);

describe('a site that goes up and down', () => {
  it('is notified of three times, the third one for all that follow', () => {
    expect(kinds(turns(20))).toEqual([
      '14 opened',
      '42 recovered',
      '74 opened',
      '102 recovered',
      '134 opened flapping',
    ]);
  });

  it('has to be well for five minutes before that ends', () => {
    expect(kinds([...turns(3), ...good(...every(190, 900))]).slice(-1)).toEqual(['460 recovered flapping']);
  });

  it('ended with the first of the healthy runs in a row', () => {
    const { all } = story([...turns(3), ...good(...every(190, 900))]);
    const last = all.at(-1);
    expect(last?.kind === 'recovered' && seconds(last.incident.recoveredAt ?? 0)).toBe(160);
  });

  it('flaps on where it goes down again soon after that', () => {
    const again = turns(1).map((checked) => ({ ...checked, at: checked.at + 480 }));
    expect(kinds([...turns(4), ...good(...every(250, 480)), ...again])).toEqual([
      '14 opened',
      '42 recovered',
      '74 opened',
      '102 recovered',
      '134 opened flapping',
    ]);
  });

  it('does not flap where it fails three times in a quarter of an hour', () => {
    expect(kinds(turns(3, 450)).filter((kind) => kind.endsWith('flapping'))).toEqual([]);
  });

  it('does not flap where it fails once an hour', () => {
    expect(kinds(turns(4, 3_600)).filter((kind) => kind.endsWith('flapping'))).toEqual([]);
  });
});

describe('failures that vanish each time', () => {
  const blips = (count: number, everyS: number): Looked[] =>
    Array.from({ length: count }, (_, at) => at * everyS).flatMap((at) => [
      ...good(at),
      ...refused(at + 10),
      ...good(at + 12),
    ]);

  it.each([
    ['four in ten minutes open nothing', blips(4, 60), []],
    ['the fifth in ten minutes confirms them', blips(5, 60), ['250 opened flapping']],
    ['one in five minutes opens nothing', blips(20, 300), []],
  ])('%s', (_, looks, expected) => {
    expect(kinds(looks)).toEqual(expected);
  });

  it('are counted again after an incident', () => {
    const reported = kinds([
      ...blips(5, 60),
      ...good(...every(260, 700)),
      ...blips(2, 60).map((checked) => ({ ...checked, at: checked.at + 720 })),
    ]);
    expect(reported).toEqual(['250 opened flapping', '560 recovered flapping']);
  });
});
