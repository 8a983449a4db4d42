import { describe, expect, it } from 'vitest';
import { packKind, unpackChecks, unpackKind } from './store.ts';

const NAMES = new Map(Array.from({ length: 50 }, (_, id) => [id, `name-${id}`]));

describe('a packed run', () => {
  it.each(
    (['healthy', 'degraded', 'down', 'stale', 'unknown'] as const).flatMap((verdict) =>
      (['core', 'full', 'browser'] as const).flatMap((scope) =>
        [true, false].flatMap((maintenance) => [0, 1, 9000].map((ticks) => ({ verdict, scope, maintenance, ticks }))),
      ),
    ),
  )('says $verdict, $scope, maintenance $maintenance, $ticks ticks in a number', (kind) => {
    expect(unpackKind(packKind(kind))).toEqual(kind);
  });

  it('gives every kind a number of its own, which stays the same', () => {
    expect(packKind({ verdict: 'healthy', scope: 'core', maintenance: false, ticks: 0 })).toBe(0);
    expect(packKind({ verdict: 'stale', scope: 'full', maintenance: true, ticks: 1 })).toBe(59);
  });

  it.each([
    ['nothing', []],
    ['another form', [2, 1, 0, 0, 0]],
    ['names that nobody knows', [1, 99, 0, 0, 0]],
  ])('that holds %s has no checks', (_name, bytes) => {
    expect(unpackChecks(Uint8Array.from(bytes), NAMES)).toEqual([]);
  });

  it.each(Array.from({ length: 20 }, (_, seed) => seed))('may be any bytes at all (%i)', (seed) => {
    const bytes = Uint8Array.from(
      { length: 2000 },
      (_, index) => (index * index * 31 + seed * 97 + index * seed) % 256,
    );
    bytes[0] = 1;
    const checks = unpackChecks(bytes, NAMES);
    expect(checks.length).toBeLessThanOrEqual(256);
    expect(checks.every(({ rules }) => rules.length <= 8)).toBe(true);
  });
});
