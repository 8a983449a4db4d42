import { describe, expect, it } from 'vitest';
import type { CheckResult, Report, Status } from '../../core/check.ts';
import type { LocationResult } from '../engine/local-probe.ts';
import { combine, Isolation, type Failures } from './quorum.ts';

const declared = [{ id: 'bundle', vital: true }, { id: 'navigation' }] as const;

const check = (id: string, status: Status): CheckResult => ({
  id,
  status,
  target: `GET /${id}`,
  url: `https://docs.example/${id}`,
  httpStatus: 200,
  durationMs: 5,
  attempts: 1,
  timings: { dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: null, totalMs: 5 },
  findings: status === 'fail' ? [{ rule: 'server-error', severity: 'error', evidence: { status: 500 } }] : [],
});

const reportOf = (statuses: Readonly<Record<string, Status>>, durationMs = 10): Report => ({
  tool: { name: 'docvitals', version: '1.0.0' },
  site: { url: 'https://docs.example/' },
  startedAt: new Date(0).toISOString(),
  strict: false,
  interrupted: false,
  fresh: null,
  durationMs,
  verdict: 'healthy',
  checks: Object.entries(statuses).map(([id, status]) => check(id, status)),
});

const GOOD = { bundle: 'pass', navigation: 'pass' } as const;
const BAD = { bundle: 'fail', navigation: 'pass' } as const;

const from = (location: string, statuses: Readonly<Record<string, Status>>): LocationResult => ({
  location,
  report: reportOf(statuses),
  probeSide: null,
});
const cutOff = (location: string): LocationResult => ({ ...from(location, GOOD), probeSide: 'no-network' });

const RULES = { declared, strict: false, countsFewer: false, silent: [], now: 0 };

/** The verdict, the locations that are too few, and where the first finding was seen. */
function outcome(results: readonly LocationResult[], rules: Partial<Parameters<typeof combine>[1]> = {}) {
  const combined = combine(results, { ...RULES, ...rules });
  if (combined === null) return null;
  const { report, probeSide, failingFrom } = combined;
  const [finding] = report.checks.flatMap(({ findings }) => findings);
  return [report.verdict, failingFrom, finding?.evidence.seenFrom, probeSide];
}

