/** More of what `bodies.test.ts` has one of. */
import { describe, expect, it } from 'vitest';
import { checkBomb, checkLongPage, checkQuotes, MOST_MIB, stopOnLongPage } from './bodies.ts';

describe('a page with long addresses', () => {
  it.each([
    { length: 100_000, scripts: 500 },
    { length: 8_000, scripts: 2_000 },
  ])('of $length characters keeps the deadline: $scripts scripts', async (given) => {
    const { bundle, durationMs, maxRssMiB } = await checkLongPage(given);
    expect(bundle).toContain('script-missing');
    expect(durationMs).toBeLessThan(6_000);
    expect(maxRssMiB).toBeLessThan(MOST_MIB);
  });

  it.each([
    { name: 'SIGINT', expected: 130, length: 100_000, scripts: 500 },
    { name: 'SIGTERM', expected: 143, length: 7_600, scripts: 2_000 },
    { name: 'SIGINT', expected: 130, length: 7_600, scripts: 2_000 },
  ] as const)('$name ends the command promptly: $length characters', async ({ name, expected, ...given }) => {
    const { status, tookMs, blockedMs } = await stopOnLongPage(name, given);
    expect(status).toBe(expected);
    expect(tookMs).toBeLessThan(2_000);
    expect(blockedMs).toBeLessThan(500);
  });
});

it('pages of nested quotes keep the deadline of a full check', async () => {
  const { home, durationMs } = await checkQuotes('--full');
  // Other checks may find by then what this host really lacks.
  expect(home).toEqual(['interrupted']);
  expect(durationMs).toBeLessThan(3_000);
});

it.each(['lists', 'objects', 'empty objects', 'escapes', 'objects without an end'] as const)(
  'JSON of millions of values is not parsed as a configuration: %s',
  async (name) => {
    const { found, maxRssMiB, durationMs } = await checkBomb(name);
    expect(found).toEqual([1, ['parse-limit']]);
    expect(maxRssMiB).toBeLessThan(MOST_MIB);
    expect(durationMs).toBeLessThan(10_000);
  },
);
