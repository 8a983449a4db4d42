/** What a report tells of how a waiting went, beside its clocks. */
import { describe, expect, it } from 'vitest';
import { BROKEN, NEW, OLD, PARTLY, play, WELL, type Found, type Scene } from '../../../src/wait/fixtures/scene.ts';

const after =
  (ms: number, then: Found, before: Found = OLD) =>
  (now: number): Found =>
    now >= ms ? then : before;

describe('a site that is live already', () => {
  it.each<Scene & { name: string; already: true | undefined }>([
    { name: 'from the first round on', site: () => NEW, already: true },
    { name: 'healthy from the first round on', site: () => WELL, by: 'health', first: 'quick', already: true },
    { name: 'after a round that was old', site: after(5_000, NEW), already: undefined },
    { name: 'after a round that was broken', site: after(3_000, NEW, BROKEN), already: undefined },
    {
      name: 'changed since the beginning',
      site: (_, kind) => (kind === 'before' ? { ...WELL, taken: true } : NEW),
      first: 'before',
      by: 'since',
      already: undefined,
    },
    { name: 'never', site: () => OLD, forMs: 5_000, already: undefined },
    { name: 'stopped', site: () => NEW, interruptAtMs: 500, already: undefined },
  ])('is reported as such: $name, $already', async ({ already, ...scene }) => {
    const { report } = await play(scene);
    expect(report.waited?.alreadyLive).toBe(already);
  });
});

describe('a site that is old when the time is up', () => {
  it.each<Scene & { name: string; alternating: true | undefined }>([
    { name: 'old all the time', site: () => OLD, alternating: undefined },
    { name: 'partly new', site: (_, kind) => (kind === 'sample' ? NEW : PARTLY), alternating: undefined },
    {
      name: 'back to old',
      site: (_, __, count) => (count % 2 === 0 ? { ...OLD, isBack: true } : NEW),
      alternating: true,
    },
    { name: 'old in the run after the end', site: (_, kind) => (kind === 'whole' ? NEW : OLD), alternating: true },
    { name: 'live in the end', site: (ms) => (ms < 2_000 ? { ...OLD, isBack: ms > 0 } : NEW), alternating: undefined },
    { name: 'broken now and then', site: (_, kind) => (kind === 'whole' ? BROKEN : NEW), alternating: undefined },
  ])('whether old and new came in turn: $name, $alternating', async ({ alternating, ...scene }) => {
    const { report } = await play({ forMs: 5_000, ...scene });
    expect(report.waited?.alternating).toBe(alternating);
  });
});
