import { describe, expect, it } from 'vitest';
import { finding, reportOf } from '../../../test/reports.ts';
import type { CheckResult } from '../../core/check.ts';
import type { Observation } from '../incident/incident.ts';
import { recordOf } from './apply-observation.ts';
import { compact } from './watched-site.ts';

const observed = (checks: readonly Partial<CheckResult>[], rest: Partial<Observation> = {}): Observation => ({
  report: reportOf(checks),
  scope: 'core',
  startedAt: 1_000,
  endedAt: 1_250,
  maintenance: false,
  probeSide: null,
  version: null,
  ...rest,
});

describe('the record of a run', () => {
  it('has what happened, without the words', () => {
    expect(recordOf('docs', observed([{ findings: [finding()] }]), 1)).toEqual({
      site: 'docs',
      scope: 'core',
      startedAt: 1_000,
      durationMs: 250,
      verdict: 'degraded',
      maintenance: false,
      ticks: 1,
      checks: [{ id: 'config', status: 'fail', rules: ['config/syntax'], httpStatus: 200, durationMs: 1 }],
    });
  });

  it('says unknown of a run that was about us', () => {
    const record = recordOf('docs', observed([{ findings: [finding()] }], { probeSide: 'machine' }), 1);
    expect([record.verdict, record.checks[0]?.status]).toEqual(['unknown', 'unknown']);
  });

  it('has the most severe rules, each once, no hints, and not too many', () => {
    const findings = [
      finding({ rule: 'hint', severity: 'info' }),
      finding({ rule: 'slow', severity: 'warning' }),
      ...Array.from({ length: 20 }, (_, at) => finding({ rule: `rule-${Math.floor(at / 2)}` })),
    ];
    const [check] = recordOf('docs', observed([{ findings }]), 1).checks;
    expect(check?.rules).toEqual(Array.from({ length: 8 }, (_, at) => `${check?.id}/rule-${at}`));
  });

  it('has no time of a request that was never sent', () => {
    const [check] = recordOf('docs', observed([{ attempts: 0, httpStatus: null }]), 1).checks;
    expect(check?.durationMs).toBeNull();
  });

  it('never lasted less than nothing, even where the clock was set back', () => {
    expect(recordOf('docs', observed([], { endedAt: 0 }), 1).durationMs).toBe(0);
  });
});

describe('a result that is kept between runs', () => {
  const location = (line: number) => ({ path: 'index.md', line, column: 1 });
  const [result] = reportOf([
    {
      findings: Array.from({ length: 200 }, (_, at) =>
        finding({
          rule: at < 60 ? 'missing' : 'anchor',
          locations: Array.from({ length: 500 }, (__, line) => location(line)),
        }),
      ),
      omitted: { missing: 3 },
    },
  ]).checks;

  it('is small, and counts what it leaves out', () => {
    const kept = result === undefined ? undefined : compact(result);
    expect(kept?.findings).toHaveLength(50);
    expect(kept?.findings.every(({ locations }) => locations?.length === 10)).toBe(true);
    expect(kept?.omitted).toEqual({ missing: 13, anchor: 140 });
  });

  it('is the same where it is small anyway', () => {
    const [small] = reportOf([{ findings: [finding()] }]).checks;
    expect(small === undefined ? undefined : compact(small)).toEqual(small);
  });
});
