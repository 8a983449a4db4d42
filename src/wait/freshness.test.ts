/** What a waiting remembers of its runs. */
import { describe, expect, it } from 'vitest';
import { finding, reportOf } from '../../test/reports.ts';
import type { Report } from '../check.ts';
import { CORE, plan, SOURCE, VERSION } from './fixtures/plan.ts';

describe('what a round found old', () => {
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

  it('is forgotten by a round that finds it new, not by one that nobody answered', async () => {
    const reports = [stale, reportOf([], { fresh: null }), stale, reportOf([], { fresh: true })];
    const { rounds, ran } = plan([...CORE, 'source'], { source: SOURCE }, { reports });
    for (const _ of reports) await rounds.ask('quick', 1_000);
    await rounds.ask('sample', 1_000);
    expect(ran.map(({ requested }) => requested?.suspects?.length)).toEqual([0, 4, 4, 4, 0]);
  });

  it('and is not there at all is told', async () => {
    const missing = reportOf([{ id: 'source', findings: old.slice(0, 1) }], { fresh: false });
    const { rounds } = plan([...CORE, 'source'], { source: SOURCE }, { reports: [missing, stale] });
    expect([(await rounds.ask('quick', 1)).missing, (await rounds.ask('quick', 1)).missing]).toEqual([true, false]);
  });

  it('and was new, and is old again, is told', async () => {
    const fresh = reportOf([{ id: 'source', status: 'pass' }], { fresh: true });
    const { rounds } = plan([...CORE, 'source'], { source: SOURCE }, { reports: [stale, fresh, stale] });
    const reported = [];
    for (const kind of ['quick', 'sample', 'quick'] as const) reported.push((await rounds.ask(kind, 1)).isBack);
    expect(reported).toEqual([false, false, true]);
  });

  it('and the version was new, and is old again, is told', async () => {
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

describe('samples that do not tell the versions apart', () => {
  const sampled = (context: boolean, rest: Partial<Report> = {}): Report =>
    reportOf([{ id: 'source', status: 'pass', facts: { sampled: true, telling: context, files: 10 } }], {
      fresh: true,
      ...rest,
    });
  const stale = reportOf([{ id: 'source', findings: [finding({ rule: 'stale', evidence: { path: 'a.md' } })] }], {
    fresh: false,
  });
  const quick = (count: number) => Array.from({ length: count }, () => 'quick' as const);
  const rows: readonly {
    name: string;
    reports: readonly Report[];
    samples: readonly unknown[];
    doubts: readonly unknown[];
  }[] = [
    {
      name: 'are followed by more of them',
      reports: Array.from({ length: 4 }, () => sampled(false)),
      samples: [10, 20, 40, 40],
      doubts: [false, false, true, true],
    },
    {
      name: 'unless they do',
      reports: [sampled(true), sampled(true)],
      samples: [10, 10],
      doubts: [undefined, undefined],
    },
    {
      name: 'until one of them was old, and is new',
      reports: [sampled(false), stale, sampled(false)],
      samples: [10, 20, 10],
      doubts: [false, undefined, undefined],
    },
  ];

  it.each(rows)('$name', async ({ reports, samples, doubts }) => {
    const { rounds, ran } = plan([...CORE, 'source'], { source: SOURCE }, { reports });
    const reported = [];
    for (const kind of quick(reports.length)) reported.push((await rounds.ask(kind, 1)).doubt?.isLast);
    expect([ran.map(({ requested }) => requested?.samples), reported]).toEqual([samples, doubts]);
  });

  it('do not matter where the version tells', async () => {
    const report = reportOf([...sampled(false).checks, { id: 'deployed-version', status: 'pass' }], { fresh: true });
    const ids = [...CORE, 'source', 'deployed-version'];
    const { rounds } = plan(ids, { source: SOURCE, expected: VERSION }, { report });
    expect((await rounds.ask('quick', 1)).doubt).toBeNull();
  });
});
