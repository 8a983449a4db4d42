/** What a waiting remembers of its runs. */
import { describe, expect, it } from 'vitest';
import { finding, reportOf } from '../../reports.ts';
import type { Report } from '../../../src/core/check.ts';
import { CORE, plan, SOURCE, VERSION } from '../../../src/wait/fixtures/plan.ts';

describe('what a run found old', () => {
  const old = [
    finding({ rule: 'not-live', evidence: { path: 'new.md' } }),
    finding({ rule: 'stale', evidence: { path: 'big.svg', sourceBytes: 300_000 } }),
    finding({ rule: 'stale', evidence: { path: 'a.md' } }),
    finding({ rule: 'mixed', evidence: { old: ['b.md', 'a.md'], new: ['c.md'] } }),
    finding({ rule: 'gone', severity: 'warning', evidence: { path: 'd.md' } }),
  ];
  const stale = reportOf([{ id: 'source', findings: old }], { fresh: false });
  const suspects = ['a.md', 'b.md', 'big.svg', 'new.md'];

  it.each(['whole', 'quick'] as const)(
    'is sampled first after a %s round: what is there before what is not',
    async (kind) => {
      const { rounds, ran } = plan([...CORE, 'source'], { source: SOURCE }, { report: stale });
      for (const one of ['sample', kind, 'sample', 'quick'] as const) await rounds.ask(one, 1_000);
      const first = kind === 'whole' ? undefined : [];
      expect(ran.map(({ requested }) => requested?.suspects)).toEqual([[], first, suspects, suspects]);
    },
  );

  it('is forgotten by a run that finds it new, not by one that nobody answered', async () => {
    const reports = [stale, reportOf([], { fresh: null }), stale, reportOf([], { fresh: true })];
    const { rounds, ran } = plan([...CORE, 'source'], { source: SOURCE }, { reports });
    for (const _ of reports) await rounds.ask('quick', 1_000);
    await rounds.ask('sample', 1_000);
    expect(ran.map(({ requested }) => requested?.suspects?.length)).toEqual([0, 4, 4, 4, 0]);
  });

  it('and is not there at all is reported', async () => {
    const missing = reportOf([{ id: 'source', findings: old.slice(0, 1) }], { fresh: false });
    const { rounds } = plan([...CORE, 'source'], { source: SOURCE }, { reports: [missing, stale] });
    expect([(await rounds.ask('quick', 1)).missing, (await rounds.ask('quick', 1)).missing]).toEqual([true, false]);
  });

  it('and was new, and is old again, is reported', async () => {
    const fresh = reportOf([{ id: 'source', status: 'pass' }], { fresh: true });
    const { rounds } = plan([...CORE, 'source'], { source: SOURCE }, { reports: [stale, fresh, stale] });
    const reported = [];
    for (const kind of ['quick', 'sample', 'quick'] as const) reported.push((await rounds.ask(kind, 1)).isBack);
    expect(reported).toEqual([false, false, true]);
  });

  it('and the version was new, and is old again, is reported', async () => {
    const fresh = reportOf([{ id: 'deployed-version', status: 'pass' }], { fresh: true });
    const before = reportOf([{ id: 'deployed-version', findings: [finding({ rule: 'old-version' })] }], {
      fresh: false,
    });
    const { rounds } = plan([...CORE, 'deployed-version'], { expected: VERSION }, { reports: [before, fresh, before] });
    const reported = [];
    for (const _ of [1, 2, 3]) reported.push((await rounds.ask('sample', 1)).isBack);
    expect(reported).toEqual([false, false, true]);
  });
});

describe('samples that are the same in both versions', () => {
  const sampled = (telling: boolean): Report =>
    reportOf([{ id: 'source', status: 'pass', facts: { sampled: true, telling, files: 10 } }], { fresh: true });
  const stale = reportOf([{ id: 'source', findings: [finding({ rule: 'stale', evidence: { path: 'a.md' } })] }], {
    fresh: false,
  });
  const version = { id: 'deployed-version', status: 'pass' } as const;
  const rows: readonly { name: string; reports: readonly Report[]; isNew: readonly boolean[] }[] = [
    { name: 'are no sign of the new version', reports: [sampled(false), sampled(false)], isNew: [false, false] },
    { name: 'are a sign if one of them is not', reports: [sampled(true)], isNew: [true] },
    {
      name: 'are a sign if one of them was old, and is new',
      reports: [sampled(false), stale, sampled(false)],
      isNew: [false, false, true],
    },
    {
      name: 'do not matter where the version is published',
      reports: [reportOf([...sampled(false).checks, version], { fresh: true })],
      isNew: [true],
    },
  ];

  it.each(rows)('$name', async ({ reports, isNew }) => {
    const wants = { source: SOURCE, expected: VERSION };
    const { rounds } = plan([...CORE, 'source', 'deployed-version'], wants, { reports });
    const reported = [];
    for (const _ of reports) reported.push((await rounds.ask('quick', 1)).isNew);
    expect(reported).toEqual(isNew);
  });
});
