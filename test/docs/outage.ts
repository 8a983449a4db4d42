/** An outage as a monitor lives through it, over real sockets and a real database, told from its log to its alert. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { openLog } from '../../src/monitor/log/write.ts';
import { startReceiver } from '../alerts/receiver.ts';
import { runCli } from '../cli/run.ts';
import { startWatchedHost } from '../monitor/watched-host.ts';
import { settingsOf, siteAt, webhookTo } from '../monitor/settings.ts';
import { startWorld } from '../monitor/world.ts';

const BEGIN = '2026-11-20T18:00:00.000Z';
/** After so many milliseconds a deploy breaks the site, and another one mends it. */
const BROKEN_AT = 44_000;
const MENDED_AT = 76_000;
const END_AT = 180_000;

export interface Outage {
  /** When it began, as logs have it. */
  readonly begin: string;
  /** What the monitor logged, a line an event. */
  readonly log: string;
  /** Bodies of the webhook, as JSON. */
  readonly bodies: readonly string[];
  /** What a command prints that reads the monitor's database. */
  readonly print: (args: readonly string[]) => Promise<string>;
  readonly end: () => Promise<void>;
}

/** Lives through it; addresses read as `site`. */
export async function liveThroughOutage(site: string): Promise<Outage> {
  const [host, receiver] = await Promise.all([startWatchedHost(), startReceiver()]);
  const told = (text: string): string => text.replaceAll(host.url, site);
  const begin = Date.parse(BEGIN);
  let log = '';
  let now = (): number => begin;
  const stream = { write: (text: string) => Boolean((log += text)), on: () => stream, off: () => stream };
  const opened = openLog({
    stream: { ...stream, writableLength: 0 } as unknown as NodeJS.WriteStream,
    format: 'pretty',
    least: 'info',
    colour: false,
    now: () => now(),
  });
  const world = await startWorld(settingsOf([siteAt(host.url)], { alerts: [webhookTo(receiver.url)] }), {
    epoch: begin,
    onLine: ({ level, event, ...fields }) => opened.log(level, event, fields),
  });
  now = world.around.wall;
  await world.live(BROKEN_AT);
  host.condition = 'broken';
  await world.live(MENDED_AT - BROKEN_AT);
  host.condition = 'well';
  await world.live(END_AT - MENDED_AT);
  writeFileSync(path.join(world.folder, 'docvitals.yaml'), `sites: [{ id: docs, url: "${host.url}" }]\n`);
  return {
    begin: BEGIN.replace('T', ' ').replace('Z', ''),
    log: told(log),
    bodies: receiver.received.map(({ body }) => told(body)),
    print: async (args) => told((await runCli(args, { cwd: world.folder })).stdout),
    async end() {
      await world.end();
      await Promise.all([host.close(), receiver.stop()]);
    },
  };
}
