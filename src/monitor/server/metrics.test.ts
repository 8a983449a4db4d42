import { afterEach, describe, expect, it } from 'vitest';
import { ownMetrics } from '../../build/site/reference/markdown.ts';
import type { Answer } from '../../core/answer.ts';
import type { Report } from '../../core/check.ts';
import { readHeaders } from '../../http/headers.ts';
import type { IncidentListener, MonitorView } from '../view.ts';
import { createMetrics, siteMetrics } from './metrics.ts';
import { createProbe } from './probe.ts';
import { prometheusReport } from '../../report/prometheus.ts';
import { finding, reportOf } from '../../../test/reports.ts';
import { ask, closeAll, serve } from '../../../test/server/client.ts';
import { familiesOf, labelsOf, namesOf, samplesOf } from '../../../test/server/exposition.ts';
import { run, wanted } from '../../../test/server/tools.ts';
import {
  healthy,
  incidentOf,
  memory,
  NOON,
  settingsOf,
  siteOf,
  siteViewOf,
  stateOf,
  viewOf,
} from '../../../test/server/view.ts';
import { checkedAt, openState } from '../../../test/monitor/incident/state.ts';

afterEach(closeAll);

const metrics = async (view = viewOf()): Promise<string> => (await ask(await serve({ view }), '/metrics')).text;

const sick: Report = reportOf(
  [
    { id: 'bundle', httpStatus: 503, durationMs: 20, findings: [finding({ rule: 'status' })] },
    {
      id: 'config',
      httpStatus: 200,
      attempts: 2,
      findings: [finding(), finding(), finding({ rule: 'cors', severity: 'warning' })],
      omitted: { syntax: 7 },
    },
    { id: 'links', status: 'warn', httpStatus: null, requests: 50 },
    { id: 'tls', status: 'pass', facts: { validTo: '2027-01-01T00:00:00.000Z' } },
  ],
  { verdict: 'down', fresh: false, durationMs: 1_234 },
);

describe('what a report reports as well', () => {
  const shared = (text: string): Record<string, number> =>
    Object.fromEntries(
      [...samplesOf(text)].filter(
        ([series]) => !/^docvitals_(?:build_info|last_run_(?:interrupted|timestamp))/.test(series),
      ),
    );

  it('is reported in the same words, with the id as the site', async () => {
    const fromReport = prometheusReport(sick).replaceAll('site="http://docs.test/"', 'site="docs"');
    const fromMonitor = siteMetrics([siteViewOf(siteOf(), sick)], NOON);
    expect(shared(fromMonitor)).toMatchObject(shared(fromReport));
    const known = familiesOf(fromMonitor);
    const families = [...familiesOf(fromReport)].filter(([name]) => known.has(name));
    expect(families.map(([name]) => [name, known.get(name)])).toEqual(families);
  });

  it('has all checks of a site, those of other runs among them, and the verdict of all', async () => {
    const [bundle, ...others] = sick.checks;
    const round = { ...sick, checks: bundle === undefined ? [] : [bundle] };
    const view = siteViewOf(siteOf(), round, {
      results: new Map(
        [bundle, ...others].flatMap((result) => (result === undefined ? [] : [[result.id, result] as const])),
      ),
      state: stateOf(sick, { verdict: 'degraded' }),
    });
    const samples = samplesOf(siteMetrics([view], NOON));
    expect(samples.get('docvitals_check_status{site="docs",check="tls",status="pass"}')).toBe(1);
    expect(samples.get('docvitals_verdict{site="docs",verdict="degraded"}')).toBe(1);
    expect(samples.get('docvitals_tls_certificate_expiry_timestamp_seconds{site="docs"}')).toBe(1_798_761_600);
  });
});

