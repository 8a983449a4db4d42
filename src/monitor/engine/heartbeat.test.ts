import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Core, MonitorOptions } from './core.ts';
import { startHeartbeat, type Heartbeat } from './heartbeat.ts';
import type { LogFields } from '../log/write.ts';
import { startReceiver, status, type Receiver } from '../../../test/alerts/receiver.ts';
import { MINUTE, SIX } from '../../../test/alerts/samples.ts';

let receiver: Receiver;
let now: number;
let troubles: readonly string[];
let logged: (LogFields & { readonly event: string })[];
beforeEach(async () => {
  receiver = await startReceiver();
  now = SIX;
  troubles = [];
  logged = [];
});
afterEach(() => receiver.stop());

function start(isWanted = true): Heartbeat {
  const log: MonitorOptions['log'] = (_level, event, fields = {}) => void logged.push({ ...fields, event });
  const core = {
    options: { log, env: {} },
    settings: { heartbeat: isWanted ? { url: `${receiver.url}/ping/s3cret-name`, everyMs: MINUTE } : null },
    clock: { now: () => now },
    troubles: () => troubles,
  };
  return startHeartbeat(core as unknown as Core);
}

/** A round ends after so many milliseconds. */
async function runAfter(heartbeat: Heartbeat, afterMs: number): Promise<number> {
  now += afterMs;
  heartbeat.ping();
  await heartbeat.settled();
  return receiver.received.length;
}

describe('the heartbeat', () => {
  it('comes after runs, at most as often as is wanted', async () => {
    const heartbeat = start();
    expect(await runAfter(heartbeat, 0)).toBe(1);
    expect(await runAfter(heartbeat, MINUTE / 2)).toBe(1);
    expect(await runAfter(heartbeat, MINUTE / 2)).toBe(2);
    expect(receiver.received[0]).toMatchObject({ method: 'GET', path: '/ping/s3cret-name' });
    expect(logged).toEqual([]);
  });

  it('is not stopped by a clock that is set back', async () => {
    const heartbeat = start();
    await runAfter(heartbeat, 0);
    expect(await runAfter(heartbeat, -60 * MINUTE)).toBe(2);
  });

  it('comes while the host of a site refuses the monitor, which itself works', async () => {
    troubles = ['client-refused'];
    expect(await runAfter(start(), 0)).toBe(1);
  });

  it('stays away while the monitor cannot do its work', async () => {
    const heartbeat = start();
    troubles = ['disk-full'];
    expect(await runAfter(heartbeat, 0)).toBe(0);
    expect(await runAfter(heartbeat, MINUTE)).toBe(0);
    troubles = [];
    expect(await runAfter(heartbeat, MINUTE)).toBe(1);
    expect(logged).toEqual([
      { event: 'heartbeat-withheld', reasons: ['disk-full'] },
      { event: 'heartbeat-resumed', reasons: [] },
    ]);
  });

  it.each([
    { name: 'an answer that is none', answer: status(404), error: 'http 404' },
    { name: 'a redirect', answer: status(302, { location: '/login' }), error: 'http 302' },
  ])('that meets $name is logged without its address', async ({ answer, error }) => {
    receiver.answer = answer;
    await runAfter(start(), 0);
    expect(logged).toEqual([{ event: 'heartbeat-failed', error }]);
  });

  it('that does not arrive is tried sooner than usual, ever more slowly; its begin and its end are logged', async () => {
    receiver.answer = status(503);
    const heartbeat = start();
    const at: number[] = [];
    // Many sites: a round ends every 100 ms.
    for (let ms = 0; ms < 5 * MINUTE; ms += 100) {
      const before = receiver.received.length;
      if ((await runAfter(heartbeat, 100)) > before) at.push(ms / 1_000);
      if (at.length === 9) receiver.answer = status(200);
    }
    expect(at).toEqual([0, 1, 3, 7, 15, 31, 63, 123, 183, 243]);
    expect(logged).toEqual([
      { event: 'heartbeat-failed', error: 'http 503' },
      { event: 'heartbeat-works', failures: 9 },
    ]);
  });

  it('that is not answered holds up no run, and ends with the monitor', async () => {
    receiver.answer = () => {};
    const heartbeat = start();
    heartbeat.ping();
    await receiver.has(1);
    now += MINUTE;
    heartbeat.ping();
    await heartbeat.stop();
    heartbeat.ping();
    expect([receiver.received.length, logged]).toEqual([1, []]);
  });

  it('is not sent where none is wanted', async () => {
    expect(await runAfter(start(false), 0)).toBe(0);
  });
});
