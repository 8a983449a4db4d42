import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fitting } from '../contracts.ts';
import { openStore } from '../../src/monitor/store/open.ts';
import { runCli } from '../cli/run.ts';
import { runHere, type ResultHere } from '../cli/run-here.ts';
import { commitOf } from '../store/samples.ts';
import { startReceiver, status, type Receiver } from './receiver.ts';
import { incidentOf, SIX, waitingOf } from './samples.ts';

let receiver: Receiver;
let folder: string;
beforeEach(async () => {
  receiver = await startReceiver();
  folder = await mkdtemp(path.join(tmpdir(), 'alert-'));
  await writeFile(
    path.join(folder, 'docvitals.yaml'),
    `sites:
  - { id: docs, url: "https://user:letmein1@docs.example.com/" }
  - { id: blog, url: "https://blog.example.com/", alerts: [boss] }
alerts:
  - { id: ops, webhook: { url: "\${OPS_WEBHOOK}" } }
  - { id: boss, verdicts: [degraded], language: ro, webhook: { url: "\${OPS_WEBHOOK}", template: slack } }
`,
  );
});
afterEach(async () => {
  await receiver.stop();
  await rm(folder, { recursive: true });
});

const environment = (): Record<string, string> => ({ OPS_WEBHOOK: `${receiver.url}/T0KEN-of-it` });
const alert = (...args: string[]): Promise<ResultHere> =>
  runHere(['alert', ...args], { cwd: folder, env: environment() });

const body = (): Record<string, unknown> => JSON.parse(receiver.received[0]?.body ?? '{}') as Record<string, unknown>;

