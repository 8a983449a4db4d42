/** Uptime Kuma on MariaDB as a contender: one HTTP monitor for each URL, configured as its web page does, over Socket.IO. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../hosts/port.ts';
import { cpuMsOf, peakMiBOf } from '../monitor/process.ts';
import type { Bench } from '../row.ts';
import { startMariaDb, type MariaDb } from './mariadb.ts';

export interface RunningKuma {
  /** Checks every URL at the interval, evenly; resolves when each has been checked twice. */
  resume(): Promise<void>;
  /** Closes its page, so that it sends no results to a browser. */
  closePage(): Promise<void>;
  /** Checks nothing. Resolves to the URLs that it reported as down before. */
  pause(): Promise<ReadonlySet<string>>;
  /** Processor time of the server and of its database until now, in ms. */
  cpuMs(): number;
  /** Of the server, without its database. */
  peakMiB(): number;
  stop(): Promise<void>;
}

interface Socket {
  timeout(ms: number): { emitWithAck(event: string, ...data: readonly unknown[]): Promise<unknown> };
  on(event: string, listener: (data: Heartbeat) => void): void;
  once(event: string, listener: () => void): void;
  disconnect(): void;
}

interface Heartbeat {
  readonly monitorID: number;
  /** 0: down, 1: up. */
  readonly status: number;
}

const ACCOUNT = { username: 'benchmark', password: 'Only-0n-loopback' };

const RESPONSE_MS = 60_000;

export interface KumaOptions {
  readonly urls: readonly string[];
  /** At least 20: it does not check more often. */
  readonly everySeconds: number;
}

export async function startUptimeKuma({ urls, everySeconds }: KumaOptions, bench: Bench): Promise<RunningKuma> {
  const { folder, peer, signal, progress } = bench;
  const { argv } = peer('uptime-kuma');
  const [program = '', main = ''] = argv;
  const database = await startMariaDb(bench);
  const data = mkdtempSync(path.join(folder, 'kuma-'));
  const port = await freePort();
  const child = spawn(program, [main], {
    cwd: path.dirname(path.dirname(main)),
    stdio: 'ignore',
    env: { PATH: process.env['PATH'], ...settings(data, port, database) },
  });
  const ended = once(child, 'exit');
  const { io } = createRequire(main)('socket.io-client') as { readonly io: (url: string, options: object) => Socket };
  const beats = new Map<number, Heartbeat[]>();
  let page: Socket | null = null;

  const openPage = async (): Promise<Socket> => {
    const socket = io(`http://127.0.0.1:${port}`, { transports: ['websocket'] });
    socket.on('heartbeat', (beat) => beats.get(beat.monitorID)?.push(beat));
    // It has no handlers of requests before.
    await new Promise<void>((resolve) => {
      socket.once('loginRequired', resolve);
    });
    return socket;
  };
  const request = async (event: string, ...values: readonly unknown[]): Promise<Readonly<Record<string, unknown>>> => {
    signal.throwIfAborted();
    const result = (await page?.timeout(RESPONSE_MS).emitWithAck(event, ...values)) as Readonly<
      Record<string, unknown>
    >;
    if (result['ok'] !== true) throw new Error(`Uptime Kuma, ${event}: ${String(result['msg'])}`);
    return result;
  };
  const logIn = async (): Promise<void> => {
    page = await openPage();
    await request('login', { ...ACCOUNT, token: '' });
  };
  const stop = async (): Promise<void> => {
    page?.disconnect();
    child.kill('SIGKILL');
    await ended;
    await database.stop();
    rmSync(data, { recursive: true, force: true });
  };

  const ids = new Map<number, string>();
  try {
    await untilReady(port, signal);
    page = await openPage();
    await request('setup', ACCOUNT.username, ACCOUNT.password);
    await request('login', { ...ACCOUNT, token: '' });
    for (const [index, url] of urls.entries()) {
      if (index % 100 === 0) progress(`Uptime Kuma: ${index} of ${urls.length} monitors added`);
      const { monitorID } = await request('add', monitorOf(url, everySeconds));
      ids.set(monitorID as number, url);
    }
  } catch (error) {
    await stop();
    throw error;
  }

  return {
    async resume() {
      if (page === null) await logIn();
      for (const id of ids.keys()) beats.set(id, []);
      const began = performance.now();
      for (const [index, id] of [...ids.keys()].entries()) {
        const due = (index / ids.size) * everySeconds * 1_000 - (performance.now() - began);
        if (due > 0) await sleep(due, undefined, { signal });
        await request('resumeMonitor', id);
      }
      while ([...beats.values()].some(({ length }) => length < 2)) await sleep(200, undefined, { signal });
    },
    async closePage() {
      page?.disconnect();
      page = null;
      await sleep(1_000, undefined, { signal });
    },
    async pause() {
      if (page === null) await logIn();
      for (const id of ids.keys()) await request('pauseMonitor', id);
      const isDown = (id: number): boolean => beats.get(id)?.at(-1)?.status === 0;
      return new Set([...ids].flatMap(([id, url]) => (isDown(id) ? [url] : [])));
    },
    cpuMs: () => cpuMsOf(child.pid ?? NaN) + cpuMsOf(database.pid),
    peakMiB: () => peakMiBOf(child.pid ?? NaN),
    stop,
  };
}

const settings = (data: string, port: number, { port: databasePort, user, password }: MariaDb) => ({
  NODE_ENV: 'production',
  DATA_DIR: `${data}/`,
  UPTIME_KUMA_HOST: '127.0.0.1',
  UPTIME_KUMA_PORT: String(port),
  UPTIME_KUMA_DB_TYPE: 'mariadb',
  UPTIME_KUMA_DB_HOSTNAME: '127.0.0.1',
  UPTIME_KUMA_DB_PORT: String(databasePort),
  UPTIME_KUMA_DB_NAME: user,
  UPTIME_KUMA_DB_USERNAME: user,
  UPTIME_KUMA_DB_PASSWORD: password,
});

/** As its page sends it for a new monitor of type HTTP(s), not yet active. */
const monitorOf = (url: string, everySeconds: number) => ({
  type: 'http',
  name: url,
  url,
  method: 'GET',
  interval: everySeconds,
  retryInterval: everySeconds,
  resendInterval: 0,
  maxretries: 0,
  timeout: 16,
  ignoreTls: false,
  upsideDown: false,
  expiryNotification: false,
  maxredirects: 10,
  accepted_statuscodes: ['200-299'],
  notificationIDList: {},
  conditions: [],
  active: false,
});

async function untilReady(port: number, signal: AbortSignal): Promise<void> {
  for (let tries = 0; tries < 300; tries++) {
    const response = await fetch(`http://127.0.0.1:${port}/api/entry-page`, { signal }).catch(() => null);
    await response?.arrayBuffer();
    if (response?.ok === true) return;
    await sleep(200, undefined, { signal });
  }
  throw new Error('Uptime Kuma does not respond');
}
