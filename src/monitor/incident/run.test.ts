import { describe, expect, it } from 'vitest';
import { checks, defaultChecks } from '../../../checks/index.ts';
import { policy, story, type Looked } from '../../../test/monitor/incident/story.ts';

const HOUR = 3_600_000;
const cron = { kind: 'cron', pattern: '*/5 * * * *', timeZone: null, jitterMs: 0 } as const;
const every = (everyMs: number) => ({ kind: 'every', everyMs, jitterMs: 0 }) as const;

describe('policyOf', () => {
  it('names the checks of a run in their order, each once', () => {
    expect(policy().declared.map(({ id }) => id)).toEqual(checks.map(({ id }) => id));
  });

  it('reports those that only runs of the whole site run', () => {
    const core = new Set(defaultChecks.map(({ id }) => id));
    expect(policy().beyond.full).toEqual(checks.map(({ id }) => id).filter((id) => !core.has(id)));
  });

  it('reports those that take the site down', () => {
    const vital = policy().declared.flatMap((check) => (check.vital === undefined ? [] : [check.id]));
    expect(vital).toEqual(expect.arrayContaining(['bundle', 'config']));
  });

  it.each([
    ['by intervals', { schedule: every(10_000), full: every(HOUR) }, [10_000, HOUR]],
    ['by cron expressions', { schedule: cron, full: cron }, [null, null]],
    ['never whole', { full: null }, [10_000, null]],
  ])('reports how often it is checked: %s', (_, reported, expected) => {
    const { everyMs } = policy(reported);
    expect([everyMs.core, everyMs.full]).toEqual(expected);
  });
});

describe('an open incident is checked', () => {
  const refused = (...at: readonly number[]): Looked[] => at.map((one) => ({ at: one, fails: { bundle: 'refused' } }));
  it.each([
    ['no sooner than scheduled where none is open', every(10_000), refused(0), null],
    ['often at first', every(10_000), refused(0, 2, 4), 10],
    ['by a cron expression as well', cron, refused(0, 2, 4), 10],
    ['more often than every five minutes', every(300_000), refused(0, 2, 4), 100],
    ['ever more rarely', every(10_000), refused(0, 2, 4, 3_604), 120],
  ])('%s', (_, schedule, looks, expected) => {
    expect(story(looks, policy({ schedule })).openIn).toBe(expected);
  });
});
