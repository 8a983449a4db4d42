/** `docvitals coordinator` and `docvitals runner`: a monitor of many locations, on PostgreSQL. */
import { env } from 'node:process';
import type { Flags } from './commands.ts';
import { startCoordinator } from '../monitor/fleet/coordinator.ts';
import type { Watchdog } from '../monitor/engine/watchdog.ts';
import { startRunner } from '../monitor/fleet/runner.ts';
import { isPostgres, shownDatabase } from '../monitor/store/store.ts';
import { known, UsageError } from '../options/arguments.ts';
import { databaseFile } from './database.ts';
import { begin, runService, type Begun, type Service } from './service.ts';
import { storeErrorOf } from '../monitor/store/postgres/connection.ts';

export async function runner(flags: Flags<'runner'>): Promise<number> {
  const { location } = flags;
  return runFleet(flags, `runner-${location}`, async (address, { settings, opened: { log } }, watchdog) => {
    const { monitor } = settings.config;
    known(location, monitor.locations, (messages, ...facts) => messages.unknownLocation(...facts));
    const started = await startRunner({ address, location, settings: monitor, log, env, watchdog });
    return { reload: (changed) => started.configure(changed), stop: () => started.stop() };
  });
}

export async function coordinator(flags: Flags<'coordinator'>): Promise<number> {
  return runFleet(flags, 'coordinator', async (address, { settings, opened }, watchdog) => {
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
        const server = await startServer({ view: { ...view, watchdog }, listen, log, env });
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

/** `name`: of this process, in the file in which the watchdog notes what blocked it. */
async function runFleet(
  flags: Flags<'coordinator' | 'runner'>,
  name: string,
  start: (address: string, begun: Begun, watchdog: Watchdog) => Promise<Service>,
): Promise<number> {
  const begun = await begin(flags);
  const { config } = begun.settings;
  const address = databaseFile(flags.database, config);
  if (!isPostgres(address)) throw new UsageError((messages) => messages.fleetNeedsPostgres());
  if (config.monitor.locations.length === 0) throw new UsageError((messages) => messages.noLocations());
  return runService(begun, `docvitals-${name}-blocked.json`, (watchdog) =>
    start(address, begun, watchdog).catch((error: unknown) => {
      throw storeErrorOf(error, shownDatabase(address));
    }),
  );
}
