import { describe, expect, it } from 'vitest';
import { finding, reportOf } from '../../test/reports.ts';
import type { Report } from '../core/check.ts';
import { loadTexts } from './texts.ts';
import { countStatuses, jsonReport, timeOf } from './document.ts';
import { LOCATE_NOTHING, type Locate } from './location.ts';

const texts = await loadTexts('en');

const parsed = (report: Report, locate: Locate = LOCATE_NOTHING): ReturnType<typeof JSON.parse> =>
  JSON.parse(jsonReport(report, { texts, locate }));

describe('jsonReport', () => {
  it('is one document that ends with a line feed', () => {
    const text = jsonReport(reportOf([{}]), { texts, locate: LOCATE_NOTHING });
    expect(text.endsWith('}\n')).toBe(true);
    expect(parsed(reportOf([{}]))).toMatchObject({ schemaVersion: 1, language: 'en' });
  });

  it('reports every character of the evidence, none of them raw where it acts', () => {
    const evil = '\u001b[31m\u009b\u007f\u202e\u2066\u200b\u2028\ufeff\u00ad\u{e0041}\ud83d 👍 文';
    const report = reportOf([{ findings: [finding({ evidence: { [evil]: [evil, { [evil]: evil }] } })] }]);
    const text = jsonReport(report, { texts, locate: LOCATE_NOTHING });
    expect(text).not.toMatch(/[^\P{C}\n]|[\p{Zl}\p{Zp}]/u);
    expect(text).toContain('👍 文');
    expect(parsed(report)).toMatchObject({
      checks: [{ findings: [{ evidence: { [evil]: [evil, { [evil]: evil }] } }] }],
    });
  });

  it.each([
    { status: 'fail', has: true },
    { status: 'warn', has: true },
    { status: 'pass', has: false },
    { status: 'skip', has: false },
    { status: 'unknown', has: false },
  ] as const)('the documented action is there for $status: $has', ({ status, has }) => {
    const [check] = (parsed(reportOf([{ status }])) as { checks: object[] }).checks;
    expect('documentedAction' in (check ?? {})).toBe(has);
  });

  it('reports how many findings of a rule are only counted', () => {
    const checks = (omitted?: Record<string, number>): unknown =>
      (parsed(reportOf([omitted === undefined ? {} : { omitted }])) as { checks: unknown[] }).checks[0];
    expect(checks({ missing: 4500 })).toMatchObject({ omitted: { 'config/missing': 4500 } });
    expect(checks()).not.toHaveProperty('omitted');
  });

  it('has what a check does not always report only where it is reported', () => {
    const facts = { route: '', isOk: true, headingMs: 400, largestPaintMs: 500, layoutShift: 0, transferredBytes: 9 };
    const page = { ...facts, requests: 3, screenshot: null };
    const always = { requests: 0, revalidated: true as const, facts: { pages: 2 }, rendered: [page] };
    const [whole] = (parsed(reportOf([always])) as { checks: object[] }).checks;
    const { isOk: _isOk, ...rest } = facts;
    expect(whole).toMatchObject({
      requests: 0,
      revalidated: true,
      facts: { pages: 2 },
      pages: [{ ...rest, ok: true, requests: 3 }],
    });
    const [bare] = (parsed(reportOf([{}])) as { checks: object[] }).checks;
    for (const name of ['requests', 'revalidated', 'facts', 'pages', 'skipped']) expect(bare).not.toHaveProperty(name);
    expect(parsed(reportOf([{}]))).not.toHaveProperty('receivedBytes');
    expect(parsed(reportOf([{}], { receivedBytes: 0 }))).toMatchObject({ receivedBytes: 0 });
  });

  it('reports what could not be determined as a warning', () => {
    const severities = ['error', 'warning', 'info', null] as const;
    const report = reportOf([{ findings: severities.map((severity) => finding({ severity })) }]);
    expect(parsed(report)).toMatchObject({
      checks: [{ findings: ['error', 'warning', 'info', 'warning'].map((severity) => ({ severity })) }],
    });
  });

  it('keeps the excerpt to itself: the document is that of the schema', () => {
    const located = finding({
      location: { path: 'config.json', line: 3, column: 24 },
      excerpt: { firstLine: 2, lines: ['a', 'b'] },
    });
    const { checks } = parsed(reportOf([{ findings: [located] }])) as { checks: { findings: object[] }[] };
    expect(Object.keys(checks[0]?.findings[0] ?? {}).toSorted()).toEqual([
      'docsUrl',
      'evidence',
      'fix',
      'location',
      'problem',
      'rule',
      'severity',
    ]);
  });
});

describe('countStatuses', () => {
  it('counts every status, those that did not come too', () => {
    expect(countStatuses([{ status: 'pass' }, { status: 'pass' }, { status: 'unknown' }])).toEqual({
      pass: 2,
      warn: 0,
      fail: 0,
      skip: 0,
      unknown: 1,
    });
  });
});

describe('timeOf', () => {
  const [check] = reportOf([{ durationMs: 7 }]).checks;
  it('is that of the requests, of a check without requests that of its evaluation', () => {
    expect(check && timeOf({ ...check, attempts: 1 })).toBe(1);
    expect(check && timeOf({ ...check, attempts: 0 })).toBe(7);
  });
});