describe('a site', () => {
  it('that was not checked yet is neither up nor down', async () => {
    const samples = samplesOf(siteMetrics([siteViewOf(siteOf(), null)], NOON));
    expect(samples.has('docvitals_up{site="docs"}')).toBe(false);
    expect(samples.get('docvitals_verdict{site="docs",verdict="unknown"}')).toBe(1);
    expect(samples.has('docvitals_last_run_timestamp_seconds{site="docs"}')).toBe(false);
  });

  it('reports its open incident and its maintenance', async () => {
    const state = stateOf(sick, { ...openState(incidentOf()), ...checkedAt(NOON, NOON - 130_000) });
    const view = siteViewOf(siteOf(), sick, { state, maintenance: { from: NOON, to: NOON + 1, reason: null } });
    expect(Object.fromEntries(samplesOf(siteMetrics([view], NOON)))).toMatchObject({
      'docvitals_incident_open{site="docs"}': 1,
      'docvitals_incident_started_timestamp_seconds{site="docs"}': (NOON - 130_000) / 1_000,
      'docvitals_incident_detected_timestamp_seconds{site="docs"}': (NOON - 120_000) / 1_000,
      'docvitals_incident_notified_timestamp_seconds{site="docs"}': (NOON - 119_000) / 1_000,
      'docvitals_incident_flapping{site="docs"}': 0,
      'docvitals_last_healthy_timestamp_seconds{site="docs"}': (NOON - 130_000) / 1_000,
      'docvitals_recovery_time_objective_seconds{site="docs"}': 60,
      'docvitals_maintenance{site="docs"}': 1,
    });
  });

  it('has the same by location, and is not up or down where a location knows nothing', async () => {
    const locations = ['paris', 'tokyo', 'lima'].map((id) => ({ id, title: id, coordinates: null }));
    const seen = { at: NOON - 1_000, checks: new Map<never, never>() };
    const view = siteViewOf(siteOf(), healthy(), {
      locations: new Map([
        ['paris', { ...seen, verdict: 'down', probeSide: null, responseMs: 61 }],
        ['tokyo', { ...seen, verdict: 'unknown', probeSide: 'no-network', responseMs: null }],
      ]),
      runCounts: new Map([
        ['', { healthy: 7 }],
        ['paris', { healthy: 5, down: 2 }],
      ]),
    });
    const text = siteMetrics([view], NOON, locations);
    const samples = samplesOf(text);
    expect(Object.fromEntries(samples)).toMatchObject({
      'docvitals_up{site="docs"}': 1,
      'docvitals_up{site="docs",location="paris"}': 0,
      'docvitals_response_seconds{site="docs",location="paris"}': 0.061,
      'docvitals_last_run_timestamp_seconds{site="docs",location="tokyo"}': NOON / 1_000 - 1,
      'docvitals_runs_total{site="docs",verdict="healthy"}': 7,
      'docvitals_runs_total{site="docs",location="paris",verdict="down"}': 2,
      'docvitals_runs_total{site="docs",location="lima",verdict="down"}': 0,
    });
    for (const id of ['tokyo', 'lima']) expect(samples.has(`docvitals_up{site="docs",location="${id}"}`)).toBe(false);
    expect(text).not.toMatch(/docvitals_verdict\{.*location/);
  });

  it('whose texts are hostile stays one line', async () => {
    const title = 'a"} 1\ndocvitals_up{site="x"} 1\r\n\\ \u202E';
    const text = siteMetrics([siteViewOf(siteOf({ title }), healthy())], NOON);
    expect(namesOf(text).every((name) => /^docvitals_[a-z_]+$/.test(name))).toBe(true);
    expect(text).not.toContain('\ndocvitals_up{site="x"}');
    expect(text).not.toContain('\u202E');
  });
});

describe('a coordinator', () => {
  const settings = settingsOf({ locations: [{ id: 'paris', title: 'Paris', coordinates: null }] });
  const backlog = () => Promise.resolve(new Map([['paris', 4]]));
  const read = () => metrics(viewOf({ settings: () => settings, fleet: { members: () => [], backlog } }));

  it.runIf(wanted('promtool'))('has metrics as promtool wants them', async () => {
    expect(run('promtool', ['check', 'metrics'], await read())).toEqual({ status: 0, said: '' });
  });

  it('counts runners and the runs that wait for them', async () => {
    const text = await read();
    expect(Object.fromEntries(samplesOf(text))).toMatchObject({
      docvitals_coordinator_acting: 1,
      'docvitals_runners{location="paris"}': 0,
      'docvitals_runner_backlog{location="paris"}': 4,
      'docvitals_runs_total{site="docs",location="paris",verdict="healthy"}': 0,
    });
    expect(await metrics()).not.toContain('docvitals_runners');
  });
});

describe('the monitor', () => {
  it('tries again after what could not be made', async () => {
    const whole = viewOf();
    let isBroken = true;
    const view: MonitorView = {
      ...whole,
      sites() {
        if (isBroken) throw new Error('EMFILE');
        return whole.sites();
      },
    };
    const read = createMetrics(view);
    await expect(read()).rejects.toThrow('EMFILE');
    isBroken = false;
    expect(await read()).toContain('docvitals_ready 1');
  });

  it('reports what it counts and what prevents it', async () => {
    const remembered = memory({ pending: 2 });
    const samples = samplesOf(await metrics(viewOf({ remembered, troubles: () => ['disk-full'] })));
    expect(Object.fromEntries(samples)).toMatchObject({
      docvitals_scheduled_runs_total: 12,
      docvitals_scheduled_runs_late_total: 1,
      docvitals_probe_failures_total: 2,
      docvitals_notifications_sent_total: 3,
      docvitals_notifications_failed_total: 4,
      docvitals_notifications_pending: 2,
      docvitals_notifications_oldest_pending_timestamp_seconds: NOON / 1_000,
      'docvitals_problem{problem="disk-full"}': 1,
      docvitals_store_up: 1,
      docvitals_ready: 1,
      docvitals_sites: 1,
    });
    expect(samples.has('process_resident_memory_bytes')).toBe(true);
  });

  it('shows nothing of alerts where the database cannot be read', async () => {
    const samples = samplesOf(await metrics(viewOf({ remembered: memory({ failure: new Error('full') }) })));
    expect([samples.get('docvitals_store_up'), samples.has('docvitals_notifications_pending')]).toEqual([0, false]);
    expect(samples.get('docvitals_up{site="docs"}')).toBe(1);
  });

  it('counts incidents as they begin and end, also those that were open when it started', async () => {
    let notify: IncidentListener = () => {};
    const read = createMetrics(viewOf({ onIncident: (listener) => (notify = listener) }));
    const short = incidentOf({ id: 'a', detectedAt: NOON, startedAt: NOON - 1_000, recoveredAt: NOON + 40_000 });
    const long = { ...short, id: 'b', verdict: 'degraded' as const, recoveredAt: NOON + 90_000 };
    for (const incident of [short, long]) {
      notify({ kind: 'opened', incident: { ...incident, recoveredAt: null }, at: NOON });
      notify({ kind: 'changed', incident: { ...incident, recoveredAt: null }, at: NOON });
      notify({ kind: 'recovered', incident, at: incident.recoveredAt ?? NOON });
    }
    notify({ kind: 'recovered', incident: { ...short, id: 'c', site: 'handbook' }, at: NOON });
    expect(Object.fromEntries(samplesOf(await read()))).toMatchObject({
      'docvitals_incidents_total{site="docs",verdict="down"}': 1,
      'docvitals_incidents_total{site="docs",verdict="degraded"}': 1,
      'docvitals_incident_recovery_time_objective_total{site="docs",met="true"}': 1,
      'docvitals_incident_recovery_time_objective_total{site="docs",met="false"}': 1,
      'docvitals_incident_recovery_seconds_bucket{le="60",site="docs"}': 1,
      'docvitals_incident_recovery_seconds_count{site="docs"}': 2,
      'docvitals_incident_last_recovery_seconds{site="handbook"}': 41,
    });
  });

  it.runIf(wanted('promtool'))('passes the linter of Prometheus', async () => {
    const remembered = memory({ incidents: [incidentOf({ recoveredAt: NOON - 90_000 })] });
    const text = await metrics(
      viewOf({ remembered, sites: () => [siteViewOf(siteOf(), sick)], troubles: () => ['no-network'] }),
    );
    expect(run('promtool', ['check', 'metrics'], text)).toEqual({ status: 0, said: '' });
  });
});

it('has all of a thousand sites', async () => {
  const sites = Array.from({ length: 1_000 }, (_, index) => siteOf({ id: `docs-${index}` }));
  const views = sites.map((site) => siteViewOf(site, sick));
  const text = await metrics(viewOf({ settings: () => settingsOf({ sites }), sites: () => views }));
  expect([...samplesOf(text).keys()].filter((series) => series.startsWith('docvitals_check_status'))).toHaveLength(
    20_000,
  );
});

describe('the catalogue', () => {
  const page = { route: '', isOk: true, screenshot: null, headingMs: 1, largestPaintMs: 2, layoutShift: 0.1 };
  const report: Report = {
    ...sick,
    receivedBytes: 51_200,
    waited: {
      forMs: 9,
      elapsedMs: 9,
      runs: 2,
      by: 'version',
      firstNewMs: 1,
      allNewMs: 2,
      allPassedMs: 3,
    },
    checks: sick.checks.map((check) => ({ ...check, rendered: [{ ...page, transferredBytes: 9, requests: 3 }] })),
  };
  const answer: Answer = {
    kind: 'reply',
    requestUrl: 'https://docs.example/',
    url: 'https://docs.example/',
    redirects: [],
    attempts: 1,
    timings: { dnsMs: 2, connectMs: 8, tlsMs: 12, firstByteMs: 40, totalMs: 80 },
    status: 200,
    headers: readHeaders(['last-modified', 'Fri, 20 Nov 2026 18:00:00 GMT']),
    body: new Uint8Array(),
    encodedBytes: 0,
    address: '192.0.2.10',
    tls: { protocol: 'TLSv1.3', validFrom: null, validTo: '2027-01-01T00:00:00.000Z', subject: null, issuer: null },
  };

  /** A monitor with an open incident and one that has ended, several locations, and something wrong with itself. */
  function everything(): MonitorView {
    const settings = settingsOf({
      locations: [{ id: 'paris', title: 'Paris', coordinates: null }],
      probe: { targets: ['docs'], modules: new Map() },
    });
    const open = incidentOf();
    const observed = {
      at: NOON,
      verdict: 'down',
      probeSide: null,
      responseMs: 80,
      checks: new Map<never, never>(),
    } as const;
    const view = siteViewOf(siteOf(), report, {
      state: stateOf(report, { ...openState(open), ...checkedAt(NOON, NOON - 130_000) }),
      locations: new Map([['paris', observed]]),
    });
    return viewOf({
      remembered: memory({ pending: 1 }),
      settings: () => settings,
      sites: () => [view],
      fleet: { members: () => [], backlog: async () => new Map([['paris', 4]]) },
      troubles: () => ['disk-full'],
      onIncident(listener) {
        listener({ kind: 'opened', incident: open, at: NOON });
        listener({ kind: 'recovered', incident: { ...open, recoveredAt: NOON }, at: NOON });
      },
    });
  }

  it('declares each metric that a monitor, a report or a probe prints, with its type, labels and meaning', async () => {
    const view = everything();
    const probe = createProbe({
      view,
      env: {},
      async check({ onAnswer }) {
        onAnswer?.(answer);
        return report;
      },
    });
    const probed = await probe({
      path: '/probe',
      search: new URLSearchParams({ target: 'docs' }),
      header: () => null,
      signal: new AbortController().signal,
    });
    const texts: Readonly<Record<string, string>> = { reports: prometheusReport(report), probes: probed };
    const monitored = await createMetrics(view)();
    const declared = ownMetrics;
    for (const [name, { section, type = 'gauge', labels = [], en }] of Object.entries(declared)) {
      const text = texts[section] ?? monitored;
      expect([name, familiesOf(text).get(name)]).toEqual([name, `${type} ${en}`]);
      expect([name, [...(labelsOf(text).get(name) ?? [])].toSorted()]).toEqual([name, labels.toSorted()]);
    }
    const printed = [monitored, ...Object.values(texts)].flatMap((text) => [...familiesOf(text).keys()]);
    const own = printed.filter((name) => /^(?:docvitals|probe)_/.test(name));
    expect(own.filter((name) => !Object.hasOwn(declared, name))).toEqual([]);
    // What both print is explained where both are.
    const shared = Object.entries(declared).filter(([, { section }]) => section === 'sites' || section === 'pages');
    expect(shared.map(([name]) => name).filter((name) => !familiesOf(texts['reports'] ?? '').has(name))).toEqual([]);
  });
});
