import type { Flags } from './commands.ts';
import path from 'node:path';
import type { Config } from '../config/config.ts';
import { MONITOR_PARTS } from '../config/config.ts';
import { ProxyError, proxyFor } from '../http/address.ts';
import { startMonitor, type Monitor } from '../monitor/engine/start.ts';
import { type Log, openLog, type OpenLog } from '../monitor/log/write.ts';
import { watchConfig, type ConfigWatch } from '../monitor/reload/watch-config.ts';
import type { MonitorServer } from '../monitor/server/server.ts';
import type { MonitorSettings } from '../monitor/settings.ts';
import { isPostgres } from '../monitor/store/address.ts';
import { openStore, type FileStore, type SetAside } from '../monitor/store/open.ts';
import { writeErr, writeShown } from '../output.ts';
import { printable } from '../printable.ts';
import { demandBrowser } from '../project/browser.ts';
import { siteRun } from '../project/sites.ts';
import { loadSettings, type ProjectSettings } from '../project/settings.ts';
import { UsageError } from '../project/usage-error.ts';
import { VERSION } from '../version.ts';
import { databaseFile } from './database.ts';
import { listenForInterrupts } from '../project/interrupts.ts';
import { endedBy, listenForHangups, type Hangups, wantsColour } from './terminal.ts';
import { messagesIn, type Messages } from '../locales/messages.ts';
import { monitorWords } from '../generated/locales/monitor.ts';

type MonitorFlags = Flags<'monitor'>;

/** What both ways of watching begin with. */
export interface Begun {
  readonly flags: MonitorFlags;
  readonly env: NodeJS.ProcessEnv;
  readonly settings: ProjectSettings;
  readonly store: FileStore;
  readonly asides: Asides;
  readonly opened: OpenLog;
  readonly pretty: boolean;
}

/** Runs `docvitals monitor` until it is stopped; resolves with the exit status. */
export async function monitor(flags: MonitorFlags, env: NodeJS.ProcessEnv): Promise<number> {
  const hangups = flags.once ? null : listenForHangups();
  const settings = await loadSettings(flags, env, process.cwd(), { needed: MONITOR_PARTS });
  await demandSites(settings.config.monitor, env);
  const stream = flags.once ? process.stderr : process.stdout;
  const pretty = (flags.log ?? (stream.isTTY ? 'pretty' : 'json')) === 'pretty';
  const opened = openLog({
    stream,
    format: pretty ? 'pretty' : 'json',
    language: settings.language,
    // What is printed in the end says the rest.
    least: flags.quiet || flags.once ? 'warn' : 'info',
    colour: wantsColour(stream, env, flags.color),
    now: Date.now,
  });
  const asides = new Asides(opened.log);
  const file = databaseFile(flags.database, settings.config);
  const store = await openStore(file, { mode: 'own', onSetAside: (aside) => asides.add(aside) });
  const begun = { flags, env, settings, store, asides, opened, pretty };
  if (hangups === null) return (await import('./monitor-once.ts')).monitorOnce(begun);
  return watch(begun, hangups);
}

/** A monitor has something to watch, can send requests at all, and has a browser where one is configured. */
export async function demandSites({ sites, browser }: MonitorSettings, env: NodeJS.ProcessEnv): Promise<void> {
  if (sites.length === 0) throw new UsageError((messages) => messages.nothingToWatch());
  try {
    for (const site of sites) proxyFor(siteRun(site, 'full', env).site.base, env);
  } catch (error) {
    if (!(error instanceof ProxyError)) throw error;
    throw new UsageError((messages) => messages.badProxy(error.variable));
  }
  if (sites.some((site) => site.browser !== null)) await demandBrowser(browser, env);
}

/** Databases that were damaged or replaced: logged at once, and passed to the monitor as soon as it runs. */
class Asides {
  readonly #log: Log;
  readonly #earlier: SetAside[] = [];
  #monitor: Pick<Monitor, 'databaseReplaced'> | undefined;

  constructor(log: Log) {
    this.#log = log;
  }