describe('docvitals alert test', () => {
  it('sends one alert through the route, marked as a test', async () => {
    const {
      status: exit,
      stdout,
      stderr,
    } = await runCli(['alert', 'test', 'ops'], { cwd: folder, env: environment() });
    expect([exit, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^ops \(webhook\): /);
    expect(receiver.received).toHaveLength(1);
    const { id, event, site, incident } = fitting('webhook', receiver.received[0]?.body ?? '') as {
      id: string;
      event: string;
      site: object;
      incident: { id: string };
    };
    expect({ event, site }).toEqual({ event: 'opened', site: { id: 'docs', url: 'https://docs.example.com/' } });
    expect(id).toBe(`${incident.id}:opened:ops`);
    expect(incident.id).toMatch(/^test-docs-\d{8}T\d{9}$/);
  });

  it('sends any kind of alert, about any site', async () => {
    await alert('test', 'ops', '--event', 'recovered', '--site', 'blog');
    expect(body()).toMatchObject({
      event: 'recovered',
      site: { id: 'blog' },
      incident: { recoveryTimeObjectiveMet: true },
    });
  });

  it('takes form, language and verdict of the route, and a site of the route', async () => {
    await alert('test', 'boss');
    expect(body()).toMatchObject({ text: expect.stringMatching(/^🟠 \[TEST\] docs este degradat$/) as string });
  });

  it('says what happened as JSON', async () => {
    const { stdout } = await alert('test', 'ops', '--format', 'json');
    expect(fitting('alertTest', stdout)).toMatchObject({
      route: 'ops',
      channel: 'webhook',
      event: 'opened',
      sent: true,
      status: 200,
    });
  });

  it('says so where it did not arrive, and never where it was sent to', async () => {
    receiver.answer = status(403, { 'content-type': 'text/plain' }, 'T0KEN-of-it is revoked');
    const { status: exit, stdout, stderr } = await alert('test', 'ops');
    expect(exit).toBe(1);
    expect(stdout).toContain('http 403');
    expect(stdout + stderr).not.toMatch(/T0KEN|letmein1/);
  });

  it.each([
    { name: 'no route', args: ['test'] },
    { name: 'a route that there is not', args: ['test', 'opps'], says: 'ops' },
    { name: 'a site that there is not', args: ['test', 'ops', '--site', 'doc'], says: 'docs' },
    { name: 'an event that there is not', args: ['test', 'ops', '--event', 'closed'], says: 'opened' },
    { name: 'an action that there is not', args: ['tset', 'ops'], says: 'test' },
    {
      name: 'an event, in French',
      args: ['test', 'ops', '--event', 'closed', '--lang', 'fr'],
      says: 'valeur inconnue',
    },
  ])('wants no less: $name', async ({ args, says = '' }) => {
    const { status: exit, stderr } = await alert(...args);
    expect(exit).toBe(2);
    expect(stderr).toContain(says);
    expect(receiver.received).toEqual([]);
  });
});

describe('docvitals alert list', () => {
  const FAR = Date.parse('2100-01-01T00:00:00Z');
  beforeEach(async () => {
    const store = await openStore(path.join(folder, 'docvitals.db'), { mode: 'own' });
    const [incident, over] = [incidentOf(), incidentOf({ recoveredAt: SIX + 1 })];
    const add = [
      waitingOf({ key: 'a', incident, attempts: 1, lastError: 'http 503', dueAt: FAR }),
      waitingOf({ key: 'b', event: 'recovered', incident: over }),
    ];
    await store.append([commitOf({ incidents: [incident], notifications: add })]);
    await store.close();
  });

  it('lists those of a route, and knows one that there is not', async () => {
    expect(await alert('list', 'boss')).toMatchObject({ status: 0, stderr: '' });
    const { status: exit, stderr } = await alert('list', 'opps');
    expect([exit, stderr]).toEqual([2, expect.stringContaining('ops')]);
  });

  it('lists what waits for a route that is not configured any more', async () => {
    await writeFile(path.join(folder, 'docvitals.yaml'), 'sites: [{ id: docs, url: "https://docs.example.com/" }]\n');
    expect((await alert('list', 'ops')).stdout).toContain('http 503');
  });

  it('says what waits, until when and why', async () => {
    const { status: exit, stdout } = await alert('list');
    expect(exit).toBe(0);
    expect(stdout.split('\n')[1]).toMatch(/^ops +opened +docs +2100-01-01 00:00:00 UTC +1 +http 503$/);
  });

  it('names no time that is over', async () => {
    const store = await openStore(path.join(folder, 'docvitals.db'), { mode: 'own' });
    await store.append([
      { notifications: [waitingOf({ key: 'a', attempts: 2, lastError: 'http 503', dueAt: Date.now() - 60_000 })] },
    ]);
    await store.close();
    expect((await alert('list')).stdout.split('\n')[1]).toMatch(/^ops +opened +docs +\D+ +2 +http 503$/);
  });

  it('shows until when a receiver asked for a pause', async () => {
    const until = Date.parse('2100-02-03T04:05:06Z');
    const store = await openStore(path.join(folder, 'docvitals.db'), { mode: 'own' });
    await store.append([
      { notifications: [waitingOf({ key: 'a', attempts: 2, lastError: 'http 429', dueAt: Date.now() - 60_000 })] },
    ]);
    await store.setNote('alerts-asked', JSON.stringify([['ops', until]]));
    await store.close();
    expect((await alert('list')).stdout.split('\n')[1]).toMatch(
      /^ops +opened +docs +2100-02-03 04:05:06 UTC +2 +http 429$/,
    );
    const [listed] = JSON.parse((await alert('list', '--format', 'json')).stdout) as [{ nextAttemptAt: string }];
    expect(Date.parse(listed.nextAttemptAt)).toBe(until);
  });

  it('lists what waits where the pauses cannot be read', async () => {
    const store = await openStore(path.join(folder, 'docvitals.db'), { mode: 'own' });
    await store.setNote('alerts-asked', '[["ops",');
    await store.close();
    const { status: exit, stdout } = await alert('list');
    expect([exit, stdout.split('\n')[1]]).toEqual([0, expect.stringMatching(/^ops +opened +docs /)]);
  });

  it('says it as JSON', async () => {
    const { stdout } = await alert('list', '--format', 'json');
    expect(fitting('alerts', stdout)).toMatchObject([
      { id: 'a', route: 'ops', site: 'docs', attempts: 1, lastError: 'http 503' },
    ]);
  });

  it('of a route says what waits for it', async () => {
    const { stdout } = await alert('list', 'boss', '--format', 'json');
    expect(JSON.parse(stdout)).toEqual([]);
  });
});

it('says where there is no database', async () => {
  expect((await alert('list')).status).toBe(2);
});
