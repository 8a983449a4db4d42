/** An outage as a monitor lives through it, over real sockets and a real database, from its log to its notifications. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { openLog, type LogEvent } from '../../src/monitor/log/write.ts';
import { LANGUAGES, type Language } from '../../src/locales/language.ts';
import { startReceiver } from '../alerts/receiver.ts';
import { runHere } from '../cli/run-here.ts';
import { startWatchedHost } from '../monitor/watched-host.ts';
import { settingsOf, siteAt, webhookTo } from '../monitor/settings.ts';
import { startWorld } from '../monitor/world.ts';

const BEGIN = '2026-11-20T18:00:00.000Z';
/** After so many milliseconds a deployment breaks the site, and another one fixes it. */
const BROKEN_AT = 44_000;
const FIXED_AT = 76_000;
const END_AT = 180_000;

export interface Outage {
  /** When it began, as logs have it. */
  readonly begin: string;
  /** What the monitor logged, a line an event, in each language. */
  readonly logs: Readonly<Record<Language, string>>;
  /** Bodies of the webhook, as JSON. */
  readonly bodies: readonly string[];
  /** What a command prints that reads the monitor's database. */
  readonly print: (args: readonly string[]) => Promise<string>;
  readonly end: () => Promise<void>;
}

/** Lives through it; addresses read as `site`. */
export async function liveThroughOutage(site: string): Promise<Outage> {
  const [host, receiver] = await Promise.all([startWatchedHost(), startReceiver()]);
  const published = (text: string): string => text.replaceAll(host.url, site);
  const begin = Date.parse(BEGIN);
  const logs = { en: '', ro: '', fr: '' };
  let now = (): number => begin;
  const opened = LANGUAGES.map((language) => {
    const stream = { write: (text: string) => Boolean((logs[language] += text)), on: () => stream, off: () => stream };
    return openLog({
      stream: { ...stream, writableLength: 0 } as unknown as NodeJS.WriteStream,
      format: 'pretty',
      language,
      least: 'info',
      colour: false,
      now: () => now(),
    });
  });
  const world = await startWorld(settingsOf([siteAt(host.url)], { alerts: [webhookTo(receiver.url)] }), {
    epoch: begin,
    onLine({ level, event, ...fields }) {
      for (const { log } of opened) log(level, event as LogEvent, fields);
    },
  });
  now = world.around.wall;
  await world.live(BROKEN_AT);
  host.condition = 'broken';
  await world.live(FIXED_AT - BROKEN_AT);
  host.condition = 'well';
  await world.live(END_AT - FIXED_AT);
  writeFileSync(path.join(world.folder, 'docvitals.yaml'), `sites: [{ id: docs, url: "${host.url}" }]\n`);
  return {
    begin: BEGIN.replace('T', ' ').replace('Z', ''),
    logs: { en: published(logs.en), ro: published(logs.ro), fr: published(logs.fr) },
    bodies: receiver.received.map(({ body }) => published(body)),
    print: async (args) => published((await runHere(args, { cwd: world.folder })).stdout),
    async end() {
      await world.end();
      await Promise.all([host.close(), receiver.stop()]);
    },
  };
}
