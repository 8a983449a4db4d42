/** The monitor's server under clients that send nothing, read nothing, or come in crowds: run as the built command. */
import { connect, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { makeProject, startProcess, type MonitorProcess, type Project } from '../monitor/process.ts';
import { startWatchedHost, type WatchedHost } from '../monitor/watched-host.ts';
import { samplesOf } from './exposition.ts';

let host: WatchedHost;
let project: Project;
let monitor: MonitorProcess;
let server: URL;
const sockets: Socket[] = [];

beforeAll(async () => {
  host = await startWatchedHost();
  project = makeProject({
    sites: [{ id: 'docs', url: host.url, every: '5s', full: false }],
    monitor: { connectivity: [], listen: '127.0.0.1:0' },
  });
  monitor = await startProcess(project, [], { killAfterMs: 300_000 });
  server = new URL(String((await monitor.told('monitor-started'))['url']));
});
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});
afterAll(async () => {
  monitor.child.kill('SIGKILL');
  await monitor.ended;
  await host.close();
  project.remove();
});

/** Opens connections that send the start of a request, keep their side open and never read. */
async function hold(count: number, text: string): Promise<void> {
  const opened = Array.from(
    { length: count },
    () =>
      new Promise<void>((resolve) => {
        const socket = connect({ port: Number(server.port), host: server.hostname, allowHalfOpen: true });
        sockets.push(socket);
        socket.once('connect', () => {
          socket.write(text);
          socket.pause();
          resolve();
        });
        socket.on('error', () => resolve());
      }),
  );
  await Promise.all(opened);
}

/** Milliseconds until `/healthz`, `/metrics` and the page have answered with 200, the slowest of them. */
async function slowest(): Promise<number> {
  const times = ['/healthz', '/metrics', '/'].map(async (path) => {
    const began = performance.now();
    const response = await fetch(new URL(path, server), { headers: { connection: 'close' } });
    await response.arrayBuffer();
    expect(response.status).toBe(200);
    return performance.now() - began;
  });
  return Math.max(...(await Promise.all(times)));
}

/** The best of three, so that a busy machine does not count. */
async function best(): Promise<number> {
  const times: number[] = [];
  for (let left = 3; left > 0; left -= 1) times.push(await slowest());
  return Math.min(...times);
}

/** Runs that began late, until now. */
const late = async (): Promise<number | undefined> =>
  samplesOf(await (await fetch(new URL('/metrics', server))).text()).get('docvitals_scheduled_runs_late_total');

// A machine may be busy with something else for a second.
describe('the server of a monitor', { retry: 2 }, () => {
  it.each([
    ['2,000 unfinished requests', 2_000, 'GET / HTTP/1.1\r\n'],
    ['600 responses that are not read', 600, 'GET /metrics HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'],
  ])('answers within a second beside %s, and no run is late', async (_, count, text) => {
    const lateBefore = await late();
    // What is loaded with the first request is loaded, and how fast this machine is now is known.
    const alone = await best();
    await hold(count, text);
    expect(await best()).toBeLessThan(Math.max(1_000, 3 * alone));
    expect(await late()).toBe(lateBefore);
  });

  it('makes /metrics at most once a second, however many read them', async () => {
    await slowest();
    const began = performance.now();
    const texts: string[] = [];
    // Each reading takes processor time, which the metrics count.
    for (let left = 20; left > 0; left -= 1) texts.push(await (await fetch(new URL('/metrics', server))).text());
    const seconds = Math.ceil((performance.now() - began) / 1_000);
    expect(new Set(texts).size).toBeLessThanOrEqual(seconds + 1);
  });

  it('answers 500 readers of /metrics at once, and no run is late', async () => {
    const lateBefore = await late();
    const texts = Array.from({ length: 500 }, async () => (await fetch(new URL('/metrics', server))).text());
    for (const text of await Promise.all(texts)) expect(samplesOf(text).size).toBeGreaterThan(10);
    expect(await late()).toBe(lateBefore);
  });
});
