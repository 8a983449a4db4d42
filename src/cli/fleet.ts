/** `docvitals coordinator` and `docvitals runner`: a monitor of many locations, on PostgreSQL. */
import type { Flags } from './commands.ts';
import { startCoordinator } from '../monitor/fleet/coordinator.ts';
import { startRunner } from '../monitor/fleet/runner.ts';
import { openLog, type OpenLog } from '../monitor/log/write.ts';
import { watchConfig } from '../monitor/reload/watch-config.ts';
import type { MonitorSettings } from '../monitor/settings.ts';
import { isPostgres, shownDatabase } from '../monitor/store/address.ts';
import { MONITOR_PARTS } from '../config/config.ts';
import { known } from '../project/arguments.ts';
import { loadSettings, type ProjectSettings } from '../project/settings.ts';
import { UsageError } from '../project/usage-error.ts';
import { databaseFile } from './database.ts';
import { demandSites, END_MS, FLUSH_LOG_MS, keepAlive } from './monitor.ts';
import { listenForInterrupts } from '../project/interrupts.ts';
import { endedBy, listenForHangups, wantsColour } from './terminal.ts';
import { storeErrorOf } from '../monitor/store/postgres/connection.ts';

/** What both commands run until they are stopped. */
interface Service {
  reload(settings: MonitorSettings): void | Promise<void>;
  stop(): Promise<void>;
}

/** Runs `docvitals runner` until it is stopped; resolves with the exit status. */
export async function runner(flags: Flags<'runner'>, env: NodeJS.ProcessEnv): Promise<number> {
  return serviceOf(flags, env, async ({ address, settings, opened: { log } }) => {
    const { location } = flags;
    const { monitor } = settings.config;
    known(location, monitor.locations, (messages, ...facts) => messages.unknownLocation(...facts));
    const started = await startRunner({ address, location, settings: monitor, log, env });
    return { reload: (changed) => started.configure(changed), stop: () => started.stop() };
  });
}

/** Runs `docvitals coordinator` until it is stopped; resolves with the exit status. */
export async function coordinator(flags: Flags<'coordinator'>, env: NodeJS.ProcessEnv): Promise<number> {
  return serviceOf(flags, env, async ({ address, settings, opened }) => {
    const { log } = opened;
    let current = settings.config.monitor;
    const listen = flags.listen ?? current.listen;
    const started = await startCoordinator({
      address,
      settings: () => current,
      log,
      env,
      async onActing(view) {
        if (listen === null) return async () => {};
        const { startServer } = await import('../monitor/server/server.ts');
        const server = await startServer({ view, listen, log, env });
        return () => server.close();
      },
    });
    return {
      async reload(changed) {
        current = changed;
        await started.reload(changed);
      },
      stop: () => started.stop(),
    };
  });
}

interface Begun {
  readonly address: string;
  readonly settings: ProjectSettings;
  readonly opened: OpenLog;
}

async function serviceOf(
  flags: Flags<'coordinator' | 'runner'>,
  env: NodeJS.ProcessEnv,
  start: (begun: Begun) => Promise<Service>,
): Promise<number> {
  const hangups = listenForHangups();
  const settings = await loadSettings(flags, env, process.cwd(), { needed: MONITOR_PARTS });
  const { monitor } = settings.config;
  await demandSites(monitor, env);
  const address = databaseFile(flags.database, settings.config);
  if (!isPostgres(address)) throw new UsageError((messages) => messages.fleetNeedsPostgres());
  if (monitor.locations.length === 0) throw new UsageError((messages) => messages.noLocations());
  const stream = process.stdout;
  const format = flags.log ?? (stream.isTTY ? 'pretty' : 'json');
  const opened = openLog({
    stream,
    format,
    language: settings.language,
    least: flags.quiet ? 'warn' : 'info',
    colour: wantsColour(stream, env, flags.color),
    now: Date.now,
  });
  return run({ address, settings, opened }, hangups, env, start);
}

async function run(
  begun: Begun,
  hangups: ReturnType<typeof listenForHangups>,
  env: NodeJS.ProcessEnv,
  start: (begun: Begun) => Promise<Service>,
): Promise<number> {
  const { settings, opened, address } = begun;
  const { log } = opened;
  const interrupts = listenForInterrupts();
  const unexpected = keepAlive(log);
  const service = await start(begun).catch((error: unknown) => {
    throw storeErrorOf(error, shownDatabase(address));
  });
  const { file, text, language } = settings;
  const reloads = watchConfig({
    file,
    text,
    cwd: process.cwd(),
    env,
    language,
    log,
    onChange: async ({ config }) => service.reload(config.monitor),
  });
  if (hangups.haveCome()) void reloads.reload();
  await Promise.race([endedBy(interrupts.signal), hangups.terminalGone, unexpected.gaveUp]);
  const status = unexpected.hasGivenUp() ? 3 : 0;
  const cut = setTimeout(() => process.exit(status), END_MS);
  log('info', 'monitor-stopping');
  reloads.close();
  const began = performance.now();
  await service.stop();
  clearTimeout(cut);
  log('info', 'monitor-stopped', { durationMs: Math.round(performance.now() - began) });
  await opened.flush(FLUSH_LOG_MS);
  return status;
}
