/** Uptime Kuma on MariaDB: one HTTP monitor for each URL, configured as its web page does, over Socket.IO. */
import { createRequire } from 'node:module';
import path from 'node:path';
import { freePort } from '../../hosts/port.ts';
import { peer } from '../peers.ts';
import { cpuMsOf, peakMiBOf, Process } from '../process.ts';
import { newFolder, pause, progress } from '../session.ts';
import { PASSWORD, startMariaDb, USER } from './mariadb.ts';

interface Socket {
  timeout(ms: number): { emitWithAck(event: string, ...data: readonly unknown[]): Promise<unknown> };
  on(event: 'heartbeat', listener: (data: Heartbeat) => void): void;
  once(event: 'loginRequired', listener: () => void): void;
  disconnect(): void;
}

interface Heartbeat {
  readonly monitorID: number;
  /** 0: down, 1: up. */
  readonly status: number;
}

type Response = Readonly<Record<string, unknown>>;

const ACCOUNT = { username: 'benchmark', password: 'Only-0n-loopback' };
const RESPONSE_MS = 60_000;

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

export type UptimeKuma = Awaited<ReturnType<typeof startUptimeKuma>>;

/** `everySeconds`: at least 20. */
export async function startUptimeKuma(urls: readonly string[], everySeconds: number) {
  const { argv } = peer('uptime-kuma');
  const main = argv.at(-1) ?? '';
  const database = await startMariaDb();
  const port = await freePort();
  const address = `http://127.0.0.1:${port}`;
  const server = new Process(argv, {
    cwd: path.dirname(path.dirname(main)),
    env: {
      NODE_ENV: 'production',
      DATA_DIR: `${newFolder('kuma')}/`,
      UPTIME_KUMA_HOST: '127.0.0.1',
      UPTIME_KUMA_PORT: String(port),
      UPTIME_KUMA_DB_TYPE: 'mariadb',
      UPTIME_KUMA_DB_HOSTNAME: '127.0.0.1',
      UPTIME_KUMA_DB_PORT: String(database.port),
      UPTIME_KUMA_DB_NAME: USER,
      UPTIME_KUMA_DB_USERNAME: USER,
      UPTIME_KUMA_DB_PASSWORD: PASSWORD,
    },
  });
  const { io } = createRequire(main)('socket.io-client') as { readonly io: (url: string, options: object) => Socket };
  const beats = new Map<number, Heartbeat[]>();
  const ids = new Map<number, string>();
  let page: Socket | null = null;

  async function request(event: string, ...values: readonly unknown[]): Promise<Response> {
    progress(`Uptime Kuma: ${event}, ${ids.size} of ${urls.length} monitors`);
    const result = (await page?.timeout(RESPONSE_MS).emitWithAck(event, ...values)) as Response;
    if (result['ok'] !== true) throw new Error(`Uptime Kuma, ${event}: ${String(result['msg'])}`);
    return result;
  }
  /** It has no handlers of requests before it requires a login. */
  async function openPage(): Promise<void> {
    const socket = io(address, { transports: ['websocket'] });
    page = socket;
    socket.on('heartbeat', (beat) => beats.get(beat.monitorID)?.push(beat));
    await new Promise<void>((resolve) => {
      socket.once('loginRequired', resolve);
    });
  }
  const logIn = (): Promise<Response> => request('login', { ...ACCOUNT, token: '' });
  async function stop(): Promise<void> {
    page?.disconnect();
    await server.stop('SIGKILL');
    await database.stop();
  }

  try {
    await server.untilServed(`${address}/api/entry-page`);
    await openPage();
    await request('setup', ACCOUNT.username, ACCOUNT.password);
    await logIn();
    for (const url of urls) {
      const { monitorID } = await request('add', monitorOf(url, everySeconds));
      ids.set(monitorID as number, url);
    }
  } catch (error) {
    await stop();
    throw error;
  }

  return {
    /** Checks every URL at the interval, evenly; resolves when each was checked twice, without a page that is open. */
    async resume(): Promise<void> {
      if (page === null) await openPage().then(logIn);
      const began = performance.now();
      for (const id of ids.keys()) beats.set(id, []);
      for (const [index, id] of [...ids.keys()].entries()) {
        const due = (index / ids.size) * everySeconds - (performance.now() - began) / 1000;
        if (due > 0) await pause(due);
        await request('resumeMonitor', id);
      }
      while ([...beats.values()].some(({ length }) => length < 2)) await pause(0.2);
      page?.disconnect();
      page = null;
      await pause(1);
    },
    /** Checks nothing; resolves to the URLs that it reported as down before. */
    async pause(): Promise<readonly string[]> {
      await openPage();
      await logIn();
      for (const id of ids.keys()) await request('pauseMonitor', id);
      return [...ids].flatMap(([id, url]) => (beats.get(id)?.at(-1)?.status === 0 ? [url] : []));
    },
    /** Of the server and of its database until now. */
    cpuMs: (): number => cpuMsOf(server.pid) + cpuMsOf(database.pid),
    /** Of the server. */
    peakMiB: (): number => peakMiBOf(server.pid),
    stop,
  };
}
