/** `docvitals monitor --once`, as cron runs it again and again. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fitting } from '../contracts.ts';
import type { RunResult } from '../cli/run.ts';
import { startReceiver, status, type Receiver } from '../alerts/receiver.ts';
import { makeProject, type Project } from './process.ts';
import { startWatchedHost, type WatchedHost } from './watched-host.ts';

let host: WatchedHost;
let receiver: Receiver;
let project: Project;

beforeEach(async () => {
  host = await startWatchedHost();
  receiver = await startReceiver();
  project = makeProject({
    sites: [{ id: 'docs', url: host.url, full: false, confirm: { after: '200ms', times: 3 } }],
    alerts: [{ id: 'ops', webhook: { url: receiver.url } }],
    monitor: { connectivity: [], heartbeat: { url: `${receiver.url}/alive` } },
  });
});
afterEach(async () => {
  await Promise.all([host.close(), receiver.stop()]);
  project.remove();
});

const once = (...args: readonly string[]): Promise<RunResult> => project.run(['monitor', '--once', ...args]);
const alerts = (): string[] =>
  receiver.received.flatMap(({ body }) => (body === '' ? [] : [(fitting('webhook', body) as { event: string }).event]));
const pings = (): number => receiver.received.filter(({ path }) => path === '/alive').length;

interface Document {
  readonly sites: readonly { readonly id: string; readonly verdict: string; readonly incident: object | null }[];
  readonly pendingAlerts: number;
}

describe('docvitals monitor --once', () => {
  it('reports in Romanian that a site is healthy, and pings', async () => {
    const { status: exit, stdout, stderr } = await once('--lang', 'ro');
    expect([exit, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^docs\s+funcțional\n$/);
    expect([alerts(), pings()]).toEqual([[], 1]);
  });

  it('confirms and reports a failure in one run, reports it no second time, and reports the end', async () => {
    expect(await once('--quiet')).toMatchObject({ status: 0, stdout: '', stderr: '' });
    receiver.received.length = 0;
    host.condition = 'broken';
    const failing = await once('--format', 'json');
    expect(failing.status).toBe(1);
    const document = fitting('once', failing.stdout) as Document;
    expect(document).toMatchObject({
      sites: [{ id: 'docs', verdict: 'down', incident: { rules: ['config/trailing-comma'], recoveredAt: null } }],
      pendingAlerts: 0,
      kept: true,
    });
    // It pings when all is sent, and not before.
    expect(receiver.received.map(({ path }) => path === '/alive')).toEqual([false, true]);
    expect((await once()).status).toBe(1);
    expect(alerts()).toEqual(['opened']);
    host.condition = 'well';
    const fixed = await once('--format', 'json');
    expect(fixed.status).toBe(0);
    expect((fitting('once', fixed.stdout) as Document).sites[0]?.incident).toBeNull();
    expect(alerts()).toEqual(['opened', 'recovered']);
    // However often it looks to be sure, a run counts once.
    const { stdout } = await project.run(['history', 'docs', '--resolution', 'day', '--format', 'json']);
    const [day] = (fitting('history', stdout) as { entries: object[] }).entries;
    expect(day).toMatchObject({ runs: 4, down: 2, healthy: 2 });
  });

  it('keeps an alert that could not be sent for the next run, which tries again whenever that is', async () => {
    receiver.answer = status(400);
    host.condition = 'failing';
    const first = await once('--format', 'json');
    expect((fitting('once', first.stdout) as Document).pendingAlerts).toBe(1);
    receiver.answer = status(200);
    const second = await once('--format', 'json');
    expect((fitting('once', second.stdout) as Document).pendingAlerts).toBe(0);
    const keys = receiver.received.flatMap(({ headers }) => headers['idempotency-key'] ?? []);
    expect(keys).toEqual([expect.stringMatching(/:opened:ops$/), keys[0]]);
  });

  it('checks the whole site when that is due, and not before', async () => {
    project.configure({ sites: [{ id: 'docs', url: host.url }], monitor: { connectivity: [] } });
    await once();
    expect(host.asked).toContain('robots.txt');
    host.asked.length = 0;
    await once();
    // The core checks, and the script of the bundle.
    expect(host.asked.length).toBe(6);
  });
});

describe('sites that fail for one reason', () => {
  it('are one notification with a list', async () => {
    const hosts = await Promise.all([1, 2, 3].map(() => startWatchedHost()));
    const sites = hosts.map(({ url }, at) => ({ id: `wiki-${at}`, url, full: false, confirm: { after: '200ms' } }));
    await Promise.all(hosts.map((one) => one.close()));
    const several = makeProject({ sites, alerts: [{ id: 'ops', webhook: { url: receiver.url } }] });
    await several.run(['monitor', '--once']);
    const text = await several.run(['incidents', '--format', 'json']);
    several.remove();
    expect(alerts()).toEqual(['opened']);
    const [{ site }] = receiver.received.map(({ body }) => fitting('webhook', body) as { site: { id: string } }) as [
      { site: { id: string } },
    ];
    expect(sites.map(({ id }) => id)).toContain(site.id);
    const incidents = fitting('incidents', text.stdout) as readonly { readonly notifiedAt: string | null }[];
    expect(incidents.map(({ notifiedAt }) => notifiedAt === null)).toEqual([false, false, false]);
  });
});
