import { describe, expect, it } from 'vitest';
import { noReply, reply } from '../../../test/answers.ts';
import { finding, reportOf } from '../../../test/reports.ts';
import { samplesOf } from '../../../test/server/exposition.ts';
import { healthy, settingsOf, siteOf, viewOf } from '../../../test/server/view.ts';
import type { Answer } from '../../core/answer.ts';
import type { Report } from '../../core/check.ts';
import type { CheckSiteOptions } from '../../core/check-site.ts';
import { DEFAULT_CONFIG } from '../../config/config.ts';
import type { Watchdog } from '../engine/watchdog.ts';
import { createProbe } from './probe.ts';
import type { HttpRequest } from './request.ts';

const requestOf = (
  query: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
): HttpRequest => ({
  path: '/probe',
  search: new URLSearchParams({ target: 'docs', ...query }),
  header: (name) => headers[name] ?? null,
  signal: new AbortController().signal,
});

const SETTINGS = settingsOf({
  sites: [siteOf({ checking: { ...DEFAULT_CONFIG, only: ['bundle'] } })],
  probe: {
    targets: ['docs', 'guide.example'],
    modules: new Map([['quick', { full: false, checking: DEFAULT_CONFIG }]]),
  },
});

/** A probe whose check gets these answers and ends in this report; `runs`: what it was to check. */
function proberOf(
  answers: readonly Answer[],
  report: Report | (() => Promise<Report>) = healthy(),
  guard?: Watchdog['guard'],
) {
  const runs: CheckSiteOptions[] = [];
  const probe = createProbe({
    view: viewOf({ settings: () => SETTINGS, ...(guard && { watchdog: { guard } }) }),
    env: {},
    async check(options) {
      runs.push(options);
      for (const answer of answers) options.onAnswer?.(answer);
      return typeof report === 'function' ? report() : report;
    },
  });
  return { probe, runs };
}

const samplesFor = async (answers: readonly Answer[], report?: Report) =>
  Object.fromEntries(samplesOf(await proberOf(answers, report).probe(requestOf({}))));

describe('the metrics of a probe', () => {
  it('are about the request for the engine bundle', async () => {
    const bundle = 'https://docs.example/';
    const report = reportOf([{ id: 'bundle', role: 'bundle', status: 'pass', url: bundle }], { verdict: 'healthy' });
    const headers = { 'content-length': '1234', 'last-modified': 'Fri, 20 Nov 2026 18:00:00 GMT' };
    const timings = { dnsMs: 2, connectMs: 8, tlsMs: 12, firstByteMs: 40, totalMs: 80 };
    const main: Answer = { ...reply('x'.repeat(10), { url: bundle, headers }), timings };
    expect(await samplesFor([reply('', { url: `${bundle}config.json`, status: 404 }), main], report)).toMatchObject({
      probe_success: 1,
      probe_failed_due_to_regex: 0,
      probe_dns_lookup_time_seconds: 0.002,
      probe_http_status_code: 200,
      probe_http_ssl: 1,
      probe_http_version: 1.1,
      probe_http_redirects: 0,
      probe_http_content_length: 1_234,
      probe_http_uncompressed_body_length: 10,
      probe_http_last_modified_timestamp_seconds: Date.UTC(2026, 10, 20, 18) / 1_000,
      probe_ip_protocol: 4,
      'probe_http_duration_seconds{phase="resolve"}': 0.002,
      'probe_http_duration_seconds{phase="connect"}': 0.008,
      'probe_http_duration_seconds{phase="tls"}': 0.012,
      'probe_http_duration_seconds{phase="processing"}': 0.04,
      'probe_http_duration_seconds{phase="transfer"}': 0.018,
    });
  });

  it('are about the first request where none was for the bundle', async () => {
    const first = reply('', { url: 'http://docs.example/', status: 503 });
    expect(await samplesFor([{ ...first, address: '2001:db8::1' }, reply('')])).toMatchObject({
      probe_http_status_code: 503,
      probe_http_ssl: 0,
      probe_http_content_length: -1,
      probe_ip_protocol: 6,
    });
  });

  it('show that no response was received', async () => {
    const samples = await samplesFor(
      [noReply('refused')],
      reportOf([{ id: 'bundle', httpStatus: null }], { verdict: 'down' }),
    );
    expect(samples).toMatchObject({
      probe_success: 0,
      probe_failed_due_to_regex: 0,
      probe_http_status_code: 0,
      probe_http_version: 0,
      probe_http_content_length: -1,
      probe_http_uncompressed_body_length: 0,
    });
    expect(samples).not.toHaveProperty('probe_ip_protocol');
    expect(await samplesFor([])).not.toHaveProperty('probe_http_status_code');
  });

  it('show that every failed check received the wrong content', async () => {
    const failing = (statuses: readonly number[]): Report =>
      reportOf(
        statuses.map((httpStatus, index) => ({ id: `check-${index}`, status: 'fail', httpStatus })),
        { verdict: 'down' },
      );
    expect(await samplesFor([], failing([200, 200]))).toMatchObject({ probe_failed_due_to_regex: 1 });
    expect(await samplesFor([], failing([200, 503]))).toMatchObject({ probe_failed_due_to_regex: 0 });
  });

  it('have the certificate that ends first, even one that was refused', async () => {
    const tls = (validTo: string): Answer => ({
      ...reply(''),
      tls: { protocol: 'TLSv1.3', validFrom: null, validTo, subject: null, issuer: null },
    });
    const answers = [tls('2027-03-01T00:00:00Z'), noReply('tls-expired', { validTo: '2026-01-01T00:00:00Z' })];
    expect(await samplesFor(answers)).toMatchObject({
      probe_ssl_earliest_cert_expiry: Date.UTC(2026, 0, 1) / 1_000,
      'probe_tls_version_info{version="TLS 1.3"}': 1,
    });
    expect(await samplesFor([reply('')])).not.toHaveProperty('probe_ssl_earliest_cert_expiry');
  });

  it('have each rule that fails or warns once, in the language that is asked for', async () => {
    const findings = [
      finding(),
      finding(),
      finding({ rule: 'cors', severity: 'warning' }),
      finding({ severity: 'info' }),
    ];
    const { probe } = proberOf([], reportOf([{ id: 'config', findings }], { verdict: 'down' }));
    const infos = async (lang: string) =>
      (await probe(requestOf({ lang }))).split('\n').filter((line) => line.startsWith('docvitals_finding_info{'));
    const [english, french] = [await infos('en'), await infos('fr')];
    expect(english.map((line) => /severity="(\w+)"/.exec(line)?.[1])).toEqual(['error', 'warning']);
    expect(french).toHaveLength(2);
    expect(french).not.toEqual(english);
  });
});