  add(aside: SetAside): void {
    const { reason, file, aside: name, saved } = aside;
    this.#log('error', reason === 'damaged' ? 'database-set-aside' : 'database-replaced', { file, aside: name, saved });
    if (this.#monitor === undefined) this.#earlier.push(aside);
    else this.#monitor.databaseReplaced(aside.reason);
  }

  passTo(running: Pick<Monitor, 'databaseReplaced'>): void {
    this.#monitor = running;
    for (const { reason } of this.#earlier.splice(0)) running.databaseReplaced(reason);
  }
}

/** Longest time from the first signal to the end of the process: what has not ended by then is left as after a crash. */
export const END_MS = 6_000;

async function watch(begun: Begun, hangups: Hangups): Promise<number> {
  const { env, settings, store, opened } = begun;
  const { log } = opened;
  const interrupts = listenForInterrupts();
  const unexpected = keepAlive(log);
  const running = await startMonitor({ settings: settings.config.monitor, store, log, env }).catch(async (error) => {
    await store.close();
    throw error;
  });
  begun.asides.passTo(running);
  const server = await serve(begun, running);
  if (typeof server === 'number') return server;
  await greet(begun, server);
  const reloads = watchConfiguration(begun, running);
  if (hangups.haveCome()) void reloads.reload();
  await Promise.race([endedBy(interrupts.signal), hangups.terminalGone, unexpected.gaveUp]);
  const began = performance.now();
  const status = unexpected.hasGivenUp() ? 3 : 0;
  const cut = setTimeout(() => process.exit(status), END_MS);
  log('info', 'monitor-stopping');
  reloads.close();
  const [isKept] = await Promise.all([running.stop(), server?.close()]);
  await store.close();
  clearTimeout(cut);
  log('info', 'monitor-stopped', { durationMs: Math.round(performance.now() - began) });
  await opened.flush(FLUSH_LOG_MS);
  return isKept ? status : 3;
}

/** How long a slow reader of the log is waited for. */
export const FLUSH_LOG_MS = 300;

/** Why an address cannot be used now but may be later, so that the configuration is not wrong. */
const PASSING: ReadonlySet<string | undefined> = new Set(['EADDRINUSE', 'EADDRNOTAVAIL', 'EAI_AGAIN']);

/**
 * Listens, where that is wanted; resolves with the exit status where it cannot now, which was reported. Throws a `UsageError`
 * where it never can.
 */
async function serve({ flags, settings, store, env, opened }: Begun, view: Monitor): Promise<MonitorServer | null | 3> {
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

/** Says what is watched, and where it is to be seen. */
async function greet({ settings, store, opened, pretty, flags }: Begun, server: MonitorServer | null): Promise<void> {
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

/** Takes up a configuration that was changed, as far as that can be done without starting again. */
function watchConfiguration(begun: Begun, running: Monitor): ConfigWatch {
  const {
    settings,
    env,
    opened: { log },
  } = begun;
  return watchConfig({
    file: settings.file,
    text: settings.text,
    cwd: process.cwd(),
    env,
    language: settings.language,
    log,
    onChange: async ({ config }) => {
      await running.reload(config.monitor);
      const restart = keysThatNeedRestart(begun, config);
      if (restart.length > 0) log('warn', 'restart-needed', { keys: restart });
    },
  });
}

/** What is read at the start only, unless the command line says it, and is not what this process goes by. */
function keysThatNeedRestart({ flags, settings }: Begun, { monitor: after }: Config): readonly string[] {
  const { monitor: used } = settings.config;
  return (['database', 'listen'] as const).filter(
    (key) => flags[key] === undefined && JSON.stringify(used[key]) !== JSON.stringify(after[key]),
  );
}

/** Unexpected errors within {@link WINDOW_MS}: more say that nothing works any more. */
const MOST = 20;
const WINDOW_MS = 60_000;

interface Unexpected {
  /** Resolves when there were too many: whoever started this process had better start it again. */
  readonly gaveUp: Promise<void>;
  hasGivenUp(): boolean;
}

/**
 * Unexpected errors are reported, and do not end a process that has a thousand other sites to watch. Instead of
 * what the command line does with them.
 */
export function keepAlive(log: Log): Unexpected {
  const { promise: gaveUp, resolve } = Promise.withResolvers<void>();
  let given = false;
  let lately: readonly number[] = [];
  const onError = (error: unknown): void => {
    const { message, stack = null } = error instanceof Error ? error : { message: String(error) };
    log('error', 'unexpected-error', { error: message, stack });
    const now = performance.now();
    lately = [...lately.filter((at) => now - at < WINDOW_MS), now];
    if (lately.length <= MOST) return;
    given = true;
    resolve();
  };
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.removeAllListeners(event);
    process.on(event, onError);
  }
  return { gaveUp, hasGivenUp: () => given };
}
