/** Metrics as `promtool` reads them. */
import { describe, expect, it } from 'vitest';
import { prometheusReport } from '../../src/report/prometheus.ts';
import { HOSTILE, hostileReport } from './hostile.ts';
import { SAMPLE_ROWS } from './samples.ts';
import { judgedBy, toolWanted } from './tools.ts';

const HOSTILE_URLS = ['quotes of all kinds', 'line ends', 'Prometheus lines', 'a backslash at the end', 'emoji'];

describe.runIf(toolWanted('promtool', '--version'))('promtool', () => {
  const rows = [
    ...SAMPLE_ROWS,
    ...HOSTILE_URLS.map((name) => ({
      name: `hostile: ${name}`,
      report: hostileReport('x', { site: { url: HOSTILE[name] ?? '' } }),
    })),
  ];

  it.each(rows)('has nothing to say of "$name"', ({ report }) => {
    expect(judgedBy('promtool', ['check', 'metrics'], prometheusReport(report))).toEqual({ status: 0, said: '' });
  });

  it('has something to say of mistakes', () => {
    expect(judgedBy('promtool', ['check', 'metrics'], '# TYPE a_total gauge\na_total 1\n').status).not.toBe(0);
  });
});
