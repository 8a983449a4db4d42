import { describe, expect, it } from 'vitest';
import { isTimeZone, loadCronReader } from './cron.ts';
import { parseDuration, renderDuration } from './duration.ts';
import { expand } from './environment.ts';
import { headerProblem } from './header.ts';
import { parseHostPort } from './listen.ts';
import { nearest } from './nearest.ts';
import { parseResolve } from './resolve.ts';
import { parseSize } from './size.ts';
import { parseTime } from './time.ts';

describe('parseDuration', () => {
  it.each([
    ['500ms', 500],
    ['10s', 10_000],
    ['1.5s', 1500],
    ['2m', 120_000],
    ['1h', 3_600_000],
    ['24h', 86_400_000],
    [' 10 s ', 10_000],
    ['0.4ms', 'zero'],
    ['0s', 'zero'],
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
    ['0s', days, 'zero'],
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

describe('parseHostPort', () => {
  it.each([
    ['127.0.0.1:9464', { host: '127.0.0.1', port: 9464 }],
    [' localhost:0 ', { host: 'localhost', port: 0 }],
    ['[::1]:9464', { host: '::1', port: 9464 }],
    ['[::]:9464', { host: '::', port: 9464 }],
    ['0.0.0.0:65535', { host: '0.0.0.0', port: 65_535 }],
    ['docs-1.example.com:80', { host: 'docs-1.example.com', port: 80 }],
    ['9464', undefined],
    [':9464', undefined],
    ['*:9464', undefined],
    ['localhost', undefined],
    ['localhost:', undefined],
    ['localhost:65536', undefined],
    ['localhost:http', undefined],
    ['127.0.0.256:80', undefined],
    ['127.1:80', undefined],
    ['::1:9464', undefined],
    ['[127.0.0.1]:80', undefined],
    ['[::g]:80', undefined],
    ['http://localhost:80', undefined],
    ['a b:80', undefined],
    ['-a:80', undefined],
    ['', undefined],
    [`${'a'.repeat(100_000)}:80`, undefined],
  ])('%.30s', (text, expected) => {
    expect(parseHostPort(text)).toEqual(expected);
  });

  it('knows of no port 0 where something is connected to', () => {
    expect(parseHostPort('localhost:0', 1)).toBeUndefined();
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

describe('isTimeZone', () => {
  it.each([
    ['Europe/Bucharest', true],
    ['UTC', true],
    ['europe/paris', true],
    ['Europe/Paname', false],
    ['+02:00', false],
    ['CET-1', false],
    ['', false],
  ])('%s: %s', (name, expected) => {
    expect(isTimeZone(name)).toBe(expected);
  });
});

describe('the reader of cron expressions', () => {
  it.each([
    ['*/5 * * * *', undefined],
    ['  0   3 * * 1-5 ', undefined],
    ['0 0 3 * * *', undefined],
    ['* * * * * *', undefined],
    ['0 3 * * MON', undefined],
    ['0 0 L * *', undefined],
    ['@hourly', undefined],
    ['0 0 29 2 *', undefined],
    ['0 0 30 2 *', 'cron-never'],
    ['61 * * * *', 'cron'],
    ['* * * *', 'cron'],
    ['* * * * * * *', 'cron'],
    ['*/0 * * * *', 'cron'],
    ['every day', 'cron'],
    ['@often', 'cron'],
    ['2026-12-01T22:00:00', 'cron'],
    ['', 'cron'],
    ['9'.repeat(100_000), 'cron'],
  ])('%.30s: %s', async (pattern, expected) => {
    const problemOf = await loadCronReader();
    expect(problemOf(pattern)).toBe(expected);
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
    ['2GiB', 'too-large'],
    ['1073741825', 'too-large'],
    ['0', 'zero'],
    ['0.1B', 'zero'],
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

describe('parseResolve', () => {
  it.each([
    ['Docs.example.org:443:192.0.2.10', { host: 'docs.example.org', port: 443, addresses: ['192.0.2.10'] }],
    ['a:80:2001:db8::1', { host: 'a', port: 80, addresses: ['2001:db8::1'] }],
    ['a:80:[2001:db8::1]', { host: 'a', port: 80, addresses: ['2001:db8::1'] }],
    ['[2001:db8::2]:80:192.0.2.1', { host: '2001:db8::2', port: 80, addresses: ['192.0.2.1'] }],
    ['*:443:192.0.2.1,[::1]', { host: '*', port: 443, addresses: ['192.0.2.1', '::1'] }],
    ['a:0:192.0.2.1', undefined],
    ['a:65536:192.0.2.1', undefined],
    ['a:443:host.example', undefined],
    ['a:443:192.0.2.999', undefined],
    ['a:443:', undefined],
    ['a:443', undefined],
    ['[192.0.2.1]:80:192.0.2.1', undefined],
    ['https://a:443:192.0.2.1', undefined],
    ['', undefined],
  ])('%s', (text, expected) => {
    expect(parseResolve(text)).toEqual(expected);
  });
});

describe('headerProblem', () => {
  it.each([
    ['X-Token', 'abc', undefined],
    ['x!#$%&', '', undefined],
    ['X', 'caf\u00e9 \t "x"', undefined],
    ['X Y', 'a', 'header-name'],
    ['X:', 'a', 'header-name'],
    ['', 'a', 'header-name'],
    ['Café', 'a', 'header-name'],
    ['X', 'a\r\nY: b', 'header-value'],
    ['X', 'a\n', 'header-value'],
    ['X', 'a\0b', 'header-value'],
    ['X', '→', 'header-value'],
    ['Transfer-Encoding', 'chunked', 'header-reserved'],
    ['content-length', '1', 'header-reserved'],
  ])('%j: %j is %s', (name, value, expected) => {
    expect(headerProblem(name, value)).toBe(expected);
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
    expect(expand(text, env)).toEqual({ ok: true, text: expected });
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
    expect(expand(text, env)).toEqual({ ok: false, problems });
  });
});

describe('nearest', () => {
  const keys = ['url', 'timeout', 'deadline', 'only', 'skip', 'notContains'];

  it.each([
    ['timeuot', 'timeout'],
    ['Timeout', 'timeout'],
    ['time-out', 'timeout'],
    ['notcontains', 'notContains'],
    ['not_contains', 'notContains'],
    ['uri', 'url'],
    ['sikp', 'skip'],
    ['colour', undefined],
    ['', undefined],
    ['x'.repeat(100_000), undefined],
  ])('%.20s → %s', (name, expected) => {
    expect(nearest(name, keys)).toBe(expected);
  });
});
