import { describe, expect, it } from 'vitest';
import { fullCheck } from '../../checks/full-check.ts';
import { SITE, result, run } from '../../test/runs.ts';
import type { Check } from './check.ts';
import type { Evidence } from './answer.ts';
import { defineCheck } from './define-check.ts';

/** Evidence that the compiler accepts, as where a function spreads an object of another type into it. */
const spreadIn = (fields: object): Evidence => ({ line: 1, ...fields });

const unlabelled: readonly { name: string; fields: object; field: string }[] = [
  { name: 'in the evidence itself', fields: { shoeSize: 42 }, field: 'shoeSize' },
  {
    name: 'in an object of a list',
    fields: { files: [{ path: 'a.md' }, { path: 'b.md', shoeSize: 42 }] },
    field: 'shoeSize',
  },
];
const labelled = spreadIn({ files: [{ path: 'a.md' }], errors: [{ params: { shoeSize: 42 } }] });

/** A check of each kind that reports evidence, once in a finding and once as facts. */
function checksWith(evidence: Evidence): readonly Check[] {
  const declared = { target: 'a', rules: { some: 'warning' } } as const;
  const reports = {
    gather: async () => ({ answer: null }),
    evaluate: () => [{ rule: 'some' as const, evidence }],
  };
  const gathers = { gather: async () => ({ answer: null, facts: evidence }), evaluate: () => [] };
  return [reports, gathers].flatMap((functions) => [
    defineCheck({ id: 'quick', ...declared, ...functions }),
    fullCheck({ id: 'full', ...declared, load: () => Promise.resolve(functions) }),
  ]);
}

const rules = async (check: Check) =>
  result(await run(SITE, { checks: [check] }), check.id).findings.map(({ rule, evidence }) => [
    rule,
    evidence['error'],
  ]);

describe('defineCheck', () => {
  it.each(unlabelled)('rejects a field without a label $name, of any check', async ({ fields, field }) => {
    for (const check of checksWith(spreadIn(fields))) {
      expect(await rules(check)).toEqual([['internal-error', expect.stringContaining(`the field "${field}"`)]]);
    }
  });

  it('accepts labelled fields, and what schemas of users name', async () => {
    const found = await Promise.all(checksWith(labelled).map(rules));
    expect(found.flat()).toEqual([
      ['some', undefined],
      ['some', undefined],
    ]);
  });
});
