import type { Flags } from './commands.ts';
import path from 'node:path';
import { env } from 'node:process';
import { startWatchdog } from '../monitor/engine/watchdog.ts';
import { runAllOnce, startMonitor, type Monitor, type SingleRunOutcome } from '../monitor/engine/start.ts';
import { incidentDocument, type IncidentDocument } from '../monitor/incident/document.ts';
import { currentIncident, type SiteState } from '../monitor/incident/state.ts';
import type { MonitorServer } from '../monitor/server/server.ts';
import { verdictOf } from '../monitor/site-state.ts';
import { isPostgres, type Store } from '../monitor/store/store.ts';
import { openStore, type SetAside } from '../monitor/store/open.ts';
import type { SiteView } from '../monitor/view.ts';
import { jsonDocument, writeErr, writeOut, writeShown } from '../text/output.ts';
import { printable } from '../text/printable.ts';
import { listenForInterrupts } from '../options/process.ts';
import { UsageError } from '../options/arguments.ts';
import { table } from '../text/width.ts';
import { VERSION } from '../core/version.ts';
import { closing, databaseFile, DEFAULT_DATABASE } from './database.ts';
import { begin, FLUSH_LOG_MS, runService, type Begun, type Service } from './service.ts';
import { messagesIn, type Messages } from '../locales/messages.ts';
import { monitorWords, type MonitorWords } from '../generated/locales/monitor.ts';

type MonitorFlags = Flags<'monitor'>;

export async function monitor(flags: MonitorFlags): Promise<number> {
  const begun = await begin(flags);
  const { settings, opened } = begun;
  const { log } = opened;
  const asides: SetAside['reason'][] = [];
  let running: Monitor | undefined;
  const onSetAside = ({ reason, file, aside, saved }: SetAside): void => {
    log('error', reason === 'damaged' ? 'database-set-aside' : 'database-replaced', { file, aside, saved });
    if (running === undefined) asides.push(reason);
    else running.databaseReplaced(reason);
  };
  const database = databaseFile(flags.database, settings.config);
  const store = await openStore(database, { mode: 'own', onSetAside });
  const blocks = `${isPostgres(database) ? DEFAULT_DATABASE : database}-blocked.json`;
  if (flags.once) return monitorOnce(flags, begun, store, blocks);
  return runService(begun, blocks, async (watchdog) => {
    try {
      running = await startMonitor({ settings: settings.config.monitor, store, log, env, watchdog });
    } catch (error) {
      await store.close();
      throw error;
    }
    for (const reason of asides) running.databaseReplaced(reason);
    return serviceOf(flags, begun, store, running);
  });
}

/** The running monitor with its server; or the exit status where it cannot listen now. */
async function serviceOf(flags: MonitorFlags, begun: Begun, store: Store, running: Monitor): Promise<Service | 3> {
  const { settings, opened } = begun;
  const server = await serve(flags, begun, store, running);
  if (server === 3) return 3;
  await greet(flags, begun, store, server);
  return {
    async reload(after) {
      await running.reload(after);
      const { monitor: before } = settings.config;
      // They are read at the start only, unless the command line has them.
      const keys = (['database', 'listen'] as const).filter(
        (key) => flags[key] === undefined && JSON.stringify(before[key]) !== JSON.stringify(after[key]),
      );
      if (keys.length > 0) opened.log('warn', 'restart-needed', { keys });
    },
    async stop() {
      const [isKept] = await Promise.all([running.stop(), server?.close()]);
      await store.close();
      return isKept;
    },
  };
}

/** Why an address cannot be used now but may be later, so that the configuration is not wrong. */
const PASSING: ReadonlySet<string | undefined> = new Set(['EADDRINUSE', 'EADDRNOTAVAIL', 'EAI_AGAIN']);

/**
 * Listens, where that is wanted; resolves with the exit status where it cannot now, which was reported. Throws a `UsageError`
 * where it never can.
 */
async function serve(flags: MonitorFlags, { settings, opened }: Begun, store: Store, view: Monitor) {
  const listen = flags.listen ?? settings.config.monitor.listen;
  if (listen === null) return null;
  const { startServer } = await import('../monitor/server/server.ts');
  try {
    return await startServer({ view, listen, log: opened.log, env });
  } catch (error) {
    await view.stop(0);
    await store.close();
    const { code, message } = error as NodeJS.ErrnoException;
    const address = listen.host.includes(':') ? `[${listen.host}]:${listen.port}` : `${listen.host}:${listen.port}`;
    const textIn = (messages: Messages): string =>
      code === 'EADDRINUSE' ? messages.addressTaken(address) : messages.cannotListenAt(address, code ?? message);
    if (!PASSING.has(code)) throw new UsageError(textIn);
    await writeErr(`docvitals: ${textIn(messagesIn(settings.language))}\n`);
    return 3;
  }
}

