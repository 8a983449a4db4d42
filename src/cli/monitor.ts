import type { Flags } from './commands.ts';
import path from 'node:path';
import { startMonitor, type Monitor } from '../monitor/engine/start.ts';
import type { MonitorServer } from '../monitor/server/server.ts';
import { isPostgres } from '../monitor/store/store.ts';
import { openStore, type FileStore, type SetAside } from '../monitor/store/open.ts';
import { writeErr, writeShown } from '../output.ts';
import { printable } from '../printable.ts';
import { UsageError } from '../project/usage-error.ts';
import { VERSION } from '../version.ts';
import { databaseFile } from './database.ts';
import { begin, runService, type Begun, type Service } from './service.ts';
import { listenForHangups } from './terminal.ts';
import { messagesIn, type Messages } from '../locales/messages.ts';
import { monitorWords } from '../generated/locales/monitor.ts';

type MonitorFlags = Flags<'monitor'>;

export async function monitor(flags: MonitorFlags, env: NodeJS.ProcessEnv): Promise<number> {
  const hangups = flags.once ? null : listenForHangups();
  const begun = await begin(flags, env);
  const { settings, opened } = begun;
  const { log } = opened;
  const asides: SetAside['reason'][] = [];
  let running: Monitor | undefined;
  const onSetAside = ({ reason, file, aside, saved }: SetAside): void => {
    log('error', reason === 'damaged' ? 'database-set-aside' : 'database-replaced', { file, aside, saved });
    if (running === undefined) asides.push(reason);
    else running.databaseReplaced(reason);
  };
  const store = await openStore(databaseFile(flags.database, settings.config), { mode: 'own', onSetAside });
  if (hangups === null) return (await import('./monitor-once.ts')).monitorOnce(flags, begun, store);
  return runService(begun, hangups, async () => {
    try {
      running = await startMonitor({ settings: settings.config.monitor, store, log, env });
    } catch (error) {
      await store.close();
      throw error;
    }
    for (const reason of asides) running.databaseReplaced(reason);
    return serviceOf(flags, begun, store, running);
  });
}

/** The running monitor with its server; or the exit status where it cannot listen now. */
async function serviceOf(flags: MonitorFlags, begun: Begun, store: FileStore, running: Monitor): Promise<Service | 3> {
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
async function serve(
  flags: MonitorFlags,
  { settings, env, opened }: Begun,
  store: FileStore,
  view: Monitor,
): Promise<MonitorServer | null | 3> {
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

/** Logs what is watched, and prints where it is shown. */
async function greet(
  flags: MonitorFlags,
  { settings, opened, pretty }: Begun,
  store: FileStore,
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
