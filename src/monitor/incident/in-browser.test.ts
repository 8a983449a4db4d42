import { describe, expect, it } from 'vitest';
import { policy, story, type Looked } from '../../../test/monitor/incident/story.ts';

const watching = policy({ browser: { kind: 'every', everyMs: 300_000, jitterMs: 0 } });
const core = (...at: readonly number[]): Looked[] => at.map((one) => ({ at: one }));
const shown = (...at: readonly number[]): Looked[] => at.map((one) => ({ at: one, scope: 'browser' }));
const blank = (...at: readonly number[]): Looked[] =>
  at.map((one) => ({ at: one, scope: 'browser', fails: { rendered: 'blank' } }));
const whole = (at: number, ...links: readonly string[]): Looked => ({ at, scope: 'full', fails: { links } });

describe('runs in a browser', () => {
  const open = [...shown(0), ...blank(300, 310, 320)];
  const begun = ['300 suspected', '320 opened down rendered/blank since 0'];

  it.each<[name: string, looks: readonly Looked[], events: readonly string[], next: readonly string[]]>([
    ['a blank page is confirmed by them', [...shown(0), ...blank(300)], ['300 suspected'], ['browser in 2']],
    [
      'and neither by runs of other checks, nor dismissed',
      [...shown(0), ...blank(300), ...core(305), whole(307), ...blank(310, 320)],
      begun,
      [],
    ],
    [
      'once it is gone it is dismissed',
      [...shown(0), ...blank(300), ...shown(302)],
      ['300 suspected', '302 dismissed'],
      [],
    ],
    ['open: checked every minute', [...open, ...core(330)], begun, ['browser again in 50']],
    ['core checks do not end it', [...open, ...core(330, 340, 350)], begun, ['browser again in 30']],
    [
      'shown again: core checks are enough then',
      [...open, ...shown(380), ...core(382)],
      [...begun, '382 recovered down rendered/blank for 380'],
      [],
    ],
    [
      'they leave alone what the full check has seen',
      [whole(0), ...shown(1), whole(100, 'missing'), ...shown(101), whole(102, 'missing'), whole(104, 'missing')],
      [],
      ['whole in 300'],
    ],
    [
      'of a site whose core checks fail they show nothing more',
      [
        ...shown(0),
        ...[300, 302, 304].map((at): Looked => {
          return { at, scope: 'browser', fails: { config: 'trailing-comma', rendered: 'blank' } };
        }),
      ],
      ['300 suspected', '304 opened down config/trailing-comma since 0'],
      [],
    ],
  ])('%s', (_name, looks, events, next) => {
    const outcome = story(looks, watching);
    expect(outcome.events).toEqual(events);
    expect(outcome.next).toEqual(expect.arrayContaining([...next]));
  });
});
