import { openAlertBook } from '../alerts/book.ts';
import type { MonitorSettings } from '../settings.ts';
import { roundsAtOnce } from './capacity.ts';
import { Core } from './core.ts';
import type { MonitorOptions } from './monitor.ts';
import { reconcile } from './reconcile.ts';

/** Opens what a monitor works with; `isOnce`: that looks at all sites once, and ends. Rejects with a `StoreError`. */
export async function openCore(options: MonitorOptions, isOnce = false): Promise<Core> {
  let core: Core | null = null;
  const settings = (): MonitorSettings => core?.settings ?? options.settings;
  const book = await openAlertBook(options.store, settings);
  const states = await options.store.states();
  core = new Core(options, { book, atOnce: options.atOnce ?? (await roundsAtOnce()), isOnce });
  await core.network.open(options.settings.control);
  core.apply(options.settings, (site) => states.get(site) ?? null);
  await reconcileAll(core);
  await core.readMaintenance();
  return core;
}

/** The most incidents that can be open: one for each of more sites than there can be. */
const MOST_OPEN = 100_000;

/** What is open in the database and what its sites know of it are made to agree; the next round of each writes it. */
async function reconcileAll({ watched, book, clock, options: { store, log } }: Core): Promise<void> {
  const open = await store.incidents({ open: true, limit: MOST_OPEN });
  for (const site of watched.values()) {
    const own = open.filter((incident) => incident.site === site.site.id);
    const { state, incidents, events } = reconcile(site.state, own, clock.now());
    if (state === site.state && incidents.length === 0) continue;
    site.state = state;
    site.owed = { incidents, outbox: book.plan(events) };
    log('warn', 'incidents-reconciled', { site: site.site.id, open: own.length });
  }
}
