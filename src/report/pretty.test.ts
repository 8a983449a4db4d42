import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import { finding, reportOf } from '../../test/reports.ts';
import { HOSTILE_ROWS, hostileReport } from '../../test/reports/hostile.ts';
import { optionsIn } from '../../test/reports/samples.ts';
import { prettyReport } from './pretty.ts';

const options = await optionsIn('en');

describe('the report for a terminal', () => {
  it.each(HOSTILE_ROWS)('$name: printable lines that fit, and not without an end', ({ text }) => {
    const report = prettyReport(hostileReport(text), { ...options, detail: 'verbose' });
    expect(report).not.toMatch(/[^\P{C}\n]|[\p{Zl}\p{Zp}]/u);
    expect(report.length).toBeLessThan(600_000);
    // The address of the site is one line, so that it can be taken from there.
    const [, ...lines] = report.split('\n');
    expect(lines.filter((line) => stringWidth(line) > options.columns)).toEqual([]);
  });

  it('prints once why several checks were skipped', () => {
    const skipped = ['links', 'caching', 'robots'].map((id) => ({
      id,
      status: 'skip' as const,
      skipped: finding({ rule: 'no-answer' }),
    }));
    const report = prettyReport(
      reportOf([...skipped, { id: 'tls', status: 'skip', skipped: finding({ rule: 'plain-http' }) }]),
      options,
    );
    expect(report.match(/^- skip/gm)).toHaveLength(4);
    expect(report.match(/was not received/g)).toHaveLength(1);
    expect(report).toMatch(/no certificate to\s+check/);
  });

  it('separates the errors of a code from its warnings', () => {
    const findings = [finding({ severity: 'warning' }), finding({ severity: 'warning' }), finding()];
    const lines = prettyReport(reportOf([{ findings }]), options).split('\n');
    expect(lines.filter((line) => line.startsWith('  config/'))).toEqual(['  config/syntax', '  config/syntax ×2']);
  });
});
