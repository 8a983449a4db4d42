import { describe, expect, it } from 'vitest';
import { finding, reportOf } from '../../test/reports.ts';
import type { Evidence } from '../core/answer.ts';
import type { Finding } from '../core/finding.ts';
import type { Waited } from '../core/check.ts';
import { optionsIn } from '../../test/reports/samples.ts';
import { NOTHING_STALE, staleDetails, staleFactsOf, summaryOf, waitedLine, type StaleFacts } from './summary.ts';

const WAITED: Waited = {
  forMs: 60_000,
  elapsedMs: 2_000,
  runs: 2,
  by: 'source',
  firstNewMs: null,
  allNewMs: null,
  allPassedMs: null,
};
const differs = (path: string, more: Evidence = {}): Finding => finding({ rule: 'stale', evidence: { path, ...more } });
const said = (rule: string, evidence: Evidence = {}): Finding => finding({ rule, evidence });

const ROWS: readonly {
  name: string;
  source?: readonly Finding[];
  version?: readonly Finding[];
  old: Partial<StaleFacts>;
}[] = [
  { name: 'nothing', old: {} },
  { name: 'one file', source: [differs('a.md')], old: { files: ['a.md'] } },
  { name: 'two files', source: [differs('b.md'), differs('a.md')], old: { files: ['b.md', 'a.md'] } },
  {
    name: 'the configuration and pages',
    source: [differs('a.md'), differs('b.md'), differs('config.json'), differs('c.md')],
    old: { files: ['config.json'], pages: 3 },
  },
  {
    name: 'the bundle, pages and images',
    source: [differs('a.md'), differs('b.svg'), differs('index.html'), differs('c.png'), differs('d.MD')],
    old: { files: ['index.html'], pages: 2, others: 2 },
  },
  {
    name: 'a file that is not there',
    source: [said('not-live', { path: 'a.md' })],
    old: { files: ['a.md'], isMissing: true },
  },
  {
    name: 'a file that is not there, and an old one',
    source: [said('not-live', { path: 'a.md' }), differs('b.md')],
    old: { files: ['a.md', 'b.md'] },
  },
  {
    name: 'a commit that is known',
    source: [differs('a.md', { commit: 'abc1234' })],
    old: { files: ['a.md'], isCommit: true },
  },
  {
    name: 'two versions at once, each file once',
    source: [said('mixed', { old: ['a.md', 'b.md'], new: ['c.md'] }), differs('a.md')],
    old: { files: ['a.md', 'b.md'], isCommit: true, both: 'at-once' },
  },
  {
    name: 'a file that comes now in this and now in that version',
    source: [said('alternates', { path: 'a.md' })],
    old: { files: ['a.md'], both: 'in-turn' },
  },
  {
    name: 'what is no error',
    source: [finding({ rule: 'gone', severity: 'warning', evidence: { path: 'a.md' } })],
    old: {},
  },
  {
    name: 'another version',
    version: [said('old-version', { expected: '2.0', found: '1.9', where: 'version.json' })],
    old: { expected: '2.0', found: '1.9' },
  },
  {
    name: 'commits, abbreviated',
    version: [said('old-version', { expected: 'a'.repeat(40), found: ['b'.repeat(40), 'c'] })],
    old: { expected: 'a'.repeat(12), found: 'b'.repeat(12) },
  },
  { name: 'no version', version: [said('no-version', { expected: '2.0' })], old: { expected: '2.0' } },
  { name: 'the same bundle', version: [said('not-changed', { etag: '"a"' })], old: { unchanged: true } },
  {
    name: 'names that would act on a terminal',
    source: [differs('\u001b[31ma.md')],
    version: [said('old-version', { expected: '1', found: '\u202e\n2' })],
    old: { files: ['␛[31ma.md'], expected: '1', found: '\\u202e␊2' },
  },
  { name: 'a name without end', source: [differs('a'.repeat(500))], old: { files: [`${'a'.repeat(60)}…`] } },
  { name: 'evidence of another shape', source: [said('stale', { path: 7, old: { offset: 1 } })], old: {} },
];

describe('what reports that an old version is live', () => {
  it('is nothing where no check reports one', () => {
    const none = { files: [], pages: 0, others: 0, expected: null, found: null, both: null };
    expect(NOTHING_STALE).toEqual({ ...none, isMissing: false, isCommit: false, unchanged: false });
  });

  it.each(ROWS)('$name', ({ source = [], version = [], old }) => {
    const report = reportOf([
      { id: 'source', findings: source },
      { id: 'deployed-version', findings: version },
    ]);
    expect(staleFactsOf(report)).toEqual({ ...NOTHING_STALE, ...old });
  });
});

describe('the sentence of a stale site', () => {
  const report = reportOf([{ id: 'source', findings: [differs('a.md')] }], { verdict: 'stale' });

  it('is there for no other', async () => {
    const options = await optionsIn('en');
    const counted = `${options.messages.outcome.failed(1, 1)} (0.00\u00A0s)`;
    expect(summaryOf(report, options)).toContain('a.md');
    for (const other of [{ verdict: 'degraded' }, { verdict: 'unknown', fresh: false }] as const)
      expect(summaryOf({ ...report, ...other }, options)).toBe(counted);
  });

  it.each([
    { name: 'stopped', interrupted: true },
    { name: 'at its end', interrupted: false },
  ] as const)('of a waiting that was $name does not say that it is healthy', async ({ interrupted }) => {
    const options = await optionsIn('en');
    const { waiting, outcome } = options.messages;
    const partly = { ...report, verdict: 'unknown', fresh: false, interrupted, waited: WAITED } as const;
    const details = staleDetails(staleFactsOf(partly), 'still', waiting);
    expect(summaryOf(partly, options)).toBe(waiting.unfinished(interrupted, details));
    expect(summaryOf({ ...partly, fresh: null }, options)).toContain(outcome.failed(1, 1));
  });

  it('names old and new where they took turns', () => {
    const waited = { ...WAITED, alternating: true } as const;
    expect(staleFactsOf({ ...report, waited }).both).toBe('in-turn');
    expect(staleFactsOf({ ...report, waited: WAITED }).both).toBeNull();
  });
});

describe('the line of a waiting', () => {
  const line = async (waited: Partial<Waited>): Promise<string> =>
    waitedLine({ ...WAITED, ...waited }, await optionsIn('en'));

  it('has the times that are known', async () => {
    const times = { firstNewMs: 1_200, allNewMs: 9_960, allPassedMs: 61_400 };
    expect(await line(times)).toMatch(/1\u00A0min 01\u00A0s.*1\.2\u00A0s.*10\.0\u00A0s.*1\u00A0min 01\u00A0s/u);
    const [first, all] = [await line({ firstNewMs: 1_200 }), await line({})];
    expect(first.startsWith(all)).toBe(true);
    expect(first.slice(all.length)).toContain('1.2\u00A0s');
    expect(all).toContain('2.0\u00A0s');
  });
});
