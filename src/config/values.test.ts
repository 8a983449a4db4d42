import { describe, expect, it } from 'vitest';
import { expand, parseDuration, parseSize, parseTime, renderDuration } from './values.ts';

describe('parseDuration', () => {
  it.each([
    ['500ms', 500],
    ['10s', 10_000],
    ['1.5s', 1500],
    ['2m', 120_000],
    ['1h', 3_600_000],
    ['24h', 86_400_000],
    [' 10 s ', 10_000],
    ['0.4ms', 'too-short'],
    ['0s', 'too-short'],
    ['25h', 'too-long'],
    ['999999999999999h', 'too-long'],
    ['10', 'no-unit'],
    ['1.5', 'no-unit'],
    ['10 seconds', 'syntax'],
    ['10S', 'syntax'],
    ['-1s', 'syntax'],
    ['1e3s', 'syntax'],
    ['.5s', 'syntax'],
    ['s', 'syntax'],
    ['', 'syntax'],
    ['9'.repeat(100_000), 'no-unit'],
    [`${'9'.repeat(100_000)}s`, 'syntax'],
  ])('%.20s is %s', (text, expected) => {
    const parsed = parseDuration(text);
    expect(parsed.ok ? parsed.ms : parsed.problem).toBe(expected);
  });
});

describe('parseDuration within bounds', () => {
  const days = { least: 1000, most: 14 * 86_400_000 };

  it.each([
    ['14d', days, 14 * 86_400_000],
    ['1.5d', days, 129_600_000],
    ['336h', days, 14 * 86_400_000],
    ['15d', days, 'too-long'],
    ['999ms', days, 'too-short'],
    ['0s', days, 'too-short'],
    ['0s', { least: 0, most: 1000 }, 0],
    // A key that takes less than a day has no use for days.
    ['0.5d', { least: 0, most: 86_400_000 }, 'syntax'],
    ['1d', undefined, 'syntax'],
    ['1w', days, 'syntax'],
    ['7', days, 'no-unit'],
  ])('%s within %j is %s', (text, bounds, expected) => {
    const parsed = parseDuration(text, bounds);
    expect(parsed.ok ? parsed.ms : parsed.problem).toBe(expected);
  });

  it.each([
    [500, '500ms'],
    [1_000, '1s'],
    [90_000, '90s'],
    [60_000, '1m'],
    [7_200_000, '2h'],
    [1_209_600_000, '14d'],
    [0, '0ms'],
  ])('%s ms is written %s', (ms, text) => {
    expect(renderDuration(ms)).toBe(text);
  });
});

describe('parseTime', () => {
  const noon = Date.UTC(2026, 11, 1, 12);

  it.each([
    ['2026-12-01T12:00:00Z', noon],
    ['2026-12-01T12:00Z', noon],
    ['2026-12-01T14:00:00+02:00', noon],
    ['2026-12-01 07:00:00 -0500', noon],
    ['2026-12-01t12:00:00.250z', noon + 250],
    ['2024-02-29T00:00Z', Date.UTC(2024, 1, 29)],
    ['2026-02-29T00:00Z', undefined],
    ['2026-02-30T00:00Z', undefined],
    ['2026-13-01T00:00Z', undefined],
    ['2026-12-01T25:00Z', undefined],
    ['2026-12-01T12:00:00', undefined],
    ['2026-12-01', undefined],
    ['2026-12-01T12:00:00 Europe/Paris', undefined],
    ['1 December 2026', undefined],
    ['1796126400', undefined],
    ['', undefined],
  ])('%s', (text, expected) => {
    expect(parseTime(text)).toBe(expected);
  });
});

describe('parseTime in UTC where no zone is written', () => {
  it.each([
    ['2026-12-01', Date.UTC(2026, 11, 1)],
    ['2026-12-01T12:00', Date.UTC(2026, 11, 1, 12)],
    ['2026-12-01T12:00+02:00', Date.UTC(2026, 11, 1, 10)],
    ['2026-02-30', undefined],
    ['2026-02-30T12:00', undefined],
  ])('%s', (text, expected) => {
    expect(parseTime(text, 'Z')).toBe(expected);
  });
});

describe('parseSize', () => {
  it.each([
    ['10MiB', 10 * 1024 ** 2],
    ['512kib', 512 * 1024],
    ['256MiB', 256 * 1024 ** 2],
    ['5MB', 5_000_000],
    ['100B', 100],
    ['100', 100],
    ['1.5 KiB', 1536],
    ['2GiB', 'range'],
    ['1073741825', 'range'],
    ['0', 'range'],
    ['0.1B', 'range'],
    ['10M', 'syntax'],
    ['10iB', 'syntax'],
    ['1.5', 'syntax'],
    ['-1', 'syntax'],
    ['ten', 'syntax'],
    ['', 'syntax'],
  ])('%s is %s', (text, expected) => {
    const parsed = parseSize(text);
    expect(parsed.ok ? parsed.bytes : parsed.problem).toBe(expected);
  });
});

describe('expand', () => {
  const env = { A: 'one', B_2: 'two $A ${A}', EMPTY: '' };

  it.each([
    ['no variables', 'plain', 'plain'],
    ['one', 'x ${A} y', 'x one y'],
    ['two', '${A}${B_2}', 'onetwo $A ${A}'],
    ['an escaped dollar sign', '$${A} $$', '${A} $'],
    ['an escaped dollar sign before a variable', '$$${A}', '$one'],
    ['a lone dollar sign', 'a$b $A $', 'a$b $A $'],
  ])('%s', (_, text, expected) => {
    expect(expand(text, env)).toEqual({ text: expected, problems: [] });
  });

  it.each([
    ['not set', '${NO}', [{ kind: 'env-missing', name: 'NO' }]],
    ['empty', '${EMPTY}', [{ kind: 'env-missing', name: 'EMPTY' }]],
    ['inherited from Object', '${constructor}', [{ kind: 'env-missing', name: 'constructor' }]],
    [
      'two not set',
      '${NO} ${NEITHER}',
      [
        { kind: 'env-missing', name: 'NO' },
        { kind: 'env-missing', name: 'NEITHER' },
      ],
    ],
    ['no name', '${}', [{ kind: 'env-syntax' }]],
    ['no end', 'a ${A', [{ kind: 'env-syntax' }]],
    ['a default as in a shell', '${A:-x}', [{ kind: 'env-syntax' }]],
    ['a space', '${ A }', [{ kind: 'env-syntax' }]],
  ])('%s is a problem', (_, text, problems) => {
    expect(expand(text, env)).toEqual({ text: '', problems });
  });
});
