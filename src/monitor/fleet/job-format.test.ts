import { describe, expect, it } from 'vitest';
import { finding, reportOf } from '../../../test/reports.ts';
import type { CheckResult, Report } from '../../core/check.ts';
import type { Finding } from '../../core/finding.ts';
import type { Measurement } from '../engine/local-probe.ts';
import {
  isRunJob,
  isSentResult,
  packed,
  unpacked,
  type ResultJob,
  type RunJob,
  type SentResult,
} from './job-format.ts';
import schema from './queue.schema.json' with { type: 'json' };

type RenderedPage = NonNullable<CheckResult['rendered']>[number];

const MIB = 1024 * 1024;

const run: RunJob = { run: 'one', site: 'docs', scope: 'full', location: 'paris', at: 1, bypassCache: true };

const page = (route: string, isOk: boolean, bytes: number): RenderedPage => ({
  route,
  isOk,
  screenshot: Buffer.alloc(bytes, route),
  headingMs: 1.5,
  largestPaintMs: null,
  layoutShift: 0.01,
  transferredBytes: 12,
  requests: 3,
});

const found = finding({
  cause: 'config/syntax',
  evidence: { status: 404, missing: [{ path: 'a.md', lines: [1, 2] }], mediaType: null },
  location: { path: 'a.md', line: 1, column: 2 },
  locations: [{ path: 'a.md', line: 1, column: 2 }],
  excerpt: { firstLine: 1, lines: ['a'], caretColumn: 1 },
});

const check: Partial<CheckResult> = {
  revalidated: true,
  requests: 2,
  facts: { validTo: '2026-01-01T00:00:00Z' },
  findings: [found],
  omitted: { syntax: 3 },
  skipped: found,
};

const site: Report['site'] = {
  url: 'https://docs.example/',
  host: 'nginx',
  engine: { id: 'docsify', name: 'docsify', version: null },
};

const measured: Measurement = {
  startedAt: 1,
  endedAt: 2,
  report: reportOf([{ ...check, rendered: [page('', true, 10), page('#/a', false, 10)] }], { site, receivedBytes: 7 }),
  probeSide: null,
  version: 'v1',
  contents: { bundle: 'sha256:00' },
};

const withJson = (json: string): SentResult => ({ ...run, runner: 'runner-1', measured: json });

const sentOf = (changed: Measurement): SentResult => withJson(packed(changed) ?? '');

/** The JSON with each of its values replaced in turn. */
function mutantsOf(json: string, by: string): readonly string[] {
  const values = json.matchAll(/(?<=[:[,])(?:"[^"]*"|-?[\d.]+|true|false|null)(?=[,\]}])/g);
  return [...values].map(({ index, 0: value }) => json.slice(0, index) + by + json.slice(index + value.length));
}

describe('a result', () => {
  it('is received as it was sent', () => {
    const sent = sentOf(measured);
    expect(isSentResult(JSON.parse(JSON.stringify(sent)))).toBe(true);
    const result: ResultJob = { ...run, runner: 'runner-1', measured, bytes: sent.measured?.length ?? 0 };
    expect(unpacked(sent, MIB)).toEqual(result);
  });

  it('has a schema with all that its types have, whose objects have nothing else', () => {
    const { run: ofRun, result, measurement, report, check: ofCheck, finding: ofFinding, page: ofPage } = schema.$defs;
    ofRun.properties satisfies Record<keyof RunJob, object>;
    result.properties satisfies Record<keyof SentResult, object>;
    measurement.properties satisfies Record<keyof Omit<Measurement, 'locations' | 'settles' | 'failingFrom'>, object>;
    report.properties satisfies Record<keyof Omit<Report, 'waited'>, object>;
    ofCheck.properties satisfies Record<keyof CheckResult, object>;
    ofFinding.properties satisfies Record<keyof Finding, object>;
    ofPage.properties satisfies Record<keyof RenderedPage, object>;
    const all = [ofRun, result, measurement, report, ofCheck, ofFinding, ofPage];
    expect(all.map(({ additionalProperties }) => additionalProperties)).toEqual(all.map(() => false));
  });

  it.each([
    ['that of a bad page first', [page('', true, 700_000), page('#/a', false, 200_000)], [null, 200_000]],
    ['all', [page('', true, 200_000), page('#/a', true, 200_000)], [200_000, 200_000]],
    ['none', [page('', true, MIB)], [null]],
  ])('is sent with the pictures that fit: %s', (_, rendered, expected) => {
    const report = reportOf([{ ...check, rendered }]);
    const received = unpacked(sentOf({ ...measured, report }), MIB);
    const pages = typeof received === 'string' ? [] : (received.measured?.report.checks[0]?.rendered ?? []);
    expect(pages.map(({ screenshot }) => screenshot?.length ?? null)).toEqual(expected);
  });

  it('is sent with fewer findings where those are too large', () => {
    const findings = Array.from({ length: 50 }, () => finding({ evidence: { message: 'é'.repeat(20_000) } }));
    const received = unpacked(sentOf({ ...measured, report: reportOf([{ findings }]) }), MIB);
    expect(received).toMatchObject({ measured: { report: { checks: [{ omitted: { syntax: 25 } }] } } });
  });

  it.each([
    ['nothing', ''],
    ['no JSON', '{'],
    ['null', 'null'],
    ['a list', '[]'],
    ['deep', '['.repeat(100_000)],
    ['deep evidence', JSON.stringify({ ...measured, report: reportOf([{ facts: { a: [[[[1]]]] } } as object]) })],
    ['an endless number', JSON.stringify(measured).replace('"durationMs":1,', '"durationMs":1e999,')],
  ])('whose measurement is %s is invalid', (_, json) => {
    expect(unpacked(withJson(json), MIB)).toBe('invalid');
  });

  it('of an earlier version, without times, is valid', () => {
    const { report, probeSide, version } = measured;
    expect(
      unpacked(withJson(JSON.stringify({ report: { ...report, checks: [] }, probeSide, version })), MIB),
    ).toMatchObject({
      measured: { probeSide, version },
    });
  });

  it('that is larger than is left, or than it may be, is too large', () => {
    const sent = sentOf(measured);
    expect([100, 0, -1].map((room) => unpacked(sent, room))).toEqual(['too-large', 'too-large', 'too-large']);
    expect(unpacked(withJson(' '.repeat(MIB + 1)), 100 * MIB)).toBe('too-large');
  });

  it('is invalid where any of its values beside evidence is of another type', () => {
    const report = reportOf([{ ...check, facts: {}, findings: [{ ...found, evidence: {} }], skipped: finding() }]);
    const mutants = mutantsOf(packed({ ...measured, report }) ?? '', '{"length":-1}');
    expect(mutants.length).toBeGreaterThan(40);
    expect(mutants.filter((mutant) => unpacked(withJson(mutant), MIB) !== 'invalid')).toEqual([]);
  });
});

describe('a run', () => {
  it('is valid with unknown members, which are removed', () => {
    const data = { ...run, later: 1 };
    expect([isRunJob(data), data]).toEqual([true, run]);
  });

  it.each([
    null,
    7,
    'run',
    [],
    {},
    { ...run, run: '' },
    { ...run, site: null },
    { ...run, at: '1' },
    { ...run, scope: 'x' },
  ])('%j is none', (data) => {
    expect([isRunJob(data), isSentResult(data)]).toEqual([false, false]);
  });
});
