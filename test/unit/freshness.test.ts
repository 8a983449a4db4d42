/** Every code of the checks that know whether the expected version is live, and what a report says of it. */
import { describe, expect, it } from 'vitest';
import { checks } from '../../checks/index.ts';
import type { SeverityOrOutcome } from '../../src/core/finding.ts';
import type { Status } from '../../src/core/check.ts';
import { freshnessOf, isOutcome, verdictOf } from '../../src/core/verdict.ts';
import { DEFAULT_REQUEST, runChecks } from '../../src/core/run.ts';
import { finding } from '../reports.ts';
import { fake, json, options, SITE } from '../runs.ts';

const OLD: ReadonlySet<string> = new Set([
  'source/not-live',
  'source/stale',
  'source/mixed',
  'source/alternates',
  'source/uncommitted',
  'source/differs',
  'deployed-version/old-version',
  'deployed-version/not-changed',
]);
/** Those that do not show that what is live is older. */
const UNDATED: ReadonlySet<string> = new Set(['source/not-live', 'source/alternates', 'source/differs']);
/** The same version, with something of its own. */
const NEW: ReadonlySet<string> = new Set([
  'source/injected',
  'source/injected-html',
  'source/line-endings',
  'source/gone',
]);

const STATUS: Readonly<Record<SeverityOrOutcome, Status>> = {
  error: 'fail',
  warning: 'warn',
  info: 'pass',
  skip: 'skip',
  unknown: 'unknown',
};

const knowing = checks.filter(({ freshness }) => freshness !== undefined);
const all = knowing.flatMap(({ id, rules }) => Object.entries(rules).map(([code, grade]) => ({ id, code, grade })));

function resultOf(id: string, rule: string, declared: SeverityOrOutcome) {
  const severity = isOutcome(declared) ? null : declared;
  return { id, status: STATUS[declared], findings: declared === 'skip' ? [] : [finding({ rule, severity })] };
}

function freshOf(name: string): boolean | null {
  if (OLD.has(name)) return false;
  return NEW.has(name) ? true : null;
}

describe('freshness', () => {
  it('is known by the checks of the source and of the version', () => {
    expect(knowing.map(({ id }) => id)).toEqual(['source', 'deployed-version']);
  });

  it.each(all)('$id/$code', ({ id, code, grade }) => {
    expect(freshnessOf([resultOf(id, code, grade)], checks)).toBe(freshOf(`${id}/${code}`));
  });

  it.each(all.filter(({ id, code }) => OLD.has(`${id}/${code}`)))(
    '$id/$code: the verdict, as an error and as a warning',
    ({ id, code }) => {
      const [failed, warned] = [resultOf(id, code, 'error'), resultOf(id, code, 'warning')];
      const verdict = UNDATED.has(`${id}/${code}`) ? 'degraded' : 'stale';
      expect([verdictOf([failed], checks, false), verdictOf([warned], checks, false)]).toEqual([verdict, 'healthy']);
      expect([freshnessOf([warned], checks), freshnessOf([{ ...warned, findings: [] }], checks)]).toEqual([
        false,
        true,
      ]);
    },
  );

  it.each([
    ['another version', 'off', null],
    ['another version', 'warning', false],
    ['another version', 'error', false],
  ] as const)('is not known of %s that the rules make %s', async (_, grade, fresh) => {
    const { get } = fake({ ...SITE, '/version.json': json({ commit: '0a1b2c3d4e' }) });
    const expected = { version: '5f3c2a1b9d', from: null, optional: false, since: null };
    const report = await runChecks(
      options(get, {
        checks: knowing,
        requested: { ...DEFAULT_REQUEST, expected },
        rules: new Map([['deployed-version/old-version', grade]]),
      }),
    );
    expect(report.fresh).toBe(fresh);
  });

  it.each([
    ['one is old', ['source/stale', 'deployed-version/no-version'], false],
    ['one is new, the other not told', ['source/gone', 'deployed-version/not-published'], true],
    ['one is new, the other old', ['source/gone', 'deployed-version/old-version'], false],
    ['neither is known', ['source/no-source', 'deployed-version/not-expected'], null],
  ] as const)('of two: %s', (_, names, fresh) => {
    const results = names.map((name) => {
      const [id = '', code = ''] = name.split('/');
      return resultOf(id, code, all.find((one) => one.id === id && one.code === code)?.grade ?? 'error');
    });
    expect(freshnessOf(results, checks)).toBe(fresh);
  });
});
