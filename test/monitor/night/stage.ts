/** What a night is played with: three hosts, a way to the internet, a receiver of alerts, a disk; and the monitor. */
import { createServer, type Server } from 'node:net';
import { sampleSite } from '../../site/sample.ts';
import { status, startReceiver, type Receiver } from '../../alerts/receiver.ts';
import { freePort } from '../../hosts/port.ts';
import type { MonitorSettings } from '../../../src/monitor/settings.ts';
import { startWatchedHost, type WatchedHost } from '../watched-host.ts';
import { settingsOf, siteAt, webhookTo } from '../settings.ts';
import { startWorld, type World } from '../world.ts';
import { disk, type Disk } from './full-disk.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** An alert as the receiver got it. */
export interface Told {
  /** ms since 1970, as the monitor counts. */
  readonly at: number;
  readonly route: string;
  readonly key: string;
  readonly event: string;
  readonly site: string;
  readonly incident: string;
  readonly verdict: string;
}

export interface Stage {
  readonly world: World;
  /** `docs` and, in a folder of it, `handbook`. */
  readonly main: WatchedHost;
  readonly blog: WatchedHost;
  readonly intranet: WatchedHost;
  readonly disk: Disk;
  readonly told: readonly Told[];
  /** The receiver of alerts is there, or answers 503. */
  receiving(isThere: boolean): void;
  /** The internet is there, or not. */
  connected(isThere: boolean): Promise<void>;
  /** Lets time pass until a moment on the wall's clock. */
  until(at: number): Promise<void>;
  end(): Promise<void>;
}

export async function startStage(epoch: number): Promise<Stage> {
  const [main, blog, intranet] = await Promise.all([startWatchedHost(), startWatchedHost(), startWatchedHost()]);
  for (const [path, body] of sampleSite()) main.files.set(`handbook/${path}`, body);
  const receiver = await startReceiver();
  const told: Told[] = [];
  const control = await startControl();
  const full = disk();
  const world = await startWorld(nightSettings({ main, blog, intranet }, receiver, control.address), {
    epoch,
    wrap: (store) => full.wrap(store),
  });
  const receiving = (isThere: boolean): void => {
    receiver.answer = (response, { path, body }) => {
      if (isThere) told.push(toldBy(body, path, world.around.wall()));
      status(isThere ? 200 : 503)(response, { method: '', path, headers: {}, body });
    };
  };
  receiving(true);
  return {
    world,
    main,
    blog,
    intranet,
    disk: full,
    told,
    receiving,
    connected: (isThere) => (isThere ? control.open() : control.close()),
    until: (at) => world.live(at - world.around.wall()),
    async end() {
      await world.end();
      await Promise.all([main.close(), blog.close(), intranet.close(), receiver.stop(), control.close()]);
    },
  };
}

function nightSettings(
  { main, blog, intranet }: Pick<Stage, 'main' | 'blog' | 'intranet'>,
  { url }: Receiver,
  control: string,
): MonitorSettings {
  const every = (seconds: number) => ({ kind: 'every', everyMs: seconds * SECOND, jitterMs: 0 }) as const;
  const nightly = {
    kind: 'recurring',
    pattern: '25 1 * * *',
    timeZone: 'UTC',
    forMs: 30 * MINUTE,
    reason: null,
  } as const;
  return settingsOf(
    [
      siteAt(main.url, { id: 'docs', full: every(3_600) }),
      siteAt(`${main.url}handbook/`, { id: 'handbook', schedule: every(60) }),
      siteAt(blog.url, { id: 'blog', schedule: every(30) }),
      siteAt(intranet.url, { id: 'intranet', schedule: every(60), maintenance: [nightly] }),
    ],
    {
      connectivity: [control],
      alerts: [
        webhookTo(`${url}/ops`, { id: 'ops', reminderMs: 5 * MINUTE }),
        webhookTo(`${url}/boss`, { id: 'boss', afterMs: 5 * MINUTE, verdicts: ['down'] }),
      ],
    },
  );
}

function toldBy(body: string, path: string, at: number): Told {
  const { id, event, site, incident } = JSON.parse(body) as {
    readonly id: string;
    readonly event: string;
    readonly site: { readonly id: string };
    readonly incident: { readonly id: string; readonly verdict: string };
  };
  return { at, route: path.slice(1), key: id, event, site: site.id, incident: incident.id, verdict: incident.verdict };
}

interface Control {
  readonly address: string;
  open(): Promise<void>;
  close(): Promise<void>;
}

/** Something far away that has nothing to do with the sites. */
async function startControl(): Promise<Control> {
  const port = await freePort();
  let server: Server | null = null;
  const control: Control = {
    address: `127.0.0.1:${port}`,
    open: () =>
      new Promise((resolve, reject) => {
        server = createServer((socket) => socket.on('error', () => {}).end());
        server.once('error', reject).listen(port, '127.0.0.1', resolve);
      }),
    close: () =>
      new Promise((resolve) => {
        if (server === null) return resolve();
        server.close(() => resolve());
        server = null;
      }),
  };
  await control.open();
  return control;
}