describe('the check of a probe', () => {
  it('is that of the monitor for its sites, unless a module says how', async () => {
    const { probe, runs } = proberOf([]);
    await probe(requestOf({}));
    await probe(requestOf({ module: 'quick' }));
    await probe(requestOf({ target: 'http://guide.example/' }));
    expect(runs.map(({ checks }) => checks.map(({ id }) => id).length)).toEqual([1, 5, 5]);
  });

  it('ends in time for Prometheus, and is tried once', async () => {
    const { probe, runs } = proberOf([]);
    await probe(requestOf({}, { 'x-prometheus-scrape-timeout-seconds': '3' }));
    expect(runs[0]).toMatchObject({ patienceMs: 0, limits: { deadlineMs: 2_500, timeoutMs: 2_500, retries: 0 } });
    await probe(requestOf({}));
    await probe(requestOf({ module: 'full' }));
    expect(runs.slice(1).map(({ limits }) => limits?.deadlineMs)).toEqual([15_000, 120_000]);
    expect(runs[2]?.limits?.timeoutMs).toBeLessThan(120_000);
  });
});

describe('a target that blocked the monitor', () => {
  const held = new Set<string>();
  const noted: string[] = [];
  const { probe } = proberOf([], healthy(), async (site, scope, work) => {
    noted.push(`${site} ${scope}`);
    return held.has(site) ? null : work();
  });

  it('is noted while it is probed, and held back', async () => {
    expect(await probe(requestOf({ module: 'full' }))).toContain('probe_success 1');
    held.add(noted[0]?.split(' ')[0] ?? '');
    await expect(probe(requestOf({}))).rejects.toMatchObject({ problem: { code: 'target-held-back' } });
    expect(noted.map((run) => run.split(' ')[1])).toEqual(['full', 'core']);
  });
});

describe('probes at the same time', () => {
  it.each([
    ['32 probes', 'core', 32],
    ['4 probes of whole sites', 'full', 4],
  ])('are refused above %s, until one has ended', async (_, module, most) => {
    const ends: (() => void)[] = [];
    const { probe } = proberOf([], () => new Promise((resolve) => ends.push(() => resolve(healthy()))));
    const running = Array.from({ length: most }, () => probe(requestOf({ module })));
    await expect(probe(requestOf({ module }))).rejects.toMatchObject({
      problem: { code: 'too-many-probes', headers: { 'retry-after': '5' } },
    });
    ends.shift()?.();
    await running[0];
    running.push(probe(requestOf({ module })));
    for (const end of ends) end();
    expect(await Promise.all(running)).toHaveLength(most + 1);
  });
});
