/**
 * A coordinator that does not act any more, and does not end either: its process is stopped, its event loop is blocked, or
 * the network between it and the database is silent. Another one takes over within 10 s, during an outage, and the old one
 * stands by when it is back. Takes a minute, because each of them is silent for longer than its lease.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { postgresWanted } from '../hosts/postgres.ts';
import { allHealthy, beginOutage, endOutage, faultsAfter, LOCATIONS, startFleet, until } from './fleet.ts';
import type { Fleet, Service } from './fleet.ts';
import { startProxy } from './proxy.ts';

/** How long a coordinator is silent: longer than another one needs to take over and to act. */
const SILENT_MS = 15_000;
const TAKEOVER_MS = 10_000;

let fleet: Fleet;
const endings: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0).toReversed()) await end();
}, 60_000);

/** A coordinator that acts, one that stands by, and runners. */
async function start(options: Parameters<Fleet['coordinator']>[0] = {}): Promise<readonly [Service, Service]> {
  const acting = await fleet.coordinator(options);
  const standby = await fleet.coordinator();
  await Promise.all(LOCATIONS.map((location) => fleet.runner(location)));
  await until('the site is healthy', () => allHealthy(fleet));
  return [acting, standby];
}

/**
 * Silences the acting coordinator in an outage, which ends while it is silent. Each notification has to be received once,
 * and the old coordinator acts again when the new one ends.
 */
async function expectTakeover(
  [acting, standby]: readonly [Service, Service],
  silence: () => void,
  wake: () => void,
): Promise<void> {
  await beginOutage(fleet);
  // One whose result is not written would be sent again under the same key.
  const sent = "SELECT 1 FROM docvitals.notification WHERE state = 'sent'";
  await until('the notification is marked as sent', async () => (await fleet.sql(sent)).length === 1);
  const began = performance.now();
  silence();
  await standby.logged('coordinator-acting');
  const tookMs = performance.now() - began;
  console.log(`${expect.getState().currentTestName}: leadership moved within ${Math.round(tookMs)} ms`);
  expect(tookMs).toBeLessThan(TAKEOVER_MS);
  await endOutage(fleet);
  await sleep(Math.max(0, SILENT_MS - (performance.now() - began)));
  wake();
  await acting.logged('coordinator-stepped-down');
  await sleep(3_000);
  expect(fleet.received.map(({ event }) => event)).toEqual(['opened', 'recovered']);
  expect(acting.lines.filter(({ event }) => event === 'coordinator-acting')).toHaveLength(1);
  await standby.kill('SIGTERM');
  await acting.logged('coordinator-acting', 2);
  await beginOutage(fleet);
  await endOutage(fleet);
  expect(await faultsAfter(fleet, 2)).toEqual([]);
  expect(fleet.received.map(({ event }) => event)).toEqual(['opened', 'recovered', 'opened', 'recovered']);
  expect(acting.child.exitCode).toBe(null);
}

/** Blocks the event loop without processor time, as a slow disk or a paused machine does, on SIGUSR2. */
const BLOCKED_BY_SIGNAL = `
process.on('SIGUSR2', () => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ${SILENT_MS}));
`;

describe.runIf(postgresWanted())('a coordinator is replaced within 10 s', { timeout: 180_000 }, () => {
  it('while its process is stopped', async () => {
    fleet = await startFleet();
    endings.push(() => fleet.stop());
    const services = await start();
    const [acting] = services;
    await expectTakeover(
      services,
      () => acting.child.kill('SIGSTOP'),
      () => acting.child.kill('SIGCONT'),
    );
  });

  it('while its event loop is blocked', async () => {
    fleet = await startFleet();
    endings.push(() => fleet.stop());
    const services = await start({ preload: BLOCKED_BY_SIGNAL });
    const [acting] = services;
    await expectTakeover(
      services,
      () => acting.child.kill('SIGUSR2'),
      () => {},
    );
  });

  it('while a proxy between it and the database is silent', async () => {
    const proxy = await startProxy();
    endings.push(() => proxy.close());
    fleet = await startFleet();
    endings.push(() => fleet.stop());
    proxy.switchTo(fleet.server.port);
    const address = new URL(fleet.server.url('docvitals', 'docvitals_coordinator'));
    address.port = String(proxy.port);
    const services = await start({ database: address.href });
    await expectTakeover(
      services,
      () => proxy.silence(true),
      () => proxy.silence(false),
    );
  });
});
