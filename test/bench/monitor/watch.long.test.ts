/** The rows of the monitor depend on this: what fails is read from both programs, and what they count has happened. */
import { rmSync } from 'node:fs';
import { get } from 'node:http';
import { once } from 'node:events';
import { connect, type TLSSocket } from 'node:tls';
import { afterAll, describe, expect, it } from 'vitest';
import { nginxWanted } from '../../hosts/nginx.ts';
import { wanted } from '../../server/tools.ts';
import type { Fault } from '../faults.ts';
import { FOLDER } from '../session.ts';
import { blackboxExporter } from './blackbox.ts';
import { docvitalsMonitor } from './docvitals.ts';
import { startOrigins, type Origins } from './origins.ts';
import { demandAllFound, watchFor, type MonitorContender, type RunningMonitor } from './watch.ts';

const CONTENDERS: readonly MonitorContender[] = [docvitalsMonitor, blackboxExporter];
const TIMES = { everySeconds: 1, windowSeconds: 0.5, settleSeconds: 0.2 };
const FAULT: Fault = { what: 'anything', fails: ['home'] };

const canRun = process.platform === 'linux' && nginxWanted() && wanted('prometheus-blackbox-exporter');

describe.runIf(canRun).concurrent('what watches many origins', { timeout: 120_000 }, () => {
  const stops: (() => Promise<void>)[] = [];
  afterAll(async () => {
    for (const stop of stops.toReversed()) await stop();
    rmSync(FOLDER, { recursive: true, force: true });
  });

  const origins = async (options: Parameters<typeof startOrigins>[0]): Promise<Origins> => {
    const started = await startOrigins(options);
    stops.push(() => started.stop());
    return started;
  };
  const watching = async (contender: MonitorContender, watched: Origins): Promise<RunningMonitor> => {
    const monitor = await contender.start(watched);
    stops.push(() => monitor.stop());
    return monitor;
  };

  it.each([false, true])('reports what fails, and nothing else; over TLS: %s', async (tls) => {
    const watched = await origins({ count: 24, tls, faulty: true });
    const spoilt = (is: boolean, fault: Fault | null): Origins => {
      const one = watched.list.findIndex((origin) => (origin.fault !== null) === is);
      return { ...watched, list: watched.list.with(one, { url: watched.list[one]?.url ?? '', fault }) };
    };
    for (const contender of CONTENDERS) {
      const found = await (await watching(contender, watched)).failing();
      expect(found.size).toBeGreaterThan(20);
      expect(() => demandAllFound(contender, watched, found)).not.toThrow();
      // The same, compared with origins of which one more is said to be faulty, or one less.
      expect(() => demandAllFound(contender, spoilt(false, FAULT), found)).toThrow(/does not find home of http/);
      expect(() => demandAllFound(contender, spoilt(true, null), found)).toThrow(/reports what is healthy: .* of http/);
    }
  });

  it.each(CONTENDERS)('counts checks that have happened: $name', async (contender) => {
    const watched = await origins({ count: 12 });
    const monitor = await watching(contender, watched);
    const [counted, before] = [await monitor.checks(), await watched.traffic()];
    expect(before.requests).toBeGreaterThanOrEqual(counted);
    const cost = await watchFor(contender, monitor, watched, TIMES);
    const [checks, after] = [(await monitor.checks()) - counted, await watched.traffic()];
    expect(checks).toBeGreaterThan(0);
    expect(after.requests - before.requests).toBeGreaterThanOrEqual(checks);
    // Processor time is counted in hundredths of a second, and so short a time may take none of them.
    for (const value of Object.values(cost)) expect(value).toBeGreaterThanOrEqual(0);
    expect(Object.values(cost).some((value) => value > 0)).toBe(true);
  });

  it('fails the row where one of them reports less', async () => {
    const { list, ...watched } = await origins({ count: 12 });
    const said = { ...watched, list: list.map((origin, index) => ({ ...origin, fault: index === 3 ? FAULT : null })) };
    const watch = watchFor(blackboxExporter, await watching(blackboxExporter, said), said, TIMES);
    await expect(watch).rejects.toThrow(/does not find home of http/);
  });

  it('counts what arrives at the origins', async () => {
    const watched = await origins({ count: 3 });
    expect(await watched.traffic()).toEqual({ connections: 0, requests: 0 });
    for (const { url } of [...watched.list, ...watched.list]) {
      const [answer] = (await once(get(`${url}index.md`, { agent: false }), 'response')) as [NodeJS.ReadableStream];
      answer.resume();
      await once(answer, 'end');
    }
    expect(await watched.traffic()).toEqual({ connections: 6, requests: 6 });
    expect(await watched.traffic()).toEqual({ connections: 6, requests: 6 });
  });

  it('speaks TLS 1.3', async () => {
    const { list } = await origins({ count: 1, tls: true });
    const { hostname, port } = new URL(list[0]?.url ?? '');
    const socket: TLSSocket = connect({ host: hostname, port: Number(port), rejectUnauthorized: false });
    await once(socket, 'secureConnect');
    expect(socket.getProtocol()).toBe('TLSv1.3');
    socket.destroy();
  });
});
