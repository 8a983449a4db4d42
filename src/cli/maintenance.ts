import { randomUUID } from 'node:crypto';
import { parseDuration } from '../config/duration.ts';
import { nearest } from '../config/nearest.ts';
import { loadEngineWords } from '../monitor/engine/words/load.ts';
import type { EngineWords } from '../monitor/engine/words/words.ts';
import { iso } from '../monitor/iso-time.ts';
import { maintenanceAt, nextMaintenance } from '../monitor/maintenance/maintenance.ts';
import type { MonitoredSite } from '../monitor/settings.ts';
import type { Store } from '../monitor/store/store.ts';
import { writeOut } from '../output.ts';
import { printable } from '../printable.ts';
import { echoed } from '../project/echoed.ts';
import { loadSettings, type ProjectFlags, type ProjectSettings } from '../project/settings.ts';
import { siteOf } from '../project/sites.ts';
import { inLanguage, UsageError } from '../project/usage-error.ts';
import { databaseFile, withSharedStore } from './database.ts';
import { table } from './table.ts';

/** The options of `docvitals maintenance`, read. */
export interface MaintenanceFlags extends ProjectFlags {
  readonly database?: string;
  readonly reason?: string;
  readonly format: 'pretty' | 'json';
}

const ACTIONS = ['start', 'end', 'list'] as const;
/** What lasts longer belongs into the configuration. In milliseconds. */
const BOUNDS = { least: 1_000, most: 31 * 86_400_000 };
/** Of a reason, in UTF-16 code units. */
const LONGEST_REASON = 500;

/** Runs `docvitals maintenance`; `given`: action, site, duration. Resolves with the exit status. */
export async function maintenance(
  given: readonly string[],
  flags: MaintenanceFlags,
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const settings = await loadSettings(flags, env, process.cwd(), {
    needed: flags.database === undefined ? ['monitor'] : [],
  });
  return inLanguage(settings.language, async () => {
    const work = workOf(given, flags, settings);
    const words = await loadEngineWords(settings.language);
    const file = databaseFile(flags.database, settings.config);
    return withSharedStore(file, settings.language, async (store) => {
      await writeOut(await work(store, words));
      return 0;
    });
  });
}

/** Does what was asked for, and resolves with what to print. */
type Work = (store: Store, words: EngineWords) => Promise<string>;

/** What is to be done. Throws a `UsageError` before anything is written. */
function workOf(
  [asked = '', id, duration, ...excess]: readonly string[],
  flags: MaintenanceFlags,
  { config: { monitor } }: ProjectSettings,
): Work {
  const action = ACTIONS.find((known) => known === asked);
  if (action === undefined) {
    const guess = nearest(asked, ACTIONS) ?? null;
    throw new UsageError((messages) => messages.unknownAction('maintenance', echoed(asked), ACTIONS.join(', '), guess));
  }
  const site = id === undefined ? null : siteOf(monitor.sites, id, `maintenance ${action}`);
  if (excess.length > 0 || (action !== 'start' && duration !== undefined))
    throw new UsageError((messages) => messages.excessArguments());
  if (action === 'list') return list(site === null ? monitor.sites : [site], flags.format);
  if (site === null) throw new UsageError((messages) => messages.missingArgument('site'));
  return action === 'start' ? start(site, durationOf(duration), flags.reason ?? null) : end(site);
}

function durationOf(text: string | undefined): number {
  if (text === undefined) throw new UsageError((messages) => messages.missingArgument('duration'));
  const read = parseDuration(text, BOUNDS);
  if (read.ok) return read.ms;
  const isLong = read.problem === 'too-long';
  throw new UsageError((messages) =>
    isLong ? messages.durationTooLong('<duration>', echoed(text)) : messages.badDuration('<duration>', echoed(text)),
  );
}

const start =
  (site: MonitoredSite, forMs: number, reason: string | null): Work =>
  async (store, words) => {
    const from = Date.now();
    const to = from + forMs;
    const told = reason === null ? null : reason.slice(0, LONGEST_REASON);
    await store.startMaintenance({ id: randomUUID(), site: site.id, from, to, reason: told });
    return `${words.maintenanceStarted(site.id, iso(to))}\n`;
  };

const end =
  (site: MonitoredSite): Work =>
  async (store, words) =>
    `${words.maintenanceEnded(site.id, await store.endMaintenance(site.id, Date.now()))}\n`;

const list =
  (sites: readonly MonitoredSite[], format: MaintenanceFlags['format']): Work =>
  async (store, words) => {
    const now = Date.now();
    const started = await store.maintenance(now);
    const windows = sites.flatMap((site) => {
      const own = started.filter((window) => window.site === site.id);
      const all = [maintenanceAt(site.maintenance, own, now), nextMaintenance(site.maintenance, own, now)];
      return all.flatMap((window) => (window === null ? [] : [{ site: site.id, ...window }]));
    });
    const documents = windows.map(({ site, from, to, reason }) => ({ site, from: iso(from), to: iso(to), reason }));
    if (format === 'json') return `${JSON.stringify(documents, null, 2)}\n`;
    if (windows.length === 0) return `${words.noMaintenance}\n`;
    const rows = documents.map((window, at) => [
      window.site,
      (windows[at]?.from ?? now) <= now ? words.now : window.from,
      window.to,
      printable(window.reason ?? ''),
    ]);
    return table([[...words.heads], ...rows]);
  };
