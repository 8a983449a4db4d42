import { describe, expect, it } from 'vitest';
import { finding, reportOf } from '../../test/reports.ts';
import { allGroupsOf, groupsOf } from './groups.ts';

const shapeOf = (groups: ReturnType<typeof groupsOf>): readonly string[] =>
  groups.map(({ id, rule, severity, findings }) => `${id}/${rule} ${severity} ${findings.length}`);

describe('the findings of a check', () => {
  it.each([
    { name: 'none', findings: [], groups: [] },
    { name: 'two of a code', findings: [finding(), finding()], groups: ['config/syntax error 2'] },
    {
      name: 'a code whose first finding only warns',
      findings: [finding({ severity: 'warning' }), finding(), finding({ severity: 'warning' })],
      groups: ['config/syntax error 1', 'config/syntax warning 2'],
    },
    {
      name: 'all severities and none, the worst first',
      findings: (['info', 'warning', null, 'error'] as const).map((severity) => finding({ severity })),
      groups: ['error', null, 'warning', 'info'].map((severity) => `config/syntax ${severity} 1`),
    },
    {
      name: 'codes of one grade, in the order of the judge',
      findings: [finding({ rule: 'b' }), finding({ rule: 'a' }), finding({ rule: 'b' })],
      groups: ['config/b error 2', 'config/a error 1'],
    },
  ])('$name', ({ findings, groups }) => {
    expect(shapeOf(groupsOf({ id: 'config', findings }))).toEqual(groups);
  });
});

it('the groups of all checks have the worst first, then the order of the checks', () => {
  const { checks } = reportOf([
    { id: 'bundle', findings: [finding({ severity: 'warning' })] },
    { id: 'config', findings: [finding({ severity: 'warning', rule: 'a' }), finding()] },
  ]);
  expect(shapeOf(allGroupsOf(checks))).toEqual([
    'config/syntax error 1',
    'bundle/syntax warning 1',
    'config/a warning 1',
  ]);
});
