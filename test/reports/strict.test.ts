/** Under `--strict` a warning fails the run: what a build server reads of it says so as well. */
import { jsonReport } from '../../src/report/document.ts';
import { describe, expect, it } from 'vitest';
import type { Report } from '../../src/core/check.ts';
import { junitReport } from '../../src/report/junit.ts';
import { sarifReport } from '../../src/report/sarif.ts';
import { finding, reportOf } from '../reports.ts';
import { optionsIn } from './samples.ts';
import type { SarifLog } from './sarif-log.ts';

const options = await optionsIn('en');

const reportWith = (strict: boolean): Report =>
  reportOf(
    [
      { id: 'bundle', status: 'pass' },
      { id: 'navigation', status: 'warn', findings: [finding({ rule: 'no-links', severity: 'warning' })] },
      { id: 'config', status: 'fail', findings: [finding({ severity: 'warning', rule: 'bom' }), finding()] },
      { id: 'home', status: 'unknown', findings: [finding({ rule: 'no-network', severity: null })] },
      { id: 'llms-txt', status: 'skip', skipped: finding({ rule: 'off', severity: null }) },
    ],
    { strict },
  );

const allIn = (text: string, pattern: RegExp): readonly (string | undefined)[] =>
  [...text.matchAll(pattern)].map(([, found]) => found);

describe.each([
  { strict: true, failed: ['navigation/no-links', 'config/syntax'] },
  { strict: false, failed: ['config/syntax'] },
])('strict $strict', ({ strict, failed }) => {
  const report = reportWith(strict);

  it('JUnit', () => {
    const text = junitReport(report, options);
    expect(allIn(text, /<failure type="([^"]*)"/g)).toEqual(failed);
    expect(allIn(text, /<error type="([^"]*)"/g)).toEqual(['home/no-network']);
    expect(allIn(text, /failures="(\d+)"/g)).toEqual([String(failed.length), String(failed.length)]);
    expect(allIn(text, /name="docvitals.strict" value="(\w+)"/g)).toEqual([String(strict)]);
    // What is told of a failure is not told twice.
    expect(text.match(/navigation\/no-links/g)).toHaveLength(strict ? 2 : 1);
  });

  it('JSON', () => {
    expect(JSON.parse(jsonReport(report, options))).toMatchObject({ strict });
  });

  it('SARIF keeps the levels', () => {
    const { runs } = JSON.parse(sarifReport(report, options)) as SarifLog;
    expect(runs[0]?.results.map(({ level }) => level)).toEqual(['warning', 'warning', 'error']);
    expect(runs[0]).toMatchObject({ properties: { strict } });
  });
});
