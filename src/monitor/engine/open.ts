import { openAlertBook } from '../alerts/book.ts';
import type { MonitorSettings } from '../settings.ts';
import { runsAtOnce } from './capacity.ts';
import { Core } from './core.ts';
import type { MonitorOptions } from './monitor.ts';
import { reconcileAll } from './reconcile.ts';

/** Opens what a monitor works with; `isOnce`: that looks at all sites once, and ends. Rejects with a `StoreError`. */
export async function openCore(options: MonitorOptions, isOnce = false): Promise<Core> {
  let core: Core | null = null;
  const settings = (): MonitorSettings => core?.settings ?? options.settings;
  const book = await openAlertBook(options.store, settings);
  const states = await options.store.states();
  core = new Core(options, { book, atOnce: options.atOnce ?? (await runsAtOnce()), isOnce });
  await core.network.open(options.settings.control);
  core.apply(options.settings, (site) => states.get(site) ?? null);
  await reconcileAll(core);
  await core.readMaintenance();
  return core;
}
