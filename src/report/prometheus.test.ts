import { describe, expect, it } from 'vitest';
import type { Report } from '../core/check.ts';
import { printable } from '../text/printable.ts';
import { readExposition, type Sample } from '../../test/reports/exposition.ts';
import { HOSTILE_ROWS, hostileReport } from '../../test/reports/hostile.ts';
import { reportOf } from '../../test/reports.ts';
import { manyFindings, SAMPLE_ROWS, SAMPLES } from '../../test/reports/samples.ts';
import { prometheusReport } from './prometheus.ts';

const samplesOf = (report: Report): readonly Sample[] => readExposition(prometheusReport(report));

/** The values of a metric by the labels besides the site, as `check=config status=fail`. */
function valuesOf(report: Report, name: string): Record<string, number> {
  const own = samplesOf(report).filter((sample) => sample.name === name);
  return Object.fromEntries(
    own.map(({ labels, value }) => {
      const others = Object.entries(labels).filter(([label]) => label !== 'site');
      return [others.map(([label, text]) => `${label}=${text}`).join(' '), value];
    }),
  );
}

describe('metrics', () => {
  it.each(SAMPLE_ROWS)('of the report "$name" are of the format and all have the site', ({ report }) => {
    const samples = samplesOf(report);
    expect(samples.length).toBeGreaterThan(0);
    expect(new Set(samples.map(({ labels }) => labels['site']))).toEqual(new Set([report.site.url]));
    expect(samples.filter(({ name }) => !name.startsWith('docvitals_'))).toEqual([]);
  });

  it('have the pages that a browser has opened, a bounded number', () => {
    const page = { isOk: true, headingMs: 250, largestPaintMs: null, layoutShift: 0.05, screenshot: null };
    const rendered = Array.from({ length: 30 }, (_, index) => ({
      ...page,
      route: index === 0 ? '' : `#/page-${index}`,
      transferredBytes: 2_048,
      requests: 7,
    }));
    const report = reportOf([{ id: 'rendered', rendered }]);
    const headings = valuesOf(report, 'docvitals_page_first_heading_seconds');
    expect(Object.keys(headings)).toHaveLength(20);
    expect(headings).toMatchObject({ 'route=/': 0.25, 'route=#/page-1': 0.25 });
    expect(valuesOf(report, 'docvitals_page_largest_contentful_paint_seconds')).toEqual({});
    expect(valuesOf(report, 'docvitals_page_layout_shift')).toMatchObject({ 'route=/': 0.05 });
    expect(valuesOf(report, 'docvitals_page_transferred_bytes')).toMatchObject({ 'route=/': 2_048 });
    expect(valuesOf(report, 'docvitals_page_load_requests')).toMatchObject({ 'route=/': 7 });
  });

  it('report which verdict holds', () => {
    expect(valuesOf(SAMPLES['stale, waited for in vain'] as Report, 'docvitals_verdict')).toEqual({
      'verdict=healthy': 0,
      'verdict=degraded': 0,
      'verdict=down': 0,
      'verdict=stale': 1,
      'verdict=unknown': 0,
    });
  });

  it.each([
    ['healthy', 1],
    ['stale, waited for in vain', 1],
    ['faulty', 0],
    ['interrupted', undefined],
  ])('report whether the site is up: %s is %s', (name, up) => {
    expect(valuesOf(SAMPLES[name] as Report, 'docvitals_up')['']).toBe(up);
  });

  it.each([
    { name: 'the bundle was not looked at', unseen: 'bundle', verdict: 'degraded', up: undefined },
    { name: 'the configuration was not looked at', unseen: 'config', verdict: 'degraded', up: undefined },
    { name: 'the bundle was not looked at, and it is down', unseen: 'bundle', verdict: 'down', up: 0 },
    { name: 'another check is not known', unseen: 'links', verdict: 'degraded', up: 1 },
  ] as const)('report whether the site is up where $name: $up', ({ unseen, verdict, up }) => {
    const report = reportOf([{ id: unseen, status: 'unknown' }, { id: 'home' }], { verdict });
    expect(valuesOf(report, 'docvitals_up')['']).toBe(up);
  });

  it.each([
    ['healthy', undefined],
    ['healthy and fresh, waited for', 1],
    ['stale, waited for in vain', 0],
  ])('report whether the site is fresh: %s is %s', (name, fresh) => {
    expect(valuesOf(SAMPLES[name] as Report, 'docvitals_fresh')['']).toBe(fresh);
  });

  it('report how each check ended', () => {
    const values = valuesOf(SAMPLES['faulty'] as Report, 'docvitals_check_status');
    expect(Object.keys(values)).toHaveLength(6 * 5);
    expect(Object.keys(values).filter((labels) => values[labels] === 1)).toEqual([
      'check=bundle status=pass',
      'check=config status=fail',
      'check=navigation status=warn',
      'check=links status=fail',
      'check=home status=unknown',
      'check=llms-txt status=skip',
    ]);
  });

  it('count findings by rule', () => {
    expect(valuesOf(SAMPLES['faulty'] as Report, 'docvitals_findings')).toEqual({
      'check=bundle rule=bundle/media-type severity=info': 1,
      'check=config rule=config/trailing-comma severity=error': 1,
      'check=navigation rule=navigation/no-links severity=warning': 1,
      'check=links rule=links/missing severity=error': 2,
      'check=links rule=links/media-type severity=warning': 1,
      'check=home rule=home/no-network severity=warning': 1,
    });
    expect(valuesOf(manyFindings(5_000), 'docvitals_findings')).toEqual({
      'check=links rule=links/missing severity=error': 5_000,
    });
  });

  it('are in base units', () => {
    const report = SAMPLES['healthy and fresh, waited for'] as Report;
    expect(valuesOf(report, 'docvitals_check_duration_seconds')['check=bundle']).toBe(0.25);
    expect(valuesOf(report, 'docvitals_last_run_duration_seconds')['']).toBe(0.31);
    expect(valuesOf(report, 'docvitals_last_run_timestamp_seconds')['']).toBe(
      Date.parse('2026-01-01T00:00:00.310Z') / 1000,
    );
    const clocks = ['limit', 'elapsed', 'first_new', 'all_new', 'all_passed'].map(
      (clock) => valuesOf(report, `docvitals_wait_${clock}_seconds`)[''],
    );
    expect(clocks).toEqual([300, 42, 31, 38.5, 42]);
  });

  it('leave out what is not known', () => {
    const names = samplesOf(SAMPLES['stale, waited for in vain'] as Report).map(({ name }) => name);
    expect(names).toContain('docvitals_wait_elapsed_seconds');
    for (const absent of ['docvitals_wait_all_new_seconds', 'docvitals_tls_certificate_expiry_timestamp_seconds'])
      expect(names).not.toContain(absent);
    expect(valuesOf(SAMPLES['faulty'] as Report, 'docvitals_http_status_code')).not.toHaveProperty('check=links');
  });

  it.each([
    ['a good certificate', '2026-12-31T23:59:59.000Z'],
    ['a refused certificate', '2025-12-31T23:59:59.000Z'],
  ])('report when %s ends', (name, date) => {
    const values = valuesOf(SAMPLES[name] as Report, 'docvitals_tls_certificate_expiry_timestamp_seconds');
    expect(values['']).toBe(Date.parse(date) / 1000);
  });

  it('count requests', () => {
    const values = valuesOf(SAMPLES['faulty'] as Report, 'docvitals_last_run_requests');
    expect([values['check=links'], values['check=config']]).toEqual([40, 1]);
  });

  it.each(HOSTILE_ROWS)('have nothing in them of $name', ({ text }) => {
    const report = hostileReport(text);
    expect(samplesOf(report)).toEqual(samplesOf(hostileReport('x')));
    const site = samplesOf({ ...report, site: { url: text.slice(0, 1_000) } }).map(({ labels }) => labels['site']);
    expect(new Set(site)).toEqual(new Set([printable(text.slice(0, 1_000))]));
  });
});
