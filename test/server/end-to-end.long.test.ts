/** A monitor, Prometheus and Alertmanager of the system: a site breaks, a rule fires, the alert arrives, and ends. */
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { startMonitor } from '../../src/monitor/engine/start.ts';
import { startServer } from '../../src/monitor/server/server.ts';
import { openStore } from '../../src/monitor/store/open.ts';
import { sampleSite } from '../site/sample.ts';
import { startHost } from '../site/host.ts';
import { startWatchers } from './prometheus.ts';
import { wanted } from './tools.ts';
import { settingsOf, siteOf } from './view.ts';

/** What was started, the last first. */
const ends: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

/** An alert as Alertmanager tells it. */
interface Alert {
  readonly status: 'firing' | 'resolved';
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

async function receiver(): Promise<{ readonly url: string; readonly alerts: Alert[] }> {
  const alerts: Alert[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    request.on('end', () => {
      alerts.push(...(JSON.parse(text) as { alerts: Alert[] }).alerts);
      response.end();
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  ends.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, alerts };
}

/** A monitor of one site, with its server. */
async function monitorOf(url: string): Promise<URL> {
  const folder = mkdtempSync(join(tmpdir(), 'docvitals-monitor-'));
  ends.push(() => rmSync(folder, { recursive: true, force: true }));
  const store = await openStore(join(folder, 'docvitals.db'), { mode: 'own' });
  ends.push(() => store.close());
  const site = siteOf({
    url,
    schedule: { kind: 'every', everyMs: 1_000, jitterMs: 0 },
    confirm: { afterMs: 200, times: 2 },
  });
  const settings = settingsOf({ sites: [site], probe: { targets: [site.id], modules: new Map() } });
  const monitor = await startMonitor({ settings, store, log: () => {}, env: {} });
  ends.push(async () => void (await monitor.stop()));
  const server = await startServer({ view: monitor, listen: { host: '127.0.0.1', port: 0 }, log: () => {}, env: {} });
  ends.push(() => server.close());
  return new URL(server.url);
}

interface Target {
  readonly labels: Readonly<Record<string, string>>;
  readonly health: string;
  readonly lastError: string;
}

async function targets(prometheus: string): Promise<unknown> {
  const told = (await (await fetch(`${prometheus}api/v1/targets`)).json()) as { data: { activeTargets: Target[] } };
  return Object.fromEntries(
    told.data.activeTargets.map(({ labels, health, lastError }) => [labels['job'], health + lastError]),
  );
}

/** The value of the only series of a query; `null` for none. */
async function value(prometheus: string, query: string): Promise<number | null> {
  const told = (await (
    await fetch(`${prometheus}api/v1/query?${new URLSearchParams({ query }).toString()}`)
  ).json()) as {
    data: { result: { value: [number, string] }[] };
  };
  const [series] = told.data.result;
  return series === undefined ? null : Number(series.value[1]);
}

const told = (alerts: readonly Alert[], status: Alert['status']): readonly string[] =>
  [...new Set(alerts.filter((one) => one.status === status).map(({ labels }) => labels['alertname'] ?? ''))].toSorted();

describe.runIf(wanted('prometheus', 'prometheus-alertmanager'))('Prometheus and Alertmanager', () => {
  it('are notified of a site that breaks, and that it has recovered', async () => {
    const files = sampleSite();
    const host = await startHost(files);
    ends.push(() => host.close());
    const webhook = await receiver();
    const server = await monitorOf(host.url);
    const watchers = await startWatchers({ monitor: server.host, target: host.url, webhook: webhook.url });
    ends.push(() => watchers.stop());

    // The machine may be busy; then probes fail and rounds are late, and other rules fire as well.
    const patience = { timeout: 25_000, interval: 250 };
    await expect
      .poll(() => targets(watchers.prometheus), patience)
      .toEqual({ docvitals: 'up', 'docvitals-probe': 'up' });
    await expect.poll(() => value(watchers.prometheus, 'docvitals_up{site="docs"}'), patience).toBe(1);
    await expect.poll(() => value(watchers.prometheus, `probe_success{instance="${host.url}"}`), patience).toBe(1);
    expect(told(webhook.alerts, 'firing')).not.toContain('DocvitalsSiteDown');

    const healthy = files.get('config.json') ?? '';
    files.set('config.json', '{ "homePage": }');
    const firing = ['DocvitalsProbeFailed', 'DocvitalsProbeFinding', 'DocvitalsSiteDown'];
    await expect.poll(() => told(webhook.alerts, 'firing'), patience).toEqual(expect.arrayContaining(firing));
    const down = webhook.alerts.find(({ labels }) => labels['alertname'] === 'DocvitalsSiteDown');
    expect(down?.labels).toMatchObject({ site: 'docs', severity: 'critical' });
    const found = webhook.alerts.find(({ labels }) => labels['alertname'] === 'DocvitalsProbeFinding');
    expect(found?.labels).toMatchObject({ check: 'config', rule: 'config/syntax', instance: host.url });
    expect(found?.annotations['description']).toContain(found?.labels['fix']);

    files.set('config.json', healthy);
    await expect.poll(() => told(webhook.alerts, 'resolved'), patience).toEqual(expect.arrayContaining(firing));
    const met = 'docvitals_incident_recovery_time_objective_total{site="docs",met="true"}';
    await expect.poll(() => value(watchers.prometheus, met), patience).toBeGreaterThanOrEqual(1);
    expect(await value(watchers.prometheus, 'docvitals_incident_open{site="docs"}')).toBe(0);
  }, 150_000);
});
