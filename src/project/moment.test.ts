import { describe, expect, it } from 'vitest';
import { momentOf, UsageError } from './arguments.ts';

const NOW = Date.parse('2026-11-20T18:00:00Z');
const since = (text: string): number => momentOf(text, '--since', NOW);

describe('a moment', () => {
  it.each([
    ['24h', '2026-11-19T18:00:00Z'],
    [' 90s\n', '2026-11-20T17:58:30Z'],
    ['7d', '2026-11-13T18:00:00Z'],
    ['400d', '2025-10-16T18:00:00Z'],
    ['1.5h', '2026-11-20T16:30:00Z'],
    ['now', '2026-11-20T18:00:00Z'],
    ['NOW', '2026-11-20T18:00:00Z'],
    ['2026-11-20', '2026-11-20T00:00:00Z'],
    ['2026-11-20T12:30', '2026-11-20T12:30:00Z'],
    ['2026-11-20 12:30:00 +0200', '2026-11-20T10:30:00Z'],
    ['2026-11-20T12:30:00.000Z', '2026-11-20T12:30:00Z'],
    ['1795197600', '2026-11-20T18:00:00Z'],
  ])('%j is one', (text, time) => {
    expect(new Date(since(text)).toISOString()).toBe(time.replace('Z', '.000Z'));
  });

  it.each(['', ' ', '24', '0s', 'yesterday', '24 hours', '2026-13-01', '2026-02-30', '-1h', '9999999d', '1w'])(
    '%j is none',
    (text) => {
      expect(() => since(text)).toThrow(UsageError);
    },
  );
});