async function greet(
  flags: MonitorFlags,
  { settings, opened, pretty }: Begun,
  store: Store,
  server: MonitorServer | null,
): Promise<void> {
  const { sites, alerts } = settings.config.monitor;
  opened.log('info', 'monitor-started', {
    version: VERSION,
    pid: process.pid,
    sites: sites.length,
    routes: alerts.length,
    config: settings.file,
    database: store.file,
    url: server?.url ?? null,
  });
  if (!pretty || flags.quiet) return;
  const words = monitorWords(settings.language);
  const lines = [
    words.watching(sites.length),
    words.database(printable(isPostgres(store.file) ? store.file : path.relative('', store.file))),
    server === null ? words.notListening : words.page(server.url),
    words.howToStop,
  ];
  await writeShown(lines.map((line) => `${line}\n`).join(''));
}

/* One run of each site, for cron. */

/** `blocks`: the file of the watchdog. A run that never ends would hold the database, and keep cron's next ones from it. */
async function monitorOnce(
  flags: MonitorFlags,
  { settings, opened }: Begun,
  store: Store,
  blocks: string,
): Promise<number> {
  const interrupts = listenForInterrupts();
  const { log } = opened;
  const watchdog = startWatchdog({ file: blocks, log });
  const options = { settings: settings.config.monitor, store, log, env, watchdog };
  const outcome = await closing(store, runAllOnce(options, interrupts.signal));
  await watchdog.stop();
  const messages = messagesIn(settings.language);
  const words = monitorWords(settings.language);
  if (flags.format === 'json') await writeOut(jsonDocument(documentOf(outcome)));
  else await writeShown(summary(outcome, flags.quiet === true, words, messages));
  if (!outcome.kept) await writeErr(`docvitals: ${words.notKept}\n`);
  if (outcome.pendingAlerts > 0) await writeErr(`docvitals: ${words.pendingAlerts(outcome.pendingAlerts)}\n`);
  await opened.flush(FLUSH_LOG_MS);
  return interrupts.status() ?? outcome.status;
}

function documentOf({ sites, pendingAlerts, kept }: SingleRunOutcome): object {
  return {
    sites: sites.map(({ site, url, state, maintenance, results }) => ({
      id: site.id,
      url,
      verdict: verdictOf(state, Date.now()),
      maintenance: maintenance !== null,
      incident: openIncident(state),
      checks: [...results.values()].map(({ id, status, findings }) => ({
        id,
        status,
        rules: [...new Set(findings.filter(({ severity }) => severity !== 'info').map(({ rule }) => `${id}/${rule}`))],
      })),
    })),
    pendingAlerts,
    kept,
  };
}

function openIncident(state: SiteState | null): IncidentDocument | null {
  const incident = currentIncident(state);
  return incident === null ? null : incidentDocument(incident);
}

function summary({ sites }: SingleRunOutcome, quiet: boolean, words: MonitorWords, messages: Messages): string {
  const now = Date.now();
  const shown = sites.filter(({ state }) => !quiet || verdictOf(state, now) !== 'healthy');
  const rows = shown.map((view) => [view.site.id, verdictText(view, now, words, messages), detailOf(view, words)]);
  return table(rows);
}

function verdictText({ state, maintenance }: SiteView, now: number, words: MonitorWords, messages: Messages): string {
  const verdict = verdictOf(state, now);
  const known = verdict === 'unstable' ? words.unstable : messages.verdicts[verdict];
  const text = state === null ? words.notLookedAt : known;
  return maintenance === null ? text : `${text} (${words.inMaintenance})`;
}

function detailOf({ state, results }: SiteView, words: MonitorWords): string {
  const failing = [...results.values()].flatMap(({ id, status, findings }) =>
    status === 'fail' ? [`${id}/${findings.find(({ severity }) => severity === 'error')?.rule ?? ''}`] : [],
  );
  const since = openIncident(state)?.startedAt;
  const open = since === undefined ? [] : [words.openSince(since)];
  return printable([failing.join(' '), ...open].filter((part) => part !== '').join('  '));
}
