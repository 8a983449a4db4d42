import { readKnownAlerts } from '../alerts/known-alerts.ts';
import type { MonitorSettings } from '../settings.ts';
import { runsAtOnce } from './slots.ts';
import { Core } from './core.ts';
import type { MonitorOptions } from './monitor.ts';
import { reconcileAll } from './reconcile.ts';
import type { MonitorView, SiteView } from '../view.ts';
import type { WatchedSite } from './watched-site.ts';

/** Opens what a monitor works with; `isOnce`: that looks at all sites once, and ends. Rejects with a `StoreError`. */
export async function openCore(options: MonitorOptions, isOnce = false): Promise<Core> {
  let core: Core | null = null;
  const settings = (): MonitorSettings => core?.settings ?? options.settings;
  const book = await readKnownAlerts(options.store, settings);
  const states = await options.store.states();
  core = new Core(options, { book, atOnce: options.atOnce ?? (await runsAtOnce()), isOnce });
  await core.network.open(options.settings.control);
  core.apply(options.settings, (site) => states.get(site) ?? null);
  await reconcileAll(core);
  await core.readMaintenance();
  return core;
}

/** What the outside sees of a monitor. `nextAt`: when a site is due next. */
export function viewOf(core: Core, nextAt: (site: string) => number | null): MonitorView {
  const startedAt = core.clock.now();
  return {
    startedAt,
    store: core.options.store,
    resolver: core.resolver,
    now: () => core.clock.now(),
    settings: () => core.settings,
    sites: () => [...core.watched.values()].map((watched) => siteView(core, watched, nextAt(watched.site.id))),
    counters: () => {
      const { sent, failed } = core.deliverer.counters();
      const { alertsSent, alertsFailed, ...counts } = core.counts;
      return { ...counts, alertsSent: sent + alertsSent, alertsFailed: failed + alertsFailed };
    },
    troubles: () => core.troubles(),
    ready: () => core.writer.problem === null && [...core.watched.values()].every(({ state }) => state !== null),
  };
}

function siteView(core: Core, watched: WatchedSite, nextAt: number | null): SiteView {
  const { site, url, state, report, results } = watched;
  return { site, url, state, report, results, maintenance: core.maintenanceOf(watched, core.clock.now()), nextAt };
}
