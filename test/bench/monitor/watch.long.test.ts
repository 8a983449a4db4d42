/** The rows of the monitor stand on this: what fails is read from both programs, and what they count has happened. */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { get } from 'node:http';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { connect, type TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nginxWanted } from '../../hosts/nginx.ts';
import { wanted } from '../../server/tools.ts';
import type { Bench } from '../row.ts';
import { blackboxExporter } from './blackbox.ts';
import type { MonitorContender, RunningMonitor } from './contender.ts';
import { docvitals } from './docvitals.ts';
import { ORIGIN_FAULTS, type OriginFault } from './faults.ts';
import { startOrigins, type Origins } from './origins.ts';
import { monitorRow } from './rows.ts';
import { demandAllSeen, watchFor } from './watch.ts';

const CONTENDERS: readonly MonitorContender[] = [docvitals, blackboxExporter];
const TIMES = { everySeconds: 1, windowSeconds: 0.5, settleSeconds: 0.2 };
const FAULT: OriginFault = { fails: ['home'] };

const canRun = process.platform === 'linux' && nginxWanted() && wanted('prometheus-blackbox-exporter');

describe.runIf(canRun).concurrent('what watches many origins', { timeout: 120_000 }, () => {
  let bench: Bench;
  const stops: (() => Promise<void>)[] = [];

  beforeAll(() => {
    const folder = mkdtempSync(path.join(tmpdir(), 'docvitals-bench-'));
    chmodSync(folder, 0o755);
    const peer = { argv: ['prometheus-blackbox-exporter'], env: {}, version: '' };
    const { signal } = new AbortController();
    bench = { pairs: 1, sites: 14, folder, peer: () => peer, progress: () => {}, signal };
    stops.push(() => Promise.resolve(rmSync(folder, { recursive: true, force: true })));
  });

  afterAll(async () => {
    for (const stop of stops.toReversed()) await stop();
  });

  const origins = async (options: Parameters<typeof startOrigins>[0]): Promise<Origins> => {
    const started = await startOrigins(options);
    stops.push(() => started.stop());
    return started;
  };
  const watching = async (contender: MonitorContender, watched: Origins): Promise<RunningMonitor> => {
    const monitor = await contender.start(watched, bench);
    stops.push(() => monitor.stop());
    return monitor;
  };

  it.each([false, true])('reports what fails, and nothing else; over TLS: %s', async (tls) => {
    const watched = await origins({ count: 20, tls, faulty: true });
    const faults = Object.values(ORIGIN_FAULTS).filter(({ certificate }) => tls || certificate === undefined);
    const fails = faults.flatMap((fault) => fault.fails).length;
    const unseen = faults.flatMap(({ unseenByExpressions = [] }) => unseenByExpressions).length;
    const spoilt = (is: boolean, fault: OriginFault | null): Origins => {
      const one = watched.list.findIndex((origin) => (origin.fault !== null) === is);
      return { ...watched, list: watched.list.with(one, { url: watched.list[one]?.url ?? '', fault }) };
    };
    for (const contender of CONTENDERS) {
      const seen = await (await watching(contender, watched)).failing();
      expect(seen.size).toBe(contender.hasExpressionsOnly ? fails - unseen : fails);
      expect(() => demandAllSeen(contender, watched, seen)).not.toThrow();
      // The same, held against origins of which one more is said to be faulty, or one less.
      expect(() => demandAllSeen(contender, spoilt(false, FAULT), seen)).toThrow(/does not see home of http/);
      expect(() => demandAllSeen(contender, spoilt(true, null), seen)).toThrow(/calls bad what is well: .* of http/);
    }
  });

  it.each(CONTENDERS)('counts checks that have happened: $name', async (contender) => {
    const watched = await origins({ count: 12 });
    const monitor = await watching(contender, watched);
    const [counted, before] = [await monitor.checks(), await watched.traffic()];
    expect(before.requests).toBeGreaterThanOrEqual(counted);
    const cost = await watchFor({ contender, monitor, origins: watched }, TIMES, bench.signal);
    const [checks, after] = [(await monitor.checks()) - counted, await watched.traffic()];
    expect(checks).toBeGreaterThan(0);
    expect(after.requests - before.requests).toBeGreaterThanOrEqual(checks);
    // Processor time is counted in hundredths of a second, and so short a time may take none of them.
    for (const value of Object.values(cost)) expect(value).toBeGreaterThanOrEqual(0);
    expect(Object.values(cost).some((value) => value > 0)).toBe(true);
  });

  it('fails the row where one of them reports less, or more', async () => {
    const { list, ...watched } = await origins({ count: 12 });
    const said = { ...watched, list: list.map((origin, index) => ({ ...origin, fault: index === 3 ? FAULT : null })) };
    const monitor = await watching(blackboxExporter, said);
    const watch = watchFor({ contender: blackboxExporter, monitor, origins: said }, TIMES, bench.signal);
    await expect(watch).rejects.toThrow(/does not see home of http/);
  });

  it('makes pairs of what both have taken', { retry: 2 }, async () => {
    const row = monitorRow('http', TIMES);
    const { ours, theirs } = await row.measure(bench);
    expect([ours.length, theirs.length]).toEqual([1, 1]);
    for (const sample of [...ours, ...theirs])
      expect(row.figures.filter((figure) => !((sample[figure] ?? 0) > 0))).toEqual([]);
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
