import { expect, it } from 'vitest';
import { continuationOf } from './continuation.ts';

const NOW = Date.UTC(2026, 0, 1);
const known = { now: NOW, locations: new Set(['paris']), applied: new Set(['in the history']) };
const [SECOND, MINUTE] = [1_000, 60_000];

it.each([
  ['is in the history', { run: 'in the history' }, 'applied'],
  ['is of a location that is not configured any more', { location: 'tokyo' }, 'foreign'],
  ['is older than any run takes', { at: NOW - 61 * MINUTE }, 'out-of-range'],
  ['is of the future', { at: NOW + 11 * SECOND }, 'out-of-range'],
  ['is in progress', { at: NOW - MINUTE }, 'continued'],
  ['is of a clock that is ahead', { at: NOW + 9 * SECOND }, 'continued'],
] as const)('a run of the coordinator before that %s', (_, changes, expected) => {
  const job = { run: 'one', site: 'docs', scope: 'core', location: 'paris', at: NOW, bypassCache: false, ...changes };
  expect(continuationOf(job as Parameters<typeof continuationOf>[0], known)).toBe(expected);
});
