import type { Flags } from './commands.ts';
import { randomUUID } from 'node:crypto';
import { env } from 'node:process';
import { iso, isoOrNull, timeOf } from '../core/time.ts';
import { maintenanceAt, plannedMaintenance } from '../monitor/maintenance/maintenance.ts';
import type { MonitoredSite } from '../monitor/settings.ts';
import type { Store } from '../monitor/store/store.ts';
import { jsonDocument, writeShown } from '../text/output.ts';
import { printable } from '../text/printable.ts';
import { durationOf, knownWord, UsageError } from '../options/arguments.ts';
import { loadSettings, type ProjectSettings } from '../options/settings.ts';
import { siteOf } from '../options/run-options.ts';
import { databaseFile, withSharedStore } from './database.ts';
import { monitorWords, type MonitorWords } from '../generated/locales/monitor.ts';
import { table } from '../text/width.ts';

type MaintenanceFlags = Flags<'maintenance'>;

/** What lasts longer belongs into the configuration. In milliseconds. */
const BOUNDS = { least: 1_000, most: 31 * 86_400_000 };
/** Of a reason, in UTF-16 code units. */
const LONGEST_REASON = 500;

/** Runs `docvitals maintenance`; `given`: action, site, duration. Resolves with the exit status. */
export async function maintenance(given: readonly string[], flags: MaintenanceFlags): Promise<void> {
  const settings = await loadSettings(flags, env, { needed: flags.database === undefined ? ['monitor'] : [] });
  const work = workOf(given, flags, settings);
  const file = databaseFile(flags.database, settings.config);
  await writeShown(await withSharedStore(file, (store) => work(store, monitorWords(settings.language))));
}

type Work = (store: Store, words: MonitorWords) => Promise<string>;

/** What is to be done. Throws a `UsageError` before anything is written. */
function workOf(
  [asked = '', id, duration, ...excess]: readonly string[],
  flags: MaintenanceFlags,
  { config: { monitor } }: ProjectSettings,
): Work {
  const action = knownWord(asked, ['start', 'end', 'list'], (messages, ...facts) =>
    messages.unknownAction('maintenance', ...facts),
  );
  const site = id === undefined ? null : siteOf(monitor.sites, id, `maintenance ${action}`);
  if (excess.length > 0 || (action !== 'start' && duration !== undefined))
    throw new UsageError((messages) => messages.excessArguments());
  if (action === 'list') return list(site === null ? monitor.sites : [site], flags.format);
  if (site === null) throw new UsageError((messages) => messages.missingArgument('site'));
  if (action === 'end') return end(site, flags.format);
  if (duration === undefined) throw new UsageError((messages) => messages.missingArgument('duration'));
  return start(site, durationOf(BOUNDS)(duration, '<duration>'), flags);
}

const start =
  (site: MonitoredSite, forMs: number, { reason: given, format }: MaintenanceFlags): Work =>
  async (store, words) => {
    const from = Date.now();
    const to = from + forMs;
    const reason = given === undefined ? null : given.slice(0, LONGEST_REASON);
    await store.startMaintenance({ id: randomUUID(), site: site.id, from, to, reason });
    // Another maintenance may end later.
    const until = (await goingOn(site, store, from)) ?? to;
    return format === 'json'
      ? jsonDocument({ site: site.id, from: iso(from), to: iso(to), reason, until: iso(until) })
      : `${words.maintenanceStarted(site.id, timeOf(until))}\n`;
  };

const end =
  (site: MonitoredSite, format: MaintenanceFlags['format']): Work =>
  async (store, words) => {
    const now = Date.now();
    const ended = await store.endMaintenance(site.id, now);
    // Maintenance of the configuration continues.
    const until = await goingOn(site, store, now);
    if (format === 'json') return jsonDocument({ site: site.id, ended, until: isoOrNull(until) });
    const said =
      until === null ? words.maintenanceEnded(site.id, ended) : words.maintenanceGoesOn(site.id, timeOf(until));
    return `${said}\n`;
  };

/** Until when a site is in maintenance by all that is known; `null`: it is not. */
async function goingOn(site: MonitoredSite, store: Store, now: number): Promise<number | null> {
  return maintenanceAt(site, await store.maintenance(now), now)?.to ?? null;
}

const list =
  (sites: readonly MonitoredSite[], format: MaintenanceFlags['format']): Work =>
  async (store, words) => {
    const now = Date.now();
    const started = await store.maintenance(now);
    const windows = sites.flatMap((site) =>
      plannedMaintenance(site, started, now).map((window) => ({ site: site.id, ...window })),
    );
    if (format === 'json')
      return jsonDocument(
        windows.map(({ site, from, to, reason }) => ({ site, from: iso(from), to: iso(to), reason })),
      );
    if (windows.length === 0) return `${words.noMaintenance}\n`;
    const rows = windows.map(({ site, from, to, reason }) => [
      site,
      from <= now ? words.now : timeOf(from),
      timeOf(to),
      printable(reason ?? ''),
    ]);
    return table([[...words.heads], ...rows]);
  };