describe('combine', () => {
  it.each([
    ['all are healthy', [from('a', GOOD), from('b', GOOD), from('c', GOOD)], {}, ['healthy', [], undefined, null]],
    ['one of three fails', [from('a', BAD), from('b', GOOD), from('c', GOOD)], {}, ['healthy', ['a'], undefined, null]],
    ['two of three fail', [from('a', BAD), from('b', BAD), from('c', GOOD)], {}, ['down', [], 'a, b', null]],
    ['one of two fails', [from('a', BAD), from('b', GOOD)], {}, ['healthy', ['a'], undefined, null]],
    ['the only one fails', [from('a', BAD)], {}, ['down', [], 'a', null]],
    ['one is enough', [from('a', BAD), from('b', GOOD)], { needed: 1 }, ['down', [], 'a', null]],
    ['fewer count', [from('a', BAD), from('b', GOOD)], { countsFewer: true }, ['degraded', ['a'], 'a', null]],
    ['two are needed and one votes', [from('a', BAD)], { needed: 2 }, ['unknown', ['a'], undefined, null]],
    ['the others are silent', [from('a', BAD)], { silent: ['b', 'c'] }, ['unknown', ['a'], undefined, null]],
    ['most are silent', [from('a', GOOD)], { silent: ['b', 'c'] }, ['unknown', [], undefined, null]],
    [
      'the silent one decides',
      [from('a', BAD), from('b', GOOD)],
      { silent: ['c'] },
      ['unknown', ['a'], undefined, null],
    ],
    ['the silent one cannot', [from('a', GOOD), from('b', GOOD)], { silent: ['c'] }, ['healthy', [], undefined, null]],
    ['one is cut off', [cutOff('a'), from('b', GOOD), from('c', GOOD)], {}, ['healthy', [], undefined, null]],
    [
      'a cut off one does not vote',
      [cutOff('a'), from('b', BAD), from('c', GOOD)],
      {},
      ['healthy', ['b'], undefined, null],
    ],
    ['all are cut off', [cutOff('a'), cutOff('b')], {}, ['healthy', undefined, undefined, 'no-network']],
    ['no response', [], {}, null],
  ] as const)('%s', (_, results, rules, expected) => {
    expect(outcome(results, rules)).toEqual(expected);
  });

  it('fails no check that different locations see fail one each', () => {
    const results = [from('a', BAD), from('b', { bundle: 'pass', navigation: 'fail' }), from('c', GOOD)];
    expect(outcome(results)).toEqual(['healthy', ['a', 'b'], undefined, null]);
  });

  const MINUTE = 60_000;
  it.each([
    ['one of two that saw it is gone', 1, [from('a', BAD), from('c', GOOD)], 'down'],
    ['one of two that saw it is cut off', 1, [from('a', BAD), cutOff('b'), from('c', GOOD)], 'down'],
    [
      'one of two that saw it is gone, and the other one sees it no more',
      1,
      [from('a', GOOD), from('c', GOOD)],
      'healthy',
    ],
    ['both that saw it are gone', 1, [from('c', GOOD)], 'down'],
    ['it sees it no more', 1, [from('a', BAD), from('b', GOOD), from('c', GOOD)], 'healthy'],
    ['it is gone for 5 minutes', 5, [from('a', BAD), from('c', GOOD)], 'down'],
    ['it is gone for longer', 5.1, [from('a', BAD), from('c', GOOD)], 'healthy'],
  ] as const)('counts the last known majority for 5 minutes: %s', (_, minutes, results, verdict) => {
    const outage = combine([from('a', BAD), from('b', BAD), from('c', GOOD)], RULES);
    expect(outage?.report.verdict).toBe('down');
    const next = combine(results, { ...RULES, now: minutes * MINUTE }, outage?.failures);
    expect(next?.report.verdict).toBe(verdict);
  });

  it('counts a failure that fewer saw no longer than the location votes', () => {
    const one = combine([from('a', BAD), from('b', GOOD), from('c', GOOD)], RULES);
    expect(combine([from('b', BAD), from('c', GOOD)], RULES, one?.failures)?.report.verdict).toBe('healthy');
  });

  it('does not prolong what a location that is gone saw', () => {
    let failures: Failures | undefined;
    const at = (minutes: number, results: readonly LocationResult[]) => {
      const combined = combine(results, { ...RULES, now: minutes * MINUTE }, failures);
      failures = combined?.failures;
      return combined?.report.verdict;
    };
    expect(at(0, [from('a', BAD), from('b', BAD), from('c', GOOD)])).toBe('down');
    const left = [from('a', BAD), from('c', GOOD)];
    expect([1, 2, 3, 4, 5, 6].map((minutes) => at(minutes, left))).toEqual([
      ...Array.from({ length: 5 }, () => 'down'),
      'healthy',
    ]);
  });

  it('shows the times of the location in the middle', () => {
    const results = [30, 10, 20].map((ms) => ({ location: `l${ms}`, report: reportOf(GOOD, ms), probeSide: null }));
    expect(combine(results, RULES)?.report.durationMs).toBe(20);
  });
});

describe('Isolation', () => {
  const silent = { ...reportOf({}), checks: [{ ...check('bundle', 'fail'), httpStatus: null }] };
  const run = (isolation: Isolation, site: string, statuses: Readonly<Record<string, 'pass' | 'fail'>>) => {
    const results = Object.entries(statuses).map(([location, status]) => {
      const result = from(location, { bundle: status });
      return status === 'fail' ? { ...result, report: silent } : result;
    });
    return isolation.apply(site, results).flatMap(({ location, probeSide }) => (probeSide === null ? [] : [location]));
  };

  it('excludes a location that alone gets no response from three sites, until one responds to it', () => {
    const isolation = new Isolation();
    expect(run(isolation, 's1', { a: 'fail', b: 'pass' })).toEqual([]);
    expect(run(isolation, 's1', { a: 'fail', b: 'pass' })).toEqual([]);
    expect(run(isolation, 's2', { a: 'fail', b: 'pass' })).toEqual([]);
    expect(run(isolation, 's3', { a: 'fail', b: 'pass' })).toEqual(['a']);
    expect(run(isolation, 's4', { a: 'pass', b: 'pass' })).toEqual([]);
    expect(run(isolation, 's1', { a: 'fail', b: 'pass' })).toEqual([]);
  });

  it('excludes no location when the sites respond to none', () => {
    const isolation = new Isolation();
    for (const site of ['s1', 's2', 's3', 's4']) expect(run(isolation, site, { a: 'fail', b: 'fail' })).toEqual([]);
  });
});
